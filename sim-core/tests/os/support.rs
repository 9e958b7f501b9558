//! Helpers that run a trace with a memory map, given as text, and print the part of the report about the
//! system.
//!
//! ```text
//! map 0x400000-0x733000 0x0 x /usr/bin/a     range, file offset, x if executable, name
//! map 0x10000-0x20000 0x0 - [heap] pid 7
//! fetch 0x400000                             as in `common::text`
//! munmap 0x1000 8192                         as in `common::ops`
//! ```

use std::fmt::Write as _;
use std::rc::Rc;

use expect_test::Expect;
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Replay;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::addr::parse_hex;
use pagewalk_base::trace::{Completeness, Mapping, Trace, TraceBuilder};

use crate::common::ops::{Item, items};

#[track_caller]
pub(crate) fn trace(text: &str) -> Trace {
    let mut builder = TraceBuilder::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(record) = line.strip_prefix("map ") {
            builder.map(mapping(record)).unwrap();
            continue;
        }
        for item in items(line) {
            match item {
                Item::Access(access) => builder.push(&access).unwrap(),
                Item::Op(record) => builder.push_op(&record).unwrap(),
            }
        }
    }
    builder.finish(Completeness::Complete).unwrap()
}

#[track_caller]
fn mapping(record: &str) -> Mapping {
    let (record, pid) = record.split_once(" pid ").unwrap_or((record, "0"));
    let words: Vec<&str> = record.split_whitespace().collect();
    let (start, end) = words[0].split_once('-').expect("a range");
    let number = |text: &str| parse_hex(text).expect("a number");
    let name = words.get(3).copied().unwrap_or_default();
    let range = number(start)..number(end);
    Mapping::new(pid.parse().unwrap(), range, number(words[1]), words[2] == "x", name).unwrap()
}

/// Returns the report of a run on the default machine.
#[track_caller]
pub(crate) fn report(os: &str, text: &str) -> Result<RunReport, String> {
    report_on("{}", os, text)
}

#[track_caller]
pub(crate) fn report_on(machine: &str, os: &str, text: &str) -> Result<RunReport, String> {
    let os: OsConfig = parse_json(os).map_err(|error| error.to_string())?;
    let trace = trace(text);
    let machine = parse_json(machine).unwrap();
    let machine = Machine::with_map(&machine, &os, &memory_map(&trace, None));
    let machine = machine.map_err(|error| error.to_string())?;
    let mut replay = Replay::new(Rc::new(trace), machine, 0);
    while !replay.run(u32::MAX).map_err(|error| error.to_string())? {}
    Ok(replay.report())
}

#[track_caller]
pub(crate) fn check(os: &str, text: &str, expected: &Expect) {
    let lines = match report(os, text) {
        Ok(report) => lines(&report),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&lines);
}

/// Returns the nonzero counters as lines: pages, memory, faults, other events, regions.
pub(crate) fn lines(report: &RunReport) -> String {
    let mut text = String::new();
    let mut line = |name: &str, parts: Vec<(String, u64)>| {
        let parts = parts.into_iter().filter(|(_, n)| *n > 0);
        let parts: Vec<String> = parts.map(|(what, n)| format!("{what} {n}")).collect();
        if !parts.is_empty() {
            writeln!(text, "{name}: {}", parts.join(", ")).unwrap();
        }
    };
    line("pages", report.pages.iter().map(|(size, n)| (size.clone(), *n)).collect());
    let memory = &report.memory;
    let kib = |bytes: u64| bytes >> 10;
    let own = |list: &[(&str, u64)]| {
        list.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect::<Vec<_>>()
    };
    line(
        "KiB",
        own(&[
            ("mapped", kib(memory.mapped_bytes)),
            ("waste", kib(memory.waste_bytes.unwrap_or(0))),
            ("shared", kib(memory.shared_bytes)),
            ("tables", kib(memory.table_bytes)),
        ]),
    );
    let faults = &report.faults;
    line(
        "faults",
        own(&[
            ("first touch", faults.first_touch),
            ("shared", faults.shared),
            ("copy on write", faults.copy_on_write),
            ("swap in", faults.swap_in),
            ("bus errors", faults.bus_errors),
        ]),
    );
    let system = &report.system;
    line(
        "system",
        own(&[
            ("promotions", system.promotions),
            ("of small pages", system.promoted_pages),
            ("demotions", system.demotions),
            ("failed", system.failed_promotions),
            ("reused", system.reused_pages),
            ("shootdowns", system.shootdowns),
            ("dropped", system.dropped_entries),
            ("pretouched", memory.pretouched_pages),
        ]),
    );
    if let Some(cap) = memory.text_cap {
        writeln!(text, "huge pages for code: at most {cap}").unwrap();
    }
    for pool in &memory.hugetlb {
        writeln!(text, "pool of {}: {} of {} free", pool.size, pool.free, pool.pages).unwrap();
    }
    for region in &report.regions {
        let pid = region.pid.map(|pid| format!("process {pid} ")).unwrap_or_default();
        let kind = region.kind.map_or("unknown", pagewalk_base::trace::RegionKind::name);
        let source = serde_json::to_value(region.source).unwrap();
        let pages: Vec<String> =
            region.pages.iter().map(|(size, n)| format!("{n} × {size}")).collect();
        let pages = if pages.is_empty() { "nothing".to_owned() } else { pages.join(" + ") };
        let note = region.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        writeln!(
            text,
            "{pid}{}..{} {kind} {}[{}] {}: {pages}{note}",
            region.start,
            region.end,
            if region.name.is_empty() { String::new() } else { format!("{} ", region.name) },
            source.as_str().unwrap(),
            region.policy
        )
        .unwrap();
    }
    text
}
