//! The reads of nested walks in the host's tables.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::route;
use super::dimension::Dimension;
use super::query::{FOR_TLB, Query, Walk};
use super::spans::{Span, Spans};
use crate::caches::memory::{LINE, reader_of};
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
        let dimension = Dimension::new(tables, root, levels, &plan.shift, flags)?;
        let mut wanted = [accessed; 4];
        wanted[Kind::Store.index()] = accessed | dirty;
        let mut settled = [if plan.has_flags { SETTLED } else { !0 }; 4];
        settled[Kind::Store.index()] |= WRITTEN;
        Some(Self { nested, dimension, wanted, settled, dirty })
    }

    /// Finds the span of the data of each walk. Returns the number of walks before the first exceptional one.
    pub(super) fn find_data(&self, walks: &mut [Walk], spans: &mut Spans) -> usize {
        let mut n = 0;
        loop {
            n += self.find_known(&mut walks[n..], spans);
            let Some(address) = walks.get(n).map(|walk| walk.data.address) else { return n };
            if self.enter(address, self.dimension.span_of(address), spans).is_none() {
                return n;
            }
        }
    }

    /// Finds the spans of the data of walks. Returns the number of walks before the first span that is not known.
    #[inline(never)]
    fn find_known(&self, walks: &mut [Walk], spans: &Spans) -> usize {
        let dimension = &self.dimension;
        for (n, walk) in walks.iter_mut().enumerate() {
            let query = &mut walk.data;
            let address = query.address;
            let Some((place, span)) = spans.find(dimension.span_of(address)) else { return n };
            query.line = reader_of(query.before) | dimension.line(span.home, address);
            (query.span, query.table) = (place, span.table);
            (query.lowest, query.start) = (dimension.lowest, 0);
        }
        walks.len()
    }

    /// Reads the entries that map the data of walks. Returns the number of walks before the first entry that has to
    /// change.
    #[inline(never)]
    pub(super) fn read(&self, walks: &mut [Walk]) -> usize {
        let Self { dimension, settled, .. } = self;
        for (n, walk) in walks.iter_mut().enumerate() {
            let Query { address, table, .. } = walk.data;
            let (kind, known) = (walk.kind(), dimension.settled(table, address));
            if known & settled[kind] == settled[kind] {
                walk.is_dirty &= known & WRITTEN != 0;
                continue;
            }
            let entry = dimension.entry(table, address, self.wanted[kind]);
            let Some(entry) = entry else { return n };
            walk.is_dirty &= entry & self.dirty == self.dirty;
        }
        walks.len()
    }

    /// Finds the tables on the way to a guest-physical address, and adds the span. Returns its place, or `None` if a
    /// walk would have to change a table above the last one.
    #[inline(never)]
    fn enter(&self, address: u64, number: u64, spans: &mut Spans) -> Option<u32> {
        let Dimension { tables, lowest, .. } = self.dimension;
        let mut above = self.dimension.path(address)?;
        for level in self.dimension.levels() {
            let table = Table(above.tables[level]);
            above.lines[level] = tables.entry_address(table, tables.index(address, level)) / LINE;
        }
        let table = above.tables[lowest];
        let home = tables.address(Table(table));
        let upper_line = above.lines[lowest.above()];
        let span = Span { number, home, upper_line, table, is_kept: true };
        Some(spans.add(span, &above, Query::default()))
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
        let number = self.dimension.span_of(address);
        let known = spans.find(number).map(|(place, _)| place);
        let place = known.or_else(|| self.enter(address, number, spans))?;
        let span = spans.at(place);
        let written = self.wanted[Kind::Store.index()];
        let entry = self.dimension.entry(span.table, address, written)?;
        let home = self.dimension.place(entry, address);
        let query = Query {
            address,
            line: self.dimension.line(span.home, address),
            span: place,
            table: span.table,
            lowest: self.dimension.lowest,
            start: if self.nested.caches.tlb.is_some() { FOR_TLB } else { 0 },
            ..Query::default()
        };
        self.nested.may_be_home(table, home).then_some((query, home))
    }

    /// Returns whether the host keeps an address for a table of the guest.
    pub(super) fn keeps_home(&self, table: Table) -> bool {
        self.nested.keeps_home(table)
    }
}
