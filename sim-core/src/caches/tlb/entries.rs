//! The array of tagged entries that TLB arrays and paging-structure caches use.

use super::entry::Entry;
use super::index::{Index, Masks};
use super::tags::Key;
use crate::caches::policy::Policy;
use crate::caches::set_assoc::{EMPTY, Geometry, OnWays, SetAssoc};
use pagewalk_base::narrow::{index, low32, small};

/// A set-associative array of entries. The set of an entry is a function of its number: a page number or an
/// address prefix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entries {
    array: SetAssoc<Entry>,
    indexing: Indexing,
    /// The masks of an index by masks, which [`Indexing`] cannot express. Machines with such an array use no fast path.
    masks: Option<Box<Masks>>,
}

/// A shift that removes all bits of a number: numbers have fewer than 63 bits.
const NO_FOLD: u32 = 63;

/// The function from a number to its set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indexing {
    set_mask: u64,
    /// The shift of the number that xor combines with the number itself; [`NO_FOLD`] for `low-bits`.
    fold: u32,
}

impl Indexing {
    /// Returns the function that uses only the lowest bits of a number.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn without_fold(self) -> Self {
        Self { fold: NO_FOLD, ..self }
    }

    /// Returns the last set.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn last(self) -> u64 {
        self.set_mask
    }

    /// Returns the set of a number, which must have fewer than 63 bits.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn set_of(self, number: u64) -> usize {
        index((number ^ number >> self.fold) & self.set_mask)
    }
}

/// The place of an entry: set, then way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) set: u32,
    pub(crate) way: u32,
}

/// The result of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) slot: Slot,
    /// The tag that was evicted, or [`EMPTY`]. Its entry is `old`.
    evicted: u64,
    old: Entry,
}

impl Placed {
    #[inline]
    pub(crate) fn has_evicted(&self) -> bool {
        self.evicted != EMPTY
    }

    pub(crate) fn evicted(&self) -> Option<(u64, Entry)> {
        self.has_evicted().then_some((self.evicted, self.old))
    }
}

impl Entries {
    pub(crate) fn new(geometry: Geometry, policy: Policy, folding: &Index, seed: u64) -> Self {
        let fold =
            if matches!(folding, Index::Xor) { geometry.n_sets.trailing_zeros() } else { NO_FOLD };
        Self {
            array: SetAssoc::new(geometry, policy, seed),
            indexing: Indexing { set_mask: u64::from(geometry.n_sets - 1), fold },
            masks: folding.masks().cloned().map(Box::new),
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn set_of(&self, number: u64) -> usize {
        match &self.masks {
            None => self.indexing.set_of(number),
            Some(masks) => index(masks.set_of(number)),
        }
    }

    /// Runs a loop that looks up and stores many tags.
    pub(crate) fn with<W: OnWays<Entry>>(&mut self, work: W) -> W::Done {
        self.array.with(work)
    }

    /// Returns whether masks choose the set.
    pub(crate) fn is_masked(&self) -> bool {
        self.masks.is_some()
    }

    /// Returns the number of sets if the index function is number mod sets, and 1 for another function.
    pub(crate) fn plain_sets(&self) -> u32 {
        let Indexing { set_mask, fold } = self.indexing;
        if fold == NO_FOLD && !self.is_masked() { low32(set_mask) + 1 } else { 1 }
    }

    /// Returns the mask with which numbers choose sets. The index function must be `low-bits`.
    pub(crate) fn set_mask(&self) -> u64 {
        debug_assert!(
            self.plain_sets() > 1 || self.indexing.set_mask == 0,
            "paging-structure caches have low bits"
        );
        self.indexing.set_mask
    }

    /// Returns the function from numbers to sets.
    pub(crate) fn indexing(&self) -> Indexing {
        self.indexing
    }

    /// Looks up a key in its set. Records a hit, and returns the way and the entry.
    ///
    /// The code for all layouts and policies is long, and walks look up many arrays, so they share it.
    #[cfg_attr(feature = "fast", inline(never))]
    pub(crate) fn lookup(&mut self, key: Key) -> Option<(u32, &mut Entry)> {
        self.lookup_inline(key)
    }

    /// [`Self::lookup`], for the few callers that look up each access.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn lookup_inline(&mut self, key: Key) -> Option<(u32, &mut Entry)> {
        self.array.lookup(self.set_of(key.number), key.tag)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn entry(&mut self, slot: Slot) -> &mut Entry {
        self.array.data(slot.set as usize, slot.way)
    }

    /// Stores a key that the array does not hold, because its lookup just missed. `now` is the number of the
    /// access.
    #[cfg_attr(feature = "fast", inline(never))]
    pub(crate) fn fill(&mut self, key: Key, now: u32, data: u32) -> Placed {
        self.fill_inline(key, now, data)
    }

    /// [`Self::fill`], for the few callers that look up each access.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn fill_inline(&mut self, key: Key, now: u32, data: u32) -> Placed {
        let set = self.set_of(key.number);
        let filled = self.array.insert_absent(set, key.tag, Entry::new(now, data));
        Placed {
            slot: Slot { set: small(set), way: filled.way },
            evicted: filled.evicted,
            old: filled.old,
        }
    }

    /// Fills one of `n` ways of the set: the ways of group (number / sets) mod (ways / n).
    pub(crate) fn fill_among(&mut self, key: Key, now: u32, data: u32, n: u32) -> Placed {
        let Geometry { n_sets, n_ways } = self.geometry();
        let group = key.number / u64::from(n_sets) % u64::from(n_ways / n);
        self.fill_in(key, now, data, (low32(group) * n, n))
    }

    /// Fills one of some ways of the set: the first way, and the number of ways.
    pub(crate) fn fill_in(&mut self, key: Key, now: u32, data: u32, ways: (u32, u32)) -> Placed {
        let set = self.set_of(key.number);
        let filled = self.array.insert_among(set, key.tag, Entry::new(now, data), ways);
        Placed {
            slot: Slot { set: small(set), way: filled.way },
            evicted: filled.evicted,
            old: filled.old,
        }
    }

    /// Returns the entry of a key, if the array holds it. The policy records no use.
    pub(crate) fn known(&mut self, key: Key) -> Option<&mut Entry> {
        self.array.known(self.set_of(key.number), key.tag)
    }

    /// Returns where the entry of a key is, if the array holds it. The policy records no use.
    pub(crate) fn slot_of(&self, key: Key) -> Option<Slot> {
        let set = self.set_of(key.number);
        Some(Slot { set: small(set), way: self.array.way_of(set, key.tag)? })
    }

    /// Returns whether the array holds a key. The policy records no use.
    pub(crate) fn holds(&self, key: Key) -> bool {
        let set = self.set_of(key.number);
        (0..self.geometry().n_ways).any(|way| self.array.at(set, way).0 == key.tag)
    }

    /// Removes the entry of a key. Returns the slot that it was in, and the entry.
    pub(crate) fn take(&mut self, key: Key) -> Option<(Slot, Entry)> {
        let set = self.set_of(key.number);
        let (way, entry) = self.array.take(set, key.tag)?;
        Some((Slot { set: small(set), way }, entry))
    }

    /// Calls `visit` with every entry, its place and its tag, and removes the entries for which it returns
    /// true.
    pub(crate) fn sweep(&mut self, mut visit: impl FnMut(Slot, u64, &mut Entry) -> bool) {
        self.array.sweep(|set, way, tag, entry| visit(Slot { set: small(set), way }, tag, entry));
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.array.geometry()
    }

    pub(crate) fn n_used(&self) -> u32 {
        self.array.n_used()
    }

    pub(crate) fn next_way(&self, set: usize) -> u32 {
        self.array.next_way(set)
    }

    /// Returns the tag and the entry in a way, or `None` if the way is empty.
    pub(crate) fn at(&self, set: usize, way: u32) -> Option<(u64, Entry)> {
        let (tag, entry) = self.array.at(set, way);
        (tag != EMPTY).then_some((tag, entry))
    }

    /// Returns the tags of all entries.
    pub(crate) fn tags(&self) -> impl Iterator<Item = u64> {
        let Geometry { n_sets, n_ways } = self.geometry();
        let slots =
            (0..n_sets as usize).flat_map(move |set| (0..n_ways).map(move |way| (set, way)));
        slots.filter_map(|(set, way)| self.at(set, way)).map(|(tag, _)| tag)
    }

    /// Returns the number of bytes that a clone of the array takes.
    pub(crate) fn bytes(&self) -> usize {
        self.array.bytes()
    }
}
