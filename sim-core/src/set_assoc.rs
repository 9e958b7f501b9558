//! A set-associative array: the one storage that TLBs, paging-structure caches
//! and memory caches are made of.
//!
//! It holds 64-bit tags and says at which slot one sits; what belongs to a slot
//! is the owner's. A set is one block of words: the state of its replacement policy,
//! a 16-bit fingerprint per way, four to a word, and the tags. One subtraction
//! compares four ways; a tag is read only where its fingerprint agrees.
//!
//! ```text
//! set:  | policy … | f3 f2 f1 f0 | f7 f6 f5 f4 | … | t0 | t1 | t2 | …
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

/// A tag with its fingerprint in four lanes, so that one lookup after the other need not make it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) bits: u64,
    lanes: u64,
}

impl Tag {
    #[inline]
    pub(crate) fn new(bits: u64) -> Self {
        Self { bits, lanes: fingerprint(bits) * LOW }
    }
}

/// Where a tag was put, and the tag that had to leave: [`EMPTY`] if none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) slot: usize,
    pub(crate) evicted: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct SetAssoc {
    geometry: Geometry,
    replacement: Replacement,
    /// The sets, `stride` words each.
    blocks: Vec<u64>,
    stride: usize,
    /// Policy words of a set.
    n_state: usize,
    /// Fingerprint words of a set. Lanes beyond `n_ways` stay empty.
    n_prints: usize,
    /// Empty ways of each set.
    n_empty: Vec<u32>,
}

impl SetAssoc {
    /// `geometry` comes from a checked configuration.
    pub(crate) fn new(geometry: Geometry, policy: Policy, seed: u64) -> Self {
        debug_assert!(geometry.n_sets.is_power_of_two() && geometry.n_ways > 0);
        let replacement = Replacement::new(policy, geometry.n_ways, seed);
        let (n_state, n_prints) = (replacement.n_words(), geometry.n_ways.div_ceil(4) as usize);
        let stride = n_state + n_prints + geometry.n_ways as usize;
        let n_sets = geometry.n_sets as usize;
        let mut blocks = vec![0; n_sets * stride];
        for block in blocks.chunks_exact_mut(stride) {
            replacement.reset(&mut block[..n_state]);
            block[n_state + n_prints..].fill(EMPTY);
        }
        Self { geometry, replacement, blocks, stride, n_state, n_prints, n_empty: vec![geometry.n_ways; n_sets] }
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    #[inline]
    pub(crate) fn slot(&self, set: usize, way: u32) -> usize {
        set * self.geometry.n_ways as usize + way as usize
    }

    /// The set and way of a slot.
    pub(crate) fn place(&self, slot: usize) -> (u32, u32) {
        let n_ways = self.geometry.n_ways as usize;
        (to_u32(slot / n_ways), to_u32(slot % n_ways))
    }

    /// What a slot holds; [`EMPTY`] if nothing.
    pub(crate) fn tag(&self, set: usize, way: u32) -> u64 {
        self.block(set)[self.n_state + self.n_prints + way as usize]
    }

    #[inline]
    fn block(&self, set: usize) -> &[u64] {
        &self.blocks[set * self.stride..][..self.stride]
    }

    #[inline]
    fn block_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.blocks[set * self.stride..][..self.stride]
    }

    /// Finds a tag in `set` and records the hit; returns its way.
    #[inline]
    pub(crate) fn lookup(&mut self, set: usize, tag: Tag) -> Option<u32> {
        let way = self.find(set, tag)?;
        let n_state = self.n_state;
        let block = &mut self.blocks[set * self.stride..][..n_state];
        self.replacement.hit(block, way);
        Some(way)
    }

    /// Finds a tag in `set` and changes nothing.
    #[inline]
    pub(crate) fn find(&self, set: usize, tag: Tag) -> Option<u32> {
        let block = &self.block(set)[self.n_state..];
        match self.n_prints {
            1 => find_among::<1>(block, tag),
            2 => find_among::<2>(block, tag),
            3 => find_among::<3>(block, tag),
            4 => find_among::<4>(block, tag),
            _ => self.find_among_many(block, tag),
        }
    }

    fn find_among_many(&self, block: &[u64], tag: Tag) -> Option<u32> {
        let (prints, tags) = block.split_at(self.n_prints);
        for (number, print) in prints.iter().enumerate() {
            let equal = lanes_that_are_zero(print ^ tag.lanes);
            if equal != 0 {
                let way = way_of(&tags[4 * number..], equal, tag.bits);
                if let Some(way) = way {
                    return Some(4 * to_u32(number) + way);
                }
            }
        }
        None
    }

    /// Stores a tag that `set` does not hold: in the lowest empty way, else in the victim's.
    #[inline]
    pub(crate) fn insert_absent(&mut self, set: usize, tag: Tag) -> Filled {
        debug_assert!(self.find(set, tag).is_none());
        let (n_state, n_prints) = (self.n_state, self.n_prints);
        let block = &mut self.blocks[set * self.stride..][..self.stride];
        let (state, rest) = block.split_at_mut(n_state);
        let n_empty = &mut self.n_empty[set];
        let way = if *n_empty == 0 {
            self.replacement.replace(state)
        } else {
            *n_empty -= 1;
            let way = lowest_empty(&rest[..n_prints]);
            self.replacement.fill(state, way);
            way
        };
        set_lane(rest, way, tag.lanes & 0xffff);
        let old = std::mem::replace(&mut rest[n_prints + way as usize], tag.bits);
        Filled { slot: set * self.geometry.n_ways as usize + way as usize, evicted: old }
    }

    /// The way that a fill of `set` would take now.
    pub(crate) fn next_way(&self, set: usize) -> u32 {
        let (state, rest) = self.block(set).split_at(self.n_state);
        if self.n_empty[set] > 0 { lowest_empty(&rest[..self.n_prints]) } else { self.replacement.peek(state) }
    }

    pub(crate) fn n_used(&self) -> u32 {
        self.geometry.n_sets * self.geometry.n_ways - self.n_empty.iter().sum::<u32>()
    }

    /// Bytes that a clone takes.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.blocks.len() + 4 * self.n_empty.len()
    }
}

/// Looks through `4 * W` ways; `block` starts with their fingerprints.
#[inline]
fn find_among<const W: usize>(block: &[u64], tag: Tag) -> Option<u32> {
    let (prints, tags) = block.split_first_chunk::<W>()?;
    let mut any = 0;
    for print in prints {
        any |= lanes_that_are_zero(print ^ tag.lanes);
    }
    if any == 0 {
        return None;
    }
    (0u32..).zip(prints).find_map(|(number, print)| {
        let equal = lanes_that_are_zero(print ^ tag.lanes);
        let way = way_of(tags.get(4 * number as usize..)?, equal, tag.bits)?;
        Some(4 * number + way)
    })
}

/// The way whose tag is `bits`, among those whose lane in `equal` is marked.
#[inline]
fn way_of(tags: &[u64], mut equal: u64, bits: u64) -> Option<u32> {
    while equal != 0 {
        let way = equal.trailing_zeros() / 16;
        if tags.get(way as usize) == Some(&bits) {
            return Some(way);
        }
        equal &= equal - 1;
    }
    None
}

#[inline]
fn set_lane(prints: &mut [u64], way: u32, print: u64) {
    let lane = 16 * (way % 4);
    let word = &mut prints[way as usize / 4];
    *word = *word & !(0xffff << lane) | print << lane;
}

/// 16 bits that depend on the whole tag; 0 is kept for empty ways.
#[inline]
fn fingerprint(tag: u64) -> u64 {
    (tag.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48).max(1)
}

/// The top bit of each 16-bit lane that is zero. Lanes above a zero lane may be
/// reported falsely (a borrow), the lowest one never.
#[inline]
fn lanes_that_are_zero(x: u64) -> u64 {
    x.wrapping_sub(LOW) & !x & HIGH
}

#[cold]
fn lowest_empty(prints: &[u64]) -> u32 {
    let word = prints.iter().position(|p| lanes_that_are_zero(*p) != 0).expect("a way is empty");
    4 * to_u32(word) + lanes_that_are_zero(prints[word]).trailing_zeros() / 16
}

fn to_u32(x: usize) -> u32 {
    u32::try_from(x).expect("arrays are checked to have at most 2^26 entries")
}
