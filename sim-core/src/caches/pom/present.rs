//! The POM-TLB ("part of memory", Ryoo et al., ISCA 2017): a large TLB in memory behind level 2. The memory caches hold
//! its lines. Half of it holds the smallest pages, half the next larger ones. A set is one line of 64 bytes: 4 entries
//! of 16 bytes.
//!
//! ```text
//! half      smallest pages                    next larger pages
//! address   FIRST + 64 × set                  FIRST + size / 2 + 64 × set
//! ```

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::caches::memory::{LINE, check_latency};
use crate::caches::policy::Policy;
use crate::caches::set_assoc::Geometry;
use crate::caches::tlb::{Entries, Entry, Index, Key};
use pagewalk_base::addr::{Leaf, PerLeaf, parse_size};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::narrow::{index, low32};

/// A POM-TLB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct PomConfig {
    /// The size in bytes with a unit, a power of two of 128 bytes to 1G: 16 bytes for each entry.
    pub size: String,
    /// The cycles of a read that no cache serves, 0 to 100,000. Missing = those of `memory.dram`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dram: Option<u32>,
}

impl Default for PomConfig {
    fn default() -> Self {
        Self { size: "16M".to_owned(), dram: None }
    }
}

/// The physical address of the first set. No page and no page table is so high.
const FIRST: u64 = 0xf << 48;
/// The entries of a set.
const N_WAYS: u32 = 4;
/// log2 of the most sets in a shard. A shard is made at its first fill, and clones share it until they write to it.
const SHARD_BITS: u32 = 6;

/// The set that holds a page, and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    half: usize,
    set: u32,
    address: u64,
}

impl Place {
    /// Returns the number of the set in its half.
    pub(crate) fn set(self) -> u32 {
        self.set
    }

    /// Returns the physical address of the set.
    pub(crate) fn address(self) -> u64 {
        self.address
    }
}

/// The contents of a POM-TLB.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PomTlb {
    /// For each leaf: the half that holds such pages.
    halves: PerLeaf<Option<u8>>,
    shards: [Vec<Option<Rc<Entries>>>; 2],
    /// The sets of a half.
    n_sets: u64,
    dram: Option<u64>,
}

impl PomConfig {
    /// Returns all errors of the configuration.
    pub(crate) fn problems(&self) -> Vec<Error> {
        let size = self.n_sets().err();
        size.into_iter().chain(check_latency("dram", self.dram.unwrap_or(0)).err()).collect()
    }

    /// Returns the sets of each half.
    ///
    /// # Errors
    /// `bad-config` at `size`.
    fn n_sets(&self) -> Result<u64> {
        let bytes = parse_size(&self.size)
            .filter(|bytes| bytes.is_power_of_two() && (2 * LINE..=1 << 30).contains(bytes));
        bytes.map(|bytes| bytes / 2 / LINE).ok_or_else(|| {
            let message = format!(
                "`{}` is no size of a POM-TLB: write a power of two of 128 to 1G, such as \"16M\"",
                self.size
            );
            Error::config("size", message)
        })
    }
}

impl PomTlb {
    /// Makes an empty POM-TLB for pages of the given leaves, the smallest first.
    ///
    /// # Errors
    /// `bad-config` at `size`.
    pub(crate) fn new(config: &PomConfig, leaves: &[Leaf]) -> Result<Self> {
        let n_sets = config.n_sets()?;
        let n_shards = index((n_sets >> SHARD_BITS).max(1));
        let mut halves = PerLeaf::default();
        for (half, leaf) in (0..2).zip(leaves) {
            halves[*leaf] = Some(half);
        }
        let shards = [vec![None; n_shards], vec![None; n_shards]];
        Ok(Self { halves, shards, n_sets, dram: config.dram.map(u64::from) })
    }

    /// Returns the set of a page, or `None` if pages of this size are not held.
    pub(crate) fn place(&self, leaf: Leaf, number: u64) -> Option<Place> {
        let half = self.halves[leaf]?;
        let set = number % self.n_sets;
        let address = FIRST + (u64::from(half) * self.n_sets + set) * LINE;
        Some(Place { half: half.into(), set: low32(set), address })
    }

    /// Returns the cycles of a read that no cache serves, if the configuration gives them.
    pub(crate) fn dram(&self) -> Option<u64> {
        self.dram
    }

    /// Looks up a page in its set. Returns the way and the entry.
    pub(crate) fn look_up(&mut self, place: Place, tag: u64) -> Option<(u32, &mut Entry)> {
        let (shard, key) = self.slot(place, tag);
        Rc::make_mut(shard.as_mut()?).lookup(key)
    }

    /// Stores a page that its set does not hold. Returns the way, and the tag of the page that it evicted.
    pub(crate) fn fill(&mut self, place: Place, tag: u64, entry: (u32, u32)) -> (u32, Option<u64>) {
        let n_sets = low32(self.n_sets.min(1 << SHARD_BITS));
        let (shard, key) = self.slot(place, tag);
        let shard = shard.get_or_insert_with(|| {
            let geometry = Geometry { n_sets, n_ways: N_WAYS };
            Rc::new(Entries::new(geometry, Policy::Lru, &Index::LowBits, 1))
        });
        let placed = Rc::make_mut(shard).fill(key, entry.0, entry.1);
        (placed.slot.way, placed.evicted().map(|(tag, _)| tag))
    }

    /// Returns the shard of a set, and the key of a tag there.
    fn slot(&mut self, place: Place, tag: u64) -> (&mut Option<Rc<Entries>>, Key) {
        let set = u64::from(place.set);
        (&mut self.shards[place.half][index(set >> SHARD_BITS)], Key { number: set, tag })
    }

    /// Returns the tags of all entries.
    pub(crate) fn tags(&self) -> impl Iterator<Item = u64> {
        self.shards.iter().flatten().flatten().flat_map(|shard| shard.tags())
    }

    /// Removes the entries for whose tags `is_gone` holds, and returns their number.
    pub(crate) fn take_out(&mut self, is_gone: &dyn Fn(u64) -> bool) -> u32 {
        let mut n = 0;
        for shard in self.shards.iter_mut().flatten().flatten() {
            // A shard without such entries stays shared.
            if shard.tags().any(is_gone) {
                Rc::make_mut(shard).sweep(|_, tag, _| {
                    n += u32::from(is_gone(tag));
                    is_gone(tag)
                });
            }
        }
        n
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let of_half = |half: usize| {
            self.shards[half].iter().enumerate().map(move |(at, shard)| {
                let twin = other.and_then(|other| other.shards[half][at].as_ref());
                let own = shard.as_ref().filter(|own| !twin.is_some_and(|t| Rc::ptr_eq(own, t)));
                size_of::<usize>() + own.map_or(0, |own| own.bytes())
            })
        };
        (0..2).flat_map(of_half).sum()
    }
}
