//! Maps pages, and finds the entry that maps an address.

use super::frame::Frame;
use super::journal::Place;
use super::{PageTables, Table};
use crate::entry::{CONTIGUOUS, PAGE};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::error::Result;

impl PageTables {
    /// Maps the page of `address`, and creates the missing tables. If an entry on the way has lost all its rights,
    /// it gets them back and keeps its table.
    ///
    /// # Errors
    /// `too-large` if the pool of tables is full.
    pub(crate) fn map(&mut self, space: u32, address: u64, leaf: Leaf, frame: Frame) -> Result<()> {
        let mut table = self.root(space, address)?;
        let lowest = self.leaves[leaf].0;
        for level in lowest.above().up_to(self.paging.root_level()).rev() {
            let index = self.index(address, level);
            let mut entry = self.read(table, index);
            if entry & self.format.present == 0 {
                if entry == 0 {
                    let shift = self.paging.shift(Leaf::of(level));
                    let base = address >> shift << shift;
                    let made = self.make_table(Place { space, level: level.below(), base })?;
                    entry = self.link(made);
                }
                entry |= self.format.table;
                self.write(table, index, entry);
            }
            table = self.next(entry);
        }
        self.map_entry((table, self.index(address, lowest)), leaf, frame, 0);
        Ok(())
    }

    /// Writes the entry at `index`, and the other entries of a contiguous page, so that they map `frame` and have `flags`.
    #[inline]
    pub(crate) fn map_entry(
        &mut self,
        (table, index): (Table, usize),
        leaf: Leaf,
        frame: Frame,
        flags: u64,
    ) {
        if leaf.is_group() {
            return self.map_group((table, index), leaf, frame, flags);
        }
        let large = if leaf > Leaf::SMALLEST { PAGE } else { 0 };
        let flags = self.format.page | large | flags;
        self.write(table, index, frame.start() << self.scale | flags);
    }

    #[inline(never)]
    fn map_group(&mut self, (table, index): (Table, usize), leaf: Leaf, frame: Frame, flags: u64) {
        let single = Leaf::of(self.leaves[leaf].0);
        let piece = self.paging.size_of(single).bytes();
        let mut frame = frame;
        for at in self.group_of(index, leaf) {
            self.map_entry((table, at), single, frame, flags);
            self.put(table, at, self.read(table, at) | CONTIGUOUS);
            frame = frame.plus(piece);
        }
    }

    /// Returns the table and index of the entry that maps `address`, in a page of `leaf`.
    pub(crate) fn leaf(&self, space: u32, address: u64, leaf: Leaf) -> Option<(Table, usize)> {
        let mut table = self.existing_root(space, address)?;
        let lowest = self.leaves[leaf].0;
        for level in lowest.above().up_to(self.paging.root_level()).rev() {
            let entry = self.read(table, self.index(address, level));
            if entry & self.format.present == 0 {
                return None;
            }
            table = self.next(entry);
        }
        let index = self.index(address, lowest);
        (self.read(table, index) & self.format.present != 0).then_some((table, index))
    }

    /// Returns the physical address that a mapped virtual address translates to. `table` has the entry that maps it, in a
    /// page of `leaf`.
    pub(crate) fn place_in(&self, table: Table, address: u64, leaf: Leaf) -> u64 {
        let level = self.leaves[leaf].0;
        let entry = self.read(table, self.index(address, level));
        self.frame(entry).byte(address & ((1 << self.steps[level].0) - 1))
    }

    /// Returns the physical address that a mapped virtual address translates to.
    pub(crate) fn locate(&self, space: u32, address: u64) -> Option<u64> {
        let mut table = self.existing_root(space, address)?;
        let mut level = self.paging.root_level();
        loop {
            let entry = self.read(table, self.index(address, level));
            if entry & self.format.present == 0 {
                return None;
            }
            if level == Level::LOWEST || entry & PAGE != 0 {
                let (shift, _) = self.steps[level];
                return Some(self.frame(entry).byte(address & ((1 << shift) - 1)));
            }
            table = self.next(entry);
            level = level.below();
        }
    }

    /// Returns the leaf of the page that maps `address`.
    pub(crate) fn leaf_of(&self, space: u32, address: u64) -> Option<Leaf> {
        let mut table = self.existing_root(space, address)?;
        for level in self.paging.levels().rev() {
            let entry = self.read(table, self.index(address, level));
            if entry & self.format.present == 0 {
                return None;
            }
            if entry & CONTIGUOUS != 0 {
                return self.paging.mapped_group(level);
            }
            if level == Level::LOWEST || entry & PAGE != 0 {
                return Some(Leaf::of(level));
            }
            table = self.next(entry);
        }
        None
    }
}
