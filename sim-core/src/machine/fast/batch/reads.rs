//! The reads of walks whose tables are there: at most, the last entry is to be written.
//!
//! What the paging-structure caches would say need not be known for that. Pages that are touched for the first time
//! are mapped, and flags of entries that map pages are set, as the machine does. Walks wait for memory, the simulated
//! machine's tables; one after the other without anything in between, they wait together. Few tables lead to the last
//! ones, whose entries are anywhere: those are read in a loop of their own.

use super::packed::{Packed, Stage};
use super::touches::Touches;
use super::walks::Done;
use super::{Beside, Miss};
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use pagewalk_base::trace::Kind;

/// Tables of so many walks are found before what is in them is read: where that is news, the rest was in vain.
const AHEAD: usize = 32;

/// Finds the last table of each walk, and counts hits of level 2, as far as nothing is news; returns
/// for how many misses.
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    beside: &mut Beside<'_>,
    done: &mut Done,
    probe: &mut P,
) -> usize {
    let mut n = 0;
    while let Some(first) = misses.get(n) {
        let leaf = first.page.leaf();
        let lowest = machine.plan.entry_level[leaf];
        // Without a table above the last one, there is nothing to look for.
        if lowest >= machine.plan.n_levels {
            break;
        }
        let ahead = misses.len().min(n + AHEAD);
        let (found, is_other) = find_tables(machine, leaf, lowest, &mut misses[n..ahead]);
        let more = read_entries(machine, lowest, &misses[n..n + found], beside, done, probe);
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
fn read_entries<P: Probe>(
    machine: &mut Machine,
    lowest: u8,
    misses: &[Miss],
    Beside { touches, learned }: &mut Beside<'_>,
    done: &mut Done,
    probe: &mut P,
) -> usize {
    let may_map = touches.as_ref().is_none_or(Touches::may_map) && !machine.os.checks_rights();
    let step = machine.tables.step(lowest);
    let mut needed = [PRESENT | ACCESSED; 4];
    needed[Kind::Store.index()] |= DIRTY;
    for (n, miss) in misses.iter().enumerate() {
        let page = miss.page;
        let kind = page.kind().index();
        if page.is_at(Stage::MissedLevel2) {
            let entry = machine.tables.read(Table(miss.table), page.index(step));
            if !has(entry, needed[kind]) {
                let may_write = may_map || has(entry, PRESENT);
                if !may_write || !write_entry(machine, lowest, miss, done, probe) {
                    return n;
                }
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

/// Maps the page of a miss if it is touched for the first time, and sets the flags of the entry that ends its walk;
/// false if there is no memory for it.
#[inline(never)]
fn write_entry<P: Probe>(
    machine: &mut Machine,
    lowest: u8,
    miss: &Miss,
    done: &mut Done,
    probe: &mut P,
) -> bool {
    let Machine { tables, os, space, .. } = machine;
    let (va, kind) = (miss.page.va(), miss.page.kind());
    let (table, at) = (Table(miss.table), tables.index(va, lowest));
    let leaf = (miss.page.leaf() as u64).to_le_bytes()[0];
    let store = kind == Kind::Store;
    let mut entry = tables.read(table, at);
    if entry & PRESENT == 0 {
        if os.map_entry(tables, (*space, va), (table, at), leaf).is_err() {
            return false;
        }
        entry = tables.read(table, at);
        probe.fault(os.cause_of(va, store));
    }
    let wanted = if store { ACCESSED | DIRTY } else { ACCESSED };
    tables.set_page_flags(table, at, leaf, wanted);
    done.ad_updates[kind.index()] += (!entry & wanted).count_ones();
    true
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

#[inline(always)]
fn has(entry: u64, flags: u64) -> bool {
    entry & flags == flags
}
