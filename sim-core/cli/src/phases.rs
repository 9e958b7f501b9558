//! `pagewalk phases`: the working set over time.

use pagewalk_analysis::working_set::{Phase, WorkingSet, WorkingSetBuilder};

use crate::about::this_command;
use crate::args::PhasesArgs;
use crate::page_uses::{blame, chosen, print, stream};
use crate::sheet::Sheet;
use crate::table::{Table, grouped};

/// The largest number of phases that are printed.
const MAX_PHASES: usize = 40;

pub(crate) fn phases(args: &PhasesArgs) -> anyhow::Result<()> {
    let chosen = chosen(&args.uses);
    let mut builder = WorkingSetBuilder::new(chosen, args.window).map_err(blame)?;
    let source = stream(&args.uses, args.result.is_cited(), |access| builder.push(access))?;
    let found = builder.finish();
    let about = this_command().with_pages(chosen.pages);
    let title = |name: &str| format!("{name}, {} pages", chosen.pages);
    let text = |name: &str| text(&title(name), &found);
    print(&args.result, about, source, &found, || sheet(&found), text)
}

fn sheet(found: &WorkingSet) -> Sheet {
    let mut sheet = Sheet::new(["first", "accesses", "mean_pages", "most_pages"]);
    for Phase { first, accesses, mean, most } in &found.phases {
        sheet.row([first.to_string(), accesses.to_string(), mean.to_string(), most.to_string()]);
    }
    sheet
}

fn text(title: &str, found: &WorkingSet) -> String {
    let mut table = Table::new(0, ["From", "Accesses", "Pages, mean", "most", "KiB, mean"]);
    let kib = |pages: f64| {
        #[expect(clippy::cast_precision_loss, reason = "for people")]
        let bytes = pages * found.page_bytes as f64;
        format!("{:.0}", bytes / 1024.0)
    };
    for phase in found.phases.iter().take(MAX_PHASES) {
        table.row([
            grouped(phase.first),
            grouped(phase.accesses),
            format!("{:.1}", phase.mean),
            grouped(u64::from(phase.most)),
            kib(phase.mean),
        ]);
    }
    let mut text = format!(
        "{title}, {} accesses, {} distinct pages\nworking set of {} accesses: {:.1} pages on average, {} at most
A phase is where most pages stay from one such interval to the next, or where they keep changing, as in a scan:\n\n{table}",
        grouped(found.accesses),
        grouped(found.pages),
        grouped(found.window),
        found.mean,
        grouped(u64::from(found.most)),
    );
    if let Some(more) = found.phases.len().checked_sub(MAX_PHASES).filter(|more| *more > 0) {
        text += &format!("and {} more (--json lists all)\n", grouped(more as u64));
    }
    text
}
