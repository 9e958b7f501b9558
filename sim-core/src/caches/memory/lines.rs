//! The lines that a cache holds. A set has tags in their order of use, no data, so that a set of a large simulated
//! cache is half a cache line of the computer that simulates.

mod lanes;
mod set;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::rc::Rc;

use super::CacheConfig;
use super::read_list::NUMBER;
use crate::caches::policy::Policy;
use crate::caches::set_assoc::{Geometry, SetAssoc};
use crate::caches::victima::{BlockSets, VictimaConfig};
pub(crate) use lanes::FRAMES_BIT;
use lanes::Lanes;
use pagewalk_base::error::Result;
use pagewalk_base::narrow::index;
use pagewalk_base::whole::IS_WHOLE;
use set::Set;
use wide::{u16x8, u32x4, u64x2};

/// log2 of the most sets in a shard. A shard is copied when a clone of the machine that shares it is written to.
const SHARD_BITS: u32 = 6;
/// log2 of the most sets in a shard of 16-bit tags (16 KiB). Each read looks at the number of clones that share its shard.
/// If there are few shards, these numbers stay in the nearest cache of the simulating processor.
const SHORT_SHARD_BITS: u32 = 9;
/// The most sets of a cache that is one shard. Reads need not look for the shard, and a copy is small (32 KiB).
const MAX_ONE_SHARD: u32 = 1 << 10;
/// The most lines of a cache whose order of use may be computed late. Each list of touches writes all sets
/// once, which costs too much in larger caches.
const MAX_LATE_LINES: usize = 1 << 13;
/// From this many shards of 16-bit tags on (512 KiB), most sets are not in the nearest caches of the simulating processor.
const FAR_SHARDS: usize = 1 << 5;
/// From this many sets on, most lines have tags of 16 bits.
const SHORT_TAG_SETS: u32 = 1 << 10;

/// The lines of one cache. Clones share its shards until they are written to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    shards: Shards,
    n_ways: u32,
    /// log2 of the lines of [`super::LINE`] bytes in a line of this cache.
    line_bits: u32,
    set_bits: u32,
    set_mask: u64,
    shard_bits: u32,
    /// The bits of a set's number that are its position in the shard.
    shard_mask: usize,
}

/// The sets, several to a shard.
type Of<S> = Vec<Rc<[S]>>;

/// Up to 16 ways, in sets of vectors. The tags become wider when a line needs it.
#[derive(Clone, Debug, PartialEq)]
enum Shards {
    Short(Of<Set<u16x8, 2>>),
    /// Up to 8 ways.
    Eight(Of<Set<u32x4, 2>>),
    Sixteen(Of<Set<u32x4, 4>>),
    Wide(Of<Set<u64x2, 8>>),
    /// A layout for more than 16 ways, and for numbers of sets that are no power of two, as in a last cache of several
    /// slices. Set = line mod sets.
    Many(Vec<Rc<SetAssoc<()>>>),
    /// A layout that also holds TLB blocks.
    Blocks(BlockSets),
}

/// Evaluates one expression for sets of vectors, another for the other layout. The small wasm module has only the
/// widest tags.
macro_rules! in_vectors {
    ($shards:expr, $of_sets:ident => $one:expr, $other:expr) => {
        match $shards {
            Shards::Short($of_sets) if IS_WHOLE => $one,
            Shards::Eight($of_sets) if IS_WHOLE => $one,
            Shards::Sixteen($of_sets) if IS_WHOLE => $one,
            Shards::Wide($of_sets) => $one,
            _ => $other,
        }
    };
}

impl Lines {
    /// Makes empty lines, each of `n_parts` lines of [`super::LINE`] bytes. Both values come from a checked
    /// configuration.
    pub(super) fn new(geometry: Geometry, n_parts: u64) -> Self {
        let Geometry { n_sets, n_ways } = geometry;
        let is_many = n_ways > 16 || !n_sets.is_power_of_two();
        let most = match n_sets {
            ..=MAX_ONE_SHARD => n_sets.trailing_zeros(),
            _ if is_many || !IS_WHOLE => SHARD_BITS,
            _ => SHORT_SHARD_BITS,
        };
        let shard_bits = n_sets.trailing_zeros().min(most);
        let (n_shards, per_shard) = ((n_sets >> shard_bits) as usize, 1 << shard_bits);
        let shards = if is_many {
            let geometry = Geometry { n_sets: 1 << shard_bits, n_ways };
            let shard = Rc::new(SetAssoc::new(geometry, Policy::Lru, 1));
            Shards::Many(vec![shard; n_shards])
        } else if !IS_WHOLE {
            Shards::Wide(vec![vec![Set::empty(); per_shard].into(); n_shards])
        } else if n_sets >= SHORT_TAG_SETS {
            Shards::Short(vec![vec![Set::empty(); per_shard].into(); n_shards])
        } else if n_ways <= 8 {
            Shards::Eight(vec![vec![Set::empty(); per_shard].into(); n_shards])
        } else {
            Shards::Sixteen(vec![vec![Set::empty(); per_shard].into(); n_shards])
        };
        let (set_mask, shard_mask) = (u64::from(n_sets - 1), per_shard - 1);
        let (line_bits, set_bits) = (n_parts.trailing_zeros(), n_sets.trailing_zeros());
        Self { shards, n_ways, line_bits, set_bits, set_mask, shard_bits, shard_mask }
    }

    /// Makes empty lines of a cache that also holds TLB blocks.
    ///
    /// # Errors
    /// `bad-config` at `size` or `ways`.
    pub(super) fn with_blocks(cache: &CacheConfig, config: VictimaConfig) -> Result<Self> {
        let geometry = cache.geometry()?;
        let sets = BlockSets::new(cache, config);
        sets.map(|sets| Self { shards: Shards::Blocks(sets), ..Self::new(geometry, 1) })
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

    /// Reads a line of [`super::LINE`] bytes, and fills the line with it after a miss. Returns true for a hit.
    #[inline]
    pub(super) fn read(&mut self, line: u64) -> bool {
        let line = line >> self.line_bits;
        self.make_room(&[line], line);
        let Self { n_ways, set_bits, set_mask, shard_bits, .. } = *self;
        let (shard, at) = self.place_of(self.set_of(line));
        in_vectors!(&mut self.shards,
            shards => own(&mut shards[shard])[at].read_one(line, set_bits, n_ways - 1),
            read_other(&mut self.shards, line, set_mask + 1, shard_bits))
    }

    /// Reads lines in order, moves the missed lines to the front, and returns their number. Lines may be packed with
    /// their readers. `any` has the bits that any of them has, and may have more.
    #[inline(never)]
    pub(super) fn keep_missing(&mut self, lines: &mut [u64], any: u64) -> usize {
        if self.line_bits > 0 {
            return keep(lines, |line| self.read(line & NUMBER));
        }
        self.make_room(lines, any);
        let Self { n_ways, set_bits, set_mask, shard_bits, shard_mask, .. } = *self;
        let shape = Shape { last: n_ways - 1, set_bits, set_mask, shard_bits, shard_mask };
        in_vectors!(&mut self.shards,
            shards => keep_in(shards, lines, shape),
            keep(lines, |line| read_other(&mut self.shards, line & NUMBER, set_mask + 1, shard_bits)))
    }

    /// Makes the tags as wide as these lines need. `any` has at least the bits that any of them has.
    #[inline]
    pub(super) fn make_room(&mut self, lines: &[u64], any: u64) {
        let set_bits = self.set_bits;
        while IS_WHOLE
            && !in_vectors!(&self.shards, shards => hold(shards, &[any], set_bits) || hold(shards, lines, set_bits), true)
        {
            self.widen();
        }
    }

    #[cold]
    #[inline(never)]
    fn widen(&mut self) {
        let set_bits = self.set_bits;
        self.shards = match &self.shards {
            Shards::Short(shards) if IS_WHOLE && self.n_ways <= 8 => {
                Shards::Eight(widened(shards, set_bits))
            }
            Shards::Short(shards) if IS_WHOLE => Shards::Sixteen(widened(shards, set_bits)),
            Shards::Eight(shards) if IS_WHOLE => Shards::Wide(widened(shards, set_bits)),
            Shards::Sixteen(shards) if IS_WHOLE => Shards::Wide(widened(shards, set_bits)),
            _ => return,
        };
    }

    /// Returns the numbers of sets and ways, if the order of use may be computed late. Only such caches may
    /// call [`Self::arrange`], [`Self::find`] and [`Self::put`].
    pub(super) fn late_order_shape(&self) -> Option<(usize, usize)> {
        let n_sets = 1 << self.set_bits;
        let is_small = n_sets * self.n_ways as usize <= MAX_LATE_LINES;
        (is_small
            && self.line_bits == 0
            && !matches!(self.shards, Shards::Many(_) | Shards::Blocks(_)))
        .then_some((n_sets, self.n_ways as usize))
    }

    /// Returns the set of a line.
    #[inline]
    pub(super) fn set_of(&self, line: u64) -> usize {
        index(line & self.set_mask)
    }

    /// Changes the order of use of a set: moves the line at each place of `to` to the place that `to` holds there.
    pub(super) fn arrange(&mut self, set: usize, to: &[usize]) {
        let (shard, at) = self.place_of(set);
        in_vectors!(&mut self.shards, shards => own(&mut shards[shard])[at].arrange(to), ());
    }

    /// Returns the place of a line in the order of use of its set. [`Self::make_room`] comes first.
    #[inline]
    pub(super) fn find(&self, line: u64) -> Option<usize> {
        let (shard, at) = self.place_of(self.set_of(line));
        in_vectors!(&self.shards, shards => shards[shard][at].find_line(line, self.set_bits), None)
    }

    /// Gives a place to another line, and leaves the order of use as it is. [`Self::make_room`] comes first.
    #[inline]
    pub(super) fn put(&mut self, place: usize, line: u64) {
        let ((shard, at), set_bits) = (self.place_of(self.set_of(line)), self.set_bits);
        in_vectors!(&mut self.shards,
            shards => own(&mut shards[shard])[at].put_line(place, line, set_bits), ());
    }

    /// Returns the shard of a set, and the position of the set in the shard.
    #[inline]
    fn place_of(&self, set: usize) -> (usize, usize) {
        (set >> self.shard_bits, set & self.shard_mask)
    }

    /// Returns the number of bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        match (&self.shards, other.map(|other| &other.shards)) {
            (Shards::Short(mine), Some(Shards::Short(theirs))) if IS_WHOLE => {
                apart(mine, theirs, slice_bytes)
            }
            (Shards::Eight(mine), Some(Shards::Eight(theirs))) if IS_WHOLE => {
                apart(mine, theirs, slice_bytes)
            }
            (Shards::Sixteen(mine), Some(Shards::Sixteen(theirs))) if IS_WHOLE => {
                apart(mine, theirs, slice_bytes)
            }
            (Shards::Wide(mine), Some(Shards::Wide(theirs))) => apart(mine, theirs, slice_bytes),
            (Shards::Many(mine), Some(Shards::Many(theirs))) => {
                apart(mine, theirs, SetAssoc::bytes)
            }
            (Shards::Many(mine), _) => apart(mine, &[], SetAssoc::bytes),
            (Shards::Blocks(mine), _) => mine.bytes_apart_from(other.and_then(Self::blocks)),
            (vectors, _) => in_vectors!(vectors, mine => apart(mine, &[], slice_bytes), 0),
        }
    }
}

/// Moves the lines that `read` does not find to the front, in order, and returns their number.
#[cfg_attr(feature = "fast", inline(always))]
fn keep(lines: &mut [u64], mut read: impl FnMut(u64) -> bool) -> usize {
    let lines = Cell::from_mut(lines).as_slice_of_cells();
    let mut n = 0;
    for line in lines {
        let line = line.get();
        lines[n].set(line);
        n += usize::from(!read(line));
    }
    n
}

/// The places of lines in shards of sets.
#[derive(Clone, Copy)]
struct Shape {
    /// The last place of a set that is in use.
    last: u32,
    set_bits: u32,
    set_mask: u64,
    shard_bits: u32,
    shard_mask: usize,
}

/// Does the same as [`keep`] in sets of vectors.
#[cfg_attr(feature = "fast", inline(always))]
fn keep_in<L: Lanes, const V: usize>(
    shards: &mut [Rc<[Set<L, V>]>],
    lines: &mut [u64],
    shape: Shape,
) -> usize {
    let Shape { last, set_bits, set_mask, shard_bits, shard_mask } = shape;
    if IS_WHOLE && let [only] = shards {
        // A single shard has all sets, so both masks are equal. The length of the slice spares a check of each index.
        let (sets, mask) = (&mut own(only)[..=shard_mask], shard_mask as u64);
        return keep(lines, |line| sets[index(line & mask)].read_line(line, set_bits, last));
    }
    if IS_WHOLE && shards.len() >= FAR_SHARDS {
        // Reads a tag of all sets first, so that the simulating processor loads many of them in parallel.
        let latest = lines.iter().map(|line| {
            let set = index(line & set_mask);
            shards[set >> shard_bits][set & shard_mask].latest()
        });
        black_box(latest.fold(0, |all, tag| all ^ tag));
    }
    keep(lines, |line| {
        let set = index(line & set_mask);
        let sets = own(&mut shards[set >> shard_bits]);
        sets[set & shard_mask].read_line(line, set_bits, last)
    })
}

fn hold<L: Lanes, const V: usize>(_: &[Rc<[Set<L, V>]>], lines: &[u64], set_bits: u32) -> bool {
    L::hold(lines, set_bits)
}

fn widened<L: Lanes, const V: usize, M: Lanes, const W: usize>(
    shards: &[Rc<[Set<L, V>]>],
    set_bits: u32,
) -> Of<Set<M, W>> {
    // Shards of a large cache that nothing has used yet share their memory, also when they are wide.
    let mut widened: BTreeMap<_, Rc<[Set<M, W>]>> = BTreeMap::new();
    let wide = shards.iter().map(|shard| {
        let new = || shard.iter().map(|set| set.widened(set_bits)).collect();
        Rc::clone(widened.entry(shard.as_ptr()).or_insert_with(new))
    });
    wide.collect()
}

/// Returns a shard that no clone shares: a copy if a clone shares the shard.
#[inline]
pub(crate) fn own<T: Clone>(shard: &mut Rc<[T]>) -> &mut [T] {
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
fn read_other(shards: &mut Shards, line: u64, n_sets: u64, shard_bits: u32) -> bool {
    let shards = match shards {
        Shards::Many(shards) => shards,
        Shards::Blocks(sets) => return sets.read(line),
        _ => return false,
    };
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
pub(crate) fn apart<T: ?Sized>(
    mine: &[Rc<T>],
    theirs: &[Rc<T>],
    bytes: impl Fn(&T) -> usize,
) -> usize {
    let shared = |at: usize| theirs.get(at).is_some_and(|other| Rc::ptr_eq(&mine[at], other));
    let own = (0..mine.len()).filter(|at| !shared(*at)).map(|at| bytes(&mine[at]));
    own.sum::<usize>() + std::mem::size_of_val(mine)
}
