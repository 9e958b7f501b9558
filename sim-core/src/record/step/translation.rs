//! The view of one translation.

use super::{Draft, hashed as hashed_entry};
use crate::caches::tlb::Entry;
use crate::entry::{Format, Modes};
use crate::machine::Machine;
use crate::machine::probe::{FlagFact, LeftFact, ReferenceFact, Translation};
use crate::machine::structures::StructureId;
use crate::page_table::{DIRTY, PRESENT, PageTables, Table};
use crate::record::event::{
    CyclesView, EntryView, FillView, LeftView, LevelView, NeighbourView, ReadState, TranslationView,
};
use crate::record::keys::{key, key_shift_of};
use crate::record::{blocks, grid, hashed, pom};
use pagewalk_base::addr::{Hex, Leaf, Level};
use pagewalk_base::whole::IS_WHOLE;

/// The number of entries shown before and after the entry that the walk reads.
const NEIGHBOURS: u64 = 2;

impl Draft {
    pub(super) fn into_view(mut self, machine: &Machine, done: &Translation) -> TranslationView {
        let plan = &machine.plan;
        let of_rows = self.grid.rows.iter_mut().flat_map(|row| &mut row.lookups);
        let of_pwc = self.grid.pwc.iter_mut().map(|held| &mut held.3);
        for look in self.tlb.iter_mut().chain(&mut self.psc).chain(of_rows).chain(of_pwc) {
            look.key_shift = key_shift_of(
                machine,
                StructureId(look.structure),
                Leaf::from_bits(look.key_shift.into()),
            );
        }
        let fills = self.fills.into_iter().map(|(fill, evicted)| {
            let filled = StructureId(fill.structure);
            let place = nested_tlb_place(machine, filled);
            FillView {
                structure: place.index(),
                guest_physical: place != filled,
                key_shift: key_shift_of(machine, filled, Leaf::from_bits(fill.key_shift.into())),
                evicted: evicted.map(|(tag, entry)| entry_view(machine, place, tag, &entry)),
                ..fill
            }
        });
        let behind = pom::view(machine, self.pom_tlb, self.pom_fill)
            .or_else(|| blocks::view(machine, &self.blocks));
        let blocks = if IS_WHOLE { blocks::set_view(machine, done, &self.blocks) } else { None };
        let nested = machine.nested.as_ref().filter(|nested| nested.is_walked());
        let nested = nested.map(|nested| grid::view(machine, nested, done, &self.psc, &self.grid));
        let levels = match machine.tables.hashed() {
            Some(tables) => {
                hashed_entry::levels(machine, tables, done, (self.hashed.as_ref(), &self.flags))
            }
            None => levels(machine, done, (&self.references, &self.flags)),
        };
        let fact = self.hashed.as_ref().filter(|_| IS_WHOLE);
        let hashed = fact.map(|fact| hashed::view(machine, fact, &self.psc));
        let page_shift = u8::try_from(plan.shift[done.leaf]).expect("below 64");
        let va = done.address & plan.va_mask;
        let physical = machine.physical(va).unwrap_or_default();
        let walked = done.refs > 0;
        let overhead = if walked { plan.walk_overhead } else { 0 };
        TranslationView {
            address: Hex(done.address),
            page_size: plan.paging.size_of(done.leaf),
            page_shift,
            page_number: Hex(va >> page_shift),
            outcome: done.outcome,
            tlb: self.tlb,
            behind,
            blocks,
            psc: self.psc,
            fills: fills.collect(),
            left: self.left.iter().map(|fact| left_view(machine, fact)).collect(),
            levels,
            hashed,
            refs: done.refs,
            ad_updates: done.ad_updates,
            physical: Hex(physical),
            frame: Hex(physical >> page_shift),
            cycles: CyclesView {
                l2_hit: done.l2_cycles,
                l2_miss: done.l2_miss_cycles,
                walk_overhead: overhead,
                references: done.walk_cycles - overhead,
                total: done.cycles(),
            },
            nested,
        }
    }
}

/// Returns the structure that a fill changed. The nested TLB may be inside a TLB array.
fn nested_tlb_place(machine: &Machine, filled: StructureId) -> StructureId {
    let is_inside = machine.plan.nested_in().is_some() && machine.host_of(filled).is_some();
    machine.plan.inside(filled).filter(|_| is_inside).unwrap_or(filled)
}

fn left_view(machine: &Machine, fact: &LeftFact) -> LeftView {
    LeftView {
        structure: fact.structure.index(),
        set: fact.slot.set,
        way: fact.slot.way,
        entry: entry_view(machine, fact.structure, fact.tag, &fact.entry),
        why: fact.why,
    }
}

/// The place of an entry on the way to a page.
pub(super) struct LevelOf {
    pub(super) table: Table,
    pub(super) level: Level,
    pub(super) index: usize,
    /// Whether the walk ends here.
    pub(super) leaf: bool,
}

/// Returns every level from the root to the leaf, with the values of the entries after the access.
fn levels(
    machine: &Machine,
    done: &Translation,
    (references, flags): (&[ReferenceFact], &[FlagFact]),
) -> Vec<LevelView> {
    let (plan, tables) = (&machine.plan, machine.walked_tables());
    let va = done.address & plan.va_mask;
    let mut views = Vec::new();
    let mut next = tables.existing_root(machine.space, va);
    let lowest = plan.entry_level[machine.walked_leaf(va)];
    for level in lowest.up_to(plan.root_level).rev() {
        let Some(table) = next else { break };
        let index = tables.index(va, level);
        let value = tables.read(table, index);
        let leaf = level == lowest;
        let read = references.iter().position(|reference| reference.level == level);
        let flagged = flags.iter().find(|fact| fact.level == level).map(|fact| fact.was);
        // A store that hits a TLB sets only the dirty flag of its page.
        let by_hit = (done.refs == 0 && leaf && done.ad_updates > 0).then_some(value & !DIRTY);
        let of = LevelOf { table, level, index, leaf };
        let view = level_view(machine, tables, &of, flagged.or(by_hit), read.map(|at| at + 1));
        let reference = read.map(|at| &references[at]);
        views.push(LevelView {
            state: match (read, done.refs) {
                (Some(_), _) => ReadState::Read,
                (None, 0) => ReadState::SkippedByTlb,
                (None, _) => ReadState::SkippedByPsc,
            },
            served_by: reference.map(|read| machine.server_name(read.server).to_owned()),
            cycles: reference.map(|read| read.cycles),
            ..view
        });
        next = (!leaf && value & PRESENT != 0).then(|| tables.next(value));
    }
    views
}

/// Returns the view of an entry that was read as number `order`, without the cache that served it. `was` is its value
/// before the access, if the access set flags.
pub(super) fn level_view(
    machine: &Machine,
    tables: &PageTables,
    of: &LevelOf,
    was: Option<u64>,
    order: Option<usize>,
) -> LevelView {
    let paging = &machine.plan.paging;
    let LevelOf { table, level, index, leaf } = *of;
    let n_entries = 1 << paging.bits(level);
    let at = index as u64;
    let around = at.saturating_sub(NEIGHBOURS)..=(at + NEIGHBOURS).min(n_entries - 1);
    let format = Format::new(paging, level, Modes::default());
    let seen = |entry| tables.seen(entry, format.is_leaf(entry));
    let value = seen(tables.read(table, index));
    let shown = format.shown(value);
    let index_of = |index: u64| usize::try_from(index).expect("indices have at most 16 bits");
    LevelView {
        level,
        table_name: paging.table_name(level),
        table: Hex(tables.address(table)),
        index: at,
        n_entries,
        entry_address: Hex(tables.entry_address(table, index)),
        value: Hex(shown),
        was: was.map(|was| format.shown(seen(was))).filter(|was| *was != shown).map(Hex),
        fields: format.fields(value),
        leaf,
        state: ReadState::Read,
        order: order.map(|order| u32::try_from(order).expect("at most 5 levels")),
        served_by: None,
        cycles: None,
        bits: u8::try_from(paging.bits(level)).expect("at most 16"),
        shift: u8::try_from(paging.shift(Leaf::of(level))).expect("below 64"),
        neighbours: around
            .filter(|index| *index != at)
            .map(|index| NeighbourView {
                index,
                value: Hex(format.shown(seen(tables.read(table, index_of(index))))),
            })
            .collect(),
        hashed: false,
    }
}

/// Returns the view of an entry of a structure.
pub(crate) fn entry_view(
    machine: &Machine,
    structure: StructureId,
    tag: u64,
    entry: &Entry,
) -> EntryView {
    let key = key(machine, structure, tag);
    EntryView {
        key: Hex(key.number),
        key_shift: key.shift,
        table: key.table,
        guest_physical: key.guest_physical,
        space: key.space,
        filled_at: entry.filled_at(),
        used_at: entry.used_at(),
        hits: entry.hits(),
    }
}
