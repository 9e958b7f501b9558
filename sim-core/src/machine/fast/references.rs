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
    // The entries that end walks lie anywhere in memory. One loop reads them all, so that the simulating processor waits for
    // many at once.
    let last = |miss: &Miss| {
        let step = tables.step(plan.entry_level[miss.page.leaf()]);
        tables.read(Table(miss.table), miss.page.index(step))
    };
    let needs_frames = matches!(touches, LineTouches::Single(_));
    let ends: Vec<u64> = if needs_frames { misses.iter().map(last).collect() } else { Vec::new() };
    let mut ends = ends.iter();
    let mut entries = Entries::new(plan, tables, root);
    let mut lines = Vec::new();
    for miss in misses {
        let kind = miss.page.kind().index();
        lines.clear();
        entries.for_each(miss, |address| lines.push(read_by(address / LINE, kind)));
        touches.walk(miss.index, &lines, mapped, memory, &mut sums.served);
        if let (LineTouches::Single(accesses), Some(end)) = (&mut *touches, ends.next()) {
            let shift = plan.shift[Leaf::of(plan.entry_level[miss.page.leaf()])];
            let in_page = miss.page.va() & ((1 << shift) - 1);
            accesses.remember_frame(miss.page.va(), tables.frame(*end).byte(in_page));
        }
    }
    touches.read_all(memory, &mut sums.served);
}
