//! The reads of walks that change nothing: the tables are there, and their flags are set.
//!
//! Reading changes nothing either, so that what the paging-structure caches would say need not be
//! known. Walks wait for memory, the simulated machine's tables; one after the other without
//! anything in between, they wait together. Few tables lead to the last ones, whose entries are anywhere: those are
//! read in a loop of their own.

use super::Miss;
use super::learned::Learned;
use super::packed::{Packed, Stage};
use super::walks::Done;
use crate::machine::Machine;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use crate::trace::Kind;

/// Finds the last table of each walk, and counts hits of level 2, as far as nothing is news; returns
/// for how many misses.
pub(super) fn run(
    machine: &mut Machine,
    misses: &mut [Miss],
    learned: &mut Learned,
    done: &mut Done,
) -> usize {
    let mut n = 0;
    while let Some(first) = misses.get(n) {
        let leaf = first.page.leaf();
        let lowest = machine.plan.entry_level[leaf];
        // Without a table above the last one, there is nothing to look for.
        if lowest >= machine.plan.n_levels {
            break;
        }
        let (found, is_other) = find_tables(machine, leaf, lowest, &mut misses[n..]);
        let more = read_entries(machine, lowest, &misses[n..n + found], learned, done);
        let is_news = more < found || !is_other;
        n += more;
        if is_news {
            break;
        }
    }
    n
}

/// Finds the last tables of walks to pages of one leaf, whose entries are at level `lowest`; returns for how many
/// misses, and whether the next one is of another leaf, or none, not news.
#[inline(never)]
fn find_tables(machine: &Machine, leaf: usize, lowest: u8, misses: &mut [Miss]) -> (usize, bool) {
    let Machine { plan, tables, space, .. } = machine;
    let Some(root) = tables.existing_root(*space) else { return (0, false) };
    let path = Path { root, n_levels: plan.n_levels, tables };
    let above = lowest + 1;
    // What a table above the last one covers: all, if it is the root.
    let is_root = above == plan.n_levels;
    let span = if is_root { 0 } else { u64::MAX << plan.shift[usize::from(above) + 1] };
    let mut in_span = Packed::default();
    let mut upper: &[u64] = &[];
    let step = tables.step(above);
    for (n, miss) in misses.iter_mut().enumerate() {
        let page = miss.page;
        if page.is(leaf, Stage::MissedLevel2) {
            if upper.is_empty() || !page.is_beside(in_span, span) {
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

/// Reads the entries that end walks, in tables that have been found, and counts hits of level 2, as far as nothing is
/// news; returns for how many misses.
#[inline(never)]
fn read_entries(
    machine: &mut Machine,
    lowest: u8,
    misses: &[Miss],
    learned: &mut Learned,
    done: &mut Done,
) -> usize {
    let step = machine.tables.step(lowest);
    let mut needed = [PRESENT | ACCESSED; 4];
    needed[Kind::Store.index()] |= DIRTY;
    for (n, miss) in misses.iter().enumerate() {
        let page = miss.page;
        let kind = page.kind().index();
        if page.is_at(Stage::MissedLevel2) {
            let entry = machine.tables.read(Table(miss.table), page.index(step));
            if !has(entry, needed[kind]) {
                return n;
            }
            done.walks[kind] += 1;
            if entry & DIRTY != 0 {
                learned.walked(machine, miss);
            }
        } else {
            done.l2_hits[kind] += 1;
            learned.hit(machine, miss);
        }
    }
    misses.len()
}

/// The tables of one address space.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) root: Table,
    pub(super) n_levels: u8,
    pub(super) tables: &'a PageTables,
}

impl Path<'_> {
    /// The table of a level on the way to a page; `None` if a walk would have to change something.
    #[inline(never)]
    pub(super) fn table(&self, page: Packed, level: u8) -> Option<Table> {
        let mut table = self.root;
        for level in (level + 1..=self.n_levels).rev() {
            let entry = self.tables.read(table, self.tables.index(page.va(), level));
            if !has(entry, PRESENT | ACCESSED) {
                return None;
            }
            table = self.tables.next(entry);
        }
        Some(table)
    }

    /// The same for a walk that changes nothing.
    #[inline(never)]
    pub(super) fn known(&self, page: Packed, level: u8) -> Table {
        self.table(page, level).unwrap_or(self.root)
    }
}

#[cfg_attr(feature = "fast", inline(always))]
fn has(entry: u64, flags: u64) -> bool {
    entry & flags == flags
}
