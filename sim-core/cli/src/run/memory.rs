//! Prints what the operating system did: faults, pages and the memory map. It leaves out what did not occur.

use pagewalk::os::{MapSource, RegionSource};
use pagewalk::record::stats::{RegionReport, RunReport};
use pagewalk_analysis::frames::FrameReport;
use pagewalk_base::addr::parse_size;
use pagewalk_sources::import::process_text;

use crate::table::{Table, grouped, listed, percent};

/// The largest number of regions that are printed; a memory map can have thousands.
const MAX_REGIONS: usize = 24;

/// Faults by cause, and accesses that ended without a translation.
pub(super) fn faults(report: &RunReport) -> Table {
    let mut table = Table::bare(1);
    let faults = &report.faults;
    let mut row = |name: &str, n: u64| table.row([name.to_owned(), grouped(n)]);
    row("Page faults, minor", faults.minor);
    let causes = [
        ("  first touch of anonymous memory", faults.first_touch),
        ("  of a page that is already in memory", faults.shared),
        ("  copy on write", faults.copy_on_write),
    ];
    if faults.first_touch < faults.minor {
        causes.into_iter().filter(|(_, n)| *n > 0).for_each(|(name, n)| row(name, n));
    }
    if report.system.reused_pages > 0 {
        row("    not copied: no other process had the page", report.system.reused_pages);
    }
    row("Page faults, major", faults.major);
    for (name, n) in [
        ("Faults hidden from the guest", faults.hidden),
        ("Bus errors: the pool of huge pages is empty", faults.bus_errors),
        ("#GP: address not canonical", report.exceptions.general_protection),
    ] {
        if n > 0 {
            row(name, n);
        }
    }
    for (name, n) in &report.exceptions.address_faults {
        row(&format!("Address refused: {name}"), *n);
    }
    for (code, n) in &report.exceptions.page_faults {
        row(&format!("#PF {code}: refused"), *n);
    }
    table
}

/// The pages with a recorded frame, and the runs of frames by their length.
pub(super) fn frames(report: &FrameReport) -> String {
    let mut known = Table::bare(1);
    let mut row =
        |name: &str, n: u64, share: String| known.row([name.to_owned(), grouped(n), share]);
    row("Pages of 4K used", report.pages, String::new());
    row("  with a recorded frame", report.with_frame, percent(report.with_frame, report.pages));
    if report.shared > 0 {
        row(
            "  with the frame of another page",
            report.shared,
            percent(report.shared, report.pages),
        );
    }
    let mut table = Table::new(1, ["Consecutive frames", "Runs", "Pages", ""]);
    let all = report.runs.iter().map(|row| row.pages).sum();
    for row in &report.runs {
        let name = match row.from {
            1 => "1".to_owned(),
            from => format!("{} to {}", grouped(from), grouped(2 * from - 1)),
        };
        table.row([name, grouped(row.runs), grouped(row.pages), percent(row.pages, all)]);
    }
    format!("{known}\n{table}")
}

/// Pages by size, the memory that they take, and how they were made.
pub(super) fn pages(report: &RunReport) -> Table {
    let mut table = Table::bare(1);
    let (memory, system) = (&report.memory, &report.system);
    let mut row = |name: String, n: u64, share: String| table.row([name, grouped(n), share]);
    // The sizes are those keys that parse as page sizes; `table_pages` does not.
    let mut sizes: Vec<_> =
        report.pages.iter().filter_map(|(name, n)| Some((parse_size(name)?, name, *n))).collect();
    sizes.sort_unstable();
    for (_, size, n) in sizes.into_iter().filter(|(_, _, n)| *n > 0) {
        row(format!("Pages mapped, {size}"), n, String::new());
    }
    row(
        "Table pages".to_owned(),
        report.pages.get("table_pages").copied().unwrap_or(0),
        String::new(),
    );
    if let Some(waste) = memory.waste_bytes.filter(|waste| *waste > 0) {
        let mapped = memory.mapped_bytes;
        row("KiB mapped".to_owned(), mapped >> 10, String::new());
        row("  of them never touched".to_owned(), waste >> 10, percent(waste, mapped));
    }
    if memory.shared_bytes > 0 {
        let mapped = memory.mapped_bytes;
        row(
            "KiB shared after a fork".to_owned(),
            memory.shared_bytes >> 10,
            percent(memory.shared_bytes, mapped),
        );
    }
    for (name, n) in [
        ("Pages touched before the run", memory.pretouched_pages),
        ("Huge pages promoted from small ones", system.promotions),
        ("  small pages that they replaced", system.promoted_pages),
        ("Huge pages of code split again", system.demotions),
        ("Attempts of khugepaged without a free block", system.failed_promotions),
        ("TLB shootdowns", system.shootdowns),
        ("  entries dropped", system.dropped_entries),
    ] {
        if n > 0 {
            row(name.to_owned(), n, String::new());
        }
    }
    for pool in &memory.hugetlb {
        let name = format!("Pool of {} pages, free of {}", pool.size, grouped(pool.pages));
        row(name, pool.free, String::new());
    }
    table
}

/// Prints the memory map, if there is one.
pub(super) fn regions(report: &RunReport) -> String {
    if report.regions.is_empty() {
        return String::new();
    }
    // Process 0 is that of a trace that names none.
    let of_processes = report.regions.iter().any(|region| region.pid.is_some_and(|pid| pid != 0));
    let mut table = Table::new(5, ["Region", "", "Policy", "Pages", ""]);
    for region in report.regions.iter().take(MAX_REGIONS) {
        let RegionReport { pid, start, end, kind, name, source, policy, pages, .. } = region;
        let kind = kind.map_or("unknown", |kind| kind.name());
        let process =
            pid.map(|pid| format!("process {}, ", process_text(pid))).filter(|_| of_processes);
        let mut sizes: Vec<_> = pages.iter().collect();
        sizes.sort_unstable_by_key(|(size, _)| std::cmp::Reverse(parse_size(size)));
        let pages = listed(sizes.into_iter().map(|(size, n)| format!("{} × {size}", grouped(*n))));
        let from = if *source == RegionSource::Config { " (given)" } else { "" };
        table.row([
            format!("{start} to {end}"),
            format!("{}{kind}{from}", process.unwrap_or_default()),
            policy.to_string(),
            if pages.is_empty() { "–".to_owned() } else { pages },
            name.clone(),
        ]);
    }
    let mut text = table.to_string();
    if let Some(more) = report.regions.len().checked_sub(MAX_REGIONS).filter(|more| *more > 0) {
        text += &format!("and {} more (--json lists all)\n", grouped(more as u64));
    }
    for region in report.regions.iter().take(MAX_REGIONS) {
        if let Some(note) = &region.note {
            text += &format!("{} to {}: {note}\n", region.start, region.end);
        }
    }
    text + match report.memory.map {
        MapSource::Trace | MapSource::Recorded => "The memory map is from the trace.\n",
        MapSource::Inferred => "The memory map is inferred from the addresses in the trace.\n",
        MapSource::None => "",
    }
}
