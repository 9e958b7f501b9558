//! What walks need to know of the host that change nothing in it: `batch` does many of them at a time.

use super::{Nested, OfGuest};
use crate::page_table::Table;

impl Nested {
    /// Returns the leaf of all the host's pages, if walks that change nothing may be done many at a time, each cache
    /// by itself: what a cache holds must follow from what it is asked alone.
    pub(crate) fn leaf_of_batches(&self) -> Option<u8> {
        let is_plain = self.is_walked()
            && self.plan.psc.is_apart
            && self.caches.pwc.is_none()
            && !self.plan.tlb_serves_data
            && !self.os.counts_walks();
        self.plan.only_leaf.filter(|_| is_plain)
    }

    /// Returns whether a table of the guest that the host has at `home` is not remembered somewhere else.
    #[inline]
    pub(crate) fn may_be_home(&self, table: Table, home: u64) -> bool {
        let known = self.own.homes.get(table.0 as usize);
        known.is_none_or(|known| *known == home || *known == 0)
    }
}

impl OfGuest {
    /// Remembers where a table of the guest is.
    #[inline]
    pub(crate) fn keep_home(&mut self, table: Table, home: u64) {
        let number = table.0 as usize;
        if self.homes.len() <= number {
            self.homes.resize(number + 1, 0);
        }
        if self.homes[number] != home {
            self.homes[number] = home;
        }
    }
}
