//! The interface between a machine and its observer.
//!
//! [`Probe`] receives facts, each about one access or operation, when they happen. [`Tally`] receives sums over many
//! accesses. An observer that needs only facts implements [`Probe`]. An observer that counts implements both,
//! because fast paths report sums instead of lookups, fills and references.
//!
//! `()` observes nothing and costs nothing, [`crate::record::stats::Stats`] counts, and [`Endings`] receives how
//! translations end. The compiler makes a machine for each of these, because whole traces run under them. All other
//! observers share one machine for `&mut dyn Probe`, such as `EventLog`, which records one access in full. Rare
//! code, above all operations, reports to `&mut dyn Probe` for every observer.

mod any;
mod facts;
mod tally;
mod translation;

use crate::machine::exception::Exception;
use crate::machine::exits::ExitReason;
use crate::machine::structures::StructureId;
use crate::os::FaultCause;
use pagewalk_base::trace::Kind;

pub use facts::{
    ActFact, BlockFact, DropFact, FillFact, FlagFact, HashedFact, HashedWalk, Leaving, LeftFact,
    LookupFact, OpFact, PomFact, PomFillFact, PrefetchFact, ReferenceFact, RefusedLinesFact,
    RowFact, ShootdownFact, SystemAct, ViolationFact, WriteFact,
};
pub(crate) use facts::{BlockEvent, LineFact};
pub use tally::{Sums, Tally};
pub use translation::{HostWork, Outcome, Translation, Updates};

/// The events of the operating system, in addition to the mapping of missing pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemEvent {
    /// A pool of huge pages is empty. The access ends as a bus error, without a translation.
    BusError,
    /// The operating system made a huge page of `n_small` small pages.
    Promotion { n_small: u64 },
    /// The operating system split a huge page of code into small pages.
    Demotion,
    /// khugepaged found no free block of memory, `n` times.
    NoBlock { n: u32 },
    /// A write to a page that was shared, and now has one owner. The page is kept without a copy.
    Reused,
    /// A shootdown after mappings changed: the cores dropped `n_dropped` entries.
    Shootdown { n_dropped: u32 },
}

/// Receives the facts of a machine. A method without an implementation does nothing.
#[allow(unused_variables)]
pub trait Probe {
    /// Receives that the trace has `n` accesses of `kind` here. The other facts about them may come before or after.
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {}

    /// Returns the part of the observer that takes sums. Without one, each translation that misses level 1 is reported
    /// by itself, and other counts of fast paths are not reported.
    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        None
    }

    /// Receives the flags that a store which hit level 1 set in the page tables.
    #[inline]
    fn updates(&mut self, updates: Updates) {}

    /// Receives a lookup in a TLB array.
    #[doc(hidden)]
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {}

    /// Receives a lookup in a paging-structure cache.
    #[doc(hidden)]
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {}

    /// Receives a lookup in the translations behind level 2.
    #[doc(hidden)]
    fn pom_lookup(&mut self, lookup: &PomFact) {}

    /// Receives a fill of the translations behind level 2.
    #[doc(hidden)]
    fn pom_fill(&mut self, fill: &PomFillFact) {}

    /// Receives that `n` translations behind level 2 were invalidated.
    fn pom_left(&mut self, n: u32) {}

    /// Receives what happened to a TLB block in a memory cache.
    #[doc(hidden)]
    fn block(&mut self, fact: &BlockFact) {}

    /// Receives that `n` pages of TLB blocks were invalidated.
    fn blocks_left(&mut self, n: u32) {}

    /// Receives the lines that a walk of hashed page tables read. Each is also a reference.
    #[doc(hidden)]
    fn hashed_walk(&mut self, fact: &HashedFact) {}

    /// Receives the lines that a walk of hashed page tables reads before a page fault. Only observers that want effects
    /// receive them.
    #[doc(hidden)]
    fn refused_lines(&mut self, fact: RefusedLinesFact) {}

    /// Receives a lookup in the page walk cache, for an entry of the host or of the guest. The fact's `leaf` is the
    /// level of the entry.
    #[doc(hidden)]
    #[inline]
    fn pwc_lookup(&mut self, lookup: &LookupFact, host: bool) {}

    /// Receives the beginning of a translation of a guest-physical address.
    #[doc(hidden)]
    #[inline]
    fn row(&mut self, row: &RowFact) {}

    /// Receives an EPT violation: the host's entries do not allow an access or a read of a table.
    #[doc(hidden)]
    #[inline]
    fn violation(&mut self, violation: &ViolationFact) {}

    /// Receives a fill of a structure. The fill may have evicted an entry.
    #[doc(hidden)]
    #[inline]
    fn fill(&mut self, fill: &FillFact) {}

    /// Receives an entry that left its structure without an eviction. The fact has the reason, for example a
    /// shootdown.
    #[doc(hidden)]
    #[inline]
    fn left(&mut self, fact: &LeftFact) {}

    /// Receives a parked core that got a shootdown.
    #[doc(hidden)]
    fn core_notified(&mut self, core: &ShootdownFact) {}

    /// Receives the structure of a parked core from which a shootdown dropped an entry.
    #[inline]
    fn left_other_core(&mut self, structure: StructureId) {}

    /// Returns whether the observer needs the changes that operations and acts of the operating system make:
    /// [`Self::core_notified`], [`Self::wrote`] and [`Self::stayed`].
    #[inline]
    fn wants_effects(&self) -> bool {
        false
    }

    /// Receives a write of a page-table entry.
    #[doc(hidden)]
    fn wrote(&mut self, entry: &WriteFact) {}

    /// Receives a global translation that an operation left in its structure.
    #[doc(hidden)]
    fn stayed(&mut self, entry: &DropFact) {}

    /// Receives an act of the operating system at an access. The changes reported before belong to this act.
    #[doc(hidden)]
    fn acted(&mut self, act: &ActFact) {}

    /// Receives the read of a table entry by a walk.
    #[doc(hidden)]
    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {}

    /// Receives an entry whose flags a walk set. An entry may be reported once for each flag.
    #[doc(hidden)]
    #[inline]
    fn flagged(&mut self, entry: &FlagFact) {}

    /// Receives a switch to core number `core`, whose number in the trace is `id`.
    #[inline]
    fn core(&mut self, core: usize, id: u32) {}

    /// Receives a translation that is done.
    #[inline]
    fn translated(&mut self, translation: &Translation) {}

    /// Receives a page fault that the operating system has handled.
    #[inline]
    fn fault(&mut self, cause: FaultCause) {}

    /// Receives another event of the operating system.
    #[inline]
    fn system(&mut self, event: SystemEvent) {}

    /// Receives an EPT violation that the host has handled.
    #[inline]
    fn host_fault(&mut self, cause: FaultCause) {}

    /// Receives another event of the host.
    #[inline]
    fn host_system(&mut self, event: SystemEvent) {}

    /// Receives `n` exits of the virtual machine to its host. Exits that are part of a [`Translation`] are not
    /// reported here.
    #[inline]
    fn exited(&mut self, reason: ExitReason, n: u64) {}

    /// Receives that a prefetch of a page that is not mapped was dropped.
    #[inline]
    fn dropped(&mut self) {}

    /// Receives the fate of a translation that the machine prefetched by itself.
    #[inline]
    fn prefetched(&mut self, fact: &PrefetchFact) {}

    /// Receives an access that ended without a translation. Its outcome is [`Outcome::Exception`].
    #[inline]
    fn ended(&mut self, done: &Translation) {}

    /// Receives the reason of such an end, at the byte of `address`. A bus error is reported as
    /// [`SystemEvent::BusError`] instead.
    #[inline]
    fn ended_by_exception(&mut self, exception: Exception, address: u64) {}

    /// Receives an entry that INVLPG, INVPCID, a control register or an operation of the host dropped.
    #[doc(hidden)]
    #[inline]
    fn invalidated(&mut self, entry: &DropFact) {}

    /// Receives an operation that is done. The entries reported as invalidated before belong to this operation.
    #[inline]
    fn executed(&mut self, op: &OpFact) {}
}

impl Probe for () {
    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        Some(self)
    }
}

/// Receives only how translations end, and accesses that end without one. Fast paths report the translations that
/// miss level 1.
pub struct Endings<'a>(pub &'a mut dyn FnMut(&Translation));

impl Probe for Endings<'_> {
    #[inline]
    fn translated(&mut self, translation: &Translation) {
        (self.0)(translation);
    }

    fn ended(&mut self, done: &Translation) {
        (self.0)(done);
    }
}
