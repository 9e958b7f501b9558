//! Sets of more than 16 ways, whose lengths are known at run time only. A set also holds an 8-bit fingerprint of each tag,
//! eight to a word. One subtraction compares eight fingerprints, and a tag is read only if its fingerprint is equal.
//!
//! ```text
//! set:  | policy … | f7 … f0 | f15 … f8 | … | t0 | t1 | t2 | …
//! ```

use super::{EMPTY, Filled, Geometry, Ways};
use crate::caches::policy::Replacement;
use pagewalk_base::narrow::small;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The number of fingerprints in a word.
const LANES: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Many<T> {
    /// The words of the sets, `stride` words each.
    blocks: Vec<u64>,
    data: Vec<T>,
    n_empty: Vec<u32>,
    n_ways: usize,
    stride: usize,
    /// The number of policy words of a set.
    n_state: usize,
    /// The number of fingerprint words of a set. Lanes beyond `n_ways` stay empty.
    n_prints: usize,
}

impl<T: Copy + Default> Ways<T, Replacement> for Many<T> {
    fn lookup(&mut self, set: usize, tag: u64, policy: &Replacement) -> Option<(u32, &mut T)> {
        Self::lookup(self, set, tag, policy)
    }

    fn insert_absent(
        &mut self,
        set: usize,
        tag: u64,
        data: T,
        policy: &mut Replacement,
    ) -> Filled<T> {
        Self::insert_absent(self, set, tag, data, policy)
    }

    fn data(&mut self, set: usize, way: u32) -> &mut T {
        Self::data(self, set, way as usize)
    }

    fn up_to(&mut self, _: u64) -> &mut Self {
        self
    }
}

impl<T: Copy + Default> Many<T> {
    pub(super) fn new(geometry: Geometry, replacement: &Replacement) -> Self {
        let (n_sets, n_ways) = (geometry.n_sets as usize, geometry.n_ways as usize);
        let (n_state, n_prints) = (replacement.n_words(), n_ways.div_ceil(LANES));
        let stride = n_state + n_prints + n_ways;
        let mut blocks = vec![0; n_sets * stride];
        for block in blocks.chunks_exact_mut(stride) {
            replacement.reset(&mut block[..n_state]);
            block[n_state + n_prints..].fill(EMPTY);
        }
        let data = vec![T::default(); n_sets * n_ways];
        Self {
            blocks,
            data,
            n_empty: vec![geometry.n_ways; n_sets],
            n_ways,
            stride,
            n_state,
            n_prints,
        }
    }

    #[inline(never)]
    pub(super) fn lookup(
        &mut self,
        set: usize,
        tag: u64,
        replacement: &Replacement,
    ) -> Option<(u32, &mut T)> {
        let way = self.find(set, tag)?;
        replacement.hit(&mut self.blocks[set * self.stride..][..self.n_state], small(way));
        Some((small(way), &mut self.data[set * self.n_ways + way]))
    }

    pub(super) fn find(&self, set: usize, tag: u64) -> Option<usize> {
        let block = &self.blocks[set * self.stride..][self.n_state..self.stride];
        let (prints, tags) = block.split_at(self.n_prints);
        let lanes = lanes_of(tag);
        for (word, print) in prints.iter().enumerate() {
            let mut equal = zero_lanes(print ^ lanes);
            while equal != 0 {
                let way = LANES * word + equal.trailing_zeros() as usize / 8;
                if tags.get(way) == Some(&tag) {
                    return Some(way);
                }
                equal &= equal - 1;
            }
        }
        None
    }

    #[inline(never)]
    pub(super) fn insert_absent(
        &mut self,
        set: usize,
        tag: u64,
        data: T,
        replacement: &mut Replacement,
    ) -> Filled<T> {
        debug_assert!(self.find(set, tag).is_none());
        let block = &mut self.blocks[set * self.stride..][..self.stride];
        let (state, rest) = block.split_at_mut(self.n_state);
        let was_full = self.n_empty[set] == 0;
        let way = if was_full {
            replacement.replace(state)
        } else {
            self.n_empty[set] -= 1;
            let way = lowest_empty(&rest[..self.n_prints]);
            replacement.fill(state, way);
            way
        };
        let at = way as usize;
        set_lane(&mut rest[at / LANES], at % LANES, tag);
        let evicted = std::mem::replace(&mut rest[self.n_prints + at], tag);
        let old = std::mem::replace(&mut self.data[set * self.n_ways + at], data);
        Filled { way, was_full, evicted, old }
    }

    pub(super) fn insert_among(
        &mut self,
        set: usize,
        tag: u64,
        data: T,
        empty: Option<u32>,
        (first, n): (u32, u32),
        replacement: &mut Replacement,
    ) -> Filled<T> {
        let block = &mut self.blocks[set * self.stride..][..self.stride];
        let (state, rest) = block.split_at_mut(self.n_state);
        let was_full = empty.is_none();
        let way = match empty {
            Some(way) => {
                self.n_empty[set] -= 1;
                replacement.fill(state, way);
                way
            }
            None => replacement.replace_among(state, first, n),
        };
        let at = way as usize;
        set_lane(&mut rest[at / LANES], at % LANES, tag);
        let evicted = std::mem::replace(&mut rest[self.n_prints + at], tag);
        let old = std::mem::replace(&mut self.data[set * self.n_ways + at], data);
        Filled { way, was_full, evicted, old }
    }

    pub(super) fn known(&mut self, set: usize, tag: u64) -> Option<&mut T> {
        let way = self.find(set, tag)?;
        Some(&mut self.data[set * self.n_ways + way])
    }

    pub(super) fn take(&mut self, set: usize, tag: u64) -> Option<(u32, T)> {
        let way = self.find(set, tag)?;
        let block = &mut self.blocks[set * self.stride..][self.n_state..self.stride];
        block[self.n_prints + way] = EMPTY;
        clear_lane(&mut block[way / LANES], way % LANES);
        self.n_empty[set] += 1;
        Some((small(way), self.data[set * self.n_ways + way]))
    }

    #[inline(never)]
    pub(super) fn data(&mut self, set: usize, way: usize) -> &mut T {
        &mut self.data[set * self.n_ways + way]
    }

    pub(super) fn at(&self, set: usize, way: usize) -> (u64, T) {
        let tag = self.blocks[set * self.stride + self.n_state + self.n_prints + way];
        (tag, self.data[set * self.n_ways + way])
    }

    pub(super) fn next_way(&self, set: usize, replacement: &Replacement) -> u32 {
        let block = &self.blocks[set * self.stride..][..self.stride];
        let (state, rest) = block.split_at(self.n_state);
        if self.n_empty[set] > 0 {
            lowest_empty(&rest[..self.n_prints])
        } else {
            replacement.peek(state)
        }
    }

    /// Implements [`super::SetAssoc::sweep`] for this layout.
    pub(super) fn sweep(&mut self, mut visit: impl FnMut(usize, u32, u64, &mut T) -> bool) {
        for set in 0..self.n_empty.len() {
            let block = &mut self.blocks[set * self.stride..][self.n_state..self.stride];
            let (prints, tags) = block.split_at_mut(self.n_prints);
            for (at, tag) in tags.iter_mut().enumerate() {
                let data = &mut self.data[set * self.n_ways + at];
                if *tag != EMPTY && visit(set, small(at), *tag, data) {
                    *tag = EMPTY;
                    self.n_empty[set] += 1;
                    clear_lane(&mut prints[at / LANES], at % LANES);
                }
            }
        }
    }

    pub(super) fn n_empty(&self) -> u32 {
        self.n_empty.iter().sum()
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.blocks.len() + 4 * self.n_empty.len() + std::mem::size_of_val::<[T]>(&self.data)
    }
}

/// Returns the fingerprint of a tag. All bits of the tag change the fingerprint. It is never 0, the fingerprint of
/// empty ways.
#[cfg_attr(feature = "fast", inline(always))]
fn print_of(tag: u64) -> u8 {
    tag.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0] | 1
}

/// Returns a word with the fingerprint of `tag` in every lane.
#[cfg_attr(feature = "fast", inline(always))]
fn lanes_of(tag: u64) -> u64 {
    u64::from(print_of(tag)) * LOW
}

#[inline]
fn set_lane(print: &mut u64, lane: usize, tag: u64) {
    let mask = 0xff << (8 * lane);
    *print = *print & !mask | lanes_of(tag) & mask;
}

fn clear_lane(print: &mut u64, lane: usize) {
    *print &= !(0xff << (8 * lane));
}

/// Returns the top bit of each lane that is zero. Because of borrows, lanes above a zero lane may be reported
/// falsely; the lowest reported lane is always right.
#[inline]
fn zero_lanes(x: u64) -> u64 {
    x.wrapping_sub(LOW) & !x & HIGH
}

fn lowest_empty(prints: &[u64]) -> u32 {
    let word = prints.iter().position(|p| zero_lanes(*p) != 0).expect("a way is empty");
    small(LANES * word) + zero_lanes(prints[word]).trailing_zeros() / 8
}
