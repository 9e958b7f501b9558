//! The counters of a run: an observer of the machine, and its report.

mod latency;
mod prefetches;
mod regions;
mod report;
mod straddles;
mod summary;
mod system;
mod virt;

use std::ops::{Index, IndexMut};

use crate::machine::structures::StructureId;

use crate::caches::memory::MAX_CACHES;
use crate::machine::exception::{Exception, Exceptions};
use crate::machine::exits::ExitReason;
use crate::machine::probe::{
    BlockFact, DropFact, FillFact, HashedFact, HostWork, Leaving, LeftFact, LookupFact, OpFact,
    Outcome, PomFact, PomFillFact, PrefetchFact, Probe, ReferenceFact, Sums, SystemEvent, Tally,
    Translation, Updates,
};
use crate::os::FaultCause;
use crate::record::blocks::BlockCounts;
pub use crate::record::blocks::VictimaReport;
use crate::record::hashed::HashedCounts;
pub use crate::record::hashed::{EcptReport, EcptTablesReport, EcptWalksReport};
use crate::record::invalidations::Invalidations;
use crate::record::pom::PomCounts;
pub use crate::record::pom::PomReport;
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;
pub use prefetches::TlbPrefetchReport;
pub use regions::RegionReport;
pub use report::{
    CoreReport, CyclesReport, EventCycles, FaultsReport, KindReport, KindsReport, PscReport,
    RunReport, ServedReport, StructureReport, TraceCounts, WalksReport,
};
use straddles::Straddles;
pub use system::{MemoryReport, PoolReport, SystemReport};
use virt::HostCounts;
pub use virt::{VirtReport, WalkCacheReport};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    lookups: u64,
    hits: u64,
    misses: u64,
    fills: u64,
    evictions: u64,
    invalidations: u64,
}

/// The most structures of a machine: two levels of arrays, four paging-structure caches in each of two dimensions,
/// the prefetch buffer, the nested TLB and the page walk cache.
const MAX_ROWS: usize = 32;
/// The counters by structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rows([Row; MAX_ROWS]);

impl Index<StructureId> for Rows {
    type Output = Row;

    #[inline]
    fn index(&self, id: StructureId) -> &Row {
        &self.0[id.index()]
    }
}

impl IndexMut<StructureId> for Rows {
    #[inline]
    fn index_mut(&mut self, id: StructureId) -> &mut Row {
        &mut self.0[id.index()]
    }
}

/// The most memory caches, and DRAM.
const MAX_SERVERS: usize = MAX_CACHES + 1;

/// Counts everything that a [`RunReport`] reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    accesses: [u64; 4],
    kinds: [KindReport; 4],
    rows: Rows,
    /// The TLB arrays that missed in the current translation, one bit each.
    missed: u32,
    servers: [u64; MAX_SERVERS],
    refs: u64,
    ad_updates: u64,
    /// The page faults by cause.
    faults: [u64; FaultCause::ALL.len()],
    bus_errors: u64,
    system: SystemReport,
    l2_cycles: u64,
    walk_cycles: u64,
    exceptions: Exceptions,
    invalidations: Invalidations,
    prefetches: TlbPrefetchReport,
    cores: Vec<CoreReport>,
    core: usize,
    host_refs: u64,
    host: HostCounts,
    pom_tlb: PomCounts,
    blocks: BlockCounts,
    hashed: HashedCounts,
    /// Set if an access that straddles two pages counts once.
    straddles: Option<Straddles>,
}

impl Probe for Stats {
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {
        self.missed = 0;
        self.accesses[kind.index()] += n;
        if let Some(core) = self.cores.get_mut(self.core) {
            core.accesses += if kind == Kind::Prefetch { 0 } else { n };
        }
    }

    fn core(&mut self, core: usize, id: u32) {
        while self.cores.len() <= core {
            self.cores.push(CoreReport { id, ..CoreReport::default() });
        }
        self.cores[core].id = id;
        self.core = core;
    }

    #[inline]
    fn updates(&mut self, updates: Updates) {
        self.ad_updates += u64::from(updates.flags);
        if updates.host != HostWork::default() {
            self.host.add(updates.host);
        }
    }

    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {
        let row = &mut self.rows[lookup.structure];
        if lookup.way.is_some() {
            row.hits += 1;
        } else {
            row.misses += 1;
            self.missed |= 1 << lookup.structure.index();
        }
    }

    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {
        let row = &mut self.rows[lookup.structure];
        row.lookups += 1;
        row.hits += u64::from(lookup.way.is_some());
    }

    #[inline]
    fn pwc_lookup(&mut self, lookup: &LookupFact, _: bool) {
        self.psc_lookup(lookup);
    }

    fn pom_lookup(&mut self, lookup: &PomFact) {
        if IS_WHOLE {
            self.pom_tlb.look_up(lookup);
        }
    }

    fn pom_fill(&mut self, fill: &PomFillFact) {
        if IS_WHOLE {
            self.pom_tlb.fill(fill);
        }
    }

    fn pom_left(&mut self, n: u32) {
        self.pom_tlb.left(n);
    }

    fn block(&mut self, fact: &BlockFact) {
        if IS_WHOLE {
            self.blocks.count(fact);
        }
    }

    fn blocks_left(&mut self, n: u32) {
        self.blocks.left(n);
    }

    fn hashed_walk(&mut self, fact: &HashedFact) {
        if IS_WHOLE {
            self.hashed.count(fact);
        }
    }

    #[inline]
    fn fill(&mut self, fill: &FillFact) {
        let row = &mut self.rows[fill.structure];
        row.fills += 1;
        row.evictions += u64::from(fill.placed.has_evicted());
    }

    fn left(&mut self, fact: &LeftFact) {
        let invalidated = !matches!(fact.why, Leaving::MovedUp | Leaving::Used);
        self.rows[fact.structure].invalidations += u64::from(invalidated);
    }

    fn left_other_core(&mut self, structure: StructureId) {
        self.rows[structure].invalidations += 1;
    }

    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {
        if reference.kind == Kind::Prefetch {
            return;
        }
        self.servers[reference.server.min(MAX_SERVERS - 1)] += 1;
    }

    #[inline]
    fn translated(&mut self, done: &Translation) {
        self.missed = 0;
        self.kinds[done.kind.index()].count(done.outcome);
        if let Some(straddles) = &mut self.straddles {
            straddles.count(done);
        }
        if done.kind == Kind::Prefetch {
            // Prefetches have their own counters, because their references and cycles are not costs of the program.
            return;
        }
        self.count_on_core(done);
        self.ad_updates += u64::from(done.ad_updates);
        self.l2_cycles += done.l2_cycles;
        if done.refs > 0 {
            self.refs += u64::from(done.refs);
            self.host_refs += u64::from(done.host_refs);
            self.walk_cycles += done.walk_cycles;
        }
        if done.host != HostWork::default() {
            self.host.add(done.host);
        }
    }

    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        Some(self)
    }

    fn fault(&mut self, cause: FaultCause) {
        self.faults[cause.index()] += 1;
    }

    fn system(&mut self, event: SystemEvent) {
        self.bus_errors += u64::from(self.system.count(event));
    }

    fn host_fault(&mut self, cause: FaultCause) {
        self.host.faults[cause.index()] += 1;
    }

    fn host_system(&mut self, event: SystemEvent) {
        self.host.system.count(event);
    }

    fn exited(&mut self, reason: ExitReason, n: u64) {
        self.host.exited(reason, n);
    }

    fn dropped(&mut self) {
        self.take_misses_back();
    }

    fn prefetched(&mut self, fact: &PrefetchFact) {
        if IS_WHOLE {
            self.prefetches.count(fact);
        }
    }

    fn ended(&mut self, _: &Translation) {
        self.take_misses_back();
    }

    fn ended_by_exception(&mut self, exception: Exception, _address: u64) {
        self.exceptions.count(exception);
    }

    fn invalidated(&mut self, entry: &DropFact) {
        self.rows[entry.structure].invalidations += 1;
        self.invalidations.dropped(entry);
    }

    fn executed(&mut self, op: &OpFact) {
        self.invalidations.executed(op);
    }
}

impl Tally for Stats {
    fn repeats(&mut self, kind: Kind, structure: StructureId, n: u64) {
        self.rows[structure].hits += n;
        self.kinds[kind.index()].l1_hits += n;
    }

    fn hits(&mut self, structure: StructureId, n: u64) {
        self.rows[structure].hits += n;
    }

    fn misses(&mut self, structure: StructureId, n: u64) {
        self.rows[structure].misses += n;
    }

    fn fills(&mut self, structure: StructureId, n: u64, evicted: u64) {
        self.rows[structure].fills += n;
        self.rows[structure].evictions += evicted;
    }

    fn psc_lookups(&mut self, structure: StructureId, n: u64, hits: u64) {
        let row = &mut self.rows[structure];
        row.lookups += n;
        row.hits += hits;
    }

    fn sums(&mut self, sums: &Sums) {
        let counts = &mut self.kinds[sums.kind.index()];
        counts.l2_hits += sums.l2_hits;
        counts.walks += sums.walks;
        if let Some(core) = self.cores.get_mut(self.core) {
            core.l2_hits += sums.l2_hits;
            core.walks += sums.walks;
            core.cycles += sums.cycles();
        }
        self.l2_cycles += sums.l2_cycles;
        self.refs += sums.refs;
        self.host_refs += sums.host_refs;
        self.ad_updates += sums.ad_updates;
        self.walk_cycles += sums.walk_cycles;
    }

    fn served(&mut self, server: usize, n: u64) {
        self.servers[server.min(MAX_SERVERS - 1)] += n;
    }
}

impl KindReport {
    #[inline]
    fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::L1Hit => self.l1_hits += 1,
            Outcome::L2Hit => self.l2_hits += 1,
            Outcome::Walk | Outcome::Fault => self.walks += 1,
            // The exception is counted by its cause.
            Outcome::Exception => {}
        }
    }
}

impl Stats {
    /// Makes counters by accesses: an access that straddles two pages counts once, with the worse outcome. These
    /// counters need each translation, so the trace must be run one access after the other.
    pub fn by_access() -> Self {
        Self { straddles: Some(Straddles::default()), ..Self::default() }
    }

    /// Returns whether the counters need each translation, not only sums.
    pub(crate) fn needs_each_translation(&self) -> bool {
        self.straddles.is_some()
    }

    /// Removes the misses of a translation that did not take place.
    fn take_misses_back(&mut self) {
        let missed = std::mem::take(&mut self.missed);
        for (at, row) in self.rows.0.iter_mut().enumerate() {
            row.misses -= u64::from(missed >> at & 1);
        }
    }

    #[inline]
    fn count_on_core(&mut self, done: &Translation) {
        let Some(core) = self.cores.get_mut(self.core) else { return };
        match done.outcome {
            Outcome::L1Hit => core.l1_hits += 1,
            Outcome::L2Hit => core.l2_hits += 1,
            Outcome::Walk | Outcome::Fault => core.walks += 1,
            Outcome::Exception => {}
        }
        core.cycles += done.cycles();
    }
}
