//! `pagewalk huge`: finds the ranges of memory that should be huge pages.

use anyhow::{anyhow, bail};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::run::window::Window;
use pagewalk_analysis::huge_pages::{HugeAdvice, HugeOptions, HugeSetup, advise};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Place};
use pagewalk_base::trace::TraceBuilder;
use pagewalk_sources::import::Warning;

use crate::args::{CoresBy, HugeArgs};
use crate::page_uses::{blame, left_out, print};
use crate::setup::Setup;
use crate::source;
use crate::table::{Table, grouped, percent};

/// The largest number of ranges that are printed.
const MAX_PICKS: usize = 24;

pub(crate) fn huge(args: &HugeArgs) -> anyhow::Result<()> {
    let setup = Setup::new(&args.machine, &args.virt, None, args.os.as_deref())?;
    let options = HugeOptions {
        pages: args.pages.unwrap_or(PageSize::K4),
        huge: args.huge.unwrap_or(PageSize::M2),
        most: args.most,
        ..HugeOptions::default()
    };
    let window = Window { skip: args.skip, warmup: args.warmup, limit: args.limit };
    if window.limit == Some(0) {
        bail!("no access is counted: --limit is 0");
    }
    let mut builder = TraceBuilder::default();
    let (name, mut report) = source::stream(&args.accesses, window.end(), &mut builder)?;
    let trace = builder.finish(report.completeness)?;
    report.part |= window.counted_from() > 0;
    report.warnings.extend(setup.warning().map(Warning::from));
    let asked = HugeSetup {
        machine: setup.config.clone(),
        os: setup.os.clone(),
        cores: args.cores.map_or(Cores::One, CoresBy::into),
        window,
    };
    let advice = advise(&trace, &asked, options).map_err(|error| explained(error, &setup))?;
    let title = || {
        let left_out = left_out(window);
        let host = setup.host_name();
        format!("{name}{left_out} on {}, {} pages{host}", setup.machine_name(), options.pages)
    };
    print(args.json, &report, &advice, || text(&title(), &advice))
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

fn text(title: &str, advice: &HugeAdvice) -> String {
    let mut points =
        Table::new(0, ["Huge pages", "Walks", "Walk cycles", "", "L2 hit cycles", "KiB more"]);
    let all = advice.points.first().map_or(0, |point| point.walk_cycles);
    for point in &advice.points {
        points.row([
            grouped(u64::from(point.huge_pages)),
            grouped(point.walks),
            grouped(point.walk_cycles),
            percent(point.walk_cycles, all),
            grouped(point.l2_cycles),
            grouped(point.extra_bytes >> 10),
        ]);
    }
    let mut picks = Table::new(1, ["Range", "Walks", "Walk cycles", "KiB used"]);
    for pick in advice.picks.iter().take(MAX_PICKS) {
        picks.row([
            pick.start.to_string(),
            grouped(pick.walks),
            grouped(pick.walk_cycles),
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
        "{title}; every row is simulated\n\n{points}\nRanges of {} in this order, {how}. Cycles are those of their walks without huge pages:\n\n{picks}",
        advice.huge
    );
    if let Some(more) = advice.picks.len().checked_sub(MAX_PICKS).filter(|more| *more > 0) {
        text += &format!("and {} more (--json lists all)\n", grouped(more as u64));
    }
    text
}
