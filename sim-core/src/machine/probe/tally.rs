//! Sums over many accesses, for observers that count.
//!
//! A machine that counts repeats, or does walks many at a time, reports sums instead of one fact after the other. Facts
//! and sums never count the same thing twice.

use crate::machine::structures::StructureId;
use pagewalk_base::trace::Kind;

/// Translations of one kind, without prefetches, that ended in level 2 or with a walk. The page faults among them are
/// reported one by one, as facts.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    pub kind: Kind,
    pub l2_hits: u64,
    pub l2_cycles: u64,
    /// Cycles of the level-2 lookups that missed.
    pub l2_miss_cycles: u64,
    pub walks: u64,
    /// Page-table entries read.
    pub refs: u64,
    /// The entries among `refs` that are the host's.
    pub host_refs: u64,
    /// Accessed and dirty flags set.
    pub ad_updates: u64,
    /// Cycles of the walks: overheads and references.
    pub walk_cycles: u64,
}

impl Sums {
    /// Returns the cycles of all its parts.
    pub(crate) fn cycles(&self) -> u64 {
        self.l2_cycles + self.l2_miss_cycles + self.walk_cycles
    }
}

/// The part of an observer that takes sums. Every method does nothing unless it is written.
#[allow(unused_variables)]
pub trait Tally {
    /// `n` accesses of `kind` hit level-1 array `structure`.
    fn repeats(&mut self, kind: Kind, structure: StructureId, n: u64) {}

    /// Level-2 array `structure` hit `n` times.
    fn hits(&mut self, structure: StructureId, n: u64) {}

    /// A structure was filled `n` times; `evicted` fills had to evict.
    fn fills(&mut self, structure: StructureId, n: u64, evicted: u64) {}

    /// `n` lookups in a paging-structure cache or the nested TLB, `hits` of which hit.
    fn psc_lookups(&mut self, structure: StructureId, n: u64, hits: u64) {}

    /// Translations that are not reported one by one.
    fn sums(&mut self, sums: &Sums) {}

    /// Memory cache number `server` (the number of caches stands for DRAM) served `n` reads of the walks in
    /// [`Self::sums`].
    fn served(&mut self, server: usize, n: u64) {}
}

impl Tally for () {}
