//! The tables of one dimension, for pages of one leaf.
//!
//! Bench row: (b) on nested 4K pages.

use super::spans::Above;
use crate::caches::memory::LINE;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::Level;
use pagewalk_base::narrow::index;
use pagewalk_base::whole::IS_WHOLE;

/// The tables of one address space, for pages of one leaf.
#[derive(Clone, Copy)]
pub(super) struct Dimension<'a> {
    pub(super) tables: &'a PageTables,
    root: Table,
    root_level: Level,
    pub(super) shape: Shape,
    /// The flags of which a present entry has at least one.
    present: u64,
    /// The flags that an entry has if a walk need not change it.
    flags: u64,
}

/// The places of addresses in the last tables of one leaf.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Shape {
    /// The level of the entries that end walks.
    pub(super) lowest: Level,
    /// The lowest address bit of the index in the last table, and the mask of the index.
    step: (u32, u64),
}

/// log2 of the bytes of an entry. Virtual machines have entries of 8 bytes only.
const ENTRY_SHIFT: u32 = 3;

impl Shape {
    /// The shape of most machines: tables of 512 entries, for pages of 4 KiB.
    const USUAL: Self = Self { lowest: Level::LOWEST, step: (12, (1 << 9) - 1) };

    pub(super) fn new(tables: &PageTables, lowest: Level) -> Self {
        Self { lowest, step: tables.step(lowest) }
    }

    /// Returns whether loops may know the shape when they are compiled. Such loops need fewer registers.
    pub(super) fn is_usual(self) -> bool {
        IS_WHOLE && self == Self::USUAL
    }

    /// Returns the shape. With `USUAL`, the compiler knows the values, and [`Self::is_usual`] must hold.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn known<const USUAL: bool>(self) -> Self {
        debug_assert!(!USUAL || self.is_usual(), "the shape is the usual one");
        if USUAL { Self::USUAL } else { self }
    }

    /// Returns the number of the span of an address.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn span_of(self, address: u64) -> u64 {
        let (shift, mask) = self.step;
        address >> shift >> mask.count_ones()
    }

    /// Returns the offset of an address in its page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn offset_of(self, address: u64) -> u64 {
        address & ((1 << self.step.0) - 1)
    }

    /// Returns the index of the entry that ends a walk.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn index(self, address: u64) -> usize {
        let (shift, mask) = self.step;
        index(address >> shift & mask)
    }

    /// Returns the line of the entry that ends a walk. `home` is the physical address of the last table.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn line(self, home: u64, address: u64) -> u64 {
        (home + ((self.index(address) as u64) << ENTRY_SHIFT)) / LINE
    }
}

impl<'a> Dimension<'a> {
    /// Describes the tables of one leaf, or returns `None` if no table is above the last one.
    pub(super) fn new(
        tables: &'a PageTables,
        root: Table,
        (root_level, lowest): (Level, Level),
        (present, flags): (u64, u64),
    ) -> Option<Self> {
        if lowest >= root_level {
            return None;
        }
        let shape = Shape::new(tables, lowest);
        Some(Self { tables, root, root_level, shape, present, flags })
    }

    /// Returns the levels of all tables, from the last one up.
    pub(super) fn levels(&self) -> impl DoubleEndedIterator<Item = Level> {
        self.shape.lowest.up_to(self.root_level)
    }

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
            if level > self.shape.lowest {
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
    pub(super) fn entry(&self, table: u32, address: u64, flags: u64) -> Option<u64> {
        let entry = self.tables.read(Table(table), self.shape.index(address));
        self.has(entry, flags).then_some(entry)
    }

    /// Returns the address of the byte to which an entry that ends a walk leads.
    pub(super) fn place(&self, entry: u64, address: u64) -> u64 {
        self.tables.frame(entry).byte(self.shape.offset_of(address))
    }
}
