//! The tables of one dimension, read on the way to pages that lie beside each other.

use super::Way;
use crate::page_table::{PageTables, Table};
use pagewalk_base::narrow::{index, small};

/// The tables of one address space, for pages of one leaf.
#[derive(Clone, Copy)]
pub(super) struct Dimension<'a> {
    pub(super) tables: &'a PageTables,
    root: Table,
    n_levels: u8,
    /// The level of the entries that end walks.
    pub(super) lowest: u8,
    /// The bits of an address that a page leaves as they are.
    pub(super) page_mask: u64,
    /// What a table above the last one covers.
    pub(super) span_bits: u32,
    /// Where entries of the last two tables have their indices.
    above: (u32, u64),
    step: (u32, u64),
    /// One of these an entry has, and all of those.
    present: u64,
    pub(super) flags: u64,
}

/// Addresses whose walks share all tables but the last.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) number: u64,
    pub(super) way: u32,
    /// The entries of the last of these tables.
    upper: &'a [u64],
}

pub(super) const NO_SPAN: Span<'_> = Span { number: u64::MAX, way: 0, upper: &[] };

impl<'a> Dimension<'a> {
    /// `None` if there is no table above the last one.
    pub(super) fn new(
        tables: &'a PageTables,
        root: Table,
        (n_levels, lowest): (u8, u8),
        shift: &[u32; 8],
        (present, flags): (u64, u64),
    ) -> Option<Self> {
        let above = lowest + 1;
        if above > n_levels {
            return None;
        }
        let span_bits = if above == n_levels { 63 } else { shift[usize::from(above) + 1] };
        let page_mask = (1 << shift[usize::from(lowest) % 8]) - 1;
        let [above, step] = [above, lowest].map(|level| tables.step(level));
        Some(Self {
            tables,
            root,
            n_levels,
            lowest,
            page_mask,
            span_bits,
            above,
            step,
            present,
            flags,
        })
    }

    #[inline(always)]
    fn has(&self, entry: u64, flags: u64) -> bool {
        entry & self.present != 0 && entry & flags == flags
    }

    /// The tables above the last one.
    #[inline(never)]
    pub(super) fn enter(&self, address: u64, ways: &mut Vec<Way>) -> Option<Span<'a>> {
        let mut table = self.root;
        let mut way = Way::default();
        way.tables[usize::from(self.n_levels) % 8] = table.0;
        for level in (self.lowest + 2..=self.n_levels).rev() {
            let entry = self.tables.read(table, self.tables.index(address, level));
            if !self.has(entry, self.flags) {
                return None;
            }
            table = self.tables.next(entry);
            way.tables[usize::from(level - 1) % 8] = table.0;
        }
        ways.push(way);
        let upper = self.tables.entries(table);
        Some(Span { number: address >> self.span_bits, way: small(ways.len() - 1), upper })
    }

    /// The last table of a walk.
    #[inline(always)]
    pub(super) fn last(&self, span: &Span<'a>, address: u64) -> Option<Table> {
        let (shift, mask) = self.above;
        let entry = span.upper[index(address >> shift & mask)];
        self.has(entry, self.flags).then(|| self.tables.next(entry))
    }

    /// The entry that ends a walk, in its last table, if it has `flags`.
    #[inline(always)]
    pub(super) fn entry(&self, table: Table, address: u64, flags: u64) -> Option<u64> {
        let (shift, mask) = self.step;
        let entry = self.tables.read(table, index(address >> shift & mask));
        self.has(entry, flags).then_some(entry)
    }
}
