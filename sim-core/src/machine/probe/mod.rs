//! How a machine reports while it runs: to one observer.
//!
//! `()` observes nothing and costs nothing; [`crate::record::stats::Stats`] counts; [`Endings`] is told how
//! translations end. For each of these the machine is compiled by itself, since whole traces run
//! under them. All others share one copy, as `&mut dyn Probe`: so does `EventLog`, which writes one
//! access down in full. What is rare, operations above all, reports to `&mut dyn Probe` whoever observes.

mod any;
mod facts;

use crate::machine::exception::Exception;
use crate::machine::exits::ExitReason;
use crate::machine::structures::StructureId;
use crate::os::FaultCause;
use pagewalk_base::trace::Kind;

pub use facts::{
    ActFact, DropFact, FillFact, Leaving, LeftFact, LookupFact, OpFact, ReferenceFact, RowFact,
    ShootdownFact, SystemAct, ViolationFact, WriteFact,
};

/// How a translation ended. The order is that of rising cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Outcome {
    L1Hit,
    L2Hit,
    Walk,
    /// A walk after a first-touch fault.
    Fault,
}

/// What one translation makes the host of a virtual machine do. Counts are small: a
/// translation walks at most six guest-physical addresses of five levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostWork {
    /// EPT violations: pages that the host mapped.
    pub violations: u8,
    /// Accessed flags set in the host's tables.
    pub accessed: u8,
    /// Dirty flags set there; each takes an entry of the page-modification log.
    pub dirty: u8,
    /// Exits because that log was full.
    pub log_full: u8,
}

/// What the first store to a page that a TLB entry knows changes in the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// Flags set; under virtualisation in the guest's tables.
    pub flags: u32,
    pub host: HostWork,
}

/// One translation when it is done.
#[derive(Clone, Copy, Debug)]
pub struct Translation {
    pub kind: Kind,
    /// The access it belongs to.
    pub index: u32,
    pub address: u64,
    /// The level of the entry that maps the page.
    pub leaf: u8,
    pub outcome: Outcome,
    /// Page-table entries read.
    pub refs: u32,
    /// Those of them that are the host's.
    pub host_refs: u32,
    /// Accessed and dirty flags set; under virtualisation those of the guest.
    pub ad_updates: u32,
    /// What the host of a virtual machine had to do.
    pub host: HostWork,
    /// Cycles of the walk: overhead and references.
    pub walk_cycles: u64,
    /// Cycles of the level-2 hit.
    pub l2_cycles: u64,
}

impl HostWork {
    fn add(&mut self, other: Self) {
        self.violations += other.violations;
        self.accessed += other.accessed;
        self.dirty += other.dirty;
        self.log_full += other.log_full;
    }
}

impl Updates {
    pub(crate) fn add(&mut self, other: Self) {
        self.flags += other.flags;
        self.host.add(other.host);
    }
}

impl Translation {
    pub(crate) fn add(&mut self, updates: Updates) {
        self.ad_updates += updates.flags;
        self.host.add(updates.host);
    }

    /// A translation that nothing has happened to yet.
    #[inline]
    pub(crate) fn new(index: u32, kind: Kind, address: u64, leaf: u8) -> Self {
        let outcome = Outcome::L1Hit;
        Self {
            kind,
            index,
            address,
            leaf,
            outcome,
            refs: 0,
            host_refs: 0,
            ad_updates: 0,
            host: HostWork::default(),
            walk_cycles: 0,
            l2_cycles: 0,
        }
    }
}

/// Translations of one kind, no prefetches, that ended in level 2 or with a walk. Faults among them are told beside
/// these, one by one.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    pub kind: Kind,
    pub l2_hits: u64,
    pub l2_cycles: u64,
    pub walks: u64,
    /// Page-table entries read.
    pub refs: u64,
    /// Those of them that are the host's.
    pub host_refs: u64,
    /// Accessed and dirty flags set.
    pub ad_updates: u64,
    /// Cycles of the walks: overheads and references.
    pub walk_cycles: u64,
}

/// What the operating system does beside mapping missing pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemEvent {
    /// A pool of huge pages is empty: the access ends as a bus error, without a translation.
    BusError,
    /// A huge page was made of so many small ones.
    Promotion { n_small: u64 },
    /// A huge page of code is made into small ones again.
    Demotion,
    /// khugepaged found no free block of memory, so many times.
    NoBlock { n: u32 },
    /// A page that was shared is written, and nobody else has it any more: it is kept.
    Reused,
    /// The cores were told that mappings have changed, and dropped so many entries.
    Shootdown { n_dropped: u32 },
}

/// An observer of a machine. Every method does nothing unless it is written.
#[allow(unused_variables)]
pub trait Probe {
    /// The trace has `n` accesses of `kind` here; not told in step with the other events.
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {}

    /// `n` accesses of `kind` hit the entry in level-1 array `structure` that the last one of the kind used.
    #[inline]
    fn repeats(&mut self, kind: Kind, structure: StructureId, n: u64) {}

    /// Level-2 array `structure` hit `n` times.
    #[inline]
    fn hits(&mut self, structure: StructureId, n: u64) {}

    /// Array `structure` was filled `n` times; `evicted` of them had to evict.
    #[inline]
    fn fills(&mut self, structure: StructureId, n: u64, evicted: u64) {}

    /// A store that hit level 1 set flags in the page tables.
    #[inline]
    fn updates(&mut self, updates: Updates) {}

    #[doc(hidden)]
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {}

    #[doc(hidden)]
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {}

    /// Whether translations may be told in sums, as far as that is possible, instead of one by one.
    #[inline]
    fn takes_sums(&self) -> bool {
        false
    }

    /// Translations, for an observer that [takes sums](Self::takes_sums).
    #[inline]
    fn sums(&mut self, sums: &Sums) {}

    /// Memory cache number `server` (the number of caches stands for DRAM) served `n` reads of walks
    /// that are told in sums.
    #[inline]
    fn served(&mut self, server: usize, n: u64) {}

    /// `n` lookups in a paging-structure cache, `hits` of which hit.
    #[inline]
    fn psc_lookups(&mut self, structure: StructureId, n: u64, hits: u64) {}

    /// A lookup in the page walk cache, for an entry of the host or of the guest; `level` is that
    /// of the entry.
    #[doc(hidden)]
    #[inline]
    fn pwc_lookup(&mut self, lookup: &LookupFact, host: bool) {}

    /// A guest-physical address is translated next.
    #[doc(hidden)]
    #[inline]
    fn row(&mut self, row: &RowFact) {}

    #[doc(hidden)]
    #[inline]
    fn violation(&mut self, violation: &ViolationFact) {}

    #[doc(hidden)]
    #[inline]
    fn fill(&mut self, fill: &FillFact) {}

    #[doc(hidden)]
    #[inline]
    fn left(&mut self, fact: &LeftFact) {}

    /// A core that is not in the machine was told of a change of mappings.
    #[doc(hidden)]
    fn core_notified(&mut self, core: &ShootdownFact) {}

    /// An entry left the numbered structure of a core that is not in the machine: it was shot down.
    #[inline]
    fn left_other_core(&mut self, structure: StructureId) {}

    /// Whether it wants to be told what operations, and the system's acts, change: `told`, `wrote`, `stayed`.
    #[inline]
    fn wants_effects(&self) -> bool {
        false
    }

    #[doc(hidden)]
    fn wrote(&mut self, entry: &WriteFact) {}

    /// An operation left a global translation where it is.
    #[doc(hidden)]
    fn stayed(&mut self, entry: &DropFact) {}

    /// The operating system has done something at an access, which changed what was told before.
    #[doc(hidden)]
    fn acted(&mut self, act: &ActFact) {}

    #[doc(hidden)]
    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {}

    /// Core number `core` goes on, which the trace calls `id`.
    #[inline]
    fn core(&mut self, core: usize, id: u32) {}

    /// A translation is done.
    #[inline]
    fn translated(&mut self, translation: &Translation) {}

    /// The operating system has dealt with a missing page.
    #[inline]
    fn fault(&mut self, cause: FaultCause) {}

    /// The operating system did something else.
    #[inline]
    fn system(&mut self, event: SystemEvent) {}

    /// The host of a virtual machine has dealt with a page that was missing, or could not be used so.
    #[inline]
    fn host_fault(&mut self, cause: FaultCause) {}

    /// The host did something else.
    #[inline]
    fn host_system(&mut self, event: SystemEvent) {}

    /// The virtual machine exited to its host, `n` times. Exits that a [`Translation`] tells are not told here.
    #[inline]
    fn exited(&mut self, reason: ExitReason, n: u64) {}

    /// A prefetch of a page that is not mapped was dropped.
    #[inline]
    fn dropped(&mut self) {}

    /// An exception ended the access, at the byte of `address`.
    #[inline]
    fn ended_by_exception(&mut self, exception: Exception, address: u64) {}

    #[doc(hidden)]
    #[inline]
    fn invalidated(&mut self, entry: &DropFact) {}

    /// An operation is done, and has dropped what was told before.
    #[inline]
    fn executed(&mut self, op: &OpFact) {}
}

impl Probe for () {
    #[inline]
    fn takes_sums(&self) -> bool {
        true
    }
}

/// Is told how translations end, and nothing else.
pub struct Endings<'a>(pub &'a mut dyn FnMut(&Translation));

impl Probe for Endings<'_> {
    #[inline]
    fn translated(&mut self, translation: &Translation) {
        (self.0)(translation);
    }
}
