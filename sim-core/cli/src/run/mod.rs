//! `pagewalk run`: simulates a trace on a machine.
//!
//! Each access is simulated when it is read, and the trace is not kept. If the memory map decides how memory
//! is mapped, the whole trace is read first.

mod memory;
mod simulation;
mod text;

use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::MemoryMap;
use pagewalk::record::stats::RunReport;
use pagewalk::run::window::Window;
use pagewalk_base::addr::TableFormat;
use pagewalk_sources::import::{ImportReport, Skipped, Warning};
use serde::Serialize;

use crate::args::{CoresBy, RunArgs};
use crate::output;
use crate::setup::Setup;
use crate::source;
use simulation::Simulation;

/// The JSON that `--json` prints: the report of the run, and the report of the import.
#[derive(Serialize)]
struct RunOutput {
    #[serde(flatten)]
    report: RunReport,
    skipped: Vec<Skipped>,
    warnings: Vec<String>,
}

/// A finished run.
pub(crate) struct Done {
    /// The trace, the machine and the memory policy, in words.
    pub(crate) title: String,
    pub(crate) report: RunReport,
    import: ImportReport,
    walkers: u32,
    /// The format of the machine's page tables, which decides the terms in the output.
    tables: TableFormat,
}

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let Done { title, report, import, walkers, tables } = simulated(args)?;
    if args.json {
        return output::json(&RunOutput {
            report,
            skipped: import.skipped,
            warnings: import.warnings.iter().map(ToString::to_string).collect(),
        });
    }
    output::text(text::text((&title, walkers, tables), window(args), &report, &import))
}

/// Runs the simulation that the arguments describe.
///
/// # Errors
/// Errors of the trace and the machine, with their names.
pub(crate) fn simulated(args: &RunArgs) -> anyhow::Result<Done> {
    let setup = Setup::new(&args.machine, &args.virt, args.pages.as_ref(), args.os.as_deref())?;
    let cores = args.cores.map_or(Cores::One, CoresBy::into);
    let (name, mut import, mut report) = match simulate(args, &setup, cores, setup.os.needs_map()) {
        Ok(done) => done,
        Err(Stopped::Late) => simulate(args, &setup, cores, true).map_err(Stopped::into_error)?,
        Err(Stopped::Failed(error)) => return Err(error),
    };
    // Skipped and warm-up accesses are not counted, so the import is partial. The importer itself notices
    // when a limit ends the reading.
    import.part |= report.trace.part || window(args).counted_from() > 0;
    report.trace.part = import.part;
    import.warnings.extend(setup.warning().map(Warning::from));
    let title = format!("{} on {}, {}", name, setup.machine_name(), setup.os_name());
    let tables = setup.config.words(&setup.config.geometry()?);
    Ok(Done { title, report, import, walkers: setup.config.walkers, tables })
}

fn window(args: &RunArgs) -> Window {
    Window { skip: args.skip, warmup: args.warmup, limit: args.limit }
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

/// Simulates the trace. With `keep`, the whole trace is read before it is simulated.
fn simulate(
    args: &RunArgs,
    setup: &Setup,
    cores: Cores,
    keep: bool,
) -> Result<(String, ImportReport, RunReport), Stopped> {
    let known = MemoryMap { is_of_trace: keep, ..MemoryMap::default() };
    let machine = Machine::with_map(&setup.config, &setup.os, &known);
    let machine = machine.map_err(|error| setup.blame(error))?.with_cores(cores);
    let mut simulation = Simulation::new(machine, window(args), keep);
    let limit = simulation.limit();
    match source::stream(&args.accesses, limit, &mut simulation) {
        Ok((name, import)) => {
            let report = simulation.report(import.completeness, setup, cores)?;
            Ok((name, import, report))
        }
        Err(_) if simulation.is_late() && !args.accesses.is_stdin() => Err(Stopped::Late),
        Err(error) => Err(Stopped::Failed(error)),
    }
}
