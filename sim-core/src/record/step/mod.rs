//! Records one access in full: an observer for exactly one access, and the [`StepView`] of the observed facts.

mod effects;
mod hashed;
mod refused;
mod translation;

use crate::caches::tlb::{Entry, Slot};
use crate::machine::Machine;
use crate::machine::exception::{Exception, ExceptionView};
use crate::machine::exits::ExitReason;
use crate::machine::probe::{
    ActFact, BlockFact, DropFact, FillFact, FlagFact, HashedFact, Leaving, LeftFact, LookupFact,
    OpFact, Outcome, PomFact, PomFillFact, PrefetchFact, Probe, ReferenceFact, RefusedLinesFact,
    RowFact, ShootdownFact, SystemEvent, Translation, ViolationFact, WriteFact,
};
use crate::os::FaultCause;
use crate::record::event::{ExitView, FillView, LookupView, StepView, VmView};
use crate::record::grid::{self, GridDraft, RowDraft};
use crate::record::snapshot::{core_views, in_use};
use effects::{ActDraft, Effects, op_view};
use pagewalk_base::addr::{Hex, Level};
use pagewalk_base::trace::{Access, AccessView, Kind};
use pagewalk_base::whole::IS_WHOLE;

/// The facts about one translation so far.
#[derive(Default)]
struct Draft {
    tlb: Vec<LookupView>,
    pom_tlb: Option<PomFact>,
    pom_fill: Option<PomFillFact>,
    blocks: Vec<BlockFact>,
    hashed: Option<HashedFact>,
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
    /// The walks that prefetched TLB entries after the access.
    prefetches: Vec<(Draft, Translation)>,
    /// Whether the access has begun. Operations before it belong to `before`, later ones to `after`.
    accessed: bool,
    exception: Option<(Exception, u64)>,
    /// The lines of hashed page tables that a walk reads before the exception.
    refused_lines: Option<RefusedLinesFact>,
    /// The outcome of an access that ended without a translation.
    ended: Option<Outcome>,
    exits: Vec<ExitView>,
    /// The effects since the last operation or act.
    effects: Effects,
    /// The number of departed entries that acts have reported until now.
    n_reported: usize,
    acts: Vec<ActDraft>,
    before: Vec<(OpFact, Effects)>,
    after: Vec<(OpFact, Effects)>,
}

impl Probe for EventLog {
    fn tlb_lookup(&mut self, fact: &LookupFact) {
        self.draft.tlb.push(lookup_view(fact));
    }

    fn pom_lookup(&mut self, fact: &PomFact) {
        self.draft.pom_tlb = Some(*fact);
    }

    fn pom_fill(&mut self, fact: &PomFillFact) {
        if IS_WHOLE {
            self.draft.pom_fill = Some(*fact);
        }
    }

    fn block(&mut self, fact: &BlockFact) {
        if IS_WHOLE {
            self.draft.blocks.push(*fact);
        }
    }

    fn hashed_walk(&mut self, fact: &HashedFact) {
        if IS_WHOLE {
            self.draft.hashed = Some(fact.clone());
        }
    }

    fn refused_lines(&mut self, fact: RefusedLinesFact) {
        if IS_WHOLE {
            self.refused_lines = Some(fact);
        }
    }

    fn psc_lookup(&mut self, fact: &LookupFact) {
        // Lookups in the guest's paging-structure caches come before the first row. Later lookups belong to the last
        // row.
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
            guest_physical: false,
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

    fn prefetched(&mut self, fact: &PrefetchFact) {
        if IS_WHOLE && let PrefetchFact::Issued(done) = fact {
            self.n_reported = 0;
            self.prefetches.push((std::mem::take(&mut self.draft), *done));
        }
    }

    fn accesses(&mut self, _kind: Kind, _n: u64) {
        self.accessed = true;
    }

    fn ended(&mut self, done: &Translation) {
        self.ended = Some(done.outcome);
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
            // The view shows this fault as a VM exit. The current act continues.
            return;
        }
        let effects = self.take_effects();
        ActDraft::fault(&mut self.acts, cause, effects);
    }

    fn executed(&mut self, op: &OpFact) {
        let ops = if self.accessed { &mut self.after } else { &mut self.before };
        // Before the operation ends, entries leave only by its shootdowns.
        self.effects.shot(&std::mem::take(&mut self.draft.left));
        self.n_reported = 0;
        ops.push((*op, std::mem::take(&mut self.effects)));
    }
}

/// Returns the view of a lookup. `key_shift` holds the level until [`Draft::into_view`] replaces it by the level's
/// shift.
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
    /// trace, or otherwise the address of the last fetch.
    pub(crate) fn into_view(
        self,
        machine: &Machine,
        index: u32,
        access: &Access,
        ip: Option<u64>,
    ) -> StepView {
        let outcomes = self.done.iter().map(|(_, done)| done.outcome);
        let outcome = outcomes.chain(self.ended).max().unwrap_or(Outcome::L1Hit);
        let [translations, prefetches] = [self.done, self.prefetches].map(|done| {
            done.into_iter().map(|(draft, done)| draft.into_view(machine, &done)).collect()
        });
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
            prefetches,
            outcome,
            in_use: in_use(machine),
            cores: core_views(machine),
            table_pages: machine.tables.n_tables(),
            root: Hex(match tables.hashed() {
                Some(hashed) => hashed.start_of(machine.space),
                None => root.map_or(0, |root| tables.address(root)),
            }),
            exception: self.exception.map(|(what, address)| ExceptionView::new(what, address)),
            refused: self.exception.and_then(|(what, address)| {
                refused::view(machine, what, (access.kind, address), self.refused_lines.as_ref())
            }),
            exits: self.exits,
            before: ops(self.before),
            acts: self.acts.iter().map(|act| act.view(machine)).collect(),
            after: ops(self.after),
        }
    }
}

impl Draft {
    /// Returns the number of the current row of the walk, or 0 before the first row.
    fn row(&self) -> Option<Level> {
        self.grid.rows.last().and_then(|row| row.row.row)
    }
}
