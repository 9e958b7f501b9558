//! `pagewalk huge`: finds the ranges of memory that should be huge pages.

mod counters;
mod text;

use std::thread;

use anyhow::{anyhow, bail};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{Frames, OsConfig, PagePolicy};
use pagewalk::run::window::Window;
use pagewalk_analysis::huge_pages::{Advisor, HugeAdvice, HugeOptions, HugeSetup, Prices};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Place, Result};
use pagewalk_base::trace::Trace;
use pagewalk_measured::counters::Family;
use pagewalk_sources::import::{ImportReport, Warning};

use crate::args::{CoresBy, HugeArgs, SizePages};
use crate::page_uses::{blame, left_out, print};
use crate::progress::share_bar;
use crate::recorded::{Sized, Wanted, check_recorded};
use crate::setup::{Setup, as_recorded};
use crate::source;
use crate::sweep::threads;
use crate::table::grouped;

pub(crate) fn huge(args: &HugeArgs) -> anyhow::Result<()> {
    let setup = Setup::new(&args.machine, &args.virt, None, args.os.as_deref())?;
    let pages = match args.pages {
        Some(SizePages::Given(pages)) => pages,
        Some(SizePages::Recorded) | None => PageSize::K4,
    };
    let wanted = match args.pages {
        Some(SizePages::Given(_)) => Wanted::Never,
        Some(SizePages::Recorded) => Wanted::Always,
        None => Wanted::new(false, &setup),
    };
    check_recorded(wanted, &args.accesses)?;
    let prices = Prices::default();
    let [small_us, huge_us] =
        args.first_touch.as_ref().map_or([prices.small_us, prices.huge_us], |prices| prices.0);
    let ghz = args.ghz.unwrap_or(prices.ghz);
    let family = setup.cpu().and_then(Family::of_model);
    let measured = args.counters.as_deref().map(|path| counters::share(path, setup.cpu()));
    let measured = measured.transpose()?;
    let mut options = HugeOptions {
        pages,
        huge: args.huge.unwrap_or(PageSize::M2),
        most: args.most,
        prices: Prices { small_us, huge_us, ghz, are_given: args.first_touch.is_some() },
        measured: measured.as_ref().map(|share| share.walks),
        walk_counters: counters::walk_counters(family),
        ..HugeOptions::default()
    };
    let window = Window { skip: args.skip, warmup: args.warmup, limit: args.limit };
    if window.limit == Some(0) {
        bail!("no access is counted: --limit is 0");
    }
    let mut read = Sized::new(wanted, pages);
    let mut source =
        source::stream(&args.accesses, window.end(), args.result.is_cited(), &mut read)?;
    let (mut trace, sizes) = read.finish(source.report.completeness)?;
    trace.part = source.report.part;
    let recorded = sizes.pages(&source.name)?;
    let already = match &recorded {
        Some(recorded) => {
            options.pages = recorded.others;
            recorded.regions.clone()
        }
        None => Vec::new(),
    };
    source.report.part |= window.counted_from() > 0;
    source.report.warnings.extend(setup.warnings().into_iter().map(Warning::from));
    let about_pages = match &recorded {
        Some(recorded) => recorded.warning(),
        None => measured_huge(&source.report, options),
    };
    source.report.warnings.extend(about_pages.map(Warning::from));
    let note = measured.as_ref().and_then(|share| share.note.as_ref());
    let note = note.map(|note| format!("--counters: {note}"));
    source.report.warnings.extend(note.map(Warning::from));
    let mut os = setup.os.clone();
    if wanted != Wanted::Never && !trace.frames().is_empty() {
        os.frames = Frames::Recorded;
    }
    let asked = HugeSetup {
        machine: setup.config.clone(),
        os: os.clone(),
        already: already.clone(),
        cores: args.cores.map_or(Cores::One, CoresBy::into),
        window,
    };
    let advice = advise(&trace, &asked, options, threads(args.jobs));
    let advice = advice.map_err(|error| explained(error, &setup))?;
    let simulated = advice.points.first().map_or(0, |point| point.walk_cycles);
    let unlike = measured.and_then(|share| share.unlike(simulated));
    source.report.warnings.extend(unlike.map(Warning::from));
    let title = |name: &str| {
        let left_out = left_out(window);
        let host = setup.host_name();
        let pages = match &recorded {
            Some(recorded) => {
                let all = recorded.regions.is_empty().then(|| recorded.others.to_string());
                as_recorded(all.as_deref())
            }
            None => format!("{} pages", options.pages),
        };
        format!("{name}{left_out} on {}, {pages}{host}", setup.machine_name())
    };
    // The analysis chooses the pages, whatever the file of --os says.
    let default = PagePolicy::Fixed(options.pages);
    let mapping = OsConfig { default, regions: already, ..os };
    let about = setup.about().mapped(&mapping);
    let text = |name: &str| text::text(&title(name), &advice);
    print(&args.result, about, source, &advice, || text::sheet(&advice), text)
}

/// Returns a warning if the recorded machine had huge pages, because the advice begins without any.
fn measured_huge(import: &ImportReport, options: HugeOptions) -> Option<String> {
    let sizes = import.sampling.iter().flat_map(|sampling| &sampling.page_sizes);
    let huge = sizes.filter(|pages| pages.bytes > options.pages.bytes());
    let n: u64 = huge.map(|pages| pages.accesses).sum();
    (n > 0).then(|| {
        format!(
            "The recording measured {} accesses to pages that are huge already. The advice begins with pages of {} everywhere",
            grouped(n),
            options.pages
        )
    })
}

/// Computes the advice. While this thread simulates, others simulate ranges that the advisor will probably ask for.
fn advise(
    trace: &Trace,
    setup: &HugeSetup,
    options: HugeOptions,
    threads: usize,
) -> Result<HugeAdvice> {
    let mut advisor = Advisor::new(trace, setup, options)?;
    let bar = share_bar(1000, "the simulations");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    let show = |advisor: &Advisor| bar.set_position((advisor.progress() * 1000.0) as u64);
    loop {
        let trials = advisor.trials(threads - 1);
        let tried = thread::scope(|scope| {
            let trials: Vec<_> =
                trials.into_iter().map(|trial| scope.spawn(move || trial.run(trace))).collect();
            while !advisor.go_on_inside(trace)? {
                show(&advisor);
            }
            Ok(trials.into_iter().map(|trial| trial.join().expect("it did not panic")).collect())
        });
        let tried: Vec<_> = tried?;
        // If the advisor needs a trial that failed, it simulates the range again and reports the error.
        tried.into_iter().flatten().for_each(|tried| advisor.add(&tried));
        let is_done = advisor.go_on(trace)?;
        show(&advisor);
        if is_done {
            bar.finish_and_clear();
            return Ok(advisor.finish());
        }
    }
}

/// Names the option or the file that caused an error.
fn explained(error: Error, setup: &Setup) -> anyhow::Error {
    let Some(Place::Field(field)) = &error.at else { return setup.blame(error) };
    match field.strip_prefix("window.") {
        Some(option) => anyhow!("--{option}: {}", error.message),
        None if field == "pages" || field == "huge" => blame(error),
        None => setup.blame(error),
    }
}
