//! The tables of one dimension, for pages of one leaf.
//!
//! Bench row: (b) on nested 4K pages.

use super::spans::Above;
use crate::caches::memory::LINE;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::{Leaf, Level, PerLeaf};
use pagewalk_base::narrow::index;

/// The tables of one address space, for pages of one leaf.
#[derive(Clone, Copy)]
pub(super) struct Dimension<'a> {
    pub(super) tables: &'a PageTables,
    root: Table,
    root_level: Level,
    /// The level of the entries that end walks.
    pub(super) lowest: Level,
    /// The bits of an address that are the offset in its page.
    pub(super) page_mask: u64,
    /// log2 of the bytes of a span.
    span_bits: u32,
    /// The shift and the mask of the index in the last table.
    step: (u32, u64),
    /// The flags of which a present entry has at least one.
    present: u64,
    /// The flags that an entry has if a walk need not change it.
    flags: u64,
}

impl<'a> Dimension<'a> {
    /// Describes the tables of one leaf, or returns `None` if no table is above the last one.
    pub(super) fn new(
        tables: &'a PageTables,
        root: Table,
        (root_level, lowest): (Level, Level),
        shift: &PerLeaf<u32>,
        (present, flags): (u64, u64),
    ) -> Option<Self> {
        if lowest >= root_level {
            return None;
        }
        let span_bits = shift[Leaf::of(lowest.above())];
        let page_mask = (1 << shift[Leaf::of(lowest)]) - 1;
        let step = tables.step(lowest);
        Some(Self { tables, root, root_level, lowest, page_mask, span_bits, step, present, flags })
    }

    /// Returns the number of the span of an address.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn span_of(&self, address: u64) -> u64 {
        address >> self.span_bits
    }

    /// Returns the levels of all tables, from the last one up.
    pub(super) fn levels(&self) -> impl DoubleEndedIterator<Item = Level> {
        self.lowest.up_to(self.root_level)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn has(&self, entry: u64, flags: u64) -> bool {
        entry & self.present != 0 && entry & flags == flags
    }

    /// Finds the tables on the way to an address. Returns `None` if a walk would have to change an entry above the last
    /// table.
    pub(super) fn path(&self, address: u64) -> Option<Above> {
        let mut table = self.root;
        let mut above = Above::default();
        for level in self.levels().rev() {
            above.tables[level] = table.0;
            if level > self.lowest {
                let entry = self.tables.read(table, self.tables.index(address, level));
                if !self.has(entry, self.flags) {
                    return None;
                }
                table = self.tables.next(entry);
            }
        }
        Some(above)
    }

    /// Returns the entry that ends a walk, in its last table, if it has `flags`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn entry(&self, table: u32, address: u64, flags: u64) -> Option<u64> {
        let (shift, mask) = self.step;
        let entry = self.tables.read(Table(table), index(address >> shift & mask));
        self.has(entry, flags).then_some(entry)
    }

    /// Returns the bits of the entry that ends a walk, as [`PageTables::settled`] does.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn settled(&self, table: u32, address: u64) -> u64 {
        let (shift, mask) = self.step;
        self.tables.settled(Table(table), index(address >> shift & mask))
    }

    /// Returns the line of the entry that ends a walk. `home` is the physical address of the last table.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn line(&self, home: u64, address: u64) -> u64 {
        let (shift, mask) = self.step;
        (home + self.tables.offset_of(index(address >> shift & mask))) / LINE
    }

    /// Returns the address of the byte to which an entry that ends a walk leads.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn place(&self, entry: u64, address: u64) -> u64 {
        self.tables.frame(entry).byte(address & self.page_mask)
    }
}
