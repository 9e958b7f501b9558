//! What the TLBs of a core know still of mappings that have changed while nothing was dropped.
//!
//! An entry that was filled before the change keeps the rights of before, on each core by itself, until that
//! core drops it: what another core has come to know says nothing of this one.

use std::collections::{BTreeMap, BTreeSet};

use crate::os::Rights;

/// Changes that a core has not been told of. Where its TLBs hold no entry, there is nothing to be stale.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// Pages, by page table and first address: the last address, and the rights before.
    rights: BTreeMap<(u32, u64), (u64, Rights)>,
    /// The smallest pages that may be written no more since a fork: page table and number.
    pub(crate) writable: BTreeSet<(u32, u64)>,
}

impl Stale {
    pub(crate) fn is_empty(&self) -> bool {
        self.rights.is_empty() && self.writable.is_empty()
    }

    /// The page, from `first` to `last`, had these rights until now. Of several changes the first counts: what
    /// is cached is older than all of them.
    pub(crate) fn keep(&mut self, space: u32, (first, last): (u64, u64), rights: Rights) {
        self.rights.entry((space, first)).or_insert((last, rights));
    }

    /// The rights of before, if those of the page have changed.
    pub(crate) fn rights_at(&self, space: u32, address: u64) -> Option<Rights> {
        Some(self.page_at(space, address)?.1)
    }

    /// What is filled from now on has the rights of now.
    pub(crate) fn forget_rights(&mut self, space: u32, address: u64) {
        if let Some((key, _)) = self.page_at(space, address) {
            self.rights.remove(&key);
        }
    }

    fn page_at(&self, space: u32, address: u64) -> Option<((u32, u64), Rights)> {
        let (key, (last, rights)) = self.rights.range(..=(space, address)).next_back()?;
        (key.0 == space && address <= *last).then_some((*key, *rights))
    }
}
