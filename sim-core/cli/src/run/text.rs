//! Prints the report of a run as tables.

use pagewalk::config::Overlap;
use pagewalk::os::Virt;
use pagewalk::record::stats::{CoreReport, CyclesReport, EcptWalksReport, KindReport, RunReport};
use pagewalk::run::window::Window;
use pagewalk_analysis::frames::FrameReport;
use pagewalk_base::addr::TableFormat;
use pagewalk_sources::import::ImportReport;

use super::memory;
use crate::import::{notices, origin};
use crate::table::{Table, grouped, per, percent};

/// Prints all tables of a run. `window` explains a run that counted no access.
pub(super) fn text(
    (title, overlap, tables): (&str, Overlap, TableFormat),
    window: Window,
    (report, frames): (&RunReport, Option<&FrameReport>),
    import: &ImportReport,
) -> String {
    let mut parts = vec![
        format!("{title}\nTrace {}\n", origin(import)),
        kinds(report).to_string(),
        cores(report),
        structures(report, tables).to_string(),
        walks(report).to_string(),
        prefetches(report),
        memory::faults(report).to_string(),
        memory::pages(report).to_string(),
        frames.map(memory::frames).unwrap_or_default(),
        memory::regions(report),
        operations(report),
        host(report, tables),
        cycles(report, overlap),
        events(report),
    ];
    if report.trace.accesses == 0 {
        parts.insert(1, nothing(window));
    }
    parts.extend(notices(import).map(|warning| format!("Warning: {warning}\n")));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Prints a table instead of the counters, with what to know about the trace.
pub(super) fn of_part(title: &str, part: &str, import: &ImportReport) -> String {
    let warnings = notices(import).map(|warning| format!("\nWarning: {warning}\n"));
    let head = format!("{title}\nTrace {}\n\n{part}", origin(import));
    head + &warnings.collect::<String>()
}

/// Explains why no access was counted.
fn nothing(window: Window) -> String {
    let why = match window.limit {
        Some(0) => "--limit is 0",
        _ => "the trace has no accesses",
    };
    format!("No access was counted: {why}.\n")
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
        row("prefetch", trace.prefetch, &kinds.prefetch);
    }
    table
}

/// The cores in order of appearance, or nothing if there is only one.
fn cores(report: &RunReport) -> String {
    if report.cores.is_empty() {
        return String::new();
    }
    let mut table = Table::new(1, ["Core", "Accesses", "L1 hits", "L2 hits", "Walks", "Cycles"]);
    for core in &report.cores {
        let CoreReport { id, accesses, l1_hits, l2_hits, walks, cycles } = *core;
        let [accesses, l1, l2, walks, cycles] =
            [accesses, l1_hits, l2_hits, walks, cycles].map(grouped);
        table.row([id.to_string(), accesses, l1, l2, walks, cycles]);
    }
    table.to_string()
}

fn sum(kinds: [KindReport; 3]) -> KindReport {
    kinds.into_iter().fold(KindReport::default(), |all, kind| KindReport {
        translations: all.translations + kind.translations,
        l1_hits: all.l1_hits + kind.l1_hits,
        l2_hits: all.l2_hits + kind.l2_hits,
        walks: all.walks + kind.walks,
    })
}

/// TLB arrays and paging-structure caches, which share their first columns.
fn structures(report: &RunReport, tables: TableFormat) -> Table {
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
    if let Some(pom) = &report.pom_tlb {
        let counts = [pom.lookups, pom.hits, pom.fills, pom.evictions].map(grouped);
        let [lookups, hits, fills, evictions] = counts;
        let share = percent(pom.hits, pom.lookups);
        let (name, level) = ("POM-TLB".to_owned(), "behind level 2".to_owned());
        table.row([name, level, lookups, hits, share, fills, evictions]);
    }
    if let Some(blocks) = &report.victima {
        let fills = blocks.after_walks + blocks.after_evictions;
        let [lookups, hits, fills] = [blocks.lookups, blocks.hits, fills].map(grouped);
        let share = percent(blocks.hits, blocks.lookups);
        let (name, level) =
            ("TLB blocks".to_owned(), format!("behind level 2, in {}", blocks.cache));
        table.row([name, level, lookups, hits, share, fills]);
    }
    let walks = &report.walks;
    let host = if tables == TableFormat::Arm { "stage 2" } else { "EPT" };
    let ept = walks.ept_psc.iter().map(|row| (format!("{host} {}", row.name), row));
    let of_host = walks.nested_tlb.iter().map(|row| ("nested TLB".to_owned(), row));
    let pwc = walks.pwc.iter().map(|row| ("page walk cache".to_owned(), row));
    let of_host: Vec<_> = of_host.chain(ept).chain(pwc).collect();
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
    for (name, row) in of_host {
        let [lookups, hits, fills, evictions] =
            [row.lookups, row.hits, row.fills, row.evictions].map(grouped);
        let share = percent(row.hits, row.lookups);
        table.row([name, "host side".to_owned(), lookups, hits, share, fills, evictions]);
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
    if report.virt.as_ref().is_some_and(|virt| virt.mode == Virt::Ept) {
        for (name, refs) in
            [("  of the guest's tables", walks.guest_refs), ("  of the host's", walks.host_refs)]
        {
            table.row([name.to_owned(), grouped(refs), percent(refs, walks.refs)]);
        }
    }
    for served in &walks.served_by {
        let name = format!("  served by {}", served.name);
        table.row([name, grouped(served.refs), percent(served.refs, walks.refs)]);
    }
    if let Some(pom) = &report.pom_tlb {
        let reads = pom.served_by.iter().map(|served| served.refs).sum();
        table.row(["Reads of POM-TLB sets".to_owned(), grouped(reads)]);
        for served in &pom.served_by {
            let name = format!("  served by {}", served.name);
            table.row([name, grouped(served.refs), percent(served.refs, reads)]);
        }
    }
    if let Some(ecpt) = &report.ecpt {
        let EcptWalksReport { direct, size, partial, complete } = ecpt.walks;
        for (name, n) in
            [("Direct", direct), ("Size", size), ("Partial", partial), ("Complete", complete)]
        {
            table.row([format!("{name} walks"), grouped(n), percent(n, walks.walks)]);
        }
        for of in &ecpt.tables {
            let name = format!("Lines in use, pages of {}", of.pages);
            table.row([name, grouped(of.used), percent(of.used, of.lines)]);
        }
        table.row(["Resizes of tables".to_owned(), grouped(ecpt.resizes)]);
        table.row(["Lines moved".to_owned(), grouped(ecpt.moves)]);
    }
    table.row(["Accessed and dirty flags set".to_owned(), grouped(walks.ad_updates)]);
    table
}

/// The prefetches of TLB entries, if the machine makes any.
fn prefetches(report: &RunReport) -> String {
    let Some(done) = &report.tlb_prefetch else { return String::new() };
    let mut table = Table::new(1, ["TLB prefetches", grouped(done.issued).as_str(), ""]);
    let share = |n| percent(n, done.issued);
    table.row(["  useful".to_owned(), grouped(done.useful), share(done.useful)]);
    table.row(["  evicted unused".to_owned(), grouped(done.useless), share(done.useless)]);
    table.row(["References, apart from walks".to_owned(), grouped(done.refs)]);
    table.row(["Predicted pages that are not mapped".to_owned(), grouped(done.unmapped)]);
    if let Some(buffer) = &done.buffer {
        let hits = percent(buffer.hits, buffer.lookups);
        table.row(["Hits of the prefetch buffer".to_owned(), grouped(buffer.hits), hits]);
    }
    let untaught = match done.without_ip {
        0 => String::new(),
        n => format!(
            "{} misses taught the prefetcher nothing: it follows instructions, and the trace names none for them. Record fetches too, or use the method distance.\n",
            grouped(n)
        ),
    };
    format!("{table}{untaught}")
}

/// The operations between accesses, if the trace has any.
fn operations(report: &RunReport) -> String {
    let done = &report.invalidations;
    if done.ops.is_empty() {
        return String::new();
    }
    let mut table = Table::new(1, ["Operations", ""]);
    for (word, n) in &done.ops {
        table.row([format!("  {word}"), grouped(*n)]);
    }
    table.row(["TLB entries dropped".to_owned(), grouped(done.tlb_entries)]);
    table.row(["Walk-cache entries dropped".to_owned(), grouped(done.walk_cache_entries)]);
    table.to_string()
}

/// The actions of the host of a virtual machine, or nothing without a host.
fn host(report: &RunReport, tables: TableFormat) -> String {
    let Some(virt) = &report.virt else { return String::new() };
    let mut table = Table::bare(1);
    let mut row = |name: String, n: u64| table.row([name, grouped(n)]);
    let is_shadowed = virt.mode == Virt::Shadow;
    if is_shadowed {
        let exits = &virt.exits;
        row("VM exits".to_owned(), exits.total);
        row("  writes to the guest's page tables".to_owned(), exits.page_table_writes);
        row("  hidden faults".to_owned(), exits.hidden_faults);
        let [loads, drops] = match tables {
            TableFormat::Arm => ["writes of TTBR0", "TLBI of one address"],
            _ => ["loads of CR3", "INVLPG"],
        };
        row(format!("  {loads}"), exits.cr3_loads);
        row(format!("  {drops}"), exits.invlpg);
    } else {
        // Only Intel's processors have a page-modification log.
        let (name, violations, logged) = match tables {
            TableFormat::Amd => ("NPT", "Nested page faults", ""),
            TableFormat::Arm => ("Stage 2", "Stage 2 faults", ""),
            TableFormat::X86 | TableFormat::Plain => ("EPT", "EPT violations", ", logged"),
        };
        row(violations.to_owned(), virt.ept_violations);
        row(format!("{name} accessed flags set"), virt.ept_accessed);
        row(format!("{name} dirty flags set{logged}"), virt.ept_dirty);
        if !logged.is_empty() {
            row("VM exits because that log was full".to_owned(), virt.pml_full_exits);
        }
        let (faults, system) = (&virt.host_faults, &virt.host_system);
        let rare = [
            ("Host pages copied on write", faults.copy_on_write),
            ("Host pages that were already in memory", faults.shared),
            ("Host pages swapped in", faults.swap_in),
            ("Huge pages made by the host's khugepaged", system.promotions),
            ("VM exits because the host had changed its tables", virt.exits.flushes),
        ];
        for (name, n) in rare.into_iter().filter(|(_, n)| *n > 0) {
            row(name.to_owned(), n);
        }
    }
    if virt.exits.vm_switches > 0 {
        row("Switches of virtual machine".to_owned(), virt.exits.vm_switches);
    }
    for (size, n) in virt.host_pages.iter().filter(|(size, n)| **n > 0 && *size != "table_pages") {
        row(format!("Host pages mapped, {size}"), *n);
    }
    let tables = virt.host_pages.get("table_pages").copied().unwrap_or(0);
    let name = if is_shadowed { "Shadow table pages" } else { "Host table pages" };
    row(name.to_owned(), tables);
    table.to_string()
}

fn cycles(report: &RunReport, overlap: Overlap) -> String {
    let CyclesReport { l2_hit, l2_miss, walk, total, overlapped } = report.cycles;
    let mut table = Table::new(1, ["Translation cycles", "", "Per access", ""]);
    let parts = [
        ("  level-2 hits", l2_hit),
        ("  level-2 misses", l2_miss),
        ("  walks", walk),
        ("  total, one after the other", total),
        ("  at least, with overlap", overlapped),
    ];
    for (name, part) in parts {
        let share = percent(part, total);
        table.row([name.to_owned(), grouped(part), per(part, report.trace.accesses), share]);
    }
    let Overlap { walkers, outstanding_misses } = overlap;
    let plural = if walkers == 1 { "" } else { "s" };
    format!(
        "{table}Cycles are a model, not a measurement: level-2 hits, level-2 misses and walks, each at the machine's latencies. With overlap, {walkers} page walker{plural} and {outstanding_misses} misses in flight are always busy.\n"
    )
}

/// Prints the cycles of events outside of translation, if the machine prices them.
fn events(report: &RunReport) -> String {
    let Some(of) = report.event_cycles else { return String::new() };
    let [minor, major, exits, shootdowns] = report.events();
    let mut table = Table::new(1, ["Events, apart from translation", "Number", "Cycles"]);
    for (name, n, cycles) in [
        ("  minor page faults", minor, of.minor_faults),
        ("  major page faults", major, of.major_faults),
        ("  VM exits", exits, of.vm_exits),
        ("  shootdowns", shootdowns, of.shootdowns),
    ] {
        if n > 0 {
            table.row([name.to_owned(), grouped(n), grouped(cycles)]);
        }
    }
    table.row(["  all".to_owned(), String::new(), grouped(of.total)]);
    format!(
        "{table}Each event has the cycles that you gave it. They are not among the translation cycles.\n"
    )
}
