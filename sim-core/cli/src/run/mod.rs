//! `pagewalk run`: simulates a trace on a machine.
//!
//! Each access is simulated when it is read, and the trace is not kept. If the memory map decides how memory
//! is mapped, the whole trace is read first.

mod breakdown;
mod memory;
mod simulation;
mod stacks;
mod text;
mod uncertainty;

use anyhow::bail;
use pagewalk::config::Overlap;
use pagewalk::machine::Machine;
use pagewalk::machine::exception::ExceptionsReport;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{Frames, MemoryMap};
use pagewalk::record::stats::RunReport;
use pagewalk::run::window::Window;
use pagewalk_analysis::frames::FrameReport;
use pagewalk_analysis::recorded_pages::page_size;
use pagewalk_analysis::uncertainty::UncertaintyReport;
use pagewalk_base::addr::{PageSize, TableFormat};
use pagewalk_sources::import::{ImportReport, Skipped, Warning};
use serde::Serialize;

use crate::about::{TraceAbout, json};
use crate::args::{BreakdownBy, CoresBy, CountBy, RunArgs, RunPages};
use crate::import::lacks_threads;
use crate::output;
use crate::recorded::{Sizes, Wanted, check_recorded};
use crate::setup::Setup;
use crate::sheet::Sheet;
use crate::source::{self, Source};
use crate::sweep::threads;
use crate::table::grouped;
use breakdown::Breakdown;
use simulation::{Ended, Simulation};

/// The JSON that `--json` prints: the report of the run, and the report of the import.
#[derive(Serialize)]
struct RunOutput {
    #[serde(flatten)]
    report: RunReport,
    skipped: Vec<Skipped>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<FrameReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<Breakdown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uncertainty: Option<UncertaintyReport>,
}

/// A finished run.
pub(crate) struct Done {
    /// The trace, the machine and the memory policy, in words.
    pub(crate) title: String,
    pub(crate) report: RunReport,
    import: ImportReport,
    overlap: Overlap,
    /// The format of the machine's page tables, which decides the terms in the output.
    tables: TableFormat,
    pub(crate) setup: Setup,
    breakdown: Option<Breakdown>,
    uncertainty: Option<UncertaintyReport>,
    frames: Option<FrameReport>,
    /// The trace for `about`, with --json or --csv.
    pub(crate) trace: Option<TraceAbout>,
}

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let Done {
        title,
        report,
        import,
        overlap,
        tables,
        setup,
        trace,
        breakdown,
        uncertainty,
        frames,
    } = simulated(args)?;
    let about = setup.about().of(trace);
    if let (Some(breakdown), Some(by)) = (&breakdown, args.folded) {
        return match breakdown.folded(by) {
            Some(lines) => output::text(lines),
            None => bail!("--folded: {}", stacks::NONE.trim_end()),
        };
    }
    let sheet = || match (&breakdown, &uncertainty) {
        (Some(breakdown), _) => breakdown.sheet(),
        (None, Some(uncertainty)) => uncertainty::sheet(uncertainty),
        (None, None) => Sheet::of_values(&report),
    };
    if args.result.write_csv(&about, sheet)? {
        return Ok(());
    }
    if args.result.json {
        let warnings = import.warnings.iter().map(ToString::to_string).collect();
        let skipped = import.skipped;
        let output = RunOutput { report, skipped, warnings, frames, breakdown, uncertainty };
        return json(about, &output);
    }
    let part = breakdown.map(|breakdown| breakdown.text());
    if let Some(part) = part.or_else(|| uncertainty.as_ref().map(uncertainty::text)) {
        return output::text(text::of_part(&title, &part, &import));
    }
    let frames = frames.as_ref();
    output::text(text::text((&title, overlap, tables), window(args), (&report, frames), &import))
}

/// Runs the simulation that the arguments describe.
///
/// # Errors
/// Errors of the trace and the machine, with their names.
pub(crate) fn simulated(args: &RunArgs) -> anyhow::Result<Done> {
    if args.by.is_some() && args.count == CountBy::Accesses {
        bail!(
            "--count accesses: a breakdown counts an access for each of its pages: leave out --by or --count"
        );
    }
    if args.folded.is_some() && args.by != Some(BreakdownBy::Stack) {
        bail!("--folded: only call paths have this form: add --by stack");
    }
    let (pages, is_recorded) = match &args.pages {
        Some(RunPages::Given(os)) => (Some(os.as_ref()), false),
        Some(RunPages::Recorded) => (None, true),
        None => (None, false),
    };
    let mut setup = Setup::new(&args.machine, &args.virt, pages, args.os.as_deref())?;
    setup.config.event_costs = args.event_costs.or(setup.config.event_costs);
    let wanted = Wanted::new(is_recorded, &setup);
    check_recorded(wanted, &args.accesses)?;
    let (source, ended) = simulate(args, &mut setup, wanted)?;
    let Ended { mut report, breakdown, uncertainty, about_pages, frames } = ended;
    let Source { name, report: mut import, about: trace } = source;
    check_counted(window(args), import.accesses, &name)?;
    // Skipped and warm-up accesses are not counted, so the import is partial. The importer itself notices
    // when a limit ends the reading.
    import.part |= report.trace.part || window(args).counted_from() > 0;
    report.trace.part = import.part;
    if matches!(args.cores, Some(CoresBy::Tid)) && lacks_threads(&import) {
        let warning = format!(
            "A {} trace does not say which thread an access belongs to, so --cores tid has one core for all",
            import.format
        );
        import.warnings.push(warning.into());
    }
    let about_pages = about_pages.or_else(|| other_pages(&import, &report));
    import.warnings.extend(about_pages.map(Warning::from));
    import.warnings.extend(setup.warnings().into_iter().map(Warning::from));
    import
        .warnings
        .extend(setup.untranslated_warning(n_untranslated(&report), report.trace.accesses)?);
    let once = if args.count == CountBy::Accesses { ", each access counted once" } else { "" };
    let title = format!("{} on {}, {}{once}", name, setup.machine_name(), setup.os_name());
    let tables = setup.config.words(&setup.config.geometry()?);
    Ok(Done {
        title,
        report,
        import,
        overlap: setup.config.overlap(),
        tables,
        setup,
        trace,
        breakdown,
        uncertainty,
        frames,
    })
}

/// Returns a warning if the recording measured or states pages of a size of which the run maps none.
fn other_pages(import: &ImportReport, report: &RunReport) -> Option<String> {
    let is_mapped = |size: PageSize| report.pages.get(&size.to_string()).is_some_and(|n| *n > 0);
    let measured = import.sampling.iter().flat_map(|sampling| &sampling.page_sizes);
    let missing = measured.filter_map(|pages| {
        let size = page_size(pages.bytes).filter(|size| !is_mapped(*size))?;
        Some(format!("{} accesses to pages of {size}", grouped(pages.accesses)))
    });
    let missing: Vec<String> = missing.collect();
    let stated = page_size(import.page_size).filter(|size| !is_mapped(*size));
    let what = match stated {
        Some(size) => format!("states pages of {size}"),
        None if missing.is_empty() => return None,
        None => format!("measured {}", missing.join(" and ")),
    };
    Some(format!(
        "The recording {what}, and this run maps no such page. --pages recorded maps each page at its measured size"
    ))
}

/// Returns the number of accesses whose address the machine does not translate.
fn n_untranslated(report: &RunReport) -> u64 {
    let ExceptionsReport { general_protection, address_faults, .. } = &report.exceptions;
    general_protection + address_faults.values().sum::<u64>()
}

fn window(args: &RunArgs) -> Window {
    Window { skip: args.skip, warmup: args.warmup, limit: args.limit }
}

/// Checks that `--skip` and `--warmup` leave accesses to count.
fn check_counted(window: Window, accesses: u64, name: &str) -> anyhow::Result<()> {
    let Window { skip, warmup, limit } = window;
    if limit == Some(0) || window.counted_from() == 0 || accesses > window.counted_from() {
        return Ok(());
    }
    let options = [("--skip", skip), ("--warmup", warmup)].into_iter().filter(|(_, n)| *n > 0);
    let options: Vec<_> = options.map(|(name, n)| format!("{name} {}", grouped(n))).collect();
    bail!("{} leaves no access to count: {name} has {}", options.join(" and "), grouped(accesses))
}

/// The reason why there is no report.
enum Stopped {
    /// A memory map came after accesses that it applies to, so the whole trace must be kept.
    Late,
    Failed(anyhow::Error),
}

impl Stopped {
    fn into_error(self) -> anyhow::Error {
        match self {
            Self::Late => anyhow::anyhow!("the memory map comes after accesses"),
            Self::Failed(error) => error,
        }
    }
}

impl From<anyhow::Error> for Stopped {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// Simulates the trace, which is read twice if it says late how its memory is mapped.
fn simulate(args: &RunArgs, setup: &mut Setup, wanted: Wanted) -> anyhow::Result<(Source, Ended)> {
    let keep = setup.os.needs_map()
        || setup.os.frames == Frames::Recorded
        || args.by.is_some()
        || args.uncertainty
        || wanted == Wanted::Always;
    simulate_once(args, setup, wanted, keep).or_else(|stopped| match stopped {
        Stopped::Late => simulate_once(args, setup, wanted, true).map_err(Stopped::into_error),
        Stopped::Failed(error) => Err(error),
    })
}

/// Simulates the trace. With `keep`, the whole trace is read before it is simulated.
fn simulate_once(
    args: &RunArgs,
    setup: &mut Setup,
    wanted: Wanted,
    keep: bool,
) -> Result<(Source, Ended), Stopped> {
    let cores = args.cores.map_or(Cores::One, CoresBy::into);
    let known = MemoryMap { is_of_trace: keep, ..MemoryMap::default() };
    let machine = Machine::with_map(&setup.config, &setup.os, &known);
    let machine = machine.map_err(|error| setup.blame(error))?.with_cores(cores);
    let sizes = Sizes::new(wanted, setup.smallest_pages());
    let mut simulation = Simulation::new(machine, window(args), keep, args.count, sizes);
    simulation.by = args.by;
    simulation.is_folded = args.folded.is_some();
    simulation.varied = args.uncertainty.then(|| threads(args.jobs));
    let limit = simulation.limit();
    match source::stream(&args.accesses, limit, args.result.is_cited(), &mut simulation) {
        Ok(source) => {
            let ended = simulation.report(&source, setup, cores)?;
            Ok((source, ended))
        }
        Err(_) if simulation.is_late() && !args.accesses.is_stdin() => Err(Stopped::Late),
        Err(error) => Err(Stopped::Failed(error)),
    }
}
