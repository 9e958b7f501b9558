//! Sums over many accesses, for observers that count.
//!
//! A machine that counts repeats, or executes many walks at a time, reports sums instead of single facts. Facts and
//! sums never count the same thing twice.

use crate::machine::structures::StructureId;
use pagewalk_base::trace::Kind;

/// The translations of one kind, without prefetches, that ended in level 2 or with a walk. Their page faults are
/// reported one by one, as facts.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    pub kind: Kind,
    pub l2_hits: u64,
    pub l2_cycles: u64,
    /// The cycles of the level-2 lookups that missed.
    pub l2_miss_cycles: u64,
    pub walks: u64,
    /// The number of page-table entries that walks read.
    pub refs: u64,
    /// The number of entries among `refs` that are the host's.
    pub host_refs: u64,
    /// The number of accessed and dirty flags that were set.
    pub ad_updates: u64,
    /// The cycles of the walks: overheads and references.
    pub walk_cycles: u64,
}

impl Sums {
    /// Returns the sum of all cycles.
    pub(crate) fn cycles(&self) -> u64 {
        self.l2_cycles + self.l2_miss_cycles + self.walk_cycles
    }
}

/// Receives the sums of a machine. A method without an implementation does nothing.
#[allow(unused_variables)]
pub trait Tally {
    /// Receives `n` accesses of `kind` that hit level-1 array `structure`.
    fn repeats(&mut self, kind: Kind, structure: StructureId, n: u64) {}

    /// Receives `n` hits of level-2 array `structure`.
    fn hits(&mut self, structure: StructureId, n: u64) {}

    /// Receives `n` misses of a TLB array, of pages whose size it can hold.
    fn misses(&mut self, structure: StructureId, n: u64) {}

    /// Receives `n` fills of a structure, of which `evicted` evicted an entry.
    fn fills(&mut self, structure: StructureId, n: u64, evicted: u64) {}

    /// Receives `n` lookups in a paging-structure cache or the nested TLB, of which `hits` hit.
    fn psc_lookups(&mut self, structure: StructureId, n: u64, hits: u64) {}

    /// Receives the sums of translations that are not reported one by one.
    fn sums(&mut self, sums: &Sums) {}

    /// Receives the `n` reads of the walks in [`Self::sums`] that memory cache number `server` served. The number of
    /// caches means DRAM.
    fn served(&mut self, server: usize, n: u64) {}
}

impl Tally for () {}
