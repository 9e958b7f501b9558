//! What a reader sees of hashed page tables: their counters, and one walk in full. The small wasm module has no hashed
//! tables, so no code of this file remains there.

use serde::Serialize;

use crate::machine::Machine;
use crate::machine::probe::{HashedFact, HashedWalk, LineFact, RefusedLinesFact};
use crate::page_table::Spot;
use crate::record::event::LookupView;
use pagewalk_base::addr::{Hex, Level, PageSize};
use pagewalk_base::trace::Kind;

/// The names of the tables of pages of 4K, 2M and 1G.
const NAMES: [&str; 3] = ["PTE-ECPT", "PMD-ECPT", "PUD-ECPT"];

/// Returns the name of the table whose entries have a level.
pub(crate) fn name_of(level: Level) -> &'static str {
    NAMES.get(usize::from(level.number().saturating_sub(1))).copied().unwrap_or_default()
}

/// Returns the level of the entries of a table.
pub(crate) fn level_of(name: &str) -> Level {
    let at = NAMES.iter().position(|own| *own == name).unwrap_or_default();
    Level::new(u8::try_from(at + 1).expect("three tables"))
}

/// The walks of hashed page tables by sort. Prefetches are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EcptWalksReport {
    /// The walks that read one line.
    pub direct: u64,
    /// The walks that read all ways of the table of one page size.
    pub size: u64,
    /// The walks that read some ways of several tables.
    pub partial: u64,
    /// The walks that read all ways of all tables.
    pub complete: u64,
}

/// The hashed tables of one page size, of all processes together, at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EcptTablesReport {
    pub pages: PageSize,
    /// The lines of all ways. During a resize, those of the larger ways count, too.
    pub lines: u64,
    /// The lines that hold a page.
    pub used: u64,
    /// The tables that are being resized.
    pub resizing: u64,
}

/// The counters of hashed page tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EcptReport {
    pub walks: EcptWalksReport,
    pub tables: Vec<EcptTablesReport>,
    /// The lines that moved since the start of the trace: to another way to make room, or to a larger way.
    pub moves: u64,
    /// The resizes since the start of the trace.
    pub resizes: u64,
}

/// The counters of an [`EcptReport`] that a window of accesses has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HashedCounts(EcptWalksReport);

impl HashedCounts {
    pub(crate) fn count(&mut self, fact: &HashedFact) {
        if fact.kind != Kind::Prefetch {
            *match fact.sort {
                HashedWalk::Direct => &mut self.0.direct,
                HashedWalk::Size => &mut self.0.size,
                HashedWalk::Partial => &mut self.0.partial,
                HashedWalk::Complete => &mut self.0.complete,
            } += 1;
        }
    }

    pub(crate) fn report(&self, machine: &Machine) -> Option<EcptReport> {
        let hashed = machine.tables.hashed()?;
        let states = hashed.states();
        let leaves = machine.plan.paging.leaves().into_iter().zip(states);
        let tables = leaves.map(|(leaf, state)| EcptTablesReport {
            pages: machine.plan.paging.size_of(leaf),
            lines: state.lines,
            used: state.used,
            resizing: state.resizing,
        });
        let (moves, resizes) = hashed.moves_and_resizes();
        Some(EcptReport { walks: self.0, tables: tables.collect(), moves, resizes })
    }
}

/// A line that a walk of hashed page tables read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HashedLineView {
    /// The name of the table: `PTE-ECPT`.
    pub table: &'static str,
    /// The number of the way, from 0.
    pub way: u32,
    /// The number of the line in its way.
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
    pub line: u64,
    /// The physical address of the line.
    pub address: Hex,
    /// Whether the line holds the page.
    pub hit: bool,
    /// Whether the line belongs to the larger way of a resize.
    pub resized: bool,
    /// The read of the line. It is missing if a page fault ended the access.
    pub read: Option<LineReadView>,
    /// The line in words: `line 47 at 0x200bc0, from DRAM in 200 cycles: holds the page`.
    pub said: String,
}

/// The read of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct LineReadView {
    /// The cache that served the read, or `DRAM`.
    pub served_by: String,
    /// The latency of the read in cycles.
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
    pub cycles: u64,
}

/// A walk of hashed page tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HashedView {
    pub walk: HashedWalk,
    /// The walk in words: `With both headers, the size walk read 3 lines of PTE-ECPT at once`.
    pub said: String,
    /// The lines, which are read at the same time.
    pub lines: Vec<HashedLineView>,
}

/// Returns the view of a walk, after its lookups in walk caches.
pub(crate) fn view(machine: &Machine, fact: &HashedFact, looks: &[LookupView]) -> HashedView {
    let first = machine.plan.psc_id(0).index();
    let caches = looks.iter().filter(|look| look.hit).filter_map(|look| {
        let cache = machine.plan.psc.caches.get(look.structure.checked_sub(first)?)?;
        Some(cache.name)
    });
    let caches: Vec<_> = caches.collect();
    let lines = fact.lines.iter().map(|LineFact { spot, server, cycles }| {
        let served_by = machine.server_name(*server).to_owned();
        line_view(spot, Some(LineReadView { served_by, cycles: *cycles }))
    });
    let tables = fact.lines.iter().map(|line| name_of(line.spot.level)).collect();
    HashedView { walk: fact.sort, said: said(&caches, fact.sort, tables), lines: lines.collect() }
}

/// Returns the view of a walk that ends with a page fault.
pub(crate) fn refused_view(fact: &RefusedLinesFact) -> HashedView {
    let tables = fact.spots.iter().map(|spot| name_of(spot.level)).collect();
    let lines = fact.spots.iter().map(|spot| line_view(spot, None));
    let said = said(&fact.caches, fact.sort, tables);
    HashedView { walk: fact.sort, said, lines: lines.collect() }
}

/// Returns the view of a line.
fn line_view(spot: &Spot, read: Option<LineReadView>) -> HashedLineView {
    let (line, address) = (spot.line, Hex(spot.address));
    let holds = if spot.hit { "holds the page" } else { "not the page" };
    let new = if spot.is_new { " of the larger way" } else { "" };
    let from = read.as_ref().map_or(String::new(), |LineReadView { served_by, cycles }| {
        format!(", from {served_by} in {cycles} cycles")
    });
    HashedLineView {
        table: name_of(spot.level),
        way: spot.way,
        line,
        address,
        hit: spot.hit,
        resized: spot.is_new,
        read,
        said: format!("line {line}{new} at {address}{from}: {holds}"),
    }
}

/// Returns a walk in words. `caches` have the headers, and `tables` has the table of each line.
fn said(caches: &[&str], sort: HashedWalk, mut tables: Vec<&str>) -> String {
    let with = match caches {
        [] => "Without headers".to_owned(),
        [one] => format!("With headers of {one}"),
        _ => "With both headers".to_owned(),
    };
    let n = tables.len();
    if n == 0 {
        return format!("{with}, the walk read no line: no page is near");
    }
    tables.dedup();
    let tables = tables.join(", ");
    let sort = match sort {
        HashedWalk::Direct => {
            return format!("{with}, the direct walk read one line of {tables}");
        }
        HashedWalk::Size => "size",
        HashedWalk::Partial => "partial",
        HashedWalk::Complete => "complete",
    };
    format!("{with}, the {sort} walk read {n} lines of {tables} at once")
}
