//! A set of at most `4 * V` ways, in a layout of fixed size. The lower halves of its tags are `V` vectors. A lookup compares
//! four of them at once, and reads an upper half only if the lower one is equal.
//!
//! ```text
//! set:  | t0 t1 t2 t3 | … lower halves | policy | upper halves | data 0, data 1, …
//! ```

use super::{EMPTY, Filled, Geometry, Ways};
use crate::caches::policy::{Replacement, Rule};
use pagewalk_base::narrow::{index, low32, small};
use wide::u32x4;

/// The ways of a vector.
const LANES: usize = 4;

/// The numbers of the ways of a vector.
const NUMBERS: [u32; LANES] = [0, 1, 2, 3];

/// One set of an array. If the array has fewer than `4 * V` ways, the other ways stay empty. A set begins at a cache line of
/// the simulating computer, so a lookup reads few lines.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Set<T, const V: usize> {
    low: [[u32; LANES]; V],
    state: u64,
    n_empty: u32,
    high: [[u32; LANES]; V],
    data: [[T; LANES]; V],
}

impl<T: Copy + Default, R: Rule, const V: usize> Ways<T, R> for [Set<T, V>] {
    #[cfg_attr(feature = "fast", inline(always))]
    fn lookup(&mut self, set: usize, tag: u64, policy: &R) -> Option<(u32, &mut T)> {
        self[set].lookup(tag, policy)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn insert_absent(&mut self, set: usize, tag: u64, data: T, policy: &mut R) -> Filled<T> {
        self[set].insert_absent(tag, data, policy)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn data(&mut self, set: usize, way: u32) -> &mut T {
        self[set].data(way)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn up_to(&mut self, last: u64) -> &mut Self {
        &mut self[..=index(last)]
    }
}

impl<T: Copy + Default, const V: usize> Set<T, V> {
    /// Returns the empty sets of an array.
    pub(super) fn several(geometry: Geometry, replacement: &Replacement) -> Box<[Self]> {
        let empty = Self {
            low: [[low32(EMPTY); LANES]; V],
            high: [[low32(EMPTY); LANES]; V],
            state: replacement.first_word(),
            n_empty: geometry.n_ways,
            data: [[T::default(); LANES]; V],
        };
        vec![empty; geometry.n_sets as usize].into_boxed_slice()
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lookup(&mut self, tag: u64, policy: &impl Rule) -> Option<(u32, &mut T)> {
        let way = self.find(tag)?;
        policy.hit_word(&mut self.state, way);
        Some((way, self.data(way)))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn find(&self, tag: u64) -> Option<u32> {
        let wanted = u32x4::splat(low32(tag));
        let vectors = self.low.iter().enumerate();
        let mut equal = vectors.fold(0, |bits, (number, tags)| {
            bits | u32x4::new(*tags).simd_eq(wanted).to_bitmask() << (LANES * number)
        });
        while equal != 0 {
            let way = equal.trailing_zeros();
            if self.high.as_flattened()[place::<V>(way)] == low32(tag >> 32) {
                return Some(way);
            }
            equal &= equal - 1;
        }
        None
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn insert_absent<R: Rule>(
        &mut self,
        tag: u64,
        data: T,
        policy: &mut R,
    ) -> Filled<T> {
        debug_assert!(!R::EVICTS || self.n_empty == 0, "the set is full");
        let was_full = R::EVICTS || self.n_empty == 0;
        let way =
            if was_full { policy.replace_word(&mut self.state) } else { self.take_empty(policy) };
        self.put(way, was_full, tag, data)
    }

    /// Stores a tag in the way `empty` if there is one, otherwise in one of `n` ways from `first` on.
    pub(super) fn insert_among(
        &mut self,
        tag: u64,
        data: T,
        empty: Option<u32>,
        among: (u32, u32),
        replacement: &mut Replacement,
    ) -> Filled<T> {
        let was_full = empty.is_none();
        let way = match empty {
            Some(way) => {
                self.n_empty -= 1;
                replacement.fill_word(&mut self.state, way);
                way
            }
            None => replacement.replace_word_among(&mut self.state, among),
        };
        self.put(way, was_full, tag, data)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn put(&mut self, way: u32, was_full: bool, tag: u64, data: T) -> Filled<T> {
        let evicted = self.set_tag(way, tag);
        let old = std::mem::replace(self.data(way), data);
        Filled { way, was_full, evicted, old }
    }

    /// Gives a way another tag, and returns the one that it had.
    #[cfg_attr(feature = "fast", inline(always))]
    fn set_tag(&mut self, way: u32, tag: u64) -> u64 {
        let before = self.tag(way);
        let at = place::<V>(way);
        // Stores the whole vector. The next lookup loads it, and would have to wait for a store of one lane.
        let vector = &mut self.low[at / LANES];
        let is_way = u32x4::new(NUMBERS).simd_eq(u32x4::splat(small(at % LANES)));
        *vector = is_way.bitselect(u32x4::splat(low32(tag)), u32x4::new(*vector)).to_array();
        self.high.as_flattened_mut()[at] = low32(tag >> 32);
        before
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn tag(&self, way: u32) -> u64 {
        let [low, high] = [&self.low, &self.high].map(|half| half.as_flattened()[place::<V>(way)]);
        u64::from(high) << 32 | u64::from(low)
    }

    pub(super) fn known(&mut self, tag: u64) -> Option<&mut T> {
        let way = self.find(tag)?;
        Some(self.data(way))
    }

    pub(super) fn take(&mut self, tag: u64) -> Option<(u32, T)> {
        let way = self.find(tag)?;
        self.remove(way);
        Some((way, *self.data(way)))
    }

    fn remove(&mut self, way: u32) {
        self.set_tag(way, EMPTY);
        self.n_empty += 1;
    }

    #[cold]
    #[inline(never)]
    fn take_empty(&mut self, policy: &impl Rule) -> u32 {
        self.n_empty -= 1;
        let way = self.lowest_empty();
        policy.fill_word(&mut self.state, way);
        way
    }

    fn lowest_empty(&self) -> u32 {
        self.find(EMPTY).expect("a way is empty")
    }

    pub(super) fn next_way(&self, replacement: &Replacement) -> u32 {
        if self.n_empty > 0 { self.lowest_empty() } else { replacement.peek_word(self.state) }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn data(&mut self, way: u32) -> &mut T {
        &mut self.data.as_flattened_mut()[place::<V>(way)]
    }

    pub(super) fn at(&self, way: u32) -> (u64, T) {
        (self.tag(way), self.data.as_flattened()[place::<V>(way)])
    }

    pub(super) fn n_empty(&self) -> u32 {
        self.n_empty
    }

    /// Calls `visit` with every way that is in use, its tag and its data, and empties the ways for which it
    /// returns true.
    pub(super) fn sweep(&mut self, mut visit: impl FnMut(u32, u64, &mut T) -> bool) {
        for way in 0..small(LANES * V) {
            let tag = self.tag(way);
            if tag != EMPTY && visit(way, tag, self.data(way)) {
                self.remove(way);
            }
        }
    }
}

/// Returns the index of a way. The modulus saves the check of the index where it is a mask.
#[cfg_attr(feature = "fast", inline(always))]
fn place<const V: usize>(way: u32) -> usize {
    if V.is_power_of_two() { way as usize % (LANES * V) } else { way as usize }
}
