//! Maps pages: assigns the frame of a new page, and counts mapped memory.

use super::areas::AreaMap;
use super::blocks::BlockId;
use super::fork::Known;
use super::{Os, check};
use crate::page_table::{Frame, PageTables, Table};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::Result;

impl Os {
    /// Maps the page of `address`. Returns false if the page was already in memory.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    pub(crate) fn map(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) -> Result<bool> {
        tables.root(space, address)?;
        let (frame, is_new) = self.frame_for(tables, space, address, leaf)?;
        tables.map(space, address, leaf, frame)?;
        self.n_mapped[leaf] += 1;
        Ok(is_new)
    }

    /// Takes a new frame for a page of `leaf`.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    #[inline]
    pub(super) fn take_frame(&mut self, tables: &mut PageTables, leaf: Leaf) -> Result<Frame> {
        match &mut tables.memory {
            None => self.frames.take(leaf),
            Some(memory) => memory.take_page(self.paging.size_of(leaf)),
        }
    }

    /// Returns the recorded frame of a page of the running process, or else takes a new one.
    #[inline]
    fn first_frame(&mut self, tables: &mut PageTables, address: u64, leaf: Leaf) -> Result<Frame> {
        let bytes = self.paging.size_of(leaf).bytes();
        let recorded = self.recorded.as_ref().and_then(|known| known.at(self.pid, address, bytes));
        recorded.map_or_else(|| self.take_frame(tables, leaf), Ok)
    }

    /// Returns the frame of a page that is about to be mapped, and whether the frame is new.
    #[inline]
    fn frame_for(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) -> Result<(Frame, bool)> {
        if self.copied.is_empty() && self.families.is_empty() && self.collapsed.is_empty() {
            return Ok((self.first_frame(tables, address, leaf)?, true));
        }
        let id = BlockId { space, number: address >> self.block_shift };
        if leaf == check::HUGE
            && let Some(frame) = self.collapsed.remove(&id)
        {
            return Ok((frame, false));
        }
        let is_copy = self.copied.iter().any(|copying| copying.covers(address));
        match self.known_frame(tables, space, address, leaf) {
            // A copy of a page has another frame than the recorded one.
            None if is_copy => Ok((self.take_frame(tables, leaf)?, true)),
            None => Ok((self.first_frame(tables, address, leaf)?, true)),
            Some(Known::Kept(frame)) => Ok((frame, false)),
            Some(Known::Relatives(frame)) => {
                self.owners.join(frame, self.paging.size_of(leaf).bytes());
                Ok((frame, false))
            }
        }
    }

    /// Maps the page of `address` in an existing table, with `flags` in its entry. Returns false if the page was already in
    /// memory.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    #[inline]
    pub(crate) fn map_entry(
        &mut self,
        tables: &mut PageTables,
        (space, address): (u32, u64),
        at: (Table, usize),
        leaf: Leaf,
        flags: u64,
    ) -> Result<bool> {
        let (frame, is_new) = self.frame_for(tables, space, address, leaf)?;
        tables.map_entry(at, leaf, frame, flags);
        self.n_mapped[leaf] += 1;
        Ok(is_new)
    }

    /// Returns the number of mapped pages of `leaf`.
    pub(crate) fn n_mapped(&self, leaf: Leaf) -> u64 {
        self.n_mapped[leaf]
    }

    /// Returns the bytes of all mapped pages.
    pub(crate) fn mapped_bytes(&self) -> u64 {
        let sizes = self.paging.leaves().into_iter();
        sizes.map(|leaf| self.n_mapped(leaf) << self.paging.shift(leaf)).sum()
    }

    /// Returns whether a mapped page may contain smaller pages that no access uses.
    pub(crate) fn may_waste(&self) -> bool {
        let wastes = |map: &AreaMap| {
            map.areas().iter().any(|area| area.pretouch)
                || map.segments().iter().any(|segment| segment.leaf != Leaf::SMALLEST)
        };
        self.maps.all().any(wastes)
    }
}
