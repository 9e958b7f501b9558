//! TLB arrays, and the array of tagged entries that they share with the paging-structure caches (`entries`, of
//! `entry`).
//!
//! An array knows page numbers and address spaces, but no TLB levels, cycles or page tables. [`crate::machine`]
//! decides which arrays are looked up and filled.

mod config;
mod entries;
mod entry;
mod holds;
mod index;
mod tags;

use pagewalk_base::addr::{Leaf, Paging, PerLeaf};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Kind;

pub(crate) use config::geometry;
pub use config::{ArrayConfig, Caps, MAX_ENTRIES};
pub(crate) use entries::{Entries, Indexing, Placed, Slot};
pub(crate) use entry::{Entry, PREFETCHED};
pub use index::{Index, Masks};
pub(crate) use tags::{Class, Key, TagLayout};

/// A TLB array of a machine: its entries, and what it serves and holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TlbArray {
    pub(crate) entries: Entries,
    /// For each leaf, the leaf at whose page size the array keeps it. `None` = not held.
    held_at: PerLeaf<Option<Leaf>>,
    /// For each leaf that the array keeps, the number of ways of a set that its pages may be in. 0 = all.
    ways_of: PerLeaf<u32>,
    /// For each kind of access, the first way of a set and the number of ways that its translations may be in. `None` =
    /// all ways.
    caps: Option<[(u32, u32); 4]>,
    serves: [bool; 4],
}

impl ArrayConfig {
    /// Returns all errors of the configuration. Without `paging`, checks that need a page table are left out.
    pub(crate) fn problems(&self, paging: Option<&Paging>) -> Vec<Error> {
        let geometry = geometry(self.entries, self.ways, self.replacement);
        let n_ways = geometry.as_ref().map(|geometry| geometry.n_ways).ok();
        let mut found = Vec::new();
        if let (Ok(geometry), Some(masks)) = (&geometry, self.index.masks()) {
            let number_bits = paging.and_then(|paging| holds::number_bits(self, paging));
            found.extend(masks.check(geometry.n_sets, number_bits).err());
        }
        found.extend(geometry.err());
        found.extend(holds::serves(self).err());
        if let Some(paging) = paging {
            let held = holds::held_at(self, paging);
            let fits = held.and_then(|_| match n_ways {
                Some(n_ways) => holds::ways_of(self, n_ways, paging)
                    .and_then(|_| holds::caps(self, n_ways))
                    .map(|_| ()),
                None => Ok(()),
            });
            found.extend(fits.err());
        }
        found
    }
}

impl TlbArray {
    /// Makes an empty array.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(config: &ArrayConfig, paging: &Paging, seed: u64) -> Result<Self> {
        let geometry = geometry(config.entries, config.ways, config.replacement)?;
        Ok(Self {
            entries: Entries::new(geometry, config.replacement, &config.index, seed),
            held_at: holds::held_at(config, paging)?,
            ways_of: holds::ways_of(config, geometry.n_ways, paging)?,
            caps: holds::caps(config, geometry.n_ways)?,
            serves: holds::serves(config)?,
        })
    }

    pub(crate) fn serves(&self, kind: Kind) -> bool {
        self.serves[kind.index()]
    }

    /// Stores a page at the page size of leaf `held`, after an access of a kind. The array must not hold it yet.
    pub(crate) fn place(
        &mut self,
        held: Leaf,
        kind: Kind,
        key: Key,
        now: u32,
        data: u32,
    ) -> Placed {
        match (self.caps, self.ways_of[held]) {
            (Some(caps), _) => self.entries.fill_in(key, now, data, caps[kind.index()]),
            (None, 0) => self.entries.fill(key, now, data),
            (None, n) => self.entries.fill_among(key, now, data, n),
        }
    }

    /// Returns whether pages of some size, or of some kind of access, may be in a part of the ways only.
    pub(crate) fn has_groups(&self) -> bool {
        self.caps.is_some() || self.ways_of != PerLeaf::default()
    }

    /// Returns the leaves at whose page sizes the array keeps entries.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = Leaf> + use<> {
        let held_at = self.held_at;
        Leaf::all().filter(move |leaf| held_at[*leaf] == Some(*leaf))
    }

    /// Returns the leaf at whose page size the array keeps a page of `leaf`, or `None` if the array does not hold
    /// it.
    #[inline]
    pub(crate) fn held_at(&self, leaf: Leaf) -> Option<Leaf> {
        self.held_at[leaf]
    }
}
