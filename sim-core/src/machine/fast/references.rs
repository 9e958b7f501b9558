//! The reads of walks without a host, in order, and the accesses between them, through the memory caches.
//!
//! Bench row: (b) with all reads through caches.

use super::batch::Miss;
use super::line_touches::{LineTouches, Mapped};
use super::packed_page::PackedPage;
use super::table_reads::Path;
use super::walks::WalkSums;
use crate::caches::memory::{LINE, ReadList, Readers, read_by};
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::{Leaf, Level, PerLevel};

/// Reads the entries of walks through the memory caches, and executes the touches before each walk. `only` is the kind of
/// access of all walks, if they have one.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    root: Table,
    (misses, only): (&[Miss], Option<usize>),
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    match touches {
        Some(touches) => read_between_accesses(machine, root, (misses, only), touches, sums),
        None => read_all(machine, root, (misses, only), sums),
    }
}

/// The entries that walks to pages of one leaf read.
struct Entries<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    path: Path<'a>,
    /// The levels of the last tables and of those above them, with their steps.
    lowest: Level,
    above: Level,
    steps: [(u32, u64); 2],
    /// For each level above the last tables: the part of the address space that was looked up last, and the address of
    /// its table.
    latest: PerLevel<(u64, u64)>,
}

impl<'a> Entries<'a> {
    fn new((plan, tables): (&'a Plan, &'a PageTables), root: Table, leaf: Leaf) -> Self {
        let lowest = plan.entry_level[leaf];
        let above = lowest.above();
        Self {
            plan,
            tables,
            path: Path { root, root_level: plan.root_level, tables },
            lowest,
            above,
            steps: [lowest, above].map(|level| tables.step(level)),
            latest: PerLevel::new(|_| (u64::MAX, 0)),
        }
    }

    /// Calls `read` with the address of each entry that a walk reads.
    #[cfg_attr(feature = "fast", inline(always))]
    fn for_each(&mut self, miss: &Miss, mut read: impl FnMut(u64)) {
        let start = miss.page.start();
        let [last_step, step] = self.steps;
        if start != self.lowest {
            if start != self.above {
                self.for_each_upper(miss, start, &mut read);
            }
            let table = self.table(miss.page, self.above);
            read(table + self.tables.offset_of(miss.page.index(step)));
        }
        read(self.tables.entry_address(Table(miss.table), miss.page.index(last_step)));
    }

    /// Calls `read` for the entries more than one level above the last one.
    #[inline(never)]
    fn for_each_upper(&mut self, miss: &Miss, start: Level, read: &mut impl FnMut(u64)) {
        for level in self.above.above().up_to(start).rev() {
            let at = miss.page.index(self.tables.step(level));
            read(self.table(miss.page, level) + self.tables.offset_of(at));
        }
    }

    /// Returns the physical address of the 4 KiB page of each miss. The entries that end the walks lie anywhere in
    /// memory. One loop reads them all, so that the simulating processor waits for many at once.
    fn physical_pages(&self, misses: &[Miss]) -> Vec<u64> {
        let leaf = Leaf::of(self.lowest);
        let physical = |miss: &Miss| self.tables.place_in(Table(miss.table), miss.page.va(), leaf);
        misses.iter().map(physical).collect()
    }

    /// Returns the physical address of the table of a level above the last one.
    #[cfg_attr(feature = "fast", inline(always))]
    fn table(&mut self, page: PackedPage, level: Level) -> u64 {
        // One root covers all addresses.
        let is_root = level == self.path.root_level;
        let part = if is_root { 0 } else { page.number(self.plan.shift[Leaf::of(level.above())]) };
        let is_known = self.latest[level].0 == part;
        if is_known { self.latest[level].1 } else { self.find_table(page, level, part) }
    }

    #[inline(never)]
    fn find_table(&mut self, page: PackedPage, level: Level, part: u64) -> u64 {
        let address = self.tables.address(self.path.existing_table(page, level));
        self.latest[level] = (part, address);
        address
    }
}

/// Reads the entries, if the accesses themselves do not go through the caches.
fn read_all(
    machine: &mut Machine,
    root: Table,
    (misses, only): (&[Miss], Option<usize>),
    sums: &mut WalkSums,
) {
    let Machine { plan, tables, memory, .. } = machine;
    let Some(first) = misses.first() else { return };
    let mut entries = Entries::new((plan, tables), root, first.page.leaf());
    let mut reads = ReadList::default();
    for miss in misses {
        let kind = miss.page.kind().index();
        entries.for_each(miss, |address| reads.push(address / LINE, kind));
    }
    reads.read_all(only.map_or(Readers::Any, Readers::Walks), memory, &mut sums.served);
}

/// Reads the entries, if the accesses themselves go through the caches between the walks.
fn read_between_accesses(
    machine: &mut Machine,
    root: Table,
    (misses, only): (&[Miss], Option<usize>),
    touches: &mut LineTouches<'_>,
    sums: &mut WalkSums,
) {
    let Machine { plan, tables, memory, space, .. } = machine;
    let mapped = Mapped { tables, nested: None, space: *space, va_mask: plan.va_mask };
    let Some(first) = misses.first() else { return };
    let mut entries = Entries::new((plan, tables), root, first.page.leaf());
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
            let readers = only.map_or(Readers::Any, Readers::AccessesAndWalks);
            accesses.reads.read_all(readers, memory, served);
        }
    }
}
