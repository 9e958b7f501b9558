//! The sets of a cache that holds lines and TLB blocks.
//!
//! ```text
//! way of a line     number of the line                      set = line mod sets
//! way of a block    tag of its first page, 8 bits of pages  set = (page number / 8) mod sets
//! ```

use std::rc::Rc;

use super::{BlockHit, BlockReplacement, Content, PAGES_BITS, VictimaConfig, WayContent, split};
use crate::caches::memory::{CacheConfig, apart, own};
use crate::caches::set_assoc::Geometry;
use crate::caches::tlb::Key;
use pagewalk_base::error::Result;
use pagewalk_base::narrow::{index, low32, small};

/// log2 of the most sets in a shard. Clones share a shard until they write to it.
const SHARD_BITS: u32 = 6;
/// SRRIP: the rank of a way that is due for eviction, and below it that of a line that was just filled.
const DISTANT: u32 = 3;
const LONG: u32 = 2;

/// The number of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetNumber(u32);

impl SetNumber {
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// What a way holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Nothing,
    /// The number of a line.
    Line(u64),
    /// The tag of a block's first page.
    Block(u64, Content),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    held: Held,
    /// LRU: the position in the order of use; the highest is the latest. SRRIP: the predicted distance of the next use.
    rank: u32,
}

/// The sets of a cache.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockSets {
    /// The ways of up to 64 sets each.
    shards: Vec<Rc<[Way]>>,
    n_sets: u64,
    n_ways: usize,
    replacement: BlockReplacement,
    /// The number of reads that DRAM served.
    n_from_dram: u32,
}

impl BlockSets {
    /// Makes the empty sets of a cache.
    ///
    /// # Errors
    /// `bad-config` at `size` or `ways`.
    pub(crate) fn new(cache: &CacheConfig, config: VictimaConfig) -> Result<Self> {
        let Geometry { n_sets, n_ways } = cache.geometry()?;
        let replacement = config.replacement;
        let per_shard = n_sets.min(1 << SHARD_BITS);
        let ways = (0..per_shard).flat_map(|_| 0..n_ways);
        let shard: Rc<[Way]> = ways.map(|rank| Way { held: Held::Nothing, rank }).collect();
        let shards = vec![shard; index(n_sets.div_ceil(per_shard).into())];
        let (n_sets, n_ways) = (n_sets.into(), index(n_ways.into()));
        Ok(Self { shards, n_sets, n_ways, replacement, n_from_dram: 0 })
    }

    /// Counts a read that no cache served.
    pub(crate) fn count_dram_read(&mut self) {
        self.n_from_dram = self.n_from_dram.wrapping_add(1);
    }

    /// Returns the number of reads that no cache served, modulo 2^32.
    pub(crate) fn n_from_dram(&self) -> u32 {
        self.n_from_dram
    }

    /// Reads a line, and fills it after a miss. Returns true for a hit.
    pub(crate) fn read(&mut self, line: u64) -> bool {
        let set = line % self.n_sets;
        if let Some(way) = self.find(set, |held| held == Held::Line(line)) {
            self.touch(set, way);
            return true;
        }
        self.put(set, Held::Line(line));
        false
    }

    /// Looks up a page. Returns its set, and the hit.
    pub(crate) fn look_up(&mut self, key: Key, store: bool) -> (SetNumber, Option<BlockHit>) {
        let (set, (tag, bit)) = (self.set_of(key), split(key.tag));
        let found = self.find(set, |held| is_block(held, tag, bit)).map(|way| {
            self.touch(set, way);
            let mut hit = BlockHit { way: small(way), first_store: false, dirty: false };
            if let Held::Block(_, content) = &mut self.ways_mut(set)[way].held {
                hit.first_store = store && content.dirty & bit == 0;
                content.dirty |= if store { bit } else { 0 };
                hit.dirty = content.dirty & bit != 0;
            }
            hit
        });
        (self.set_number(key), found)
    }

    /// Returns the number of the set that a page belongs to.
    pub(crate) fn set_number(&self, key: Key) -> SetNumber {
        SetNumber(low32(self.set_of(key)))
    }

    /// Returns whether a block holds a page.
    pub(crate) fn holds(&self, key: Key) -> bool {
        let (tag, bit) = split(key.tag);
        self.find(self.set_of(key), |held| is_block(held, tag, bit)).is_some()
    }

    /// Writes the block of a page. A block with its tag is replaced. Returns the set and the way.
    pub(crate) fn write(&mut self, key: Key, content: Content) -> (SetNumber, u32) {
        let (set, (tag, _)) = (self.set_of(key), split(key.tag));
        let block = Held::Block(tag, content);
        let is_own = |held| matches!(held, Held::Block(own, _) if own == tag);
        let way = match self.find(set, is_own) {
            Some(way) => {
                self.ways_mut(set)[way].held = block;
                self.touch(set, way);
                way
            }
            None => self.put(set, block),
        };
        (self.set_number(key), small(way))
    }

    /// Returns the tags of all pages in blocks.
    pub(crate) fn tags(&self) -> impl Iterator<Item = u64> {
        self.shards.iter().flat_map(|shard| shard.iter()).flat_map(|way| pages_of(way.held))
    }

    /// Returns the number of blocks, and the number of all ways.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let ways = self.shards.iter().flat_map(|shard| shard.iter()).take(self.n_all_ways());
        let blocks = ways.filter(|way| matches!(way.held, Held::Block(..))).count();
        (blocks, self.n_all_ways())
    }

    fn n_all_ways(&self) -> usize {
        index(self.n_sets) * self.n_ways
    }

    /// Returns the ways of the set that a page belongs to.
    pub(crate) fn ways_of(&self, key: Key) -> impl Iterator<Item = WayContent> {
        self.ways(self.set_of(key)).iter().map(|way| match way.held {
            Held::Nothing => WayContent::Nothing,
            Held::Line(line) => WayContent::Line(line),
            Held::Block(tag, content) => WayContent::Block(tag, content.pages),
        })
    }

    /// Removes the pages for whose tags `is_gone` holds, and returns their number. A block without pages leaves its way.
    pub(crate) fn take_out(&mut self, is_gone: &dyn Fn(u64) -> bool) -> u32 {
        let mut n = 0;
        for shard in &mut self.shards {
            // A shard without such pages stays shared.
            if !shard.iter().flat_map(|way| pages_of(way.held)).any(is_gone) {
                continue;
            }
            for way in own(shard) {
                let Held::Block(first, mut content) = way.held else { continue };
                for tag in pages_of(way.held).filter(|tag| is_gone(*tag)) {
                    content.pages &= !split(tag).1;
                    n += 1;
                }
                way.held = match content.pages {
                    0 => Held::Nothing,
                    _ => Held::Block(first, content),
                };
            }
        }
        n
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let theirs = other.map_or(&[][..], |other| &other.shards);
        apart(&self.shards, theirs, size_of_val::<[Way]>)
    }

    fn set_of(&self, key: Key) -> u64 {
        (key.number >> PAGES_BITS) % self.n_sets
    }

    /// Returns the shard of a set, and the position of its first way there.
    fn place(&self, set: u64) -> (usize, usize) {
        (index(set >> SHARD_BITS), index(set & ((1 << SHARD_BITS) - 1)) * self.n_ways)
    }

    fn ways(&self, set: u64) -> &[Way] {
        let (shard, first) = self.place(set);
        &self.shards[shard][first..first + self.n_ways]
    }

    fn ways_mut(&mut self, set: u64) -> &mut [Way] {
        let (shard, first) = self.place(set);
        let n_ways = self.n_ways;
        &mut own(&mut self.shards[shard])[first..first + n_ways]
    }

    fn find(&self, set: u64, is_wanted: impl Fn(Held) -> bool) -> Option<usize> {
        self.ways(set).iter().position(|way| is_wanted(way.held))
    }

    /// Fills the first empty way of a set, or that of the victim.
    fn put(&mut self, set: u64, held: Held) -> usize {
        let empty = self.find(set, |held| held == Held::Nothing);
        let way = empty.unwrap_or_else(|| self.victim(set));
        self.ways_mut(set)[way].held = held;
        match (self.replacement, held) {
            (BlockReplacement::Lru, _) => self.touch(set, way),
            (BlockReplacement::TlbAware, Held::Block(..)) => self.ways_mut(set)[way].rank = 0,
            (BlockReplacement::TlbAware, _) => self.ways_mut(set)[way].rank = LONG,
        }
        way
    }

    /// Returns the victim of a full set. SRRIP evicts a block only if no line is due.
    fn victim(&mut self, set: u64) -> usize {
        let tlb_aware = self.replacement == BlockReplacement::TlbAware;
        let ways = self.ways_mut(set);
        if !tlb_aware {
            return ways.iter().position(|way| way.rank == 0).expect("ranks are a permutation");
        }
        let oldest = ways.iter().map(|way| way.rank).max().unwrap_or(DISTANT);
        for way in ways.iter_mut() {
            way.rank += DISTANT - oldest;
        }
        let is_due = |way: &Way| way.rank == DISTANT;
        let line = ways.iter().position(|way| is_due(way) && matches!(way.held, Held::Line(_)));
        line.or_else(|| ways.iter().position(is_due)).expect("one way is due")
    }

    /// Records the use of a way.
    fn touch(&mut self, set: u64, way: usize) {
        let replacement = self.replacement;
        let ways = self.ways_mut(set);
        let Way { held, rank } = ways[way];
        ways[way].rank = match (replacement, held) {
            (BlockReplacement::TlbAware, Held::Block(..)) => 0,
            (BlockReplacement::TlbAware, _) => rank.saturating_sub(1),
            (BlockReplacement::Lru, _) => {
                ways.iter_mut().filter(|way| way.rank > rank).for_each(|way| way.rank -= 1);
                small(ways.len() - 1)
            }
        };
    }
}

/// Returns the tags of the pages in a way.
fn pages_of(held: Held) -> impl Iterator<Item = u64> {
    let (first, pages) = match held {
        Held::Block(first, content) => (first, content.pages),
        Held::Nothing | Held::Line(_) => (0, 0),
    };
    (0..8).filter(move |at| pages >> at & 1 == 1).map(move |at| first + at)
}

fn is_block(held: Held, tag: u64, bit: u8) -> bool {
    matches!(held, Held::Block(own, content) if own == tag && content.pages & bit != 0)
}
