//! The structures of one core that hold translations and table entries, in the order of their numbers.
//!
//! ```text
//! number   from 0    then      then          then              last
//! holds    level 1   level 2   walk caches   prefetch buffer   nested TLB, EPT walk caches, page walk cache
//!          └─────────────── Structures ────────────────────┘   └───── HostCaches (virtual machines) ──────┘
//! ```
//!
//! Snapshots, statistics, invalidation and pictures iterate this order. `docs/adding.md` lists
//! the files of a new structure.

use std::fmt;

use crate::caches::set_assoc::EMPTY;
use crate::caches::tlb::{Entries, Slot, TlbArray};
use crate::machine::translate::prefetch::Prefetcher;
use pagewalk_base::whole::IS_WHOLE;

/// The number of a structure, as events, statistics and snapshots name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StructureId(pub usize);

impl StructureId {
    /// Returns the position of the structure in lists by structure.
    #[inline]
    pub fn index(self) -> usize {
        self.0
    }

    /// Returns the id of an array of level 1.
    #[inline]
    pub(crate) fn l1(array: u8) -> Self {
        Self(usize::from(array))
    }

    /// Pairs items with ids, from this id on.
    pub(crate) fn number<T>(
        self,
        items: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = (Self, T)> {
        (self.0..).map(Self).zip(items)
    }

    /// Returns the id `n` structures further on.
    #[inline]
    #[must_use]
    pub fn plus(self, n: usize) -> Self {
        Self(self.0 + n)
    }
}

/// The level-1 entry that a kind of access used last.
#[derive(Clone, Copy)]
pub(crate) struct Last {
    pub(crate) array: u8,
    pub(crate) tag: u64,
    /// The slot that the entry was in. If it is no longer there, any slot: two machines that do the same may differ in
    /// this field.
    pub(crate) slot: Slot,
}

/// The value for no entry. No level has so many arrays.
pub(crate) const NOWHERE: Last = Last { array: u8::MAX, tag: EMPTY, slot: Slot { set: 0, way: 0 } };

impl PartialEq for Last {
    fn eq(&self, other: &Self) -> bool {
        (self.array, self.tag) == (other.array, other.tag)
    }
}

impl fmt::Debug for Last {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { array, tag, .. } = self;
        f.debug_struct("Last").field("array", array).field("tag", tag).finish_non_exhaustive()
    }
}

/// The TLB arrays and paging-structure caches of one core.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structures {
    pub(crate) l1: Vec<TlbArray>,
    pub(crate) l2: Vec<TlbArray>,
    /// The storage of the paging-structure caches. It is unused for a cache inside a TLB array.
    pub(crate) psc: Vec<Entries>,
    /// The prefetcher of TLB entries, if the machine has one.
    pub(crate) prefetcher: Option<Box<Prefetcher>>,
    /// For each kind: the level-1 entry that the last translation used.
    pub(crate) last: [Last; 4],
}

impl Structures {
    pub(crate) fn new(
        l1: Vec<TlbArray>,
        l2: Vec<TlbArray>,
        psc: Vec<Entries>,
        prefetcher: Option<Box<Prefetcher>>,
    ) -> Self {
        Self { l1, l2, psc, prefetcher, last: [NOWHERE; 4] }
    }

    /// Returns the TLB arrays, level 1 first.
    pub(crate) fn arrays(&self) -> impl Iterator<Item = &Entries> {
        self.l1.iter().chain(&self.l2).map(|array| &array.entries)
    }

    /// Returns every structure, in the order of the numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Entries> {
        self.arrays().chain(&self.psc).chain(self.buffer())
    }

    /// Returns every structure with its number.
    pub(crate) fn numbered_mut(&mut self) -> impl Iterator<Item = (StructureId, &mut Entries)> {
        let arrays = self.l1.iter_mut().chain(&mut self.l2).map(|array| &mut array.entries);
        let own = self.prefetcher.iter_mut().filter(|_| IS_WHOLE);
        let buffer = own.filter_map(|own| own.buffer.as_mut());
        StructureId(0).number(arrays.chain(&mut self.psc).chain(buffer))
    }

    /// Returns the prefetch buffer, if the core has one.
    pub(crate) fn buffer(&self) -> Option<&Entries> {
        self.prefetcher.as_ref().filter(|_| IS_WHOLE)?.buffer.as_ref()
    }

    /// Returns the prefetch buffer, if the core has one.
    pub(crate) fn buffer_mut(&mut self) -> Option<&mut Entries> {
        self.prefetcher.as_mut().filter(|_| IS_WHOLE)?.buffer.as_mut()
    }

    /// Returns a TLB array by its id.
    #[inline]
    pub(crate) fn array_mut(&mut self, id: StructureId) -> &mut TlbArray {
        match id.index().checked_sub(self.l1.len()) {
            None => &mut self.l1[id.index()],
            Some(l2) => &mut self.l2[l2],
        }
    }

    /// Clears the record of the last use of an entry of a level-1 array, because the entry is gone.
    pub(crate) fn clear_last_if(&mut self, id: StructureId, tag: u64) {
        let is_gone = |last: &&mut Last| StructureId::l1(last.array) == id && last.tag == tag;
        self.last.iter_mut().filter(is_gone).for_each(|last| *last = NOWHERE);
    }

    /// Clears the record of the level-1 entries that were used last: they may be gone, or hold other pages.
    pub(crate) fn clear_last(&mut self) {
        self.last = [NOWHERE; 4];
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all().map(Entries::bytes).sum()
    }
}
