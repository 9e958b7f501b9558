//! The reads of walks that change nothing, in the tables of both dimensions.

use super::super::Miss;
use super::super::packed::Stage;
use super::super::walks::Done;
use super::{OfTables, Query, Walk, Way, Work};
use crate::machine::{Machine, know_dirty};
use crate::narrow::{index, small};
use crate::nested::Nested;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use crate::plan::Plan;
use crate::trace::Kind;

/// Finds the tables of each walk, and counts hits of level 2, as far as nothing is news; returns for how many
/// misses. Nothing changes but what entries of the TLB know of their pages.
pub(super) fn run(
    machine: &mut Machine,
    misses: &[Miss],
    work: &mut Work,
    done: &mut Done,
) -> usize {
    work.walks.clear();
    work.guest.clear();
    work.guest_ways.clear();
    work.of_tables.clear();
    work.host_ways.clear();
    let Machine { plan, l1, l2, tables, os, space, page_class, nested, .. } = machine;
    let (Some(nested), Some(root)) = (nested, tables.existing_root(*space)) else { return 0 };
    let Some(mut host) = Host::of(nested) else { return 0 };
    let mut guest = Guest { plan, tables, root, leaf: 0, dimension: None };
    let mut n = misses.len();
    for (number, miss) in misses.iter().enumerate() {
        let page = miss.page;
        let kind = page.kind();
        let walks = page.is_at(Stage::MissedLevel2);
        let is_dirty = if walks {
            let leaf = os.leaf_of(*space, page.va(), true);
            let found = guest.walk(miss, leaf, &mut host, work);
            let Some((query, walk, is_dirty)) = found else {
                n = number;
                break;
            };
            work.guest.push(query);
            work.walks.push(walk);
            done.walks[kind.index()] += 1;
            is_dirty
        } else if page.is_at(Stage::HitClean) || page.is_at(Stage::HitDirty) {
            done.l2_hits[kind.index()] += 1;
            page.is_at(Stage::HitDirty)
        } else {
            n = number;
            break;
        };
        if is_dirty && kind != Kind::Store {
            know_dirty(plan, l1, l2, &page.page(plan, page_class), walks);
        }
    }
    // The host's system remembers which of its areas it was asked about last.
    if let Some(last) = work.walks.last() {
        nested.os.leaf_of(nested.vm, last.of_data.address, true);
    }
    n
}

/// The tables of one address space, for pages of one leaf.
#[derive(Clone, Copy)]
struct Dimension<'a> {
    tables: &'a PageTables,
    root: Table,
    n_levels: u8,
    /// The level of the entries that end walks.
    lowest: u8,
    /// What a table above the last one covers.
    span_bits: u32,
    /// Where entries of the last two tables have their indices.
    steps: [(u32, u64); 2],
    /// One of these an entry has, and all of those.
    present: u64,
    flags: u64,
}

/// Addresses whose walks share all tables but the last.
#[derive(Clone, Copy)]
struct Span<'a> {
    number: u64,
    way: u32,
    /// The entries of the last of these tables.
    upper: &'a [u64],
}

const NO_SPAN: Span<'_> = Span { number: u64::MAX, way: 0, upper: &[] };

impl<'a> Dimension<'a> {
    /// `None` if there is no table above the last one.
    fn new(
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
        let steps = [above, lowest].map(|level| tables.step(level));
        Some(Self { tables, root, n_levels, lowest, span_bits, steps, present, flags })
    }

    #[inline(always)]
    fn has(&self, entry: u64, flags: u64) -> bool {
        entry & self.present != 0 && entry & flags == flags
    }

    /// The tables above the last one.
    #[inline(never)]
    fn enter(&self, address: u64, ways: &mut Vec<Way>) -> Option<Span<'a>> {
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

    /// The last table of a walk, and the entry that ends it, which has `flags`.
    #[inline(always)]
    fn last(&self, span: &Span<'a>, address: u64, flags: u64) -> Option<(Table, u64)> {
        let [above, lowest] = self.steps.map(|(shift, mask)| index(address >> shift & mask));
        let entry = span.upper[above];
        if !self.has(entry, self.flags) {
            return None;
        }
        let table = self.tables.next(entry);
        let entry = self.tables.read(table, lowest);
        self.has(entry, flags).then_some((table, entry))
    }
}

/// The host, whose pages have one size.
struct Host<'a> {
    nested: &'a Nested,
    dimension: Dimension<'a>,
    /// Of an entry that maps a page that has been written.
    written: u64,
    /// The flag that says so.
    dirty: u64,
    page_mask: u64,
    /// Of tables of the guest, and of data.
    spans: [Span<'a>; 2],
}

impl<'a> Host<'a> {
    fn of(nested: &'a Nested) -> Option<Self> {
        let leaf = nested.leaf_of_batches()?;
        let Nested { plan, tables, .. } = nested;
        let root = tables.existing_root(nested.vm)?;
        let lowest = plan.entry_level[usize::from(leaf) % 8];
        let format = tables.format;
        let [accessed, dirty] =
            [format.accessed, format.dirty].map(|flag| if plan.has_flags { flag } else { 0 });
        let levels = (plan.n_levels, lowest);
        let flags = (format.present, accessed);
        Some(Self {
            nested,
            dimension: Dimension::new(tables, root, levels, &plan.shift, flags)?,
            written: accessed | dirty,
            dirty,
            page_mask: (1 << plan.shift[usize::from(lowest) % 8]) - 1,
            spans: [NO_SPAN; 2],
        })
    }

    /// How a guest-physical address is translated, and the entry that maps it.
    #[inline(always)]
    fn find(
        &mut self,
        address: u64,
        index: u32,
        (of, flags): (usize, u64),
        ways: &mut Vec<Way>,
    ) -> Option<(Query, u64)> {
        let span = &mut self.spans[of];
        if address >> self.dimension.span_bits != span.number {
            *span = self.dimension.enter(address, ways)?;
        }
        let (table, entry) = self.dimension.last(span, address, flags)?;
        let lowest = self.dimension.lowest;
        Some((Query { address, index, table: table.0, way: span.way, lowest, start: 0 }, entry))
    }

    /// How a table of the guest is found, and where it is, which nobody knows otherwise.
    #[inline(always)]
    fn table(
        &mut self,
        table: Table,
        address: u64,
        index: u32,
        ways: &mut Vec<Way>,
    ) -> Option<(Query, u64)> {
        let (query, entry) = self.find(address, index, (0, self.written), ways)?;
        let home = self.dimension.tables.frame(entry) + (address & self.page_mask);
        self.nested.may_be_home(table, home).then_some((query, home))
    }
}

/// The guest.
struct Guest<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    root: Table,
    /// Of the pages whose tables are known, and these.
    leaf: u8,
    dimension: Option<(Dimension<'a>, Span<'a>)>,
}

impl Guest<'_> {
    /// A walk that changes nothing, and whether the page is known to be dirty.
    #[inline(always)]
    fn walk(
        &mut self,
        miss: &Miss,
        leaf: u8,
        host: &mut Host<'_>,
        work: &mut Work,
    ) -> Option<(Query, Walk, bool)> {
        let va = miss.page.va();
        let is_known = self.leaf == leaf
            && self
                .dimension
                .is_some_and(|(dimension, span)| va >> dimension.span_bits == span.number);
        if !is_known {
            self.enter(va, leaf, host, work)?;
        }
        let (dimension, span) = self.dimension.as_ref()?;
        let store = miss.page.kind() == Kind::Store;
        let wanted = if store { ACCESSED | DIRTY } else { ACCESSED };
        let (table, entry) = dimension.last(span, va, wanted)?;
        let address = self.tables.address(table);
        let (of_table, home) = host.table(table, address, miss.index, &mut work.host_ways)?;
        let lowest = dimension.lowest;
        let offset = va & ((1 << self.plan.shift[usize::from(lowest) % 8]) - 1);
        let data = self.tables.frame(entry) + offset;
        let wanted = if store { host.written } else { host.dimension.flags };
        let (of_data, mapped) = host.find(data, miss.index, (1, wanted), &mut work.host_ways)?;
        let is_dirty = entry & DIRTY != 0 && mapped & host.dirty == host.dirty;
        let query = Query {
            address: va,
            index: miss.index,
            table: table.0,
            way: span.way,
            lowest,
            start: 0,
        };
        Some((query, Walk { page: miss.page, home, of_table, of_data }, is_dirty))
    }

    /// Finds the tables above the last one, and where they are in the host.
    #[inline(never)]
    fn enter(&mut self, va: u64, leaf: u8, host: &mut Host<'_>, work: &mut Work) -> Option<()> {
        self.dimension = None;
        let lowest = self.plan.entry_level[usize::from(leaf) % 8];
        let levels = (self.plan.n_levels, lowest);
        let flags = (PRESENT, ACCESSED);
        let dimension = Dimension::new(self.tables, self.root, levels, &self.plan.shift, flags)?;
        let span = dimension.enter(va, &mut work.guest_ways)?;
        let way = work.guest_ways[span.way as usize];
        let mut found = OfTables::default();
        for level in lowest + 1..=self.plan.n_levels {
            let at = usize::from(level) % 8;
            let table = Table(way.tables[at]);
            let address = self.tables.address(table);
            (found.queries[at], found.homes[at]) =
                host.table(table, address, 0, &mut work.host_ways)?;
        }
        work.of_tables.push(found);
        self.leaf = leaf;
        self.dimension = Some((dimension, span));
        Some(())
    }
}
