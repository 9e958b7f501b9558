//! Unmapping, and the shootdowns that it needs.

use super::Os;
use super::blocks::{BlockId, State};
use super::check::{HUGE, HUGE_LEVEL};
use super::policy::PagePolicy;
use crate::page_table::{FreedTable, PageTables};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::error::Result;

/// The entries that the TLBs and walk caches of every core must drop after a change of the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shootdown {
    pub(crate) space: u32,
    /// The range whose translations are dropped.
    pub(crate) start: u64,
    pub(crate) last: u64,
    /// The freed tables. Walk-cache entries that lead to them are dropped.
    pub(crate) freed: Vec<FreedTable>,
}

impl Os {
    /// Unmaps `start..=last` of the current process. A later access is a first touch again. Empty tables are freed,
    /// as by munmap(2), or kept, as by madvise(2). A transparent huge page that the range covers in part is split
    /// first. Returns `None` if nothing was mapped there.
    ///
    /// # Errors
    /// `bad-trace` if the range covers another page in part: then nothing has changed. `too-large` if memory is used
    /// up.
    pub(crate) fn unmap(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        (start, last): (u64, u64),
        keeps_tables: bool,
    ) -> Result<Option<Shootdown>> {
        self.split_edges(tables, space, (start, last), "unmap")?;
        if !keeps_tables {
            self.remove_rights(space, (start, last));
        }
        let pages = self.pages_in(tables, space, start, last);
        if pages.is_empty() {
            return Ok(None);
        }
        let mut freed = Vec::new();
        for (address, leaf) in pages {
            let others = self.leave(tables, space, address, leaf);
            if keeps_tables {
                tables.clear(space, address, leaf);
            } else {
                tables.unmap(space, address, leaf, &mut freed);
            }
            self.n_mapped[leaf] -= 1;
            if !others && matches!(self.area_of(address).pages, PagePolicy::Hugetlb(_)) {
                self.pools.give_back(leaf);
            }
            if leaf == HUGE {
                self.untouch(space, address);
            }
        }
        for table in freed.iter().filter(|table| table.level == HUGE_LEVEL.below()) {
            self.untouch(space, table.address);
        }
        self.clear_recent();
        Ok(Some(Shootdown { space, start, last, freed }))
    }

    /// Removes a page from an address space. Returns whether others still own its frame.
    pub(super) fn leave(
        &mut self,
        tables: &PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) -> bool {
        let frame = tables.frame_of(space, address, leaf);
        let bytes = self.paging.size_of(leaf).bytes();
        frame.is_some_and(|frame| self.owners.leave(frame, bytes))
    }

    /// Returns the mapped pages that overlap `start..=last`: first address and leaf.
    pub(crate) fn pages_in(
        &self,
        tables: &PageTables,
        space: u32,
        start: u64,
        last: u64,
    ) -> Vec<(u64, Leaf)> {
        let entries = tables.entries_in(space, start, last).into_iter();
        let pages = entries.map(|(address, _)| {
            let leaf = self.leaf_at(space, address);
            let shift = self.paging.shift(leaf);
            (address >> shift << shift, leaf)
        });
        let mut pages: Vec<(u64, Leaf)> = pages.collect();
        // The entries of a contiguous page are adjacent.
        pages.dedup();
        pages
    }

    /// Splits a huge page into small pages in the same frames.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(super) fn split(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
    ) -> Result<()> {
        tables.split(space, address, HUGE)?;
        self.n_mapped[HUGE] -= 1;
        self.n_mapped[Leaf::SMALLEST] += 1 << self.paging.bits(Level::LOWEST);
        let id = BlockId { space, number: address >> self.block_shift };
        self.blocks.set(id, State::Small);
        self.clear_recent();
        Ok(())
    }

    /// Resets the state of a block that has no mapped page any more.
    fn untouch(&mut self, space: u32, address: u64) {
        let id = BlockId { space, number: address >> self.block_shift };
        if self.blocks.state(id) != State::Untouched {
            self.blocks.set(id, State::Untouched);
        }
    }
}
