//! The reads of nested walks in the host's tables.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::route;
use super::dimension::{Dimension, Shape};
use super::query::{FOR_TLB, Query};
use super::spans::{KnownSpan, Span, Spans};
use crate::caches::memory::LINE;
use crate::machine::host::nested::Nested;
use crate::page_table::{PageTables, SETTLED, Table, WRITTEN};
use pagewalk_base::trace::Kind;

/// The tables of a host whose pages have one size.
pub(super) struct Host<'a> {
    nested: &'a Nested,
    dimension: Dimension<'a>,
    /// The flags of an entry that need not change, by kind of access to the page that the entry maps.
    wanted: [u64; 4],
    /// The bits of such an entry. A host without flags needs a bit that no entry has.
    settled: [u64; 4],
    /// The dirty flag; 0 if the host's entries have none.
    dirty: u64,
}

impl<'a> Host<'a> {
    pub(super) fn of(nested: &'a Nested) -> Option<Self> {
        let leaf = route::host_leaf(nested)?;
        let Nested { plan, tables, .. } = nested;
        let root = tables.existing_root(nested.vm, 0)?;
        let format = tables.format;
        let [accessed, dirty] =
            [format.accessed, format.dirty].map(|flag| if plan.has_flags { flag } else { 0 });
        let levels = (plan.root_level, plan.entry_level[leaf]);
        let flags = (format.present, accessed);
        let dimension = Dimension::new(tables, root, levels, flags)?;
        let mut wanted = [accessed; 4];
        wanted[Kind::Store.index()] = accessed | dirty;
        let mut settled = [if plan.has_flags { SETTLED } else { !0 }; 4];
        settled[Kind::Store.index()] |= WRITTEN;
        Some(Self { nested, dimension, wanted, settled, dirty })
    }

    /// Finds the span and the last table of each walk's data, and reads the entry that maps the data. Returns the number of
    /// walks before one that has to change an entry. If only its last entry may have to change, also returns its last table.
    pub(super) fn find(&self, data: &mut [Query], spans: &mut Spans) -> (usize, Option<Table>) {
        let shape = self.dimension.shape;
        let mut n = 0;
        loop {
            let rest = &mut data[n..];
            n += if shape.is_usual() {
                self.find_known::<true>(rest, spans)
            } else {
                self.find_known::<false>(rest, spans)
            };
            let Some(Query { address, .. }) = data.get(n) else { return (n, None) };
            let number = shape.span_of(*address);
            if let Some(KnownSpan { table, .. }) = spans.find(number) {
                return (n, Some(Table(table)));
            }
            if self.enter(*address, number, spans).is_none() {
                return (n, None);
            }
        }
    }

    /// Does the same as [`Self::find`] until a span is not known or an entry has to change, and returns the number of walks
    /// before that.
    #[inline(never)]
    fn find_known<const USUAL: bool>(&self, data: &mut [Query], spans: &Spans) -> usize {
        let Self { dimension, settled, dirty, .. } = self;
        let shape = dimension.shape.known::<USUAL>();
        for (n, query) in data.iter_mut().enumerate() {
            let Query { address, .. } = *query;
            let kind = query.kind();
            let found = spans.find(shape.span_of(address));
            let Some(KnownSpan { span, table, .. }) = found else { return n };
            let known = dimension.tables.settled(Table(table), shape.index(address));
            let is_dirty = if known & settled[kind] == settled[kind] {
                known & WRITTEN != 0
            } else {
                let entry = dimension.entry(table, address, self.wanted[kind]);
                let Some(entry) = entry else { return n };
                entry & dirty == *dirty
            };
            (query.span, query.table, query.lowest) = (span, table, shape.lowest);
            query.is_dirty &= is_dirty;
        }
        data.len()
    }

    /// Finds the tables on the way to a guest-physical address, and adds the span. Returns the span, or `None` if a
    /// walk would have to change a table above the last one.
    #[inline(never)]
    fn enter(&self, address: u64, number: u64, spans: &mut Spans) -> Option<KnownSpan> {
        let Dimension { tables, shape: Shape { lowest, .. }, .. } = self.dimension;
        let mut above = self.dimension.path(address)?;
        for level in self.dimension.levels() {
            let table = Table(above.tables[level]);
            above.lines[level] = tables.entry_address(table, tables.index(address, level)) / LINE;
        }
        let table = above.tables[lowest];
        let home = tables.address(Table(table));
        let upper_line = above.lines[lowest.above()];
        Some(spans.add((number, table), Span { home, upper_line }, None, &above))
    }

    /// Finds a table of the guest: its lookup, and its host-physical address. Returns `None` if the machine has another
    /// address for the table, or if a walk would have to change a table of the host.
    pub(super) fn table(
        &self,
        table: Table,
        guest: &PageTables,
        spans: &mut Spans,
    ) -> Option<(Query, u64)> {
        let address = guest.address(table);
        let number = self.dimension.shape.span_of(address);
        let known = spans.find(number);
        let found = known.or_else(|| self.enter(address, number, spans))?;
        let written = self.wanted[Kind::Store.index()];
        let entry = self.dimension.entry(found.table, address, written)?;
        let home = self.dimension.place(entry, address);
        let start = if self.nested.caches.tlb.is_some() { FOR_TLB } else { 0 };
        let lowest = self.dimension.shape.lowest;
        let KnownSpan { span, table: last, .. } = found;
        let query = Query { address, span, table: last, lowest, start, ..Query::default() };
        self.nested.may_be_home(table, home).then_some((query, home))
    }

    /// Returns whether the host keeps an address for a table of the guest.
    pub(super) fn keeps_home(&self, table: Table) -> bool {
        self.nested.keeps_home(table)
    }
}
