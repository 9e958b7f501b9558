//! Writes one access down in full: an observer for exactly one access, and the
//! [`StepView`] made of what it saw.

use crate::addr::Hex;
use crate::event::{
    CyclesView, EntryView, FillView, LevelView, LookupView, NeighbourView, ReadState, StepView,
    TranslationView,
};
use crate::machine::Machine;
use crate::page_table::PRESENT;
use crate::plan::Plan;
use crate::probe::{FillFact, LookupFact, Outcome, Probe, ReferenceFact, Translation};
use crate::tlb::{Entry, Slot};
use crate::trace::{Access, AccessView};

/// Entries shown before and after the one in question.
const NEIGHBOURS: u64 = 2;

/// What one translation did so far.
#[derive(Default)]
struct Draft {
    tlb: Vec<LookupView>,
    psc: Vec<LookupView>,
    fills: Vec<(FillView, Option<(u64, Entry)>)>,
    references: Vec<ReferenceFact>,
}

/// Observes one access.
#[derive(Default)]
pub(crate) struct EventLog {
    draft: Draft,
    done: Vec<(Draft, Translation)>,
}

impl Probe for EventLog {
    fn tlb_lookup(&mut self, fact: &LookupFact) {
        self.draft.tlb.push(lookup_view(fact));
    }

    fn psc_lookup(&mut self, fact: &LookupFact) {
        self.draft.psc.push(lookup_view(fact));
    }

    fn fill(&mut self, fact: &FillFact) {
        let Slot { set, way } = fact.placed.slot;
        let fill = FillView {
            structure: fact.structure,
            set,
            way,
            key: Hex(fact.number),
            key_shift: fact.level,
            evicted: None,
        };
        self.draft.fills.push((fill, fact.placed.evicted()));
    }

    fn reference(&mut self, fact: &ReferenceFact) {
        self.draft.references.push(*fact);
    }

    fn dropped(&mut self) {
        self.draft = Draft::default();
    }

    fn translated(&mut self, done: &Translation) {
        self.done.push((std::mem::take(&mut self.draft), *done));
    }
}

/// The plan later puts the shift of the level in, which it knows.
fn lookup_view(fact: &LookupFact) -> LookupView {
    LookupView {
        structure: fact.structure,
        hit: fact.way.is_some(),
        set: u32::try_from(fact.set).expect("sets are counted in 32 bits"),
        way: fact.way,
        key: Hex(fact.number),
        key_shift: fact.level,
    }
}

impl EventLog {
    /// The event of access `index`, which `machine` has just run. `ip` is that of the
    /// trace, or the last fetch before.
    pub(crate) fn into_view(
        self,
        machine: &Machine,
        index: u32,
        access: &Access,
        ip: Option<u64>,
    ) -> StepView {
        let outcomes = self.done.iter().map(|(_, done)| done.outcome);
        let outcome = outcomes.max().unwrap_or(Outcome::L1Hit);
        let translations =
            self.done.into_iter().map(|(draft, done)| draft.into_view(machine, &done)).collect();
        let root = machine.tables.existing_root(machine.space);
        StepView {
            index,
            access: AccessView {
                kind: access.kind,
                address: Hex(access.address),
                size: access.size,
                pid: access.pid,
                tid: access.tid,
                ip: ip.map(Hex),
            },
            translations,
            outcome,
            in_use: machine.in_use(),
            table_pages: machine.tables.n_tables(),
            root: Hex(root.map_or(0, |root| machine.tables.address(root))),
        }
    }
}

impl Draft {
    fn into_view(self, machine: &Machine, done: &Translation) -> TranslationView {
        let plan = &machine.plan;
        let shift = |level: u8| u8::try_from(plan.shift[usize::from(level)]).expect("below 64");
        let with_shift = |look: LookupView| LookupView { key_shift: shift(look.key_shift), ..look };
        let tlb = self.tlb.into_iter().map(with_shift).collect();
        let psc = self.psc.into_iter().map(with_shift).collect();
        let fills = self.fills.into_iter().map(|(fill, evicted)| FillView {
            key_shift: shift(fill.key_shift),
            evicted: evicted.map(|(tag, entry)| entry_view(plan, tag, &entry)),
            ..fill
        });
        let levels = levels(machine, done, &self.references);
        let page_shift = shift(done.leaf);
        let va = done.address & plan.va_mask;
        let offset = va & ((1 << page_shift) - 1);
        let frame = levels.last().map_or(0, |leaf| machine.tables.frame(leaf.value.0));
        let walked = done.refs > 0;
        let overhead = if walked { plan.walk_overhead } else { 0 };
        TranslationView {
            address: Hex(done.address),
            page_size: plan.paging.size_of(done.leaf),
            page_shift,
            page_number: Hex(va >> page_shift),
            outcome: done.outcome,
            tlb,
            psc,
            fills: fills.collect(),
            levels,
            refs: done.refs,
            ad_updates: done.ad_updates,
            physical: Hex(frame + offset),
            frame: Hex(frame >> page_shift),
            cycles: CyclesView {
                l2_hit: done.l2_cycles,
                walk_overhead: overhead,
                references: done.walk_cycles - overhead,
                total: done.l2_cycles + done.walk_cycles,
            },
        }
    }
}

/// Every level from the root to the leaf, as the tables stand now.
fn levels(machine: &Machine, done: &Translation, references: &[ReferenceFact]) -> Vec<LevelView> {
    let (plan, tables) = (&machine.plan, &machine.tables);
    let va = done.address & plan.va_mask;
    let mut views = Vec::new();
    let mut next = tables.existing_root(machine.space);
    for level in (done.leaf..=plan.n_levels).rev() {
        let Some(table) = next else { break };
        let at = tables.index(va, level);
        let value = tables.read(table, at);
        let leaf = level == done.leaf;
        let read = references.iter().position(|reference| reference.level == level);
        let n_entries = 1 << plan.paging.bits(level);
        let around =
            (at as u64).saturating_sub(NEIGHBOURS)..=(at as u64 + NEIGHBOURS).min(n_entries - 1);
        let index_of = |index: u64| usize::try_from(index).expect("indices have at most 16 bits");
        views.push(LevelView {
            level,
            table_name: plan.paging.table_name(level),
            table: Hex(tables.address(table)),
            index: at as u64,
            n_entries,
            entry_address: Hex(tables.entry_address(table, at)),
            value: Hex(value),
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
            shift: u8::try_from(plan.paging.shift(level)).expect("below 64"),
            neighbours: around
                .filter(|index| *index != at as u64)
                .map(|index| NeighbourView {
                    index,
                    value: Hex(tables.read(table, index_of(index))),
                })
                .collect(),
        });
        next = (!leaf && value & PRESENT != 0).then(|| tables.next(value));
    }
    views
}

/// An entry in the form that crosses to JavaScript.
pub(crate) fn entry_view(plan: &Plan, tag: u64, entry: &Entry) -> EntryView {
    let (key_shift, table) = key_shift(plan, tag);
    EntryView {
        key: Hex(plan.tags.number(tag)),
        key_shift,
        table,
        space: plan.tags.space(tag),
        filled_at: entry.filled_at(),
        used_at: entry.used_at(),
        hits: entry.hits(),
    }
}

/// The lowest address bit of a tag's number, and whether it is an entry of a table.
pub(crate) fn key_shift(plan: &Plan, tag: u64) -> (u8, bool) {
    let (level, table) = plan.tags.class(tag);
    let shift = plan.shift[usize::from(level) + usize::from(table)];
    (u8::try_from(shift).expect("below 64"), table)
}
