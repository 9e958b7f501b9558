//! The entry of a hashed page table that maps the page of a translation.

use super::translation::{LevelOf, level_view};
use crate::machine::Machine;
use crate::machine::probe::{FlagFact, HashedFact, RefusedLinesFact, Translation};
use crate::page_table::{DIRTY, Hashed};
use crate::record::event::{LevelView, ReadState};
use crate::record::hashed::name_of;
use pagewalk_base::addr::{Hex, Leaf};

/// The entries of a line, and the bytes of an entry.
const LINE_ENTRIES: u64 = 8;
const ENTRY: u64 = 8;

/// Returns the entry that maps the page of a translation, as the only level.
pub(super) fn levels(
    machine: &Machine,
    hashed: &Hashed,
    done: &Translation,
    (fact, flags): (Option<&HashedFact>, &[FlagFact]),
) -> Vec<LevelView> {
    let (tables, va) = (&machine.tables, done.address & machine.plan.va_mask);
    let level = machine.plan.entry_level[done.leaf];
    let found = tables.leaf(machine.space, va, done.leaf);
    let Some(((table, index), line)) = found.zip(hashed.line_of((machine.space, va), level)) else {
        return Vec::new();
    };
    let order = fact.and_then(|fact| fact.lines.iter().position(|line| line.spot.hit));
    // The walk waits for another read, if that is slower.
    let read = fact.and_then(|fact| fact.lines.get(fact.last)).filter(|_| order.is_some());
    let was = flags.iter().find(|fact| fact.level == level).map(|fact| fact.was);
    // A store that hits a TLB sets only the dirty flag of its page.
    let by_hit = done.refs == 0 && done.ad_updates > 0;
    let was = was.or(by_hit.then(|| tables.read(table, index) & !DIRTY));
    let of = LevelOf { table, level, index, leaf: true };
    let view = level_view(machine, tables, &of, was, order.map(|at| at + 1));
    vec![LevelView {
        state: if read.is_some() { ReadState::Read } else { ReadState::SkippedByTlb },
        served_by: read.map(|read| machine.server_name(read.server).to_owned()),
        cycles: read.map(|read| read.cycles),
        ..in_line(machine, view, line)
    }]
}

/// Returns the entry that refused an access, if a line belongs to its page. `of` is the entry in the radix trees.
pub(super) fn refused_level(
    machine: &Machine,
    hashed: &Hashed,
    va: u64,
    (of, fact): (&LevelOf, &RefusedLinesFact),
) -> Option<LevelView> {
    let line = hashed.line_of((machine.space, va), of.level)?;
    let order = fact.spots.iter().position(|spot| spot.address == line)?;
    let view = level_view(machine, &machine.tables, of, None, Some(order + 1));
    Some(in_line(machine, view, line))
}

/// Returns the view of an entry of the radix trees as an entry of its line.
fn in_line(machine: &Machine, view: LevelView, line: u64) -> LevelView {
    let (first, at) = (view.index / LINE_ENTRIES * LINE_ENTRIES, view.index % LINE_ENTRIES);
    let mut neighbours = view.neighbours;
    neighbours.retain(|near| near.index / LINE_ENTRIES == view.index / LINE_ENTRIES);
    for near in &mut neighbours {
        near.index -= first;
    }
    LevelView {
        table_name: name_of(view.level).to_owned(),
        table: Hex(line),
        index: at,
        n_entries: LINE_ENTRIES,
        entry_address: Hex(line + at * ENTRY),
        bits: 3,
        shift: u8::try_from(machine.plan.shift[Leaf::of(view.level)]).expect("below 64"),
        neighbours,
        hashed: true,
        ..view
    }
}
