//! `pagewalk phases`: the working set over time.

use pagewalk_analysis::page_uses::Chosen;
use pagewalk_analysis::working_set::{Phase, WorkingSet, WorkingSetBuilder};

use crate::about::this_command;
use crate::args::PhasesArgs;
use crate::page_uses::{Analysed, blame, pages_words, print, stream, with_pages};
use crate::sheet::Sheet;
use crate::table::{Table, grouped};

/// The largest number of phases that are printed.
const MAX_PHASES: usize = 40;

pub(crate) fn phases(args: &PhasesArgs) -> anyhow::Result<()> {
    let limit = args.uses.limit.unwrap_or(u64::MAX);
    let make = |chosen: &Chosen| WorkingSetBuilder::new(chosen.clone(), args.window).map_err(blame);
    let read = stream((&args.uses, limit, args.result.is_cited()), make, WorkingSetBuilder::push)?;
    let Analysed { builder, chosen, source } = read;
    let found = builder.finish();
    let about = with_pages(this_command(), &chosen);
    let title = |name: &str| format!("{name}, {}", pages_words(&chosen));
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
    // Pages of several sizes have no number of bytes.
    let kib_column = (found.page_bytes > 0).then_some("KiB, mean");
    let columns = ["From", "Accesses", "Pages, mean", "most"].into_iter().chain(kib_column);
    let mut table = Table::headed(0, columns.map(str::to_owned));
    let kib = |pages: f64| {
        #[expect(clippy::cast_precision_loss, reason = "for people")]
        let bytes = pages * found.page_bytes as f64;
        format!("{:.0}", bytes / 1024.0)
    };
    for phase in found.phases.iter().take(MAX_PHASES) {
        let cells = [
            grouped(phase.first),
            grouped(phase.accesses),
            format!("{:.1}", phase.mean),
            grouped(u64::from(phase.most)),
        ];
        table.add(cells.into_iter().chain(kib_column.map(|_| kib(phase.mean))));
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
