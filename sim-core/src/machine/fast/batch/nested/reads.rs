//! The reads of walks that change nothing, in the tables of both dimensions.
//!
//! First the guest's tables are read for all walks, then the host's for their last tables, then for the data: short
//! loops, of which any may find that a walk is news, which ends the walks there. Entries of last tables are anywhere in
//! memory; those that end the walks of pages are read in loops of their own, so that many are waited for at once.

use super::super::Miss;
use super::super::learned::Learned;
use super::super::packed::Stage;
use super::super::walks::Done;
use super::dimension::{Dimension, NO_SPAN, Span};
use super::host::Host;
use super::{OfTables, Query, Walk, Work};
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::os::Os;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// Finds the tables of each walk, and counts hits of level 2, as far as nothing is news; returns for how many
/// misses. Nothing changes but what entries of the TLB know of their pages.
pub(super) fn run(
    machine: &mut Machine,
    misses: &[Miss],
    work: &mut Work,
    learned: &mut Learned,
    done: &mut Done,
) -> usize {
    work.clear();
    let n = find(machine, misses, work);
    for walk in &work.walks {
        done.walks[walk.page.kind().index()] += 1;
        if walk.is_dirty {
            learned.walked(machine, &misses[walk.number as usize]);
        }
    }
    if n > work.walks.len() {
        for miss in misses[..n].iter().filter(|miss| !miss.page.is_at(Stage::MissedLevel2)) {
            done.l2_hits[miss.page.kind().index()] += 1;
            learned.hit(machine, miss);
        }
    }
    n
}

/// Finds the tables of each walk; returns for how many misses.
fn find(machine: &mut Machine, misses: &[Miss], work: &mut Work) -> usize {
    let Machine { plan, tables, os, space, nested, .. } = machine;
    let (Some(nested), Some(root)) = (nested, tables.existing_root(*space)) else { return 0 };
    let Some(mut host) = Host::of(nested) else { return 0 };
    let mut guest = Guest { plan, tables, root, space: *space, leaf: 0, dimension: None };
    let n = guest.find_tables(misses, os, &mut host, work);
    let n_walks = guest.read(work);
    let n_walks = host.find_tables(tables, n_walks, work);
    let n_walks = host.find_data(n_walks, work);
    let n_walks = host.read(n_walks, work);
    let n = work.walks.get(n_walks).map_or(n, |walk| walk.number as usize);
    work.truncate(n_walks);
    // The host's system remembers which of its areas it was asked about last.
    if let Some(last) = work.walks.last() {
        nested.os.leaf_of(nested.vm, last.data, true);
    }
    n
}

impl Work {
    fn clear(&mut self) {
        self.truncate(0);
        self.guest_ways.clear();
        self.of_tables.clear();
        self.host_ways.clear();
    }

    /// Leaves the first `n` walks.
    fn truncate(&mut self, n: usize) {
        self.walks.truncate(n);
        self.guest.truncate(n);
        self.of_table.truncate(n);
        self.of_data.truncate(n);
    }
}

/// The guest.
struct Guest<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    root: Table,
    space: u32,
    /// Of the pages whose tables are known, and these.
    leaf: u8,
    dimension: Option<(Dimension<'a>, Span<'a>)>,
}

impl Guest<'_> {
    /// Finds the last table of each walk; returns for how many misses.
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
            if !self.knows(va, leaf) && self.enter(va, leaf, host, work).is_none() {
                return number;
            }
            let Some((dimension, span)) = &self.dimension else { return number };
            let Some(table) = dimension.last(span, va) else { return number };
            let (index, table, lowest) = (miss.index, table.0, dimension.lowest);
            work.guest.push(Query { address: va, index, table, way: span.way, lowest, start: 0 });
            work.walks.push(Walk { page, number: small(number), ..Walk::default() });
        }
        misses.len()
    }

    /// The entries that end the walks; returns for how many.
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
            let page_mask = (1 << self.plan.shift[usize::from(query.lowest) % 8]) - 1;
            walk.data = self.tables.frame(entry) + (query.address & page_mask);
            walk.is_dirty = entry & DIRTY != 0;
        }
        work.walks.len()
    }

    /// Whether the tables are known on the way to an address.
    #[inline(always)]
    fn knows(&self, va: u64, leaf: u8) -> bool {
        let known = self.dimension.as_ref().filter(|_| self.leaf == leaf);
        known.is_some_and(|(dimension, span)| va >> dimension.span_bits == span.number)
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
        let mut of_host = NO_SPAN;
        for level in lowest + 1..=self.plan.n_levels {
            let at = usize::from(level) % 8;
            let table = Table(way.tables[at]);
            let address = self.tables.address(table);
            (found.queries[at], found.homes[at]) =
                host.table(table, address, 0, &mut of_host, &mut work.host_ways)?;
        }
        work.of_tables.push(found);
        self.leaf = leaf;
        self.dimension = Some((dimension, span));
        Some(())
    }
}
