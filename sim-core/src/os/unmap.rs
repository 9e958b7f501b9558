//! Taking mappings back, and what the hardware must be told of it.

use super::Os;
use super::blocks::{BlockId, State};
use super::check::HUGE;
use super::policy::PagePolicy;
use crate::page_table::{FreedTable, PageTables};
use pagewalk_base::error::Result;

/// What the TLBs and walk caches of every core must drop after a change of the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shootdown {
    pub(crate) space: u32,
    /// Translations of any part of it.
    pub(crate) start: u64,
    pub(crate) last: u64,
    /// Entries that lead to these.
    pub(crate) freed: Vec<FreedTable>,
}

impl Os {
    /// Unmaps `start..=last` of the process that runs. A later touch is a first touch again.
    /// Tables that map nothing any more are freed, as munmap(2) does, unless they are to be kept,
    /// as madvise(2) does; a transparent huge page of which
    /// a part goes is split first. `None` if nothing was mapped there.
    ///
    /// # Errors
    /// `bad-trace` if the range covers another page in part: nothing has changed then;
    /// `too-large` if memory is used up.
    pub(crate) fn unmap(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        (start, last): (u64, u64),
        keeps_tables: bool,
    ) -> Result<Option<Shootdown>> {
        self.split_edges(tables, space, (start, last), "unmap")?;
        if !keeps_tables {
            self.forget_rights(space, (start, last));
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
            self.n_mapped[usize::from(leaf)] -= 1;
            if !others && matches!(self.area_of(address).pages, PagePolicy::Hugetlb(_)) {
                self.pools.give_back(leaf);
            }
            if leaf == HUGE {
                self.untouch(space, address);
            }
        }
        for table in freed.iter().filter(|table| table.level == HUGE - 1) {
            self.untouch(space, table.address);
        }
        self.forget();
        Ok(Some(Shootdown { space, start, last, freed }))
    }

    /// A page is about to go from an address space; true if others still have its frame.
    pub(super) fn leave(
        &mut self,
        tables: &PageTables,
        space: u32,
        address: u64,
        leaf: u8,
    ) -> bool {
        let frame = tables.frame_of(space, address, leaf);
        let bytes = self.paging.size_of(leaf).bytes();
        frame.is_some_and(|frame| self.owners.leave(frame, bytes))
    }

    /// The pages that are mapped in `start..=last`, also in part: first address and leaf.
    pub(crate) fn pages_in(
        &self,
        tables: &PageTables,
        space: u32,
        start: u64,
        last: u64,
    ) -> Vec<(u64, u8)> {
        let entries = tables.entries_in(space, start, last).into_iter();
        let pages = entries.map(|(address, _)| {
            let leaf = self.leaf_at(space, address);
            let shift = self.paging.shift(leaf);
            (address >> shift << shift, leaf)
        });
        let mut pages: Vec<(u64, u8)> = pages.collect();
        // The entries of a contiguous page are neighbours.
        pages.dedup();
        pages
    }

    /// Makes small pages of a huge one, in the same frames.
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
        self.n_mapped[usize::from(HUGE)] -= 1;
        self.n_mapped[1] += 1 << self.paging.bits(1);
        let id = BlockId { space, number: address >> self.block_shift };
        self.blocks.set(id, State::Small);
        self.forget();
        Ok(())
    }

    /// Nothing of a block is mapped any more.
    fn untouch(&mut self, space: u32, address: u64) {
        let id = BlockId { space, number: address >> self.block_shift };
        if self.blocks.state(id) != State::Untouched {
            self.blocks.set(id, State::Untouched);
        }
    }
}
