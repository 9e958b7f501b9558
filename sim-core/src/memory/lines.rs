//! The lines that a cache holds: LRU sets without anything else, so that a set of a large cache is
//! one line of the computer's own cache.
//!
//! ```text
//! set:  | order of use, 4 bits a way | tag | tag | tag | …
//! ```

use std::rc::Rc;

use crate::narrow::{index, low16, low32};
use crate::policy::{Policy, queue_to_back};
use crate::set_assoc::{Geometry, SetAssoc};

/// Sets that are copied together when a checkpoint's clone is written to.
const SHARD_BITS: u32 = 6;
/// Lines of a cache whose order of use may be told later: it is told once in each chunk.
#[cfg(feature = "fast")]
const MAX_WAITING: usize = 1 << 13;
/// Lines have numbers below 2^46: physical addresses have 52 bits. So short tags do from here on.
const SHORT_TAG_SETS: u32 = 1 << (46 - 31);

/// The lines of one cache. Clones share its shards until they are written to.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    shards: Shards,
    n_ways: u32,
    set_bits: u32,
    set_mask: u64,
    shard_bits: u32,
    /// Of a set's number: its place in the shard.
    shard_mask: usize,
}

#[derive(Clone, Debug)]
enum Shards {
    /// Up to 14 ways in many sets: 64 bytes a set.
    Short(Vec<Rc<[Set<14, 0>]>>),
    /// Up to 16 ways.
    Long(Vec<Rc<[Set<16, 16>]>>),
    /// More.
    Many(Vec<Rc<SetAssoc<()>>>),
}

/// One set. Ways beyond the cache's stay empty. Tags are kept in two parts, the upper ones only if
/// `H` is `N`: all lower parts are compared together.
#[derive(Clone, Copy, Debug)]
struct Set<const N: usize, const H: usize> {
    /// Nibble `r` is the way at rank `r`, rank 0 the next victim. Ways that are empty come first.
    order: u64,
    low: [u32; N],
    high: [u16; H],
}

/// No line's tag: its upper part is no other's.
const NO_LINE: u64 = (1 << 48) - 1;

impl Lines {
    /// `geometry` comes from a checked configuration.
    pub(super) fn new(geometry: Geometry) -> Self {
        let Geometry { n_sets, n_ways } = geometry;
        let shard_bits = n_sets.trailing_zeros().min(SHARD_BITS);
        let (n_shards, per_shard) = ((n_sets >> shard_bits) as usize, 1 << shard_bits);
        let shards = if n_ways > 16 {
            let geometry = Geometry { n_sets: 1 << shard_bits, n_ways };
            let shard = Rc::new(SetAssoc::new(geometry, Policy::Lru, 1));
            Shards::Many(vec![shard; n_shards])
        } else if n_ways <= 14 && n_sets >= SHORT_TAG_SETS {
            Shards::Short(vec![vec![Set::empty(n_ways); per_shard].into(); n_shards])
        } else {
            Shards::Long(vec![vec![Set::empty(n_ways); per_shard].into(); n_shards])
        };
        let (set_mask, shard_mask) = (u64::from(n_sets - 1), per_shard - 1);
        Self { shards, n_ways, set_bits: n_sets.trailing_zeros(), set_mask, shard_bits, shard_mask }
    }

    /// True if the line was there; it is there afterwards.
    #[inline]
    pub(super) fn read(&mut self, line: u64) -> bool {
        let set = index(line & self.set_mask);
        let (shard, at) = (set >> self.shard_bits, set & self.shard_mask);
        let tag = line >> self.set_bits;
        match &mut self.shards {
            Shards::Short(shards) => own(&mut shards[shard])[at].read(tag, self.n_ways),
            Shards::Long(shards) => own(&mut shards[shard])[at].read(tag, self.n_ways),
            Shards::Many(shards) => read_many(Rc::make_mut(&mut shards[shard]), at, tag),
        }
    }

    /// Reads lines in order, and keeps those in the list that were not there. `mask`: the bits of their numbers.
    #[cfg(feature = "fast")]
    pub(super) fn keep_missing(&mut self, lines: &mut Vec<u64>, mask: u64) {
        let Self { n_ways, set_bits, set_mask, shard_bits, shard_mask, .. } = *self;
        let place = |line: u64| {
            let set = index(line & set_mask);
            (set >> shard_bits, set & shard_mask, (line & mask) >> set_bits)
        };
        match &mut self.shards {
            Shards::Short(shards) => keep(lines, |line| {
                let (shard, at, tag) = place(line);
                own(&mut shards[shard])[at].read(tag, n_ways)
            }),
            Shards::Long(shards) => keep(lines, |line| {
                let (shard, at, tag) = place(line);
                own(&mut shards[shard])[at].read(tag, n_ways)
            }),
            Shards::Many(shards) => keep(lines, |line| {
                let (shard, at, tag) = place(line);
                read_many(Rc::make_mut(&mut shards[shard]), at, tag)
            }),
        }
    }

    /// Sets and ways, if their order of use may be told later: [`Self::order`] and what follows are of such only.
    #[cfg(feature = "fast")]
    pub(super) fn may_wait(&self) -> Option<(usize, usize)> {
        let n_sets = 1 << self.set_bits;
        let is_small = n_sets * self.n_ways as usize <= MAX_WAITING;
        (is_small && matches!(self.shards, Shards::Long(_)))
            .then_some((n_sets, self.n_ways as usize))
    }

    /// The set of a line, and its tag there.
    #[cfg(feature = "fast")]
    pub(super) fn place(&self, line: u64) -> (usize, u64) {
        (index(line & self.set_mask), line >> self.set_bits)
    }

    /// The ways of a set, that which was used last in the upmost of four bits each.
    #[cfg(feature = "fast")]
    pub(super) fn order(&self, set: usize) -> u64 {
        self.set(set).map_or(0, |set| set.order)
    }

    #[cfg(feature = "fast")]
    pub(super) fn set_order(&mut self, set: usize, order: u64) {
        if let Some(set) = self.set_mut(set) {
            set.order = order;
        }
    }

    /// The way that has a tag.
    #[cfg(feature = "fast")]
    #[inline]
    pub(super) fn find(&self, set: usize, tag: u64) -> Option<usize> {
        let way = self.set(set)?.find(low32(tag), upper(tag));
        way.map(|way| way as usize)
    }

    /// Gives a way to another line; the order of use is told later.
    #[cfg(feature = "fast")]
    #[inline]
    pub(super) fn put(&mut self, set: usize, way: usize, tag: u64) {
        if let Some(set) = self.set_mut(set) {
            set.low[way % 16] = low32(tag);
            set.high[way % 16] = upper(tag);
        }
    }

    #[cfg(feature = "fast")]
    #[inline]
    fn set(&self, set: usize) -> Option<&Set<16, 16>> {
        let Shards::Long(shards) = &self.shards else { return None };
        Some(&shards[set >> self.shard_bits][set & self.shard_mask])
    }

    #[cfg(feature = "fast")]
    #[inline]
    fn set_mut(&mut self, set: usize) -> Option<&mut Set<16, 16>> {
        let Shards::Long(shards) = &mut self.shards else { return None };
        Some(&mut own(&mut shards[set >> self.shard_bits])[set & self.shard_mask])
    }

    /// Bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        match (&self.shards, other.map(|other| &other.shards)) {
            (Shards::Short(mine), Some(Shards::Short(theirs))) => apart(mine, theirs, slice_bytes),
            (Shards::Short(mine), _) => apart(mine, &[], slice_bytes),
            (Shards::Long(mine), Some(Shards::Long(theirs))) => apart(mine, theirs, slice_bytes),
            (Shards::Long(mine), _) => apart(mine, &[], slice_bytes),
            (Shards::Many(mine), Some(Shards::Many(theirs))) => {
                apart(mine, theirs, SetAssoc::bytes)
            }
            (Shards::Many(mine), _) => apart(mine, &[], SetAssoc::bytes),
        }
    }
}

/// Keeps what `read` does not find, in order.
#[cfg(feature = "fast")]
#[inline(always)]
fn keep(lines: &mut Vec<u64>, mut read: impl FnMut(u64) -> bool) {
    let mut n = 0;
    for at in 0..lines.len() {
        let line = lines[at];
        lines[n] = line;
        n += usize::from(!read(line));
    }
    lines.truncate(n);
}

/// A shard that no clone shares: it is copied if one does.
#[inline]
fn own<T: Clone>(shard: &mut Rc<[T]>) -> &mut [T] {
    if Rc::strong_count(shard) > 1 {
        copy(shard);
    }
    Rc::get_mut(shard).expect("nobody else has it")
}

/// Apart from the rest, which needs few registers without it.
#[cold]
#[inline(never)]
fn copy<T: Clone>(shard: &mut Rc<[T]>) {
    *shard = Rc::from(&**shard);
}

#[inline(never)]
fn read_many(sets: &mut SetAssoc<()>, set: usize, tag: u64) -> bool {
    let held = sets.lookup(set, tag).is_some();
    if !held {
        sets.insert_absent(set, tag, ());
    }
    held
}

fn slice_bytes<T>(shard: &[T]) -> usize {
    std::mem::size_of_val(shard)
}

/// Bytes of the shards that are not the other's, and of the list of them.
fn apart<T: ?Sized>(mine: &[Rc<T>], theirs: &[Rc<T>], bytes: impl Fn(&T) -> usize) -> usize {
    let shared = |at: usize| theirs.get(at).is_some_and(|other| Rc::ptr_eq(&mine[at], other));
    let own = (0..mine.len()).filter(|at| !shared(*at)).map(|at| bytes(&mine[at]));
    own.sum::<usize>() + std::mem::size_of_val(mine)
}

impl<const N: usize, const H: usize> Set<N, H> {
    fn empty(n_ways: u32) -> Self {
        let ranks = if n_ways < 16 { (1 << (4 * n_ways)) - 1 } else { u64::MAX };
        let order = 0xfedc_ba98_7654_3210 & ranks;
        Self { order, low: [low32(NO_LINE); N], high: [upper(NO_LINE); H] }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn read(&mut self, tag: u64, n_ways: u32) -> bool {
        let last = 4 * (n_ways - 1);
        let (low, high) = (low32(tag), upper(tag));
        let latest = index(self.order >> last & 0xf);
        if self.low[latest % N] == low && self.has_upper(latest, high) {
            return true;
        }
        // Most lines are not there, and whether one could be is known sooner than where.
        // All ways are compared at once, without a branch.
        let may_be_there = self.low.iter().fold(0, |any, other| any | u32::from(*other == low));
        if may_be_there != 0
            && let Some(way) = self.find(low, high)
        {
            self.order = queue_to_back(self.order, way, n_ways);
            return true;
        }
        let victim = self.order & 0xf;
        self.order = self.order >> 4 | victim << last;
        self.low[index(victim) % N] = low;
        if H > 0 {
            self.high[index(victim) % H] = high;
        }
        false
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn find(&self, low: u32, high: u16) -> Option<u32> {
        let mut equal = 0u32;
        for (way, other) in self.low.iter().enumerate() {
            equal |= u32::from(*other == low) << way;
        }
        while equal != 0 {
            let way = equal.trailing_zeros();
            if self.has_upper(way as usize, high) {
                return Some(way);
            }
            equal &= equal - 1;
        }
        None
    }

    /// Whether the upper part of a way's tag is `high`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn has_upper(&self, way: usize, high: u16) -> bool {
        H == 0 || self.high[way % H] == high
    }
}

/// The upper part of a tag.
#[cfg_attr(feature = "fast", inline(always))]
fn upper(tag: u64) -> u16 {
    low16(low32(tag >> 32))
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::narrow::index;
    use crate::set_assoc::Geometry;

    /// Twin: lists in order of use, for sizes of all layouts; clones are checked to be apart.
    #[test]
    fn lines_are_held_as_by_lists_in_order_of_use() {
        for (n_sets, n_ways) in [(1, 1), (4, 8), (2, 16), (2, 17), (1 << 15, 11), (1 << 15, 16)] {
            arbtest::arbtest(|u| {
                let mut lines = Lines::new(Geometry { n_sets, n_ways });
                let before = lines.clone();
                let mut twin: Vec<Vec<u64>> = vec![Vec::new(); 4];
                for _ in 0..u.int_in_range(0..=200)? {
                    let set = u.int_in_range(0..=u64::from(n_sets.min(4) - 1))?;
                    let tag = u.int_in_range(0..=40u64)? << u.choose_index(26)?;
                    let list = &mut twin[index(set)];
                    let held = list.iter().position(|other| *other == tag);
                    held.map(|at| list.remove(at));
                    list.push(tag);
                    if list.len() > n_ways as usize {
                        list.remove(0);
                    }
                    assert_eq!(lines.read(tag * u64::from(n_sets) + set), held.is_some());
                }
                let list_of_shards = before.bytes_apart_from(Some(&before));
                assert!(lines.bytes_apart_from(Some(&before)) >= list_of_shards);
                assert_eq!(lines.bytes_apart_from(Some(&lines)), list_of_shards);
                Ok(())
            })
            .budget_ms(100);
        }
    }
}
