//! How a machine reports while it runs: to one observer.
//!
//! `()` observes nothing and costs nothing; [`crate::record::stats::Stats`] counts; [`Endings`] is told how
//! translations end. For each of these the machine is compiled by itself, since whole traces run
//! under them. All others share one copy, as `&mut dyn Probe`: so does `EventLog`, which writes one
//! access down in full. What is rare, operations above all, reports to `&mut dyn Probe` whoever observes.

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
    ActFact, DropFact, FillFact, Leaving, LeftFact, LookupFact, OpFact, ReferenceFact, RowFact,
    ShootdownFact, SystemAct, ViolationFact, WriteFact,
};
pub use tally::{Sums, Tally};
pub use translation::{HostWork, Outcome, Translation, Updates};

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

    /// Returns the part of the observer that takes sums. Without one, each translation that misses level 1 is reported
    /// by itself, and other counts of fast paths are not reported.
    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        None
    }

    /// A store that hit level 1 set flags in the page tables.
    #[inline]
    fn updates(&mut self, updates: Updates) {}

    #[doc(hidden)]
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {}

    #[doc(hidden)]
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {}

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
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        Some(self)
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
