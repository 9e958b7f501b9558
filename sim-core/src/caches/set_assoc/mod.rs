//! A set-associative array: the one storage that TLBs, paging-structure caches
//! and memory caches are made of.
//!
//! A way holds a 64-bit tag and a `T`. Sets of up to 4, 8 and 16 ways have layouts of fixed
//! size (`set`), which the compiler can see through; larger ones are in `many`. In sets of more
//! than 4 ways an 8-bit fingerprint of each tag stands beside the tags, eight to a word: one
//! subtraction compares eight ways, and a tag is read only where its fingerprint agrees.

mod many;
mod set;
mod sweep;

use crate::caches::policy::{Policy, Replacement};
use many::Many;
use pagewalk_base::narrow::small;
use set::Set;

/// A tag that no owner uses: the way is empty.
pub(crate) const EMPTY: u64 = u64::MAX;

pub(crate) const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
/// Fingerprints of a word.
const LANES: usize = 8;

/// Sets × ways. `n_ways` is what a set can hold, `n_sets` a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) n_sets: u32,
    pub(crate) n_ways: u32,
}

/// Returns the fingerprint of a tag. It depends on the whole tag; 0 is kept for empty ways.
#[inline(always)]
fn print_of(tag: u64) -> u8 {
    tag.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0] | 1
}

/// Returns a fingerprint in every lane.
#[inline(always)]
fn lanes_of(tag: u64) -> u64 {
    u64::from(print_of(tag)) * LOW
}

/// The place of an insertion, and the victim: its tag is [`EMPTY`] if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled<T> {
    pub(crate) way: u32,
    /// Whether something had to leave.
    pub(crate) was_full: bool,
    pub(crate) evicted: u64,
    pub(crate) old: T,
}

/// The sets of one array, in whatever layout, under a policy `R`.
pub(crate) trait Ways<T, R> {
    /// See [`SetAssoc::lookup`].
    fn lookup(&mut self, set: usize, tag: u64, policy: &R) -> Option<(u32, &mut T)>;
    /// Looks up a tag that is rarely present.
    fn lookup_rare(&mut self, set: usize, tag: u64, policy: &R) -> Option<(u32, &mut T)> {
        self.lookup(set, tag, policy)
    }
    /// See [`SetAssoc::insert_absent`].
    fn insert_absent(&mut self, set: usize, tag: u64, data: T, policy: &mut R) -> Filled<T>;
    /// See [`SetAssoc::data`].
    fn data(&mut self, set: usize, way: u32) -> &mut T;
}

/// Work on the sets of an array that is compiled for each layout, and for LRU apart.
pub(crate) trait OnWays<T> {
    type Done;
    fn run<R, S: Ways<T, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> Self::Done;
}

/// The sets of an array, in the smallest layout that has room for their ways.
#[derive(Clone, Debug, PartialEq)]
enum Sets<T> {
    Four(Box<[Set<T, 4, 0>]>),
    Eight(Box<[Set<T, 8, 1>]>),
    Sixteen(Box<[Set<T, 16, 2>]>),
    Many(Many<T>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SetAssoc<T> {
    geometry: Geometry,
    replacement: Replacement,
    sets: Sets<T>,
}

/// Runs one expression for each layout of fixed size, and another one for `many`.
macro_rules! in_layout {
    ($sets:expr, $fixed:ident => $one:expr, $many:ident => $other:expr) => {
        match $sets {
            Sets::Four($fixed) => $one,
            Sets::Eight($fixed) => $one,
            Sets::Sixteen($fixed) => $one,
            Sets::Many($many) => $other,
        }
    };
}
use in_layout;

impl<T: Copy + Default> SetAssoc<T> {
    /// `geometry` comes from a checked configuration.
    pub(crate) fn new(geometry: Geometry, policy: Policy, seed: u64) -> Self {
        debug_assert!(geometry.n_sets.is_power_of_two() && geometry.n_ways > 0);
        let replacement = Replacement::new(policy, geometry.n_ways, seed);
        // One way would waste most of a set of fixed size, which matters only in large arrays.
        let wasteful = geometry.n_ways == 1 && geometry.n_sets > 1024;
        let sets = match geometry.n_ways {
            1..=4 if !wasteful => Sets::Four(Set::several(geometry, &replacement)),
            5..=8 => Sets::Eight(Set::several(geometry, &replacement)),
            9..=16 => Sets::Sixteen(Set::several(geometry, &replacement)),
            _ => Sets::Many(Many::new(geometry, &replacement)),
        };
        Self { geometry, replacement, sets }
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Does work that looks up and stores many tags.
    pub(crate) fn with<W: OnWays<T>>(&mut self, work: W) -> W::Done {
        if let Some(lru) = &mut self.replacement.lru() {
            return in_layout!(&mut self.sets,
                sets => work.run(&mut **sets, lru),
                many => work.run(many, &mut self.replacement));
        }
        in_layout!(&mut self.sets,
            sets => work.run(&mut **sets, &mut self.replacement),
            many => work.run(many, &mut self.replacement))
    }

    /// Runs work under LRU in a layout of fixed size; else does nothing and returns `None`.
    pub(crate) fn with_lru<W: OnWays<T>>(&mut self, work: W) -> Option<W::Done> {
        let lru = &mut self.replacement.lru()?;
        in_layout!(&mut self.sets, sets => Some(work.run(&mut **sets, lru)), _many => None)
    }

    /// Runs work under any policy, which is dispatched at each use.
    pub(crate) fn with_fixed<W: OnWays<T>>(&mut self, work: W) -> Option<W::Done> {
        let policy = &mut self.replacement;
        in_layout!(&mut self.sets, sets => Some(work.run(&mut **sets, policy)), _many => None)
    }

    /// Returns whether the sets have a layout of fixed size, which needs at most 16 ways.
    pub(crate) fn has_fixed_sets(&self) -> bool {
        in_layout!(&self.sets, _fixed => true, _many => false)
    }

    pub(crate) fn is_lru(&self) -> bool {
        self.replacement.lru().is_some()
    }

    /// Finds a tag in `set` and records the hit; returns its way and what belongs to it.
    #[inline(always)]
    pub(crate) fn lookup(&mut self, set: usize, tag: u64) -> Option<(u32, &mut T)> {
        in_layout!(&mut self.sets,
            sets => sets[set].lookup(tag, &self.replacement),
            many => many.lookup(set, tag, &self.replacement))
    }

    /// Stores a tag that `set` does not hold: in the lowest empty way, else in the victim's.
    #[inline(always)]
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

    /// Returns the data of a tag, if `set` holds it, without a use.
    pub(crate) fn known(&mut self, set: usize, tag: u64) -> Option<&mut T> {
        in_layout!(&mut self.sets, sets => sets[set].known(tag), many => many.known(set, tag))
    }

    /// Takes a tag out of `set`, whose policy keeps what it knows; returns its way and what
    /// belonged to it.
    pub(crate) fn take(&mut self, set: usize, tag: u64) -> Option<(u32, T)> {
        in_layout!(&mut self.sets, sets => sets[set].take(tag), many => many.take(set, tag))
    }

    /// What belongs to a way.
    #[inline(always)]
    pub(crate) fn data(&mut self, set: usize, way: u32) -> &mut T {
        in_layout!(&mut self.sets,
            sets => sets[set].data(way),
            many => many.data(set, way as usize))
    }

    /// Returns the tag in a way, and what belongs to it; the tag is [`EMPTY`] if nothing is there.
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

    /// Bytes that a clone takes.
    pub(crate) fn bytes(&self) -> usize {
        in_layout!(&self.sets, sets => std::mem::size_of_val(&**sets), many => many.bytes())
    }
}

#[inline]
fn set_lane(print: &mut u64, lane: usize, tag: u64) {
    let mask = 0xff << (8 * lane);
    *print = *print & !mask | lanes_of(tag) & mask;
}

fn clear_lane(print: &mut u64, lane: usize) {
    *print &= !(0xff << (8 * lane));
}

/// Returns the top bit of each lane that is zero. Lanes above a zero lane may be
/// reported falsely (a borrow), the lowest one never.
#[inline]
pub(crate) fn zero_lanes(x: u64) -> u64 {
    x.wrapping_sub(LOW) & !x & HIGH
}

fn lowest_empty(prints: &[u64]) -> u32 {
    let word = prints.iter().position(|p| zero_lanes(*p) != 0).expect("a way is empty");
    small(LANES * word) + zero_lanes(prints[word]).trailing_zeros() / 8
}
