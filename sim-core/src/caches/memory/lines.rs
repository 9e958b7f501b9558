//! The lines that a cache holds. A set has an LRU order and tags, no data, so that a set of a large simulated
//! cache fits into one cache line of the computer that simulates.
//!
//! ```text
//! set:  | order of use, 4 bits a way | tag | tag | tag | …
//! ```

mod set;

use std::hint::black_box;
use std::rc::Rc;

use super::CacheConfig;
use crate::caches::policy::Policy;
use crate::caches::set_assoc::{Geometry, SetAssoc};
use crate::caches::victima::{BlockSets, VictimaConfig};
use pagewalk_base::error::Result;
use pagewalk_base::narrow::index;
use set::Set;

/// log2 of the most sets in a shard. A shard is copied when a clone of the machine that shares it is written
/// to.
const SHARD_BITS: u32 = 6;
/// From this many shards on (1 MiB), most sets are not in the nearest caches of the simulating processor.
const FAR_SHARDS: usize = 1 << 8;
/// The most lines of a cache whose order of use may be computed late. Each list of touches writes all sets
/// once, which costs too much in larger caches.
const MAX_LATE_LINES: usize = 1 << 13;
/// From this many sets on, tags of 31 bits are long enough: physical addresses have 52 bits, so lines have
/// numbers below 2^46.
const SHORT_TAG_SETS: u32 = 1 << (46 - 31);

/// The lines of one cache. Clones share its shards until they are written to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    shards: Shards,
    n_ways: u32,
    set_bits: u32,
    set_mask: u64,
    shard_bits: u32,
    /// The bits of a set's number that are its position in the shard.
    shard_mask: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Shards {
    /// A layout for up to 14 ways in many sets: 64 bytes a set.
    Short(Vec<Rc<[Set<14, 0, 0>]>>),
    /// A layout for up to 8 ways.
    Eight(Vec<Rc<[Set<8, 8, 1>]>>),
    /// A layout for up to 16 ways.
    Long(Vec<Rc<[Set<16, 16, 2>]>>),
    /// A layout for more than 16 ways, and for numbers of sets that are no power of two, as in a last cache of several
    /// slices. Set = line mod sets.
    Many(Vec<Rc<SetAssoc<()>>>),
    /// A layout that also holds TLB blocks.
    Blocks(BlockSets),
}

/// Evaluates one expression for the layouts of sets that allow a late order of use, another for the other layouts.
macro_rules! with_late_order {
    ($shards:expr, $of_sets:ident => $one:expr, $other:expr) => {
        match $shards {
            Shards::Eight($of_sets) => $one,
            Shards::Long($of_sets) => $one,
            Shards::Short(_) | Shards::Many(_) | Shards::Blocks(_) => $other,
        }
    };
}

impl Lines {
    /// Makes empty lines. `geometry` comes from a checked configuration.
    pub(super) fn new(geometry: Geometry) -> Self {
        let Geometry { n_sets, n_ways } = geometry;
        let shard_bits = n_sets.trailing_zeros().min(SHARD_BITS);
        let (n_shards, per_shard) = ((n_sets >> shard_bits) as usize, 1 << shard_bits);
        let shards = if n_ways > 16 || !n_sets.is_power_of_two() {
            let geometry = Geometry { n_sets: 1 << shard_bits, n_ways };
            let shard = Rc::new(SetAssoc::new(geometry, Policy::Lru, 1));
            Shards::Many(vec![shard; n_shards])
        } else if n_ways <= 14 && n_sets >= SHORT_TAG_SETS {
            Shards::Short(vec![vec![Set::empty(n_ways); per_shard].into(); n_shards])
        } else if n_ways <= 8 {
            Shards::Eight(vec![vec![Set::empty(n_ways); per_shard].into(); n_shards])
        } else {
            Shards::Long(vec![vec![Set::empty(n_ways); per_shard].into(); n_shards])
        };
        let (set_mask, shard_mask) = (u64::from(n_sets - 1), per_shard - 1);
        Self { shards, n_ways, set_bits: n_sets.trailing_zeros(), set_mask, shard_bits, shard_mask }
    }

    /// Makes empty lines of a cache that also holds TLB blocks.
    ///
    /// # Errors
    /// `bad-config` at `size` or `ways`.
    pub(super) fn with_blocks(cache: &CacheConfig, config: VictimaConfig) -> Result<Self> {
        let geometry = cache.geometry()?;
        let sets = BlockSets::new(cache, config);
        sets.map(|sets| Self { shards: Shards::Blocks(sets), ..Self::new(geometry) })
    }

    /// Returns the sets of a cache that also holds TLB blocks.
    pub(super) fn blocks(&self) -> Option<&BlockSets> {
        match &self.shards {
            Shards::Blocks(sets) => Some(sets),
            _ => None,
        }
    }

    pub(super) fn blocks_mut(&mut self) -> Option<&mut BlockSets> {
        match &mut self.shards {
            Shards::Blocks(sets) => Some(sets),
            _ => None,
        }
    }

    /// Reads a line, and fills it after a miss. Returns true for a hit.
    #[inline]
    pub(super) fn read(&mut self, line: u64) -> bool {
        let set = index(line & self.set_mask);
        let (shard, at) = (set >> self.shard_bits, set & self.shard_mask);
        let tag = line >> self.set_bits;
        match &mut self.shards {
            Shards::Short(shards) => own(&mut shards[shard])[at].read(tag, self.n_ways),
            Shards::Eight(shards) => own(&mut shards[shard])[at].read(tag, self.n_ways),
            Shards::Long(shards) => own(&mut shards[shard])[at].read(tag, self.n_ways),
            Shards::Many(shards) => read_many(shards, line, self.set_mask + 1, self.shard_bits),
            Shards::Blocks(sets) => sets.read(line),
        }
    }

    /// Reads lines in order, moves the missed lines to the front, and returns their number. `mask` has the bits of
    /// the lines' numbers.
    #[inline(never)]
    pub(super) fn keep_missing(&mut self, lines: &mut [u64], mask: u64) -> usize {
        let Self { n_ways, set_bits, set_mask, shard_bits, shard_mask, .. } = *self;
        let place = |line: u64| {
            let set = index(line & set_mask);
            (set >> shard_bits, set & shard_mask, (line & mask) >> set_bits)
        };
        match &mut self.shards {
            Shards::Short(shards) => keep_in(shards, lines, n_ways, place),
            Shards::Eight(shards) => keep_in(shards, lines, n_ways, place),
            Shards::Long(shards) => keep_in(shards, lines, n_ways, place),
            Shards::Many(shards) => {
                keep(lines, |line| read_many(shards, line & mask, set_mask + 1, shard_bits))
            }
            Shards::Blocks(sets) => keep(lines, |line| sets.read(line & mask)),
        }
    }

    /// Returns the numbers of sets and ways, if the order of use may be computed late. Only such caches may
    /// call [`Self::order`], [`Self::set_order`], [`Self::find`] and [`Self::put`].
    pub(super) fn late_order_shape(&self) -> Option<(usize, usize)> {
        let n_sets = 1 << self.set_bits;
        let is_small = n_sets * self.n_ways as usize <= MAX_LATE_LINES;
        (is_small && matches!(self.shards, Shards::Eight(_) | Shards::Long(_)))
            .then_some((n_sets, self.n_ways as usize))
    }

    /// Returns the set of a line, and its tag there.
    pub(super) fn place(&self, line: u64) -> (usize, u64) {
        (index(line & self.set_mask), line >> self.set_bits)
    }

    /// Returns the ways of a set in four bits each, the most recent one in the highest bits.
    pub(super) fn order(&self, set: usize) -> u64 {
        let (shard, at) = self.place_of(set);
        with_late_order!(&self.shards, shards => shards[shard][at].order, 0)
    }

    pub(super) fn set_order(&mut self, set: usize, order: u64) {
        let (shard, at) = self.place_of(set);
        with_late_order!(&mut self.shards, shards => own(&mut shards[shard])[at].order = order, ());
    }

    /// Returns the way that has a tag.
    #[inline]
    pub(super) fn find(&self, set: usize, tag: u64) -> Option<usize> {
        let (shard, at) = self.place_of(set);
        let way = with_late_order!(&self.shards, shards => shards[shard][at].find(tag), None);
        way.map(|way| way as usize)
    }

    /// Gives a way to another line, and leaves the order of use as it is.
    #[inline]
    pub(super) fn put(&mut self, set: usize, way: usize, tag: u64) {
        let (shard, at) = self.place_of(set);
        with_late_order!(&mut self.shards, shards => own(&mut shards[shard])[at].put(way, tag), ());
    }

    /// Returns the shard of a set, and the position of the set in the shard.
    #[inline]
    fn place_of(&self, set: usize) -> (usize, usize) {
        (set >> self.shard_bits, set & self.shard_mask)
    }

    /// Returns the number of bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        match (&self.shards, other.map(|other| &other.shards)) {
            (Shards::Short(mine), Some(Shards::Short(theirs))) => apart(mine, theirs, slice_bytes),
            (Shards::Short(mine), _) => apart(mine, &[], slice_bytes),
            (Shards::Eight(mine), Some(Shards::Eight(theirs))) => apart(mine, theirs, slice_bytes),
            (Shards::Eight(mine), _) => apart(mine, &[], slice_bytes),
            (Shards::Long(mine), Some(Shards::Long(theirs))) => apart(mine, theirs, slice_bytes),
            (Shards::Long(mine), _) => apart(mine, &[], slice_bytes),
            (Shards::Many(mine), Some(Shards::Many(theirs))) => {
                apart(mine, theirs, SetAssoc::bytes)
            }
            (Shards::Many(mine), _) => apart(mine, &[], SetAssoc::bytes),
            (Shards::Blocks(mine), _) => mine.bytes_apart_from(other.and_then(Self::blocks)),
        }
    }
}

/// Moves the lines that `read` does not find to the front, in order, and returns their number.
#[cfg_attr(feature = "fast", inline(always))]
fn keep(lines: &mut [u64], mut read: impl FnMut(u64) -> bool) -> usize {
    let mut n = 0;
    for at in 0..lines.len() {
        let line = lines[at];
        lines[n] = line;
        n += usize::from(!read(line));
    }
    n
}

/// Does the same as [`keep`] in sets of fixed size. `place` returns the shard of a line, the set in the shard, and
/// the tag.
#[cfg_attr(feature = "fast", inline(always))]
fn keep_in<const N: usize, const H: usize, const W: usize>(
    shards: &mut [Rc<[Set<N, H, W>]>],
    lines: &mut [u64],
    n_ways: u32,
    place: impl Fn(u64) -> (usize, usize, u64),
) -> usize {
    if let [only] = shards {
        let sets = own(only);
        return keep(lines, |line| {
            let (_, at, tag) = place(line);
            sets[at].read_other(tag, n_ways)
        });
    }
    if shards.len() >= FAR_SHARDS {
        // Reads the order of all sets first, so that the simulating processor loads many of them in parallel.
        let orders = lines.iter().map(|line| {
            let (shard, at, _) = place(*line);
            shards[shard][at].order
        });
        black_box(orders.fold(0, |all, order| all ^ order));
    }
    keep(lines, |line| {
        let (shard, at, tag) = place(line);
        own(&mut shards[shard])[at].read_other(tag, n_ways)
    })
}

/// Returns a shard that no clone shares: a copy if a clone shares the shard.
#[inline]
fn own<T: Clone>(shard: &mut Rc<[T]>) -> &mut [T] {
    if Rc::get_mut(shard).is_none() {
        copy(shard);
    }
    Rc::get_mut(shard).expect("no clone shares the shard")
}

/// Copies a shard. The function is separate so that [`own`] needs few registers.
#[cold]
#[inline(never)]
fn copy<T: Clone>(shard: &mut Rc<[T]>) {
    *shard = Rc::from(&**shard);
}

#[inline(never)]
fn read_many(shards: &mut [Rc<SetAssoc<()>>], line: u64, n_sets: u64, shard_bits: u32) -> bool {
    let (set, tag) = (index(line % n_sets), line / n_sets);
    let (shard, set) = (set >> shard_bits, set & ((1 << shard_bits) - 1));
    let sets = Rc::make_mut(&mut shards[shard]);
    let held = sets.lookup(set, tag).is_some();
    if !held {
        sets.insert_absent(set, tag, ());
    }
    held
}

fn slice_bytes<T>(shard: &[T]) -> usize {
    std::mem::size_of_val(shard)
}

/// Returns the bytes of the shards in `mine` that are not in `theirs`, plus the bytes of the list `mine`.
fn apart<T: ?Sized>(mine: &[Rc<T>], theirs: &[Rc<T>], bytes: impl Fn(&T) -> usize) -> usize {
    let shared = |at: usize| theirs.get(at).is_some_and(|other| Rc::ptr_eq(&mine[at], other));
    let own = (0..mine.len()).filter(|at| !shared(*at)).map(|at| bytes(&mine[at]));
    own.sum::<usize>() + std::mem::size_of_val(mine)
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::caches::set_assoc::Geometry;
    use cases::cases;
    use pagewalk_base::narrow::index;

    /// Compares with one list per set in order of use. The sizes cover all layouts. The test also checks that clones
    /// do not change each other.
    #[test]
    fn lines_are_held_as_by_lists_in_order_of_use() {
        for (n_sets, n_ways) in [
            (1, 1),
            (4, 8),
            (2, 8),
            (2, 9),
            (2, 16),
            (2, 17),
            (1 << 15, 11),
            (1 << 15, 16),
            (3, 2),
            (12, 20),
            (40_960, 12),
        ] {
            cases(800).check(|u| {
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
            });
        }
    }
}
