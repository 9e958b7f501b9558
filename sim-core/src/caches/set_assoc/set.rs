//! A set of at most `N` ways, in a layout of fixed size. `W` words hold the fingerprints of the tags. If `W` is
//! 0, lookups compare the tags.

use super::{EMPTY, Filled, Geometry, LANES, Ways, lanes_of, print_of, zero_lanes};
use crate::caches::policy::{Replacement, Rule};
use pagewalk_base::narrow::small;

/// One set of an array. If the array has fewer than `N` ways, the other ways stay empty.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)]
pub(super) struct Set<T, const N: usize, const W: usize> {
    /// The fingerprint of way `w` is lane `w % LANES` of word `w / LANES`.
    prints: [[u8; LANES]; W],
    state: u64,
    n_empty: u32,
    /// The way used last. Another use of this way changes no policy's state.
    recent: u32,
    tags: [u64; N],
    data: [T; N],
}

impl<T: Copy + Default, R: Rule, const N: usize, const W: usize> Ways<T, R> for [Set<T, N, W>] {
    #[cfg_attr(feature = "fast", inline(always))]
    fn lookup(&mut self, set: usize, tag: u64, policy: &R) -> Option<(u32, &mut T)> {
        self[set].lookup(tag, policy)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn lookup_rare(&mut self, set: usize, tag: u64, policy: &R) -> Option<(u32, &mut T)> {
        self[set].lookup_rare(tag, policy)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn insert_absent(&mut self, set: usize, tag: u64, data: T, policy: &mut R) -> Filled<T> {
        self[set].insert_absent(tag, data, policy)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn data(&mut self, set: usize, way: u32) -> &mut T {
        self[set].data(way)
    }
}

impl<T: Copy + Default, const N: usize, const W: usize> Set<T, N, W> {
    /// Returns the empty sets of an array.
    pub(super) fn several(geometry: Geometry, replacement: &Replacement) -> Box<[Self]> {
        let mut state = vec![0; replacement.n_words()];
        replacement.reset(&mut state);
        let empty = Self {
            prints: [[0; LANES]; W],
            state: state[0],
            n_empty: geometry.n_ways,
            recent: 0,
            tags: [EMPTY; N],
            data: [T::default(); N],
        };
        vec![empty; geometry.n_sets as usize].into_boxed_slice()
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lookup(&mut self, tag: u64, policy: &impl Rule) -> Option<(u32, &mut T)> {
        let mut way = self.recent;
        if self.tags[way as usize % N] != tag {
            way = self.find(tag)?;
            self.recent = way;
            policy.hit_word(&mut self.state, way);
        }
        Some((way, &mut self.data[way as usize % N]))
    }

    /// Returns the same as `lookup`, but does not try the way used last before the others.
    #[cfg_attr(feature = "fast", inline(always))]
    fn lookup_rare(&mut self, tag: u64, policy: &impl Rule) -> Option<(u32, &mut T)> {
        let way = if W == 0 {
            small(self.tags.iter().position(|held| *held == tag)?)
        } else {
            self.may_hold(tag).then(|| self.find(tag))??
        };
        self.recent = way;
        policy.hit_word(&mut self.state, way);
        Some((way, &mut self.data[way as usize % N]))
    }

    /// Returns whether a fingerprint is equal to the fingerprint of `tag`. The loop compares all fingerprints, so
    /// that it compiles to vector instructions without a branch.
    #[cfg_attr(feature = "fast", inline(always))]
    fn may_hold(&self, tag: u64) -> bool {
        let print = print_of(tag);
        let held = self.prints.as_flattened().iter();
        held.fold(0, |equal, held| equal | u8::from(*held == print)) != 0
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn find(&self, tag: u64) -> Option<u32> {
        if W == 0 {
            let found =
                (0..N).rfold(N, |found, way| if self.tags[way] == tag { way } else { found });
            return (found < N).then_some(small(found));
        }
        let lanes = lanes_of(tag);
        // Bit `8 * lane + word` stands for way `8 * word + lane`.
        let mut equal = 0;
        for (word, print) in self.prints.iter().enumerate() {
            equal |= zero_lanes(u64::from_le_bytes(*print) ^ lanes) >> (7 - word);
        }
        while equal != 0 {
            let at = equal.trailing_zeros() as usize;
            let way = (at % LANES * LANES + at / LANES) % N;
            if self.tags[way] == tag {
                return Some(small(way));
            }
            equal &= equal - 1;
        }
        None
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn insert_absent(&mut self, tag: u64, data: T, policy: &mut impl Rule) -> Filled<T> {
        let was_full = self.n_empty == 0;
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
        (first, n): (u32, u32),
        replacement: &mut Replacement,
    ) -> Filled<T> {
        let state = std::slice::from_mut(&mut self.state);
        let was_full = empty.is_none();
        let way = match empty {
            Some(way) => {
                self.n_empty -= 1;
                replacement.fill(state, way);
                way
            }
            None => replacement.replace_among(state, first, n),
        };
        self.put(way, was_full, tag, data)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn put(&mut self, way: u32, was_full: bool, tag: u64, data: T) -> Filled<T> {
        self.recent = way;
        let at = way as usize % N;
        if W > 0 {
            self.prints.as_flattened_mut()[at] = print_of(tag);
        }
        let evicted = std::mem::replace(&mut self.tags[at], tag);
        let old = std::mem::replace(&mut self.data[at], data);
        Filled { way, was_full, evicted, old }
    }

    pub(super) fn known(&mut self, tag: u64) -> Option<&mut T> {
        let way = self.find(tag)?;
        Some(&mut self.data[way as usize])
    }

    pub(super) fn take(&mut self, tag: u64) -> Option<(u32, T)> {
        let way = self.find(tag)?;
        self.remove(way as usize);
        Some((way, self.data[way as usize]))
    }

    fn remove(&mut self, at: usize) {
        self.tags[at] = EMPTY;
        self.n_empty += 1;
        if W > 0 {
            self.prints[at / LANES][at % LANES] = 0;
        }
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
        small(self.tags.iter().position(|tag| *tag == EMPTY).expect("a way is empty"))
    }

    pub(super) fn next_way(&self, replacement: &Replacement) -> u32 {
        if self.n_empty > 0 { self.lowest_empty() } else { replacement.peek(&[self.state]) }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn data(&mut self, way: u32) -> &mut T {
        &mut self.data[way as usize % N]
    }

    pub(super) fn at(&self, way: u32) -> (u64, T) {
        (self.tags[way as usize], self.data[way as usize])
    }

    pub(super) fn n_empty(&self) -> u32 {
        self.n_empty
    }

    /// Calls `visit` with every way that is in use, its tag and its data, and empties the ways for which it
    /// returns true.
    pub(super) fn sweep(&mut self, mut visit: impl FnMut(u32, u64, &mut T) -> bool) {
        for at in 0..N {
            let tag = self.tags[at];
            if tag != EMPTY && visit(small(at), tag, &mut self.data[at]) {
                self.remove(at);
            }
        }
    }
}
