//! A set-associative array: the storage of TLBs, paging-structure caches and memory caches.
//!
//! A way holds a 64-bit tag and a `T`. Sets of up to 4, 8, 12 and 16 ways have layouts of fixed size (`set`), which the
//! compiler can optimise. Larger sets are in `many`.

mod many;
mod set;
mod sweep;

use crate::caches::policy::{Evicting, Policy, Replacement, Rule};
use many::Many;
use pagewalk_base::narrow::small;
use pagewalk_base::whole::IS_WHOLE;
use set::Set;

/// The tag of an empty way. No entry has this tag.
pub(crate) const EMPTY: u64 = u64::MAX;

/// The numbers of sets and of ways in each set. `n_sets` is a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) n_sets: u32,
    pub(crate) n_ways: u32,
}

/// The way of an insertion, and its victim. Without a victim, the tag is [`EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled<T> {
    pub(crate) way: u32,
    /// Whether the set was full, so that an entry was evicted.
    pub(crate) was_full: bool,
    pub(crate) evicted: u64,
    pub(crate) old: T,
}

/// The sets of one array under a policy `R`. All layouts implement it.
pub(crate) trait Ways<T, R> {
    /// Implements [`SetAssoc::lookup`] for a layout.
    fn lookup(&mut self, set: usize, tag: u64, policy: &R) -> Option<(u32, &mut T)>;
    /// Implements [`SetAssoc::insert_absent`] for a layout.
    fn insert_absent(&mut self, set: usize, tag: u64, data: T, policy: &mut R) -> Filled<T>;
    /// Implements [`SetAssoc::data`] for a layout.
    fn data(&mut self, set: usize, way: u32) -> &mut T;
    /// Returns the sets from 0 to `last`, which is the last one. Then the compiler need not check an index that is masked by
    /// `last`.
    fn up_to(&mut self, last: u64) -> &mut Self;
}

/// A loop over the sets of an array. Each layout has a copy for all policies, and one for the usual policies. Most loops also
/// have one for the usual policies in full sets.
pub(crate) trait OnWays<T> {
    /// The most sets in which the loop looks for an empty way before it begins. It costs as much as a lookup in each set.
    const MOST_SEARCHED: usize = 0;
    type Done;
    fn run<R, S: Ways<T, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> Self::Done;
}

/// The vectors of sets of up to 8 and up to 12 ways. In the small module they are those of 16 ways, so that loops over sets
/// are compiled less often.
const EIGHT: usize = if IS_WHOLE { 2 } else { 4 };
const TWELVE: usize = if IS_WHOLE { 3 } else { 4 };

/// The sets of an array, in the smallest layout that has room for their ways.
#[derive(Clone, Debug, PartialEq)]
enum Sets<T> {
    Four(Box<[Set<T, 1>]>),
    Eight(Box<[Set<T, EIGHT>]>),
    Twelve(Box<[Set<T, TWELVE>]>),
    Sixteen(Box<[Set<T, 4>]>),
    Many(Many<T>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SetAssoc<T> {
    geometry: Geometry,
    replacement: Replacement,
    sets: Sets<T>,
}

/// Evaluates one expression if the sets have a layout of fixed size, and another one for `many`.
macro_rules! in_layout {
    ($sets:expr, $fixed:ident => $one:expr, $many:ident => $other:expr) => {
        match $sets {
            Sets::Four($fixed) => $one,
            Sets::Eight($fixed) => $one,
            Sets::Twelve($fixed) => $one,
            Sets::Sixteen($fixed) => $one,
            Sets::Many($many) => $other,
        }
    };
}
use in_layout;

impl<T: Copy + Default> SetAssoc<T> {
    /// Makes an empty array. `geometry` comes from a checked configuration.
    pub(crate) fn new(geometry: Geometry, policy: Policy, seed: u64) -> Self {
        debug_assert!(geometry.n_sets.is_power_of_two() && geometry.n_ways > 0);
        let replacement = Replacement::new(policy, geometry.n_ways, seed);
        // One way would waste most of a set of fixed size. The waste matters only in large arrays.
        let wasteful = geometry.n_ways == 1 && geometry.n_sets > 1024;
        let sets = match geometry.n_ways {
            1..=4 if !wasteful => Sets::Four(Set::several(geometry, &replacement)),
            5..=8 => Sets::Eight(Set::several(geometry, &replacement)),
            9..=12 => Sets::Twelve(Set::several(geometry, &replacement)),
            13..=16 => Sets::Sixteen(Set::several(geometry, &replacement)),
            _ => Sets::Many(Many::new(geometry, &replacement)),
        };
        Self { geometry, replacement, sets }
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Runs a loop that looks up and stores many tags.
    pub(crate) fn with<W: OnWays<T>>(&mut self, work: W) -> W::Done {
        let Self { sets, replacement, .. } = self;
        match sets {
            Sets::Four(sets) => match replacement.few() {
                Some(few) => with_rule(sets, few, work),
                None => work.run(&mut **sets, replacement),
            },
            Sets::Eight(sets) => with_lru(sets, replacement, work),
            Sets::Twelve(sets) => match replacement.groups().filter(|_| IS_WHOLE) {
                Some(groups) => with_rule(sets, groups, work),
                None => with_lru(sets, replacement, work),
            },
            Sets::Sixteen(sets) => with_lru(sets, replacement, work),
            Sets::Many(many) => work.run(many, replacement),
        }
    }

    /// Finds a tag in `set` and records the hit. Returns the way and its data.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn lookup(&mut self, set: usize, tag: u64) -> Option<(u32, &mut T)> {
        in_layout!(&mut self.sets,
            sets => sets[set].lookup(tag, &self.replacement),
            many => many.lookup(set, tag, &self.replacement))
    }

    /// Stores a tag that `set` does not hold: in the lowest empty way, otherwise in the way of the victim.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn insert_absent(&mut self, set: usize, tag: u64, data: T) -> Filled<T> {
        in_layout!(&mut self.sets,
            sets => sets[set].insert_absent(tag, data, &mut self.replacement),
            many => many.insert_absent(set, tag, data, &mut self.replacement))
    }

    /// Stores a tag that `set` does not hold in one of `n` ways from `first` on.
    pub(crate) fn insert_among(
        &mut self,
        set: usize,
        tag: u64,
        data: T,
        (first, n): (u32, u32),
    ) -> Filled<T> {
        let empty = (first..first + n).find(|way| self.at(set, *way).0 == EMPTY);
        let (among, replacement) = ((first, n), &mut self.replacement);
        in_layout!(&mut self.sets,
            sets => sets[set].insert_among(tag, data, empty, among, replacement),
            many => many.insert_among(set, tag, data, empty, among, replacement))
    }

    /// Returns the data of a tag, if `set` holds it. The policy records no use.
    pub(crate) fn known(&mut self, set: usize, tag: u64) -> Option<&mut T> {
        in_layout!(&mut self.sets, sets => sets[set].known(tag), many => many.known(set, tag))
    }

    /// Returns the way of a tag, if `set` holds it. The policy records no use.
    pub(crate) fn way_of(&self, set: usize, tag: u64) -> Option<u32> {
        in_layout!(&self.sets, sets => sets[set].find(tag), many => many.find(set, tag).map(small))
    }

    /// Removes a tag from `set`, and leaves the state of the policy unchanged. Returns the way and its data.
    pub(crate) fn take(&mut self, set: usize, tag: u64) -> Option<(u32, T)> {
        in_layout!(&mut self.sets, sets => sets[set].take(tag), many => many.take(set, tag))
    }

    /// Returns the data of a way.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn data(&mut self, set: usize, way: u32) -> &mut T {
        in_layout!(&mut self.sets,
            sets => sets[set].data(way),
            many => many.data(set, way as usize))
    }

    /// Returns the tag and the data of a way. The tag is [`EMPTY`] if the way is empty.
    pub(crate) fn at(&self, set: usize, way: u32) -> (u64, T) {
        in_layout!(&self.sets, sets => sets[set].at(way), many => many.at(set, way as usize))
    }

    /// Returns the way that a fill of `set` would take now.
    pub(crate) fn next_way(&self, set: usize) -> u32 {
        in_layout!(&self.sets,
            sets => sets[set].next_way(&self.replacement),
            many => many.next_way(set, &self.replacement))
    }

    pub(crate) fn n_used(&self) -> u32 {
        let n_empty = in_layout!(&self.sets,
            sets => sets.iter().map(Set::n_empty).sum(),
            many => many.n_empty());
        self.geometry.n_sets * self.geometry.n_ways - n_empty
    }

    /// Returns the number of bytes that a clone of the array takes.
    pub(crate) fn bytes(&self) -> usize {
        in_layout!(&self.sets, sets => std::mem::size_of_val(&**sets), many => many.bytes())
    }
}

/// Runs a loop in sets of a fixed layout, in a copy of its own if the policy is LRU.
fn with_lru<T: Copy + Default, W: OnWays<T>, const V: usize>(
    sets: &mut [Set<T, V>],
    replacement: &mut Replacement,
    work: W,
) -> W::Done {
    match replacement.lru() {
        Some(lru) => with_rule(sets, lru, work),
        None => work.run(sets, replacement),
    }
}

/// Runs a loop in sets of a fixed layout, in a copy of its own if the loop finds that all of them are full.
fn with_rule<T: Copy + Default, R: Rule, W: OnWays<T>, const V: usize>(
    sets: &mut [Set<T, V>],
    mut rule: R,
    work: W,
) -> W::Done {
    let may_search = IS_WHOLE && sets.len() <= W::MOST_SEARCHED;
    if may_search && sets.iter().all(|set| set.n_empty() == 0) {
        work.run(sets, &mut Evicting(rule))
    } else {
        work.run(sets, &mut rule)
    }
}
