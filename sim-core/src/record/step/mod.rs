//! Records one access in full: an observer for exactly one access, and the [`StepView`] made of the observed
//! facts.

mod effects;
mod refused;

use crate::caches::tlb::{Entry, Slot};
use crate::entry::{Format, Modes};
use crate::machine::Machine;
use crate::machine::exception::{Exception, ExceptionView};
use crate::machine::exits::ExitReason;
use crate::machine::probe::{
    ActFact, DropFact, FillFact, FlagFact, Leaving, LeftFact, LookupFact, OpFact, Outcome, Probe,
    ReferenceFact, RowFact, ShootdownFact, SystemEvent, Translation, ViolationFact, WriteFact,
};
use crate::machine::structures::StructureId;
use crate::os::FaultCause;
use crate::page_table::{DIRTY, PRESENT, PageTables, Table};
use crate::record::event::{
    CyclesView, EntryView, ExitView, FillView, LeftView, LevelView, LookupView, NeighbourView,
    ReadState, StepView, TranslationView, VmView,
};
use crate::record::grid::{self, GridDraft, RowDraft};
use crate::record::keys::{key, key_shift_of};
use crate::record::snapshot::{core_views, in_use};
use effects::{ActDraft, Effects, op_view};
use pagewalk_base::addr::{Hex, Leaf, Level};
use pagewalk_base::trace::{Access, AccessView, Kind};

/// The number of entries shown before and after the entry that the walk reads.
const NEIGHBOURS: u64 = 2;

/// The facts about one translation so far.
#[derive(Default)]
struct Draft {
    tlb: Vec<LookupView>,
    psc: Vec<LookupView>,
    fills: Vec<(FillView, Option<(u64, Entry)>)>,
    left: Vec<LeftFact>,
    references: Vec<ReferenceFact>,
    /// The entries of the walked tables whose flags the walk set.
    flags: Vec<FlagFact>,
    grid: GridDraft,
}

/// Observes one access.
#[derive(Default)]
pub(crate) struct EventLog {
    draft: Draft,
    done: Vec<(Draft, Translation)>,
    /// Whether the access has begun. Operations before that belong to `before`, later ones to `after`.
    accessed: bool,
    exception: Option<(Exception, u64)>,
    exits: Vec<ExitView>,
    /// The effects since the last operation or act.
    effects: Effects,
    /// The number of departed entries that acts have reported so far.
    n_reported: usize,
    acts: Vec<ActDraft>,
    before: Vec<(OpFact, Effects)>,
    after: Vec<(OpFact, Effects)>,
}

impl Probe for EventLog {
    fn tlb_lookup(&mut self, fact: &LookupFact) {
        self.draft.tlb.push(lookup_view(fact));
    }

    fn psc_lookup(&mut self, fact: &LookupFact) {
        // Lookups in the guest's paging-structure caches come before the first row, later ones belong to the
        // last row.
        let lookups = match self.draft.grid.rows.last_mut() {
            Some(row) => &mut row.lookups,
            None => &mut self.draft.psc,
        };
        lookups.push(lookup_view(fact));
    }

    fn pwc_lookup(&mut self, fact: &LookupFact, host: bool) {
        let row = self.draft.row();
        self.draft.grid.pwc.push((row, host, Level::new(fact.leaf.number()), lookup_view(fact)));
    }

    fn row(&mut self, row: &RowFact) {
        self.draft.grid.rows.push(RowDraft { row: *row, lookups: Vec::new() });
    }

    fn violation(&mut self, fact: &ViolationFact) {
        if let Some(exit) = self.exits.last_mut().filter(|exit| exit.violation.is_none())
            && exit.reason == ExitReason::EptViolation
        {
            exit.violation = Some(grid::violation(fact));
        }
        self.draft.grid.violations.push(*fact);
    }

    fn fill(&mut self, fact: &FillFact) {
        let Slot { set, way } = fact.placed.slot;
        let fill = FillView {
            structure: fact.structure.index(),
            set,
            way,
            key: Hex(fact.number),
            key_shift: fact.leaf.number(),
            evicted: None,
        };
        self.draft.fills.push((fill, fact.placed.evicted()));
    }

    fn left(&mut self, fact: &LeftFact) {
        self.draft.left.push(*fact);
    }

    fn reference(&mut self, fact: &ReferenceFact) {
        if !fact.host {
            self.draft.references.push(*fact);
        }
        // A guest entry is read at the end of the row of its table.
        let row = if fact.host { self.draft.row() } else { Some(fact.level) };
        self.draft.grid.references.push((row, *fact));
    }

    fn flagged(&mut self, fact: &FlagFact) {
        if !fact.host {
            self.draft.flags.push(*fact);
        }
        let row = if fact.host { self.draft.row() } else { Some(fact.level) };
        self.draft.grid.flags.push((row, *fact));
    }

    fn dropped(&mut self) {
        self.draft = Draft::default();
    }

    fn translated(&mut self, done: &Translation) {
        ActDraft::assign_address(&mut self.acts, done.address);
        self.n_reported = 0;
        self.done.push((std::mem::take(&mut self.draft), *done));
    }

    fn accesses(&mut self, _kind: Kind, _n: u64) {
        self.accessed = true;
    }

    fn ended_by_exception(&mut self, exception: Exception, address: u64) {
        self.draft = Draft::default();
        self.n_reported = 0;
        self.exception = Some((exception, address));
    }

    /// Excludes entries that the host has shot down from the effects of the guest's acts. They are listed as
    /// entries that left.
    fn host_system(&mut self, _: SystemEvent) {
        self.n_reported = self.draft.left.len();
    }

    fn exited(&mut self, reason: ExitReason, n: u64) {
        match self.exits.last_mut() {
            Some(last) if last.reason == reason && reason != ExitReason::EptViolation => {
                last.n += n;
            }
            _ => self.exits.push(ExitView { reason, n, violation: None }),
        }
    }

    fn invalidated(&mut self, entry: &DropFact) {
        self.effects.dropped.push(*entry);
    }

    fn core_notified(&mut self, core: &ShootdownFact) {
        self.effects.notified.push(core.clone());
    }

    fn wants_effects(&self) -> bool {
        true
    }

    fn wrote(&mut self, entry: &WriteFact) {
        self.effects.wrote.push(*entry);
    }

    fn stayed(&mut self, entry: &DropFact) {
        self.effects.stayed.push(*entry);
    }

    fn acted(&mut self, act: &ActFact) {
        let effects = self.take_effects();
        ActDraft::add(&mut self.acts, act, effects);
    }

    fn fault(&mut self, cause: FaultCause) {
        if cause == FaultCause::Hidden {
            // This fault is shown as a VM exit. The act under way continues.
            return;
        }
        let effects = self.take_effects();
        ActDraft::fault(&mut self.acts, cause, effects);
    }

    fn executed(&mut self, op: &OpFact) {
        let ops = if self.accessed { &mut self.after } else { &mut self.before };
        // Only shootdowns by the operation make entries leave before it ends.
        self.effects.shot(&std::mem::take(&mut self.draft.left));
        self.n_reported = 0;
        ops.push((*op, std::mem::take(&mut self.effects)));
    }
}

/// Returns the view of a lookup. `key_shift` has the level until [`Draft::into_view`] replaces it by the
/// level's shift.
fn lookup_view(fact: &LookupFact) -> LookupView {
    LookupView {
        structure: fact.structure.index(),
        hit: fact.way.is_some(),
        set: u32::try_from(fact.set).expect("sets are counted in 32 bits"),
        way: fact.way,
        key: Hex(fact.number),
        key_shift: fact.leaf.number(),
    }
}

impl EventLog {
    /// Returns the effects since the last operation or act. Entries that were shot down also stay in the list
    /// of the translation.
    fn take_effects(&mut self) -> Effects {
        let mut effects = std::mem::take(&mut self.effects);
        let left = self.draft.left.iter().skip(self.n_reported);
        effects.shot(left.filter(|fact| fact.why == Leaving::ShotDown));
        self.n_reported = self.draft.left.len();
        effects
    }

    /// Returns the view of access `index`, which `machine` has just run. `ip` is the instruction pointer in the
    /// trace, or else the address of the last fetch.
    pub(crate) fn into_view(
        self,
        machine: &Machine,
        index: u32,
        access: &Access,
        ip: Option<u64>,
    ) -> StepView {
        let outcomes = self.done.iter().map(|(_, done)| done.outcome);
        let ended_by_exception = self.exception.is_some().then_some(Outcome::Fault);
        let outcome = outcomes.chain(ended_by_exception).max().unwrap_or(Outcome::L1Hit);
        let translations =
            self.done.into_iter().map(|(draft, done)| draft.into_view(machine, &done)).collect();
        let tables = machine.walked_tables();
        let root = tables.existing_root(machine.space, access.address & machine.plan.va_mask);
        let ops = |ops: Vec<(OpFact, Effects)>| {
            ops.iter().map(|(op, effects)| op_view(machine, op, effects)).collect()
        };
        StepView {
            index,
            access: AccessView {
                kind: access.kind,
                address: Hex(access.address),
                size: access.size,
                pid: access.pid,
                tid: access.tid,
                cpu: access.cpu,
                ip: ip.map(Hex),
            },
            vm: machine.vm().map(|(vm, vpid)| VmView { vm, vpid }),
            translations,
            outcome,
            in_use: in_use(machine),
            cores: core_views(machine),
            table_pages: machine.tables.n_tables(),
            root: Hex(root.map_or(0, |root| tables.address(root))),
            exception: self.exception.map(|(what, address)| ExceptionView::new(what, address)),
            refused: self
                .exception
                .and_then(|(what, address)| refused::view(machine, what, access.kind, address)),
            exits: self.exits,
            before: ops(self.before),
            acts: self.acts.iter().map(|act| act.view(machine)).collect(),
            after: ops(self.after),
        }
    }
}

impl Draft {
    /// Returns the number of the row that the walk is in; 0 before the first row.
    fn row(&self) -> Option<Level> {
        self.grid.rows.last().and_then(|row| row.row.row)
    }

    fn into_view(mut self, machine: &Machine, done: &Translation) -> TranslationView {
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
        let levels = levels(machine, done, (&self.references, &self.flags));
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

/// The place of an entry on the way to a page.
struct LevelOf {
    table: Table,
    level: Level,
    index: usize,
    /// Whether the walk ends here.
    leaf: bool,
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
fn level_view(
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
    let value = tables.read(table, index);
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
        was: was.map(|was| format.shown(was)).filter(|was| *was != shown).map(Hex),
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
                value: Hex(format.shown(tables.read(table, index_of(index)))),
            })
            .collect(),
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
        space: key.space,
        filled_at: entry.filled_at(),
        used_at: entry.used_at(),
        hits: entry.hits(),
    }
}
