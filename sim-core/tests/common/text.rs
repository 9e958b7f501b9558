//! Scenarios as text: lines of accesses in, one line per translation out.
//!
//! ```text
//! load 0x1ffc 8          kind, address, bytes (missing = 1)
//! store 0x2000 pid 7     of process 7 (missing = 0); `tid 2` after it: of thread 2
//!
//! load 0x1ffc 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0 (0x5 leaves); 800 cycles; 4 flags
//! └ the byte translated │ └ set   └ levels       └ set.way, and who left    └ total   └ A and D set
//!                       └ lookups of TLBs and walk caches; a hit tells set.way
//! Entries that leave without being evicted are listed after the fills: `0x5 moves up from s 0.1`.
//! ```

use std::fmt::Write as _;
use std::rc::Rc;

use expect_test::Expect;
use pagewalk::machine::probe::{Leaving, Outcome};
use pagewalk::record::event::{
    FillView, LeftView, LookupView, MachineView, StepView, TranslationView,
};
use pagewalk::run::replay::Replay;
use pagewalk_base::addr::parse_hex;
use pagewalk_base::trace::{Access, Kind};

use super::{machine, trace};

/// Reads lines of accesses. `pid N` at the end of a line sets the process.
#[track_caller]
pub(crate) fn accesses(text: &str) -> Vec<Access> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(access).collect()
}

#[track_caller]
fn access(line: &str) -> Access {
    let (line, tid) = line.split_once(" tid ").unwrap_or((line, "0"));
    let (line, pid) = line.split_once(" pid ").unwrap_or((line, "0"));
    let words: Vec<&str> = line.split_whitespace().collect();
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == words[0]);
    let kind = kind.unwrap_or_else(|| panic!("no kind of access: {line}"));
    let size = words.get(2).map_or(1, |size| size.parse().expect("a size in bytes"));
    Access {
        pid: pid.parse().unwrap(),
        tid: tid.parse().unwrap(),
        ..Access::new(kind, parse_hex(words[1]).expect("an address"), size)
    }
}

/// Runs a scenario with pages of 4K, and compares its lines with `expected`.
#[track_caller]
pub(crate) fn check(json: &str, text: &str, expected: &Expect) {
    check_os(json, "{}", text, expected);
}

#[track_caller]
pub(crate) fn check_os(json: &str, os: &str, text: &str, expected: &Expect) {
    let (view, steps) = steps(json, os, &accesses(text));
    let mut lines = String::new();
    for step in &steps {
        if step.translations.is_empty() {
            writeln!(lines, "{} {} dropped", step.access.kind.name(), step.access.address).unwrap();
        }
        for translation in &step.translations {
            writeln!(lines, "{} {}", step.access.kind.name(), line(&view, translation)).unwrap();
        }
        for prefetch in &step.prefetches {
            writeln!(lines, "  prefetches {}", line(&view, prefetch)).unwrap();
        }
    }
    expected.assert_eq(&lines);
}

/// Runs accesses as the browser does, and returns the view of each step.
#[track_caller]
pub(crate) fn steps(json: &str, os: &str, accesses: &[Access]) -> (MachineView, Vec<StepView>) {
    let machine = machine(json, os);
    let view = MachineView::of(&machine);
    let mut replay = Replay::new(Rc::new(trace(accesses)), machine, usize::MAX);
    let steps = (0..replay.trace().len()).map(|index| replay.seek(index).unwrap()).collect();
    (view, steps)
}

/// Returns the line of one translation.
pub(crate) fn line(machine: &MachineView, done: &TranslationView) -> String {
    let outcome = match done.outcome {
        Outcome::L1Hit => "L1 hit",
        Outcome::L2Hit => "L2 hit",
        Outcome::Walk => "walk",
        Outcome::Fault => "fault",
        Outcome::Exception => "exception",
    };
    let lookups = |looks: &[LookupView]| {
        let looks: Vec<String> = looks.iter().map(|look| lookup(machine, look)).collect();
        looks.join(", ")
    };
    let fills: Vec<String> = done.fills.iter().map(|fill| fill_text(machine, fill)).collect();
    let cycles =
        if done.cycles.total > 0 { format!("{} cycles", done.cycles.total) } else { String::new() };
    let flags =
        if done.ad_updates > 0 { format!("{} flags", done.ad_updates) } else { String::new() };
    let fills =
        if fills.is_empty() { String::new() } else { format!("fills {}", fills.join(", ")) };
    let left: Vec<String> = done.left.iter().map(|left| left_text(machine, left)).collect();
    let parts = [
        lookups(&done.tlb),
        lookups(&done.psc),
        reads(machine, done),
        fills,
        left.join(", "),
        cycles,
        flags,
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{} {} {outcome}: {}", done.address, done.page_size, parts.join("; "))
}

fn lookup(machine: &MachineView, look: &LookupView) -> String {
    let name = &machine.structures[look.structure].name;
    match look.way {
        Some(way) => format!("{name} hit {}.{way}", look.set),
        None => format!("{name} miss {}", look.set),
    }
}

fn fill_text(machine: &MachineView, fill: &FillView) -> String {
    let name = &machine.structures[fill.structure].name;
    let left = fill.evicted.as_ref().map(|entry| {
        let what = if entry.table { "table " } else { "" };
        format!(" ({what}{} leaves)", entry.key)
    });
    format!("{name} {}.{}{}", fill.set, fill.way, left.unwrap_or_default())
}

fn left_text(machine: &MachineView, left: &LeftView) -> String {
    let name = &machine.structures[left.structure].name;
    let why = match left.why {
        Leaving::BackInvalidated => "is invalidated in",
        Leaving::Coalesced => "is coalesced in",
        Leaving::MovedUp => "moves up from",
        Leaving::ShotDown => "is shot down in",
        Leaving::Exited => "is dropped by an exit in",
        Leaving::Used => "is used and leaves",
        Leaving::Faulted => "is dropped by a page fault in",
    };
    format!("{} {why} {name} {}.{}", left.entry.key, left.set, left.way)
}

/// Returns the levels that were read, in order, with the server of each read if the machine has memory caches.
fn reads(machine: &MachineView, done: &TranslationView) -> String {
    let mut read: Vec<_> = done.levels.iter().filter(|level| level.order.is_some()).collect();
    read.sort_by_key(|level| level.order);
    let mut text = String::new();
    for level in read {
        text += if text.is_empty() { "reads " } else { " " };
        write!(text, "{}", level.level).unwrap();
        if machine.memory.len() > 1 {
            write!(text, "@{}", level.served_by.as_deref().unwrap_or("nothing")).unwrap();
        }
    }
    text
}
