//! `pagewalk huge`: finds the ranges of memory that should be huge pages.

use std::thread;

use anyhow::{anyhow, bail};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk::run::window::Window;
use pagewalk_analysis::huge_pages::{Advisor, HugeAdvice, HugeOptions, HugePoint, HugeSetup};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Place, Result};
use pagewalk_base::trace::Trace;
use pagewalk_sources::import::{ImportReport, Warning};

use crate::args::{CoresBy, HugeArgs, SizePages};
use crate::page_uses::{blame, left_out, print};
use crate::progress::share_bar;
use crate::recorded::{Sized, Wanted, check_recorded};
use crate::setup::Setup;
use crate::sheet::Sheet;
use crate::source;
use crate::sweep::threads;
use crate::table::{Table, grouped, percent};

/// The largest number of ranges that are printed.
const MAX_PICKS: usize = 24;

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
    let mut options = HugeOptions {
        pages,
        huge: args.huge.unwrap_or(PageSize::M2),
        most: args.most,
        ..HugeOptions::default()
    };
    let window = Window { skip: args.skip, warmup: args.warmup, limit: args.limit };
    if window.limit == Some(0) {
        bail!("no access is counted: --limit is 0");
    }
    let mut read = Sized::new(wanted, pages);
    let mut source =
        source::stream(&args.accesses, window.end(), args.result.is_cited(), &mut read)?;
    let (trace, sizes) = read.finish(source.report.completeness)?;
    let recorded = sizes.pages(&source.name)?;
    let already = match &recorded {
        Some(recorded) => {
            options.pages = recorded.others;
            recorded.regions.clone()
        }
        None => Vec::new(),
    };
    source.report.part |= window.counted_from() > 0;
    source.report.warnings.extend(setup.warning().map(Warning::from));
    let about_pages = match &recorded {
        Some(recorded) => recorded.warning(),
        None => measured_huge(&source.report, options),
    };
    source.report.warnings.extend(about_pages.map(Warning::from));
    let asked = HugeSetup {
        machine: setup.config.clone(),
        os: setup.os.clone(),
        already: already.clone(),
        cores: args.cores.map_or(Cores::One, CoresBy::into),
        window,
    };
    let advice = advise(&trace, &asked, options, threads(args.jobs));
    let advice = advice.map_err(|error| explained(error, &setup))?;
    let title = |name: &str| {
        let left_out = left_out(window);
        let host = setup.host_name();
        let pages = match recorded {
            Some(_) => "pages as recorded".to_owned(),
            None => format!("{} pages", options.pages),
        };
        format!("{name}{left_out} on {}, {pages}{host}", setup.machine_name())
    };
    // The analysis chooses the pages, whatever the file of --os says.
    let default = PagePolicy::Fixed(options.pages);
    let mapping = OsConfig { default, regions: already, ..setup.os.clone() };
    let about = setup.about().mapped(&mapping);
    let text = |name: &str| text(&title(name), &advice);
    print(&args.result, about, source, &advice, || sheet(&advice), text)
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
    loop {
        let trials = advisor.trials(threads - 1);
        let tried = thread::scope(|scope| {
            let trials: Vec<_> =
                trials.into_iter().map(|trial| scope.spawn(move || trial.run(trace))).collect();
            advisor.end_simulation(trace)?;
            Ok(trials.into_iter().map(|trial| trial.join().expect("it did not panic")).collect())
        });
        let tried: Vec<_> = tried?;
        // If the advisor needs a trial that failed, it simulates the range again and reports the error.
        tried.into_iter().flatten().for_each(|tried| advisor.add(&tried));
        let is_done = advisor.go_on(trace)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        bar.set_position((advisor.progress() * 1000.0) as u64);
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

/// The points of the curve, then the ranges in the order of their choice.
fn sheet(advice: &HugeAdvice) -> Sheet {
    let mut sheet = Sheet::new([
        "table",
        "huge_pages",
        "start",
        "walks",
        "walk_cycles",
        "l2_cycles",
        "extra_bytes",
        "touched_bytes",
    ]);
    let none = String::new;
    for point in &advice.points {
        sheet.row([
            "points".to_owned(),
            point.huge_pages.to_string(),
            none(),
            point.walks.to_string(),
            point.walk_cycles.to_string(),
            point.l2_cycles.to_string(),
            point.extra_bytes.to_string(),
            none(),
        ]);
    }
    for (number, pick) in (1_u32..).zip(&advice.picks) {
        sheet.row([
            "ranges".to_owned(),
            number.to_string(),
            pick.start.to_string(),
            pick.walks.to_string(),
            pick.walk_cycles.to_string(),
            none(),
            none(),
            pick.touched_bytes.to_string(),
        ]);
    }
    sheet
}

fn text(title: &str, advice: &HugeAdvice) -> String {
    let mut points =
        Table::new(0, ["Huge pages", "Walks", "Miss cycles", "", "L2 hit cycles", "KiB more"]);
    let all = advice.points.first().map_or(0, HugePoint::miss_cycles);
    for point in &advice.points {
        points.row([
            grouped(u64::from(point.huge_pages)),
            grouped(point.walks),
            grouped(point.miss_cycles()),
            percent(point.miss_cycles(), all),
            grouped(point.l2_cycles),
            grouped(point.extra_bytes >> 10),
        ]);
    }
    let mut picks = Table::new(1, ["Range", "Walks", "Miss cycles", "KiB used"]);
    for pick in advice.picks.iter().take(MAX_PICKS) {
        picks.row([
            pick.start.to_string(),
            grouped(pick.walks),
            grouped(pick.miss_cycles()),
            grouped(pick.touched_bytes >> 10),
        ]);
    }
    let single = advice.picks.iter().filter(|pick| pick.tried).count();
    let how = match advice.picks.len() - single {
        0 => "each the best of those that remain".to_owned(),
        _ => format!(
            "the first {single} each the best of those that remain, then by the cost of their walks"
        ),
    };
    let mut text = format!(
        "{title}; every row is simulated\n\n{points}\nRanges of {} in this order, {how}. Cycles are those of their level-2 misses without huge pages:\n\n{picks}",
        advice.huge
    );
    if let Some(more) = advice.picks.len().checked_sub(MAX_PICKS).filter(|more| *more > 0) {
        text += &format!("and {} more (--json lists all)\n", grouped(more as u64));
    }
    text
}
