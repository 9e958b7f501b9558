//! A set-associative array: the one storage that TLBs, paging-structure caches
//! and memory caches are made of.
//!
//! It holds 64-bit tags and says at which slot one sits; what belongs to a slot
//! is the owner's. Beside each set stand the words of its replacement policy and
//! a 16-bit fingerprint per way, four to a word, so that one subtraction compares
//! four ways and a tag is read only when its fingerprint agrees:
//!
//! ```text
//! set:  | policy … | empty ways | f3 f2 f1 f0 | f7 f6 f5 f4 | …      tags: | t0 t1 t2 …
//! ```

use crate::policy::{Policy, Replacement};

/// A tag that no owner uses: the slot is empty.
pub(crate) const EMPTY: u64 = u64::MAX;

const LOW: u64 = 0x0001_0001_0001_0001;
const HIGH: u64 = 0x8000_8000_8000_8000;

/// Sets × ways. `n_ways` is what a set can hold, `n_sets` a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) n_sets: u32,
    pub(crate) n_ways: u32,
}

/// Where a tag was put, and the tag that had to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) slot: usize,
    pub(crate) evicted: Option<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct SetAssoc {
    geometry: Geometry,
    replacement: Replacement,
    /// Policy words, the count of empty ways, then the fingerprints: `stride` words a set.
    heads: Vec<u64>,
    stride: usize,
    /// Index of the first fingerprint word of a set.
    prints_at: usize,
    /// `slots_per_set` tags a set; ways beyond `n_ways` stay empty.
    tags: Vec<u64>,
    slots_per_set: usize,
}

impl SetAssoc {
    /// `geometry` comes from a checked configuration.
    pub(crate) fn new(geometry: Geometry, policy: Policy, seed: u64) -> Self {
        debug_assert!(geometry.n_sets.is_power_of_two() && geometry.n_ways > 0);
        let replacement = Replacement::new(policy, geometry.n_ways, seed);
        let n_prints = geometry.n_ways.div_ceil(4) as usize;
        let prints_at = replacement.n_words() + 1;
        let stride = prints_at + n_prints;
        let n_sets = geometry.n_sets as usize;
        let mut heads = vec![0; n_sets * stride];
        for head in heads.chunks_exact_mut(stride) {
            replacement.reset(&mut head[..prints_at - 1]);
            head[prints_at - 1] = u64::from(geometry.n_ways);
        }
        let slots_per_set = 4 * n_prints;
        Self {
            geometry,
            replacement,
            heads,
            stride,
            prints_at,
            tags: vec![EMPTY; n_sets * slots_per_set],
            slots_per_set,
        }
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Slots that an owner's side table must have: some are never used.
    pub(crate) fn n_slots(&self) -> usize {
        self.tags.len()
    }

    pub(crate) fn slot(&self, set: usize, way: u32) -> usize {
        set * self.slots_per_set + way as usize
    }

    /// The set and way of a slot.
    pub(crate) fn place(&self, slot: usize) -> (u32, u32) {
        (to_u32(slot / self.slots_per_set), to_u32(slot % self.slots_per_set))
    }

    pub(crate) fn tag(&self, slot: usize) -> u64 {
        self.tags[slot]
    }

    /// Finds `tag` in `set` and records the hit.
    #[inline]
    pub(crate) fn lookup(&mut self, set: usize, tag: u64) -> Option<usize> {
        let slot = self.find(set, tag)?;
        self.touch(set, slot);
        Some(slot)
    }

    /// Finds `tag` in `set` and changes nothing.
    #[inline]
    pub(crate) fn find(&self, set: usize, tag: u64) -> Option<usize> {
        let head = &self.heads[set * self.stride..][..self.stride];
        let tags = &self.tags[set * self.slots_per_set..][..self.slots_per_set];
        let pattern = print_of(tag) * LOW;
        for (word, prints) in head[self.prints_at..].iter().enumerate() {
            let mut equal = lanes_that_are_zero(prints ^ pattern);
            while equal != 0 {
                let way = 4 * word + equal.trailing_zeros() as usize / 16;
                if tags[way] == tag {
                    return Some(set * self.slots_per_set + way);
                }
                equal &= equal - 1;
            }
        }
        None
    }

    /// Records a hit in `slot` of `set`.
    #[inline]
    pub(crate) fn touch(&mut self, set: usize, slot: usize) {
        let way = to_u32(slot - set * self.slots_per_set);
        let words = self.prints_at - 1;
        let state = &mut self.heads[set * self.stride..][..words];
        self.replacement.hit(state, way);
    }

    /// Stores `tag`, or touches it if it is there.
    #[inline]
    pub(crate) fn insert(&mut self, set: usize, tag: u64) -> Filled {
        match self.lookup(set, tag) {
            Some(slot) => Filled { slot, evicted: None },
            None => self.insert_absent(set, tag),
        }
    }

    /// Stores a tag that `set` does not hold: in the lowest empty way, else in the victim's.
    #[inline]
    pub(crate) fn insert_absent(&mut self, set: usize, tag: u64) -> Filled {
        debug_assert!(self.find(set, tag).is_none());
        let head = &mut self.heads[set * self.stride..][..self.stride];
        let (state, rest) = head.split_at_mut(self.prints_at - 1);
        let (n_empty, prints) = rest.split_first_mut().expect("a set has a count of empty ways");
        let way = if *n_empty == 0 {
            self.replacement.victim(state)
        } else {
            *n_empty -= 1;
            lowest_empty(prints)
        };
        self.replacement.fill(state, way);
        let lane = 16 * (way % 4);
        let word = &mut prints[way as usize / 4];
        *word = *word & !(0xffff << lane) | print_of(tag) << lane;
        let slot = set * self.slots_per_set + way as usize;
        let old = std::mem::replace(&mut self.tags[slot], tag);
        Filled { slot, evicted: (old != EMPTY).then_some(old) }
    }

    /// Takes `tag` out of `set`; the way becomes empty.
    pub(crate) fn remove(&mut self, set: usize, tag: u64) -> Option<usize> {
        let slot = self.find(set, tag)?;
        let way = slot - set * self.slots_per_set;
        let head = &mut self.heads[set * self.stride..][..self.stride];
        head[self.prints_at - 1] += 1;
        head[self.prints_at + way / 4] &= !(0xffff << (16 * (way % 4)));
        self.tags[slot] = EMPTY;
        Some(slot)
    }

    /// The way that a fill of `set` would take now.
    pub(crate) fn next_way(&self, set: usize) -> u32 {
        let head = &self.heads[set * self.stride..][..self.stride];
        if head[self.prints_at - 1] > 0 {
            return lowest_empty(&head[self.prints_at..]);
        }
        self.replacement.peek(&head[..self.prints_at - 1])
    }

    pub(crate) fn n_used(&self) -> u32 {
        let n_empty: u64 = self.heads.iter().skip(self.prints_at - 1).step_by(self.stride).sum();
        self.geometry.n_sets * self.geometry.n_ways - to_u32(usize::try_from(n_empty).unwrap_or(0))
    }

    /// Bytes that a clone takes.
    pub(crate) fn bytes(&self) -> usize {
        8 * (self.heads.len() + self.tags.len())
    }
}

/// 16 bits that depend on the whole tag; 0 is kept for empty ways.
#[inline]
fn print_of(tag: u64) -> u64 {
    (tag.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48).max(1)
}

/// The top bit of each 16-bit lane that is zero. Lanes above a zero lane may be
/// reported falsely (a borrow), the lowest one never.
#[inline]
fn lanes_that_are_zero(x: u64) -> u64 {
    x.wrapping_sub(LOW) & !x & HIGH
}

fn lowest_empty(prints: &[u64]) -> u32 {
    let word = prints.iter().position(|p| lanes_that_are_zero(*p) != 0).expect("a way is empty");
    4 * to_u32(word) + lanes_that_are_zero(prints[word]).trailing_zeros() / 16
}

fn to_u32(x: usize) -> u32 {
    u32::try_from(x).expect("arrays are checked to have at most 2^16 entries a set")
}
