//! The report of a run as tables for people.

use pagewalk::addr::parse_size;
use pagewalk::import::ImportReport;
use pagewalk::stats::{CyclesReport, KindReport, RunReport};

use crate::import::meaning;
use crate::table::{Table, grouped, per, percent};

pub(super) fn text(title: &str, report: &RunReport, import: &ImportReport) -> String {
    let mut parts = vec![
        format!("{title}\nTrace {}\n", meaning(report.trace.completeness)),
        kinds(report).to_string(),
        structures(report).to_string(),
        walks(report).to_string(),
        memory(report).to_string(),
        cycles(report),
    ];
    if report.trace.accesses == 0 {
        parts.insert(
            1,
            "No access was counted: the trace ends before the window begins.\n".to_owned(),
        );
    }
    parts.extend(import.warnings.iter().map(|warning| format!("Warning: {warning}\n")));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn kinds(report: &RunReport) -> Table {
    let head = ["Kind", "Accesses", "Translations", "L1 hits", "", "L2 hits", "", "Walks", ""];
    let mut table = Table::new(1, head);
    let (trace, kinds) = (&report.trace, &report.kinds);
    let mut row = |name: &str, accesses: u64, kind: &KindReport| {
        let share = |part: u64| [grouped(part), percent(part, kind.translations)];
        let [[l1, l1_share], [l2, l2_share], [walks, walk_share]] =
            [kind.l1_hits, kind.l2_hits, kind.walks].map(share);
        let [accesses, translations] = [accesses, kind.translations].map(grouped);
        table.row([
            name.to_owned(),
            accesses,
            translations,
            l1,
            l1_share,
            l2,
            l2_share,
            walks,
            walk_share,
        ]);
    };
    row("fetch", trace.fetch, &kinds.fetch);
    row("load", trace.load, &kinds.load);
    row("store", trace.store, &kinds.store);
    row("all", trace.accesses, &sum([kinds.fetch, kinds.load, kinds.store]));
    if trace.prefetch > 0 {
        row("prefetch, apart", trace.prefetch, &kinds.prefetch);
    }
    table
}

fn sum(kinds: [KindReport; 3]) -> KindReport {
    kinds.into_iter().fold(KindReport::default(), |all, kind| KindReport {
        translations: all.translations + kind.translations,
        l1_hits: all.l1_hits + kind.l1_hits,
        l2_hits: all.l2_hits + kind.l2_hits,
        walks: all.walks + kind.walks,
    })
}

/// TLB arrays and paging-structure caches, which have the first columns in common.
fn structures(report: &RunReport) -> Table {
    let mut table = Table::new(2, ["Structure", "", "Lookups", "Hits", "", "Fills", "Evictions"]);
    for (at, row) in report.structures.iter().enumerate() {
        let before =
            report.structures[..at].iter().filter(|other| other.level == row.level).count();
        let name = if row.name.is_empty() {
            format!("l{}[{before}]", row.level)
        } else {
            row.name.clone()
        };
        let [lookups, hits, fills, evictions] =
            [row.lookups, row.hits, row.fills, row.evictions].map(grouped);
        let share = percent(row.hits, row.lookups);
        table.row([
            name,
            format!("TLB level {}", row.level),
            lookups,
            hits,
            share,
            fills,
            evictions,
        ]);
    }
    for row in &report.walks.psc {
        let [lookups, hits] = [row.lookups, row.hits].map(grouped);
        table.row([
            row.name.clone(),
            "walk cache".to_owned(),
            lookups,
            hits,
            percent(row.hits, row.lookups),
        ]);
    }
    table
}

fn walks(report: &RunReport) -> Table {
    let walks = &report.walks;
    let mut table = Table::new(1, ["Page walks", grouped(walks.walks).as_str(), ""]);
    table.row([
        "References".to_owned(),
        grouped(walks.refs),
        format!("{} per walk", per(walks.refs, walks.walks)),
    ]);
    for served in &walks.served_by {
        let name = format!("  served by {}", served.name);
        table.row([name, grouped(served.refs), percent(served.refs, walks.refs)]);
    }
    table.row(["Accessed and dirty flags set".to_owned(), grouped(walks.ad_updates)]);
    table
}

fn memory(report: &RunReport) -> Table {
    let mut table = Table::bare(1);
    let mut row = |name: String, n: u64| table.row([name, grouped(n)]);
    row("Page faults, minor".to_owned(), report.faults.minor);
    row("Page faults, major".to_owned(), report.faults.major);
    // The sizes read as numbers of bytes; `table_pages` does not.
    let mut sizes: Vec<_> =
        report.pages.iter().filter_map(|(name, n)| Some((parse_size(name)?, name, *n))).collect();
    sizes.sort_unstable();
    for (_, size, n) in sizes.into_iter().filter(|(_, _, n)| *n > 0) {
        row(format!("Pages mapped, {size}"), n);
    }
    row("Table pages".to_owned(), report.pages.get("table_pages").copied().unwrap_or(0));
    table
}

fn cycles(report: &RunReport) -> String {
    let CyclesReport { l2_hit, walk, total } = report.cycles;
    let mut table = Table::new(1, ["Translation cycles", "", "Per access", ""]);
    for (name, part) in [("  level-2 hits", l2_hit), ("  walks", walk), ("  total", total)] {
        let share = percent(part, total);
        table.row([name.to_owned(), grouped(part), per(part, report.trace.accesses), share]);
    }
    format!(
        "{table}Cycles are a model, not a measurement: level-2 hits and walks, each at the machine's latencies.\n"
    )
}
