//! The reads of page tables by nested walks that change nothing, in both dimensions.
//!
//! First the guest's tables are read for all walks. Then the host's tables are read for the guest's last tables, and
//! at last for the data. Each step is a short loop. An exceptional miss in one of them ends the walks there. Entries
//! of last tables lie anywhere in memory. The loops that read these entries do nothing else, so that the processor
//! waits for many reads at once.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::batch::Miss;
use super::super::late_dirty::LateDirty;
use super::super::packed_page::Stage;
use super::super::walks::WalkSums;
use super::dimension::{Dimension, NO_SPAN, Span};
use super::host::Host;
use super::{Query, TableHomes, Walk, Work};
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::os::Os;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// Finds the tables of each walk, and counts hits of level 2, up to the first exceptional miss. Returns the number
/// of misses before that miss. Only the dirty flags of TLB entries change.
pub(super) fn run(
    machine: &mut Machine,
    misses: &[Miss],
    work: &mut Work,
    late_dirty: &mut LateDirty,
    sums: &mut WalkSums,
) -> usize {
    work.clear();
    let n = find(machine, misses, work);
    for walk in &work.walks {
        sums.walks[walk.page.kind().index()] += 1;
        if walk.is_dirty {
            late_dirty.record_walk(machine, &misses[walk.number as usize]);
        }
    }
    if n > work.walks.len() {
        for miss in misses[..n].iter().filter(|miss| !miss.page.is_at(Stage::MissedLevel2)) {
            sums.l2_hits[miss.page.kind().index()] += 1;
            late_dirty.copy_to_level_1(machine, miss);
        }
    }
    n
}

/// Finds the tables of each walk. Returns the number of misses before the first exceptional one.
fn find(machine: &mut Machine, misses: &[Miss], work: &mut Work) -> usize {
    let Machine { plan, tables, os, space, nested, .. } = machine;
    let (Some(nested), Some(root)) = (nested, tables.existing_root(*space, 0)) else { return 0 };
    let Some(mut host) = Host::of(nested) else { return 0 };
    let mut guest =
        Guest { plan, tables, root, space: *space, leaf: Leaf::SMALLEST, dimension: None };
    let n = guest.find_tables(misses, os, &mut host, work);
    let n_walks = guest.read(work);
    let n_walks = host.find_tables(tables, n_walks, work);
    let n_walks = host.find_data(n_walks, work);
    let n_walks = host.read(n_walks, work);
    let n = work.walks.get(n_walks).map_or(n, |walk| walk.number as usize);
    work.truncate(n_walks);
    // The host's operating system keeps the area of its last lookup. So the area of the last walk is looked up here.
    if let Some(last) = work.walks.last() {
        nested.os.leaf_of(nested.vm, last.data, true);
    }
    n
}

impl Work {
    fn clear(&mut self) {
        self.truncate(0);
        self.guest_upper.clear();
        self.homes.clear();
        self.host_upper.clear();
    }

    /// Keeps the first `n` walks, and removes the others.
    fn truncate(&mut self, n: usize) {
        self.walks.truncate(n);
        self.guest.truncate(n);
        self.of_table.truncate(n);
        self.of_data.truncate(n);
    }
}

/// The tables of the guest.
struct Guest<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    root: Table,
    space: u32,
    /// The leaf of the pages whose upper tables are in `dimension`.
    leaf: Leaf,
    dimension: Option<(Dimension<'a>, Span<'a>)>,
}

impl Guest<'_> {
    /// Finds the last table of each walk. Returns the number of misses before the first exceptional one.
    #[inline(never)]
    fn find_tables(
        &mut self,
        misses: &[Miss],
        os: &mut Os,
        host: &mut Host<'_>,
        work: &mut Work,
    ) -> usize {
        for (number, miss) in misses.iter().enumerate() {
            let page = miss.page;
            if !page.is_at(Stage::MissedLevel2) {
                if page.is_plain_hit() {
                    continue;
                }
                return number;
            }
            let va = page.va();
            let leaf = os.leaf_of(self.space, va, true);
            if !self.has_upper_tables(va, leaf) && self.enter(va, leaf, host, work).is_none() {
                return number;
            }
            let Some((dimension, span)) = &self.dimension else { return number };
            let Some(table) = dimension.last(span, va) else { return number };
            let (index, table, lowest) = (miss.index, table.0, dimension.lowest);
            work.guest.push(Query {
                address: va,
                index,
                table,
                upper: span.upper,
                lowest,
                start: 0,
            });
            work.walks.push(Walk { page, number: small(number), ..Walk::default() });
        }
        misses.len()
    }

    /// Reads the entries that end the walks. Returns the number of walks before the first exceptional one.
    #[inline(never)]
    fn read(&self, work: &mut Work) -> usize {
        let mut wanted = [PRESENT | ACCESSED; 4];
        wanted[Kind::Store.index()] |= DIRTY;
        for (n, (walk, query)) in work.walks.iter_mut().zip(&work.guest).enumerate() {
            let at = self.tables.index(query.address, query.lowest);
            let entry = self.tables.read(Table(query.table), at);
            let flags = wanted[walk.page.kind().index()];
            if entry & flags != flags {
                return n;
            }
            let page_mask = (1 << self.plan.shift[Leaf::of(query.lowest)]) - 1;
            walk.data = self.tables.frame(entry).byte(query.address & page_mask);
            walk.is_dirty = entry & DIRTY != 0;
        }
        work.walks.len()
    }

    /// Returns whether `dimension` has the upper tables on the way to an address.
    #[cfg_attr(feature = "fast", inline(always))]
    fn has_upper_tables(&self, va: u64, leaf: Leaf) -> bool {
        let known = self.dimension.as_ref().filter(|_| self.leaf == leaf);
        known.is_some_and(|(dimension, span)| va >> dimension.span_bits == span.number)
    }

    /// Finds the tables above the last one, and their host-physical addresses. Returns `None` for an exceptional
    /// miss.
    #[inline(never)]
    fn enter(&mut self, va: u64, leaf: Leaf, host: &mut Host<'_>, work: &mut Work) -> Option<()> {
        self.dimension = None;
        let lowest = self.plan.entry_level[leaf];
        let levels = (self.plan.root_level, lowest);
        let flags = (PRESENT, ACCESSED);
        let dimension = Dimension::new(self.tables, self.root, levels, &self.plan.shift, flags)?;
        let span = dimension.enter(va, &mut work.guest_upper)?;
        let upper = work.guest_upper[span.upper as usize];
        let mut found = TableHomes::default();
        let mut of_host = NO_SPAN;
        for level in lowest.above().up_to(self.plan.root_level) {
            let table = Table(upper.tables[level]);
            let address = self.tables.address(table);
            (found.queries[level], found.homes[level]) =
                host.table(table, address, 0, &mut of_host, &mut work.host_upper)?;
        }
        work.homes.push(found);
        self.leaf = leaf;
        self.dimension = Some((dimension, span));
        Some(())
    }
}
