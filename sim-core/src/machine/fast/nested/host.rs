//! The reads of nested walks in the host's tables.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::route;
use super::dimension::{Dimension, NO_SPAN, Span};
use super::{Query, UpperTables, Work};
use crate::machine::host::nested::Nested;
use crate::page_table::{PageTables, Table};
use pagewalk_base::trace::Kind;

/// The tables of a host whose pages have one size.
pub(super) struct Host<'a> {
    nested: &'a Nested,
    dimension: Dimension<'a>,
    /// The flags of an entry that maps a page that has been written.
    written: u64,
    /// The dirty flag; 0 if the host's entries have none.
    dirty: u64,
}

impl<'a> Host<'a> {
    pub(super) fn of(nested: &'a Nested) -> Option<Self> {
        let leaf = route::host_leaf(nested)?;
        let Nested { plan, tables, .. } = nested;
        let root = tables.existing_root(nested.vm, 0)?;
        let lowest = plan.entry_level[leaf];
        let format = tables.format;
        let [accessed, dirty] =
            [format.accessed, format.dirty].map(|flag| if plan.has_flags { flag } else { 0 });
        let levels = (plan.root_level, lowest);
        let flags = (format.present, accessed);
        Some(Self {
            nested,
            dimension: Dimension::new(tables, root, levels, &plan.shift, flags)?,
            written: accessed | dirty,
            dirty,
        })
    }

    /// Finds the last table of each of `n` walks in the host. Returns the number of walks before the first
    /// exceptional one.
    #[inline(never)]
    pub(super) fn find_tables(&mut self, tables: &PageTables, n: usize, work: &mut Work) -> usize {
        let Work { walks, guest, of_table, host_upper, .. } = work;
        let mut span = NO_SPAN;
        for (walk, query) in walks[..n].iter_mut().zip(guest) {
            let table = Table(query.table);
            let address = tables.address(table);
            let found = self.table(table, address, query.index, &mut span, host_upper);
            let Some((found, home)) = found else { break };
            walk.home = home;
            of_table.push(found);
        }
        of_table.len()
    }

    /// Finds the host's tables for the data of each of `n` walks, without the entries that map the data. Returns the
    /// number of walks before the first exceptional one.
    #[inline(never)]
    pub(super) fn find_data(&mut self, n: usize, work: &mut Work) -> usize {
        let Work { walks, guest, of_data, host_upper, .. } = work;
        let mut span = NO_SPAN;
        for (walk, query) in walks[..n].iter().zip(guest) {
            let found = self.find(walk.data, query.index, &mut span, host_upper);
            let Some(found) = found else { break };
            of_data.push(found);
        }
        of_data.len()
    }

    /// Reads the entries that map the data of `n` walks. Returns the number of walks before the first exceptional
    /// one.
    #[inline(never)]
    pub(super) fn read(&self, n: usize, work: &mut Work) -> usize {
        let mut wanted = [self.dimension.flags; 4];
        wanted[Kind::Store.index()] = self.written;
        let walks = work.walks[..n].iter_mut().zip(&work.of_data);
        for (n, (walk, query)) in walks.enumerate() {
            let flags = wanted[walk.page.kind().index()];
            let entry = self.dimension.entry(Table(query.table), query.address, flags);
            let Some(entry) = entry else { return n };
            walk.is_dirty &= entry & self.dirty == self.dirty;
        }
        n
    }

    /// Finds the host's tables for a guest-physical address, without the entry that maps it.
    #[cfg_attr(feature = "fast", inline(always))]
    fn find(
        &self,
        address: u64,
        index: u32,
        span: &mut Span<'a>,
        upper: &mut Vec<UpperTables>,
    ) -> Option<Query> {
        if address >> self.dimension.span_bits != span.number {
            *span = self.dimension.enter(address, upper)?;
        }
        let table = self.dimension.last(span, address)?;
        let lowest = self.dimension.lowest;
        Some(Query { address, index, table: table.0, upper: span.upper, lowest, start: 0 })
    }

    /// Finds the host's tables for a table of the guest, and the host-physical address of this table. Returns `None`
    /// if the machine has another address for the table.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn table(
        &self,
        table: Table,
        address: u64,
        index: u32,
        span: &mut Span<'a>,
        upper: &mut Vec<UpperTables>,
    ) -> Option<(Query, u64)> {
        let query = self.find(address, index, span, upper)?;
        let entry = self.dimension.entry(Table(query.table), address, self.written)?;
        let home = self.dimension.tables.frame(entry).byte(address & self.dimension.page_mask);
        self.nested.may_be_home(table, home).then_some((query, home))
    }
}
