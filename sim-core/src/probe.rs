//! How a machine reports while it runs: to one observer, chosen at compile time.
//!
//! `()` observes nothing and costs nothing; [`crate::stats::Stats`] counts;
//! [`crate::event::EventLog`] writes one access down in full.

use crate::tlb::Placed;
use crate::trace::Kind;

/// How a translation ended. The order is that of rising cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Outcome {
    L1Hit,
    L2Hit,
    Walk,
    /// A walk after a first-touch fault.
    Fault,
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
    /// Accessed and dirty flags set.
    pub ad_updates: u32,
    /// Cycles of the walk: overhead and references.
    pub walk_cycles: u64,
    /// Cycles of the level-2 hit.
    pub l2_cycles: u64,
}

impl Translation {
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
            ad_updates: 0,
            walk_cycles: 0,
            l2_cycles: 0,
        }
    }
}

/// An observer of a machine. Every method does nothing unless it is written.
#[allow(unused_variables)]
pub trait Probe {
    /// The trace has `n` accesses of `kind` here; not told in step with the other events.
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {}

    /// `n` accesses of `kind` hit the entry in level-1 array `structure` that the last one of the kind used.
    #[inline]
    fn repeats(&mut self, kind: Kind, structure: usize, n: u64) {}

    #[doc(hidden)]
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {}

    #[doc(hidden)]
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {}

    #[doc(hidden)]
    #[inline]
    fn fill(&mut self, fill: &FillFact) {}

    #[doc(hidden)]
    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {}

    /// A translation is done.
    #[inline]
    fn translated(&mut self, translation: &Translation) {}

    /// A prefetch of a page that is not mapped was dropped.
    #[inline]
    fn dropped(&mut self) {}
}

impl Probe for () {}

/// Two observers at once.
impl<A: Probe, B: Probe> Probe for (&mut A, &mut B) {
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {
        self.0.accesses(kind, n);
        self.1.accesses(kind, n);
    }
    #[inline]
    fn repeats(&mut self, kind: Kind, structure: usize, n: u64) {
        self.0.repeats(kind, structure, n);
        self.1.repeats(kind, structure, n);
    }
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {
        self.0.tlb_lookup(lookup);
        self.1.tlb_lookup(lookup);
    }
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {
        self.0.psc_lookup(lookup);
        self.1.psc_lookup(lookup);
    }
    #[inline]
    fn fill(&mut self, fill: &FillFact) {
        self.0.fill(fill);
        self.1.fill(fill);
    }
    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {
        self.0.reference(reference);
        self.1.reference(reference);
    }
    #[inline]
    fn translated(&mut self, translation: &Translation) {
        self.0.translated(translation);
        self.1.translated(translation);
    }
    #[inline]
    fn dropped(&mut self) {
        self.0.dropped();
        self.1.dropped();
    }
}

/// A lookup. Structures are numbered: arrays of level 1, of level 2, paging-structure caches.
pub struct LookupFact {
    pub(crate) structure: usize,
    /// Page number or prefix.
    pub(crate) number: u64,
    /// The level whose shift makes the number from the address.
    pub(crate) level: u8,
    pub(crate) set: usize,
    pub(crate) way: Option<u32>,
}

/// A fill of the numbered structure.
pub struct FillFact {
    pub(crate) structure: usize,
    pub(crate) number: u64,
    pub(crate) level: u8,
    pub(crate) placed: Placed,
}

/// One entry read from a table.
#[derive(Clone, Copy)]
pub struct ReferenceFact {
    pub(crate) kind: Kind,
    pub(crate) level: u8,
    /// Number of the memory cache that served it; the number of caches stands for DRAM.
    pub(crate) server: usize,
    pub(crate) cycles: u64,
}
