//! TLB arrays, and the array of tagged entries that they share with the
//! paging-structure caches (`entries`, of `entry`).
//!
//! An array has page numbers and address spaces, but no TLB levels, cycles or page tables: [`crate::machine`]
//! decides which arrays are looked up and filled.

mod config;
mod entries;
mod entry;
mod holds;
mod tags;

use pagewalk_base::addr::Paging;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

pub(crate) use config::geometry;
pub use config::{ArrayConfig, Index, MAX_ENTRIES};
pub(crate) use entries::{Entries, Indexing, Placed, Slot};
pub(crate) use entry::Entry;
pub(crate) use tags::TagLayout;

/// A TLB array of a machine: its entries, and what it serves and holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TlbArray {
    pub(crate) entries: Entries,
    /// For each leaf, the leaf at whose page size it is kept; 0 = not held.
    held_at: [u8; 8],
    /// For each leaf that the array keeps: the number of ways of a set that it may be in; 0 = all.
    ways_of: [u32; 8],
    serves: [bool; 4],
}

impl TlbArray {
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(config: &ArrayConfig, paging: &Paging, seed: u64) -> Result<Self> {
        let geometry = geometry(config.entries, config.ways, config.replacement)?;
        Ok(Self {
            entries: Entries::new(geometry, config.replacement, config.index, seed),
            held_at: holds::held_at(config, paging)?,
            ways_of: holds::ways_of(config, geometry.n_ways, paging)?,
            serves: holds::serves(config)?,
        })
    }

    pub(crate) fn serves(&self, kind: Kind) -> bool {
        self.serves[kind.index()]
    }

    /// Stores a page at the page size of leaf `held`. The array must not hold it yet.
    pub(crate) fn place(
        &mut self,
        held: u8,
        (number, tag): (u64, u64),
        now: u32,
        data: u32,
    ) -> Placed {
        match self.ways_of[usize::from(held)] {
            0 => self.entries.fill(number, tag, now, data),
            n => self.entries.fill_among(number, tag, now, data, n),
        }
    }

    /// Returns whether pages of some size may be in a part of the ways only.
    pub(crate) fn has_groups(&self) -> bool {
        self.ways_of != [0; 8]
    }

    /// Returns the leaves at whose page sizes the array keeps entries.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u8> + use<> {
        let held_at = self.held_at;
        (1..8).filter(move |leaf| held_at[usize::from(*leaf)] == *leaf)
    }

    /// Returns the leaf at whose page size the array keeps a page of `leaf`; `None` = not held.
    #[inline]
    pub(crate) fn held_at(&self, leaf: u8) -> Option<u8> {
        let level = self.held_at[usize::from(leaf)];
        (level > 0).then_some(level)
    }
}
