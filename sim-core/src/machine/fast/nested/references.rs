//! The reads of nested walks, in order, through the memory caches.
//!
//! Bench rows: (b) on nested 4K pages, and the same with all reads through caches.

use std::slice::Iter;

use super::super::kind_counts::KindCounts;
use super::super::line_touches::{LineTouches, Mapped};
use super::super::route;
use super::super::walks::WalkSums;
use super::dimension::Shape;
use super::query::{BY_TLB, Query};
use super::spans::Known;
use super::{MOST_READS, Work};
use crate::caches::memory::{Readers, read_by};
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::plan::Plan;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::narrow::small;

/// Lists and executes the reads of walks. The start of each walk is known in both dimensions. `n_guest` is the number of
/// the guest's entries that are read, by kind of access.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    work: &mut Work,
    n_guest: KindCounts,
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    let Work { guest, data, host, known, lines, .. } = work;
    let Machine { plan, tables, memory, nested: Some(nested), space, .. } = machine else { return };
    let Some(reads) = Reads::new((plan, tables), nested, known) else { return };
    let n_guest = n_guest.by_kind();
    let (walks, mut host) = (guest.values(), host.values().iter());
    let first = n_guest.iter().position(|n| *n > 0).unwrap_or(0);
    let only = n_guest[first + 1..].iter().all(|n| *n == 0).then_some(first);
    let n_read = if let Some(touches) = touches {
        let mapped = Mapped { tables, nested: Some(nested), space: *space, va_mask: plan.va_mask };
        let mut n_read = [0; 4];
        let pages = touches.wants_frames().then(|| physical_pages(nested, data.values()));
        let mut pages = pages.iter().flatten();
        let is_usual = reads.are_usual(walks);
        for walk in walks {
            lines.fill(MOST_READS, |lines| {
                if is_usual {
                    reads.list::<true>(walk, &mut host, lines, 0)
                } else {
                    reads.list::<false>(walk, &mut host, lines, 0)
                }
            });
            n_read[walk.kind()] += small(lines.len());
            touches.walk(walk.index, lines.values(), mapped, memory, &mut sums.served);
            if let Some(page) = pages.next() {
                touches.remember_frame(walk.address, *page);
            }
        }
        let readers = only.map_or(Readers::Any, Readers::AccessesAndWalks);
        touches.read_all(readers, memory, &mut sums.served);
        n_read
    } else {
        lines.fill(walks.len() * MOST_READS, |lines| reads.list_all(walks, host, lines));
        let readers = only.map_or(Readers::Any, Readers::Walks);
        memory.read_lines(lines.values_mut(), readers, &mut sums.served)
    };
    for (kind, (n_read, n_guest)) in n_read.iter().zip(n_guest).enumerate() {
        sums.refs[kind] += n_read;
        sums.host_refs[kind] += n_read - n_guest;
    }
}

/// Returns the physical address of the 4 KiB page of each walk's data. One loop reads the entries that map the pages, as in
/// [`super::super::references`].
fn physical_pages(nested: &Nested, data: &[Query]) -> Vec<u64> {
    let tables = &nested.tables;
    let physical = |data: &Query| {
        let Query { table, address, lowest, .. } = *data;
        tables.place_in(Table(table), address, Leaf::of(lowest))
    };
    data.iter().map(physical).collect()
}

/// The state from which the reads of walks follow. A walk reads the host's entries that find a guest table, and then the
/// entry in this table.
struct Reads<'a> {
    known: &'a Known,
    tables: &'a PageTables,
    /// The shapes of the guest's smallest pages and of the host's pages.
    shapes: [Shape; 2],
    root_levels: [Level; 2],
}

impl<'a> Reads<'a> {
    fn new(
        (plan, tables): (&'a Plan, &'a PageTables),
        nested: &Nested,
        known: &'a Known,
    ) -> Option<Self> {
        let of_host = &nested.plan;
        let lowest = of_host.entry_level[route::host_leaf(nested)?];
        let smallest = plan.entry_level[Leaf::SMALLEST];
        let shapes = [Shape::new(tables, smallest), Shape::new(&nested.tables, lowest)];
        let root_levels = [plan.root_level, of_host.root_level];
        Some(Self { known, tables, shapes, root_levels })
    }

    /// Returns whether the tables of both dimensions have the usual shape for all walks.
    fn are_usual(&self, walks: &[Query]) -> bool {
        let is_small = |walk: &Query| walk.lowest == self.shapes[0].lowest;
        self.shapes.iter().all(|shape| shape.is_usual()) && walks.iter().all(is_small)
    }

    /// Lists the reads of walks, and returns their number. `host` has the lookups in the host.
    fn list_all(&self, walks: &[Query], host: Iter<'_, Query>, lines: &mut [u64]) -> usize {
        if self.are_usual(walks) {
            self.list_of::<true>(walks, host, lines)
        } else {
            self.list_of::<false>(walks, host, lines)
        }
    }

    #[inline(never)]
    fn list_of<const USUAL: bool>(
        &self,
        walks: &[Query],
        mut host: Iter<'_, Query>,
        lines: &mut [u64],
    ) -> usize {
        let n = walks.iter().fold(0, |n, walk| self.list::<USUAL>(walk, &mut host, lines, n));
        debug_assert!(host.next().is_none(), "each lookup in the host belongs to a walk");
        n
    }

    /// Lists the reads of one walk at place `n`, and returns the place after them.
    #[cfg_attr(feature = "fast", inline(always))]
    fn list<const USUAL: bool>(
        &self,
        walk: &Query,
        host: &mut Iter<'_, Query>,
        lines: &mut [u64],
        mut n: usize,
    ) -> usize {
        let shape = if USUAL {
            self.shapes[0].known::<USUAL>()
        } else {
            Shape::new(self.tables, walk.lowest)
        };
        let span = self.known.guest.at(walk.span);
        if walk.start != shape.lowest.number() {
            if walk.start == shape.lowest.above().number() {
                n = put(lines, n, span.upper_line, walk);
            } else {
                n = self.list_upper(walk, host, lines, n);
            }
            n = self.list_in_host::<USUAL>(walk, host.next(), lines, n);
        }
        n = put(lines, n, shape.line(span.home, walk.address), walk);
        self.list_in_host::<USUAL>(walk, host.next(), lines, n)
    }

    /// Lists the reads above the guest's last table, of a walk that does not start directly above it.
    #[inline(never)]
    fn list_upper(
        &self,
        walk: &Query,
        host: &mut Iter<'_, Query>,
        lines: &mut [u64],
        mut n: usize,
    ) -> usize {
        let start = walk.start_level().unwrap_or(self.root_levels[0]);
        for level in walk.lowest.above().up_to(start).rev() {
            if level < start || walk.start == 0 {
                n = self.list_in_host::<false>(walk, host.next(), lines, n);
            }
            n = put(lines, n, self.known.guest.above(walk.span).lines[level], walk);
        }
        n
    }

    /// Lists the reads of a lookup in the host.
    #[cfg_attr(feature = "fast", inline(always))]
    fn list_in_host<const USUAL: bool>(
        &self,
        walk: &Query,
        query: Option<&Query>,
        lines: &mut [u64],
        mut n: usize,
    ) -> usize {
        let Some(query) = query.filter(|query| query.start != BY_TLB) else { return n };
        let (spans, shape) = (&self.known.host, self.shapes[1].known::<USUAL>());
        let span = spans.at(query.span);
        if query.start == shape.lowest.above().number() {
            n = put(lines, n, span.upper_line, walk);
        } else if query.start != shape.lowest.number() {
            n = self.list_upper_in_host(walk, query, lines, n);
        }
        put(lines, n, shape.line(span.home, query.address), walk)
    }

    #[inline(never)]
    fn list_upper_in_host(
        &self,
        walk: &Query,
        query: &Query,
        lines: &mut [u64],
        n: usize,
    ) -> usize {
        let start = query.start_level().unwrap_or(self.root_levels[1]);
        let above = &self.known.host.above(query.span).lines;
        let levels = query.lowest.above().up_to(start).rev();
        levels.fold(n, |n, level| put(lines, n, above[level], walk))
    }
}

/// Writes a line that a walk reads, and returns the next place.
#[cfg_attr(feature = "fast", inline(always))]
fn put(lines: &mut [u64], n: usize, line: u64, walk: &Query) -> usize {
    debug_assert!(n < lines.len(), "the list has room");
    if let Some(place) = lines.get_mut(n) {
        *place = read_by(line, walk.kind());
    }
    n + 1
}
