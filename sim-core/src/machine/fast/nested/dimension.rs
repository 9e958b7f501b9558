//! The tables of one dimension, read on the way to neighbouring pages.
//!
//! Bench row: (b) on nested 4K pages.

use super::UpperTables;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::{Leaf, Level, PerLeaf};
use pagewalk_base::narrow::{index, small};

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
    /// log2 of the bytes that one entry of the table above the last one covers.
    pub(super) span_bits: u32,
    /// The shift and the mask of the index in the table above the last one, and in the last one.
    above: (u32, u64),
    step: (u32, u64),
    /// The flags of which a present entry has at least one.
    present: u64,
    /// The flags that an entry has if a walk need not change it.
    pub(super) flags: u64,
}

/// Addresses whose walks share all tables except the last one.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) number: u64,
    /// The number of the shared tables.
    pub(super) upper: u32,
    /// The entries of the last shared table.
    entries: &'a [u64],
}

pub(super) const NO_SPAN: Span<'_> = Span { number: u64::MAX, upper: 0, entries: &[] };

impl<'a> Dimension<'a> {
    /// Describes the tables of one leaf, or returns `None` if no table is above the last one.
    pub(super) fn new(
        tables: &'a PageTables,
        root: Table,
        (root_level, lowest): (Level, Level),
        shift: &PerLeaf<u32>,
        (present, flags): (u64, u64),
    ) -> Option<Self> {
        let above = lowest.above();
        if above > root_level {
            return None;
        }
        let span_bits = if above == root_level { 63 } else { shift[Leaf::of(above.above())] };
        let page_mask = (1 << shift[Leaf::of(lowest)]) - 1;
        let [above, step] = [above, lowest].map(|level| tables.step(level));
        Some(Self {
            tables,
            root,
            root_level,
            lowest,
            page_mask,
            span_bits,
            above,
            step,
            present,
            flags,
        })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn has(&self, entry: u64, flags: u64) -> bool {
        entry & self.present != 0 && entry & flags == flags
    }

    /// Reads the tables above the last one on the way to an address, and adds them to `upper`. Returns `None` if a walk
    /// would have to change something.
    #[inline(never)]
    pub(super) fn enter(&self, address: u64, upper: &mut Vec<UpperTables>) -> Option<Span<'a>> {
        let mut table = self.root;
        let mut found = UpperTables::default();
        found.tables[self.root_level] = table.0;
        for level in self.lowest.above().above().up_to(self.root_level).rev() {
            let entry = self.tables.read(table, self.tables.index(address, level));
            if !self.has(entry, self.flags) {
                return None;
            }
            table = self.tables.next(entry);
            found.tables[level.below()] = table.0;
        }
        upper.push(found);
        let (number, entries) = (address >> self.span_bits, self.tables.entries(table));
        Some(Span { number, upper: small(upper.len() - 1), entries })
    }

    /// Returns the last table of a walk.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn last(&self, span: &Span<'a>, address: u64) -> Option<Table> {
        let (shift, mask) = self.above;
        let entry = span.entries[index(address >> shift & mask)];
        self.has(entry, self.flags).then(|| self.tables.next(entry))
    }

    /// Returns the entry that ends a walk, in its last table, if it has `flags`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn entry(&self, table: Table, address: u64, flags: u64) -> Option<u64> {
        let (shift, mask) = self.step;
        let entry = self.tables.read(table, index(address >> shift & mask));
        self.has(entry, flags).then_some(entry)
    }
}
