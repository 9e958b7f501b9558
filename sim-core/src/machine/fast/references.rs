//! The reads of walks without a host, in order, and the accesses between them, through the memory caches.
//!
//! Bench row: (b) with all reads through caches.

use super::batch::Miss;
use super::line_touches::{LineTouches, Mapped};
use super::table_reads::Path;
use super::walks::WalkSums;
use crate::caches::memory::{LINE, ReadList, read_by};
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::{Leaf, Level, PerLevel};

/// Reads the entries of walks through the memory caches, and executes the touches before each walk.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    root: Table,
    misses: &[Miss],
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    match touches {
        Some(touches) => read_between_accesses(machine, root, misses, touches, sums),
        None => read_all(machine, root, misses, sums),
    }
}

/// The entries that walks read.
struct Entries<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    path: Path<'a>,
    /// For each level above the last tables: the part of the address space that was looked up last, and its table.
    latest: PerLevel<(u64, Table)>,
}

impl<'a> Entries<'a> {
    fn new(plan: &'a Plan, tables: &'a PageTables, root: Table) -> Self {
        let path = Path { root, root_level: plan.root_level, tables };
        Self { plan, tables, path, latest: PerLevel::new(|_| (u64::MAX, root)) }
    }

    /// Calls `read` with the address of each entry that a walk reads.
    #[cfg_attr(feature = "fast", inline(always))]
    fn for_each(&mut self, miss: &Miss, mut read: impl FnMut(u64)) {
        let lowest = self.plan.entry_level[miss.page.leaf()];
        for level in lowest.above().up_to(miss.page.start()).rev() {
            let table = self.table(miss, level);
            read(self.tables.entry_address(table, miss.page.index(self.tables.step(level))));
        }
        let at = miss.page.index(self.tables.step(lowest));
        read(self.tables.entry_address(Table(miss.table), at));
    }

    /// Returns the physical address of the 4 KiB page of each miss. The entries that end the walks lie anywhere in
    /// memory. One loop reads them all, so that the simulating processor waits for many at once.
    fn physical_pages(&self, misses: &[Miss]) -> Vec<u64> {
        let physical = |miss: &Miss| {
            let lowest = self.plan.entry_level[miss.page.leaf()];
            let at = miss.page.index(self.tables.step(lowest));
            let in_page = miss.page.va() & ((1 << self.plan.shift[Leaf::of(lowest)]) - 1);
            self.tables.frame(self.tables.read(Table(miss.table), at)).byte(in_page)
        };
        misses.iter().map(physical).collect()
    }

    /// Returns the table of a level above the last table.
    #[cfg_attr(feature = "fast", inline(always))]
    fn table(&mut self, miss: &Miss, level: Level) -> Table {
        let part = miss.page.number(self.plan.shift[Leaf::of(level.above())]);
        let latest = &mut self.latest[level];
        if level < self.plan.root_level && latest.0 != part {
            *latest = (part, self.path.existing_table(miss.page, level));
        }
        latest.1
    }
}

/// Reads the entries, if the accesses themselves do not go through the caches.
fn read_all(machine: &mut Machine, root: Table, misses: &[Miss], sums: &mut WalkSums) {
    let Machine { plan, tables, memory, .. } = machine;
    let mut entries = Entries::new(plan, tables, root);
    let mut reads = ReadList::default();
    for miss in misses {
        let kind = miss.page.kind().index();
        entries.for_each(miss, |address| reads.push(address / LINE, kind));
    }
    reads.read_all(memory, &mut sums.served);
}

/// Reads the entries, if the accesses themselves go through the caches between the walks.
fn read_between_accesses(
    machine: &mut Machine,
    root: Table,
    misses: &[Miss],
    touches: &mut LineTouches<'_>,
    sums: &mut WalkSums,
) {
    let Machine { plan, tables, memory, space, .. } = machine;
    let mapped = Mapped { tables, nested: None, space: *space, va_mask: plan.va_mask };
    let mut entries = Entries::new(plan, tables, root);
    let served = &mut sums.served;
    match touches {
        LineTouches::InRuns(runs) => {
            let mut lines = Vec::new();
            for miss in misses {
                let kind = miss.page.kind().index();
                lines.clear();
                entries.for_each(miss, |address| lines.push(read_by(address / LINE, kind)));
                runs.walk(miss.index, &lines, mapped, memory, served);
            }
        }
        LineTouches::Single(accesses) => {
            let pages = entries.physical_pages(misses);
            for (miss, physical) in misses.iter().zip(pages) {
                accesses.collect_until(miss.index, mapped, memory, served);
                let kind = miss.page.kind().index();
                entries.for_each(miss, |address| accesses.reads.push(address / LINE, kind));
                accesses.remember_frame(miss.page.va(), physical);
            }
            accesses.reads.read_all(memory, served);
        }
    }
}
