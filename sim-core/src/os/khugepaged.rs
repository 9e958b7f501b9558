//! khugepaged: collapses small pages into huge pages while the machine runs.

use super::blocks::{BlockId, State};
use super::check::{HUGE, HUGE_LEVEL};
use super::policy::KhugepagedConfig;
use super::{Os, Shootdown};
use crate::page_table::{FreedTable, PageTables};
use pagewalk_base::addr::{Leaf, Level, Paging};
use pagewalk_base::error::Result;

/// The schedule of khugepaged, and the work of one run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Khugepaged {
    every: u32,
    pages: u32,
    /// The least number of small pages in a block that is collapsed.
    min_present: u64,
    /// The number of the access at the next run, or `u32::MAX` if there is none.
    due: u32,
}

/// The treatment of the entries of collapsed small pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacing {
    /// One entry for the huge page replaces the entries of the small pages.
    AtOnce,
    /// The entries are removed, and the next use of the memory maps the huge page. KVM removes mappings of the
    /// guest's memory when the host's own mappings change.
    AtNextUse,
}

/// A block that became one huge page.
#[derive(Clone, Debug)]
pub(crate) struct Promotion {
    /// The number of small pages that the block had.
    pub(crate) n_small: u64,
    pub(crate) shootdown: Shootdown,
}

impl Khugepaged {
    pub(super) fn new(config: Option<KhugepagedConfig>, paging: &Paging) -> Self {
        let Some(config) = config else {
            return Self { every: 0, pages: 0, min_present: 1, due: u32::MAX };
        };
        let n_small = 1 << paging.bits(Level::LOWEST);
        let min_present = config.max_ptes_none.map_or(1, |none| n_small - u64::from(none));
        Self { every: config.every, pages: config.pages, min_present, due: config.every }
    }
}

impl Os {
    /// Returns the number of the access at the next run, or `u32::MAX` if there is none.
    #[inline]
    pub(crate) fn khugepaged_due(&self) -> u32 {
        self.khugepaged.due
    }

    /// Returns whether khugepaged needs walk counts.
    #[inline]
    pub(crate) fn counts_walks(&self) -> bool {
        self.khugepaged.every > 0
    }

    /// Counts a walk that ended in the page of `address`.
    pub(crate) fn walked(&mut self, space: u32, address: u64) {
        if self.current().segment(address).by_block && !self.is_adapted(address) {
            let id = BlockId { space, number: address >> self.block_shift };
            if self.blocks.state(id) == State::Small {
                self.blocks.walked(id);
            }
        }
    }

    /// Runs khugepaged at access `index`. Returns the promotions, and the number of blocks for which no free memory was
    /// found.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    pub(crate) fn run_khugepaged(
        &mut self,
        tables: &mut PageTables,
        index: u32,
        how: Replacing,
    ) -> Result<(Vec<Promotion>, u32)> {
        let every = self.khugepaged.every.max(1);
        self.khugepaged.due = (index / every + 1).saturating_mul(every);
        let (mut promotions, mut n_failed, mut tries) = (Vec::new(), 0, self.khugepaged.pages);
        for id in self.blocks.take_walked() {
            if tries == 0 {
                break;
            }
            let address = id.number << self.block_shift;
            let Some(n_used) = tables.n_used_below(id.space, address, HUGE_LEVEL) else { continue };
            if n_used < self.khugepaged.min_present || self.rights_differ_in(id) {
                continue;
            }
            tries -= 1;
            if self.draws.has_block() {
                promotions.push(self.promote(tables, id, how)?);
            } else {
                n_failed += 1;
            }
        }
        self.clear_recent();
        Ok((promotions, n_failed))
    }

    pub(super) fn promote(
        &mut self,
        tables: &mut PageTables,
        id: BlockId,
        how: Replacing,
    ) -> Result<Promotion> {
        let start = id.number << self.block_shift;
        let frame = self.take_frame(tables, HUGE)?;
        self.leave_small(tables, id);
        let n_small = match how {
            Replacing::AtOnce => tables.collapse(id.space, start, HUGE, frame),
            Replacing::AtNextUse => tables.zap(id.space, start, HUGE),
        };
        self.n_mapped[Leaf::SMALLEST] -= n_small;
        self.blocks.set(id, State::Huge);
        if how == Replacing::AtNextUse {
            self.collapsed.insert(id, frame);
        } else {
            self.n_mapped[HUGE] += 1;
            self.apply_rights(tables, id.space, start, HUGE);
        }
        let last = start | ((1 << self.block_shift) - 1);
        let freed = vec![FreedTable { level: HUGE_LEVEL.below(), address: start }];
        Ok(Promotion { n_small, shootdown: Shootdown { space: id.space, start, last, freed } })
    }

    /// Frees the small pages of a block before they are copied into a huge page.
    fn leave_small(&mut self, tables: &PageTables, id: BlockId) {
        if self.owners.is_empty() {
            return;
        }
        let (start, last) = self.page_around(id.number << self.block_shift, HUGE);
        for (address, _) in tables.entries_in(id.space, start, last) {
            self.leave(tables, id.space, address, Leaf::SMALLEST);
        }
    }
}
