//! How a machine reports while it runs: to one observer.
//!
//! [`Probe`] receives facts, each about one access or operation, when they happen. [`Tally`] receives sums over many
//! accesses. An observer that only wants facts implements [`Probe`]; an observer that counts implements both, since
//! fast paths report sums instead of lookups, fills and references.
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
    ActFact, DropFact, FillFact, FlagFact, Leaving, LeftFact, LookupFact, OpFact, ReferenceFact,
    RowFact, ShootdownFact, SystemAct, ViolationFact, WriteFact,
};
pub use tally::{Sums, Tally};
pub use translation::{HostWork, Outcome, Translation, Updates};

/// What the operating system does in addition to mapping missing pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemEvent {
    /// A pool of huge pages is empty: the access ends as a bus error, without a translation.
    BusError,
    /// A huge page was made of `n_small` small pages.
    Promotion { n_small: u64 },
    /// A huge page of code was split into small pages.
    Demotion,
    /// khugepaged found no free block of memory, `n` times.
    NoBlock { n: u32 },
    /// A write to a page that was shared, and now has one owner: the page is kept without a copy.
    Reused,
    /// A shootdown after mappings changed: the cores dropped `n_dropped` entries.
    Shootdown { n_dropped: u32 },
}

/// The facts that an observer of a machine receives. Every method does nothing unless it is written.
#[allow(unused_variables)]
pub trait Probe {
    /// The trace has `n` accesses of `kind` here. The other facts about them may come before or after.
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {}

    /// Returns the part of the observer that takes sums. Without one, each translation that misses level 1 is reported
    /// by itself, and other counts of fast paths are not reported.
    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        None
    }

    /// A store that hit level 1 set flags in the page tables.
    #[inline]
    fn updates(&mut self, updates: Updates) {}

    /// A TLB array was asked.
    #[doc(hidden)]
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {}

    /// A paging-structure cache was asked.
    #[doc(hidden)]
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {}

    /// A lookup in the page walk cache, for an entry of the host or of the guest. The fact's `leaf` is the level of the
    /// entry.
    #[doc(hidden)]
    #[inline]
    fn pwc_lookup(&mut self, lookup: &LookupFact, host: bool) {}

    /// A guest-physical address is translated next.
    #[doc(hidden)]
    #[inline]
    fn row(&mut self, row: &RowFact) {}

    /// The host's entries do not allow an access or a read of a table.
    #[doc(hidden)]
    #[inline]
    fn violation(&mut self, violation: &ViolationFact) {}

    /// A structure was filled, and may have evicted an entry.
    #[doc(hidden)]
    #[inline]
    fn fill(&mut self, fill: &FillFact) {}

    /// An entry left its structure without an eviction; the fact says why, for example by a shootdown.
    #[doc(hidden)]
    #[inline]
    fn left(&mut self, fact: &LeftFact) {}

    /// A parked core received a shootdown.
    #[doc(hidden)]
    fn core_notified(&mut self, core: &ShootdownFact) {}

    /// A shootdown dropped an entry from a structure of a parked core.
    #[inline]
    fn left_other_core(&mut self, structure: StructureId) {}

    /// Returns whether the observer wants to know what operations and acts of the operating system change:
    /// [`Self::core_notified`], [`Self::wrote`] and [`Self::stayed`].
    #[inline]
    fn wants_effects(&self) -> bool {
        false
    }

    /// An entry of a page table was written.
    #[doc(hidden)]
    fn wrote(&mut self, entry: &WriteFact) {}

    /// An operation left a global translation in its structure.
    #[doc(hidden)]
    fn stayed(&mut self, entry: &DropFact) {}

    /// The operating system has acted at an access. The changes reported before are due to this act.
    #[doc(hidden)]
    fn acted(&mut self, act: &ActFact) {}

    /// A walk read an entry of a table.
    #[doc(hidden)]
    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {}

    /// A walk set flags of an entry. An entry may be reported once for each flag.
    #[doc(hidden)]
    #[inline]
    fn flagged(&mut self, entry: &FlagFact) {}

    /// The machine switches to core number `core`, whose number in the trace is `id`.
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

    /// The host of a virtual machine has dealt with an EPT violation.
    #[inline]
    fn host_fault(&mut self, cause: FaultCause) {}

    /// The host did something else.
    #[inline]
    fn host_system(&mut self, event: SystemEvent) {}

    /// The virtual machine exited to its host, `n` times. Exits that are part of a [`Translation`] do not come here.
    #[inline]
    fn exited(&mut self, reason: ExitReason, n: u64) {}

    /// A prefetch of a page that is not mapped was dropped.
    #[inline]
    fn dropped(&mut self) {}

    /// An exception ended the access, at the byte of `address`.
    #[inline]
    fn ended_by_exception(&mut self, exception: Exception, address: u64) {}

    /// INVLPG, INVPCID, a control register or an operation of the host dropped an entry.
    #[doc(hidden)]
    #[inline]
    fn invalidated(&mut self, entry: &DropFact) {}

    /// An operation is done. The entries reported as invalidated before are due to this operation.
    #[inline]
    fn executed(&mut self, op: &OpFact) {}
}

impl Probe for () {
    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        Some(self)
    }
}

/// Receives how translations end, and nothing else. Fast paths report those that miss level 1.
pub struct Endings<'a>(pub &'a mut dyn FnMut(&Translation));

impl Probe for Endings<'_> {
    #[inline]
    fn translated(&mut self, translation: &Translation) {
        (self.0)(translation);
    }
}
