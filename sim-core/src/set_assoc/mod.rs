//! A set-associative array: the one storage that TLBs, paging-structure caches
//! and memory caches are made of.
//!
//! A way holds a 64-bit tag and a `T`. Beside the tags stands an 8-bit fingerprint of
//! each, eight to a word: one subtraction compares eight ways, and a tag is read
//! only where its fingerprint agrees. Sets of up to 16 ways have a layout of fixed size,
//! which the compiler can see through; larger ones are in `many`.

mod many;
mod sweep;

use crate::narrow::small;
use crate::policy::{Policy, Replacement};
use many::Many;

/// A tag that no owner uses: the way is empty.
pub(crate) const EMPTY: u64 = u64::MAX;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
/// Fingerprints of a word.
const LANES: usize = 8;

/// Sets × ways. `n_ways` is what a set can hold, `n_sets` a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) n_sets: u32,
    pub(crate) n_ways: u32,
}

/// The fingerprint of a tag in every lane. It depends on the whole tag; 0 is kept for empty ways.
#[inline]
fn lanes_of(tag: u64) -> u64 {
    (tag.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56 | 1) * LOW
}

/// Where a tag was put, and what had to leave: the tag is [`EMPTY`] if nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled<T> {
    pub(crate) way: u32,
    pub(crate) evicted: u64,
    pub(crate) old: T,
}

/// Ways of the small layout.
const SMALL: usize = 16;

/// A set of up to 16 ways. Ways beyond the geometry's stay empty.
#[derive(Clone, Debug)]
#[repr(C)]
struct Set<T> {
    prints: [u64; SMALL / LANES],
    state: u64,
    n_empty: u32,
    /// The way used last. Using it again changes no policy's state.
    recent: u32,
    tags: [u64; SMALL],
    data: [T; SMALL],
}

#[derive(Clone, Debug)]
pub(crate) struct SetAssoc<T> {
    geometry: Geometry,
    replacement: Replacement,
    /// Empty if the sets are larger: they are in `many` then.
    sets: Box<[Set<T>]>,
    many: Many<T>,
}

impl<T: Copy + Default> SetAssoc<T> {
    /// `geometry` comes from a checked configuration.
    pub(crate) fn new(geometry: Geometry, policy: Policy, seed: u64) -> Self {
        debug_assert!(geometry.n_sets.is_power_of_two() && geometry.n_ways > 0);
        let replacement = Replacement::new(policy, geometry.n_ways, seed);
        // Few ways would waste most of a set of fixed size, which matters only in large arrays.
        let wasteful = geometry.n_ways < 4 && geometry.n_sets > 1024;
        let fits = geometry.n_ways as usize <= SMALL && !wasteful;
        let (n_small, n_many) = if fits { (geometry.n_sets, 0) } else { (0, geometry.n_sets) };
        let sets =
            vec![Set::empty(geometry.n_ways, &replacement); n_small as usize].into_boxed_slice();
        let many = Many::new(Geometry { n_sets: n_many, ..geometry }, &replacement);
        Self { geometry, replacement, sets, many }
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Finds a tag in `set` and records the hit; returns its way and what belongs to it.
    #[inline(always)]
    pub(crate) fn lookup(&mut self, set: usize, tag: u64) -> Option<(u32, &mut T)> {
        match self.sets.get_mut(set) {
            Some(set) => set.lookup(tag, &self.replacement),
            None => self.many.lookup(set, tag, &self.replacement),
        }
    }

    /// Stores a tag that `set` does not hold: in the lowest empty way, else in the victim's.
    #[inline(always)]
    pub(crate) fn insert_absent(&mut self, set: usize, tag: u64, data: T) -> Filled<T> {
        match self.sets.get_mut(set) {
            Some(set) => set.insert_absent(tag, data, &mut self.replacement),
            None => self.many.insert_absent(set, tag, data, &mut self.replacement),
        }
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
        match self.sets.get_mut(set) {
            Some(set) => set.insert_among(tag, data, empty, (first, n), &mut self.replacement),
            None => {
                self.many.insert_among(set, tag, data, empty, (first, n), &mut self.replacement)
            }
        }
    }

    /// Takes a tag out of `set`, whose policy keeps what it knows; returns its way and what
    /// belonged to it.
    pub(crate) fn take(&mut self, set: usize, tag: u64) -> Option<(u32, T)> {
        match self.sets.get_mut(set) {
            Some(set) => set.take(tag),
            None => self.many.take(set, tag),
        }
    }

    /// What belongs to a way.
    #[inline(always)]
    pub(crate) fn data(&mut self, set: usize, way: u32) -> &mut T {
        match self.sets.get_mut(set) {
            Some(set) => &mut set.data[way as usize % SMALL],
            None => self.many.data(set, way as usize),
        }
    }

    /// The tag in a way, and what belongs to it; the tag is [`EMPTY`] if nothing is there.
    pub(crate) fn at(&self, set: usize, way: u32) -> (u64, T) {
        match self.sets.get(set) {
            Some(set) => (set.tags[way as usize], set.data[way as usize]),
            None => self.many.at(set, way as usize),
        }
    }

    /// The way that a fill of `set` would take now.
    pub(crate) fn next_way(&self, set: usize) -> u32 {
        match self.sets.get(set) {
            Some(set) if set.n_empty > 0 => lowest_empty(&set.prints),
            Some(set) => self.replacement.peek(&[set.state]),
            None => self.many.next_way(set, &self.replacement),
        }
    }

    pub(crate) fn n_used(&self) -> u32 {
        let n_empty = self.sets.iter().map(|set| set.n_empty).sum::<u32>() + self.many.n_empty();
        self.geometry.n_sets * self.geometry.n_ways - n_empty
    }

    /// Bytes that a clone takes.
    pub(crate) fn bytes(&self) -> usize {
        std::mem::size_of_val::<[Set<T>]>(&self.sets) + self.many.bytes()
    }
}

impl<T: Copy + Default> Set<T> {
    fn empty(n_ways: u32, replacement: &Replacement) -> Self {
        let mut state = vec![0; replacement.n_words()];
        replacement.reset(&mut state);
        Self {
            prints: [0; SMALL / LANES],
            state: state[0],
            n_empty: n_ways,
            recent: 0,
            tags: [EMPTY; SMALL],
            data: [T::default(); SMALL],
        }
    }

    #[inline(always)]
    fn lookup(&mut self, tag: u64, replacement: &Replacement) -> Option<(u32, &mut T)> {
        let mut way = self.recent;
        if self.tags[way as usize % SMALL] != tag {
            way = self.find(tag)?;
            self.recent = way;
            replacement.hit_word(&mut self.state, way);
        }
        Some((way, &mut self.data[way as usize % SMALL]))
    }

    #[inline(always)]
    fn find(&self, tag: u64) -> Option<u32> {
        let lanes = lanes_of(tag);
        let [a, b] = self.prints.map(|print| zero_lanes(print ^ lanes));
        // Bit `8 * lane + word` stands for way `8 * word + lane`.
        let mut equal = a >> 7 | b >> 6;
        while equal != 0 {
            let at = equal.trailing_zeros();
            let way = (at % 8 * 8 + at / 8) % small(SMALL);
            if self.tags[way as usize] == tag {
                return Some(way);
            }
            equal &= equal - 1;
        }
        None
    }

    #[inline(always)]
    fn insert_absent(&mut self, tag: u64, data: T, replacement: &mut Replacement) -> Filled<T> {
        let way = if self.n_empty == 0 {
            replacement.replace_word(&mut self.state)
        } else {
            self.take_empty(replacement)
        };
        self.recent = way;
        let at = way as usize % SMALL;
        set_lane(&mut self.prints[at / LANES], at % LANES, tag);
        let evicted = std::mem::replace(&mut self.tags[at], tag);
        let old = std::mem::replace(&mut self.data[at], data);
        Filled { way, evicted, old }
    }

    fn insert_among(
        &mut self,
        tag: u64,
        data: T,
        empty: Option<u32>,
        (first, n): (u32, u32),
        replacement: &mut Replacement,
    ) -> Filled<T> {
        let state = std::slice::from_mut(&mut self.state);
        let way = match empty {
            Some(way) => {
                self.n_empty -= 1;
                replacement.fill(state, way);
                way
            }
            None => replacement.replace_among(state, first, n),
        };
        self.recent = way;
        let at = way as usize;
        set_lane(&mut self.prints[at / LANES], at % LANES, tag);
        let evicted = std::mem::replace(&mut self.tags[at], tag);
        let old = std::mem::replace(&mut self.data[at], data);
        Filled { way, evicted, old }
    }

    fn take(&mut self, tag: u64) -> Option<(u32, T)> {
        let way = self.find(tag)?;
        let at = way as usize;
        self.tags[at] = EMPTY;
        clear_lane(&mut self.prints[at / LANES], at % LANES);
        self.n_empty += 1;
        Some((way, self.data[at]))
    }

    #[cold]
    #[inline(never)]
    fn take_empty(&mut self, replacement: &Replacement) -> u32 {
        self.n_empty -= 1;
        let way = lowest_empty(&self.prints);
        replacement.fill(std::slice::from_mut(&mut self.state), way);
        way
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

/// The top bit of each lane that is zero. Lanes above a zero lane may be
/// reported falsely (a borrow), the lowest one never.
#[inline]
fn zero_lanes(x: u64) -> u64 {
    x.wrapping_sub(LOW) & !x & HIGH
}

fn lowest_empty(prints: &[u64]) -> u32 {
    let word = prints.iter().position(|p| zero_lanes(*p) != 0).expect("a way is empty");
    small(LANES * word) + zero_lanes(prints[word]).trailing_zeros() / 8
}
