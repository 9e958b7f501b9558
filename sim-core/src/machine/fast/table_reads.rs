//! The reads of page tables by walks without a host.
//!
//! The tables do not depend on the results of lookups in the paging-structure caches. As in the machine's own code,
//! these walks map pages at first touch, and set flags of leaf entries. Reads of the simulated tables wait for the
//! memory of the simulating processor. Reads in a loop without other work wait together. So one loop reads the few
//! tables above the last ones. A second loop reads the entries of the last tables, which lie anywhere.
//!
//! Bench row: (b) random loads; first touches: (a) strided loads.

use super::batch::{BatchState, Miss};
use super::packed_page::{PackedPage, Stage};
use super::route;
use super::walks::WalkSums;
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, SETTLED, Table, WRITTEN};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::trace::Kind;

/// The number of walks whose tables are found before their entries are read. After an exceptional miss, the rest of this
/// work is lost.
const AHEAD: usize = 32;

/// Reads the tables of each walk, and counts hits of level 2, up to the first exceptional miss. Returns the number
/// of misses before that miss.
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    state: &mut BatchState<'_>,
    sums: &mut WalkSums,
    probe: &mut P,
) -> usize {
    let mut n = 0;
    while let Some(first) = misses.get(n) {
        let leaf = first.page.leaf();
        let lowest = machine.plan.entry_level[leaf];
        // The last table is the root, so there is no table above it.
        if lowest >= machine.plan.root_level {
            break;
        }
        let ahead = misses.len().min(n + AHEAD);
        let (found, is_other) = find_tables(machine, leaf, lowest, &mut misses[n..ahead]);
        let more = read_entries(machine, lowest, &misses[n..n + found], state, sums, probe);
        let is_exceptional = more < found || !is_other;
        n += more;
        if is_exceptional {
            break;
        }
    }
    n
}

/// Finds the last tables of walks to pages of one leaf, whose entries are at level `lowest`. Returns the number of
/// misses with a table, and whether the search ended without an exceptional miss.
#[inline(never)]
fn find_tables(machine: &Machine, leaf: Leaf, lowest: Level, misses: &mut [Miss]) -> (usize, bool) {
    let Machine { plan, tables, space, .. } = machine;
    let Some(root) = tables.existing_root(*space, 0) else { return (0, false) };
    let path = Path { root, root_level: plan.root_level, tables };
    let above = lowest.above();
    // The address bits that choose a table of this level; the root covers all addresses.
    let is_root = above == plan.root_level;
    let span = if is_root { 0 } else { u64::MAX << plan.shift[Leaf::of(above.above())] };
    let mut in_span = PackedPage::default();
    let mut upper: &[u64] = &[];
    let step = tables.step(above);
    for (n, miss) in misses.iter_mut().enumerate() {
        let page = miss.page;
        if page.is(leaf, Stage::MissedLevel2) {
            if upper.is_empty() || !page.is_equal_in(in_span, span) {
                let Some(table) = path.table(page, above) else { return (n, false) };
                (in_span, upper) = (page, tables.entries(table));
            }
            let entry = upper[page.index(step)];
            if !has(entry, PRESENT | ACCESSED) {
                return (n, false);
            }
            miss.table = tables.next(entry).0;
        } else if page.leaf() != leaf {
            return (n, true);
        } else if !page.is_plain_hit() {
            return (n, false);
        }
    }
    (misses.len(), true)
}

/// Reads the entries that end walks, in tables that have been found, and counts hits of level 2, up to the first
/// exceptional miss. Returns the number of misses before that miss.
#[inline(never)]
fn read_entries<P: Probe>(
    machine: &mut Machine,
    lowest: Level,
    misses: &[Miss],
    BatchState { touches, late_dirty }: &mut BatchState<'_>,
    sums: &mut WalkSums,
    probe: &mut P,
) -> usize {
    let may_map = route::may_map_early(machine, touches.as_ref());
    let step = machine.tables.step(lowest);
    let mut needed = [SETTLED; 4];
    needed[Kind::Store.index()] |= WRITTEN;
    for (n, miss) in misses.iter().enumerate() {
        let page = miss.page;
        let kind = page.kind().index();
        if page.is_at(Stage::MissedLevel2) {
            let settled = machine.tables.settled(Table(miss.table), page.index(step));
            let mut is_dirty = settled & WRITTEN != 0;
            if !has(settled, needed[kind]) {
                let entry = machine.tables.read(Table(miss.table), page.index(step));
                is_dirty = has(entry, DIRTY);
                let place = (lowest, page.leaf());
                if !write_entry(machine, place, miss, may_map, sums, probe) {
                    return n;
                }
            }
            sums.walks[kind] += 1;
            if is_dirty {
                late_dirty.record_walk(machine, miss);
            }
        } else {
            sums.l2_hits[kind] += 1;
            late_dirty.copy_to_level_1(machine, miss);
        }
    }
    misses.len()
}

/// Maps the page of a miss at its first touch, and sets the flags of the entry that ends the walk. The entry is in a
/// table of level `lowest`, for a page of `leaf`. Returns false if the page is not there and must not be mapped
/// (`may_map`), or if the simulated memory is used up.
#[inline(never)]
pub(super) fn write_entry<P: Probe>(
    machine: &mut Machine,
    (lowest, leaf): (Level, Leaf),
    miss: &Miss,
    may_map: bool,
    sums: &mut WalkSums,
    probe: &mut P,
) -> bool {
    let Machine { tables, os, space, .. } = machine;
    let (va, kind) = (miss.page.va(), miss.page.kind());
    let (table, at) = (Table(miss.table), tables.index(va, lowest));
    let store = kind == Kind::Store;
    let mut entry = tables.read(table, at);
    if entry & PRESENT == 0 {
        if !may_map || os.map_entry(tables, (*space, va), (table, at), leaf).is_err() {
            return false;
        }
        entry = tables.read(table, at);
        probe.fault(os.cause_of(va, store));
    }
    let wanted = if store { ACCESSED | DIRTY } else { ACCESSED };
    tables.set_page_flags(table, at, leaf, wanted);
    sums.ad_updates[kind.index()] += (!entry & wanted).count_ones();
    true
}

/// The tables of one address space.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) root: Table,
    pub(super) root_level: Level,
    pub(super) tables: &'a PageTables,
}

impl Path<'_> {
    /// Returns the table of a level on the way to a page, or `None` if a walk would have to change something.
    #[inline(never)]
    pub(super) fn table(&self, page: PackedPage, level: Level) -> Option<Table> {
        let mut table = self.root;
        for level in level.above().up_to(self.root_level).rev() {
            let entry = self.tables.read(table, self.tables.index(page.va(), level));
            if !has(entry, PRESENT | ACCESSED) {
                return None;
            }
            table = self.tables.next(entry);
        }
        Some(table)
    }

    /// Returns the table of a level on the way to a page, for a walk that is known to change nothing.
    #[inline(never)]
    pub(super) fn existing_table(&self, page: PackedPage, level: Level) -> Table {
        self.table(page, level).unwrap_or(self.root)
    }
}

#[cfg_attr(feature = "fast", inline(always))]
fn has(entry: u64, flags: u64) -> bool {
    entry & flags == flags
}
