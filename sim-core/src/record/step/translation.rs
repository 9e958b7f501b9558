//! The view of one translation.

use super::Draft;
use crate::caches::tlb::Entry;
use crate::entry::{Format, Modes};
use crate::machine::Machine;
use crate::machine::probe::{LeftFact, ReferenceFact, Translation};
use crate::machine::structures::StructureId;
use crate::page_table::PRESENT;
use crate::record::event::{
    CyclesView, EntryView, FillView, LeftView, LevelView, NeighbourView, ReadState, TranslationView,
};
use crate::record::grid;
use crate::record::keys::{key, key_shift_of};
use pagewalk_base::addr::{Hex, Leaf};

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
        let fills = self.fills.into_iter().map(|(fill, evicted)| FillView {
            key_shift: key_shift_of(
                machine,
                StructureId(fill.structure),
                Leaf::from_bits(fill.key_shift.into()),
            ),
            evicted: evicted
                .map(|(tag, entry)| entry_view(machine, StructureId(fill.structure), tag, &entry)),
            ..fill
        });
        let nested = machine.nested.as_ref().filter(|nested| nested.is_walked());
        let nested = nested.map(|nested| grid::view(machine, nested, done, &self.psc, &self.grid));
        let levels = levels(machine, done, &self.references);
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
            psc: self.psc,
            fills: fills.collect(),
            left: self.left.iter().map(|fact| left_view(machine, fact)).collect(),
            levels,
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

fn left_view(machine: &Machine, fact: &LeftFact) -> LeftView {
    LeftView {
        structure: fact.structure.index(),
        set: fact.slot.set,
        way: fact.slot.way,
        entry: entry_view(machine, fact.structure, fact.tag, &fact.entry),
        why: fact.why,
    }
}

/// Returns every level from the root to the leaf, with the values of the entries after the access.
fn levels(machine: &Machine, done: &Translation, references: &[ReferenceFact]) -> Vec<LevelView> {
    let (plan, tables) = (&machine.plan, machine.walked_tables());
    let va = done.address & plan.va_mask;
    let mut views = Vec::new();
    let mut next = tables.existing_root(machine.space, va);
    let lowest = plan.entry_level[machine.walked_leaf(va)];
    for level in lowest.up_to(plan.root_level).rev() {
        let Some(table) = next else { break };
        let at = tables.index(va, level);
        let value = tables.read(table, at);
        let leaf = level == lowest;
        let read = references.iter().position(|reference| reference.level == level);
        let n_entries = 1 << plan.paging.bits(level);
        let around =
            (at as u64).saturating_sub(NEIGHBOURS)..=(at as u64 + NEIGHBOURS).min(n_entries - 1);
        let format = Format::new(&plan.paging, level, Modes::default());
        let seen = |entry| tables.seen(entry, format.is_leaf(entry));
        let index_of = |index: u64| usize::try_from(index).expect("indices have at most 16 bits");
        views.push(LevelView {
            level,
            table_name: plan.paging.table_name(level),
            table: Hex(tables.address(table)),
            index: at as u64,
            n_entries,
            entry_address: Hex(tables.entry_address(table, at)),
            value: Hex(format.shown(seen(value))),
            fields: format.fields(seen(value)),
            leaf,
            state: match (read, done.refs) {
                (Some(_), _) => ReadState::Read,
                (None, 0) => ReadState::SkippedByTlb,
                (None, _) => ReadState::SkippedByPsc,
            },
            order: read.map(|position| u32::try_from(position + 1).expect("at most 5 levels")),
            served_by: read
                .map(|position| machine.server_name(references[position].server).to_owned()),
            cycles: read.map(|position| references[position].cycles),
            bits: u8::try_from(plan.paging.bits(level)).expect("at most 16"),
            shift: u8::try_from(plan.paging.shift(Leaf::of(level))).expect("below 64"),
            neighbours: around
                .filter(|index| *index != at as u64)
                .map(|index| NeighbourView {
                    index,
                    value: Hex(format.shown(seen(tables.read(table, index_of(index))))),
                })
                .collect(),
        });
        next = (!leaf && value & PRESENT != 0).then(|| tables.next(value));
    }
    views
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
        space: key.space,
        filled_at: entry.filled_at(),
        used_at: entry.used_at(),
        hits: entry.hits(),
    }
}
