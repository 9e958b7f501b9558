//! The references of walks, in order, and the accesses between them, on their way through the memory caches.

use super::Miss;
use super::packed::Stage;
use super::reads::Path;
use super::touches::{Mapped, Touches};
use super::walks::Done;
use crate::caches::memory::{LINE, Reads, read_by};
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::page_table::{PageTables, Table};

/// Takes what walks read through the memory caches, and the accesses before each.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    root: Table,
    misses: &[Miss],
    touches: &mut Option<Touches<'_>>,
    done: &mut Done,
) {
    match touches {
        Some(touches) => among_accesses(machine, root, misses, touches, done),
        None => together(machine, root, misses, done),
    }
}

fn walks(misses: &[Miss]) -> impl Iterator<Item = &Miss> {
    misses.iter().filter(|miss| miss.page.is_at(Stage::Walks))
}

/// The entries that walks read.
struct Entries<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    path: Path<'a>,
    /// By level of tables above the last ones: the part of the address space whose table was asked for last, and that.
    known: [(u64, Table); 8],
}

impl<'a> Entries<'a> {
    fn new(plan: &'a Plan, tables: &'a PageTables, root: Table) -> Self {
        let path = Path { root, n_levels: plan.n_levels, tables };
        Self { plan, tables, path, known: [(u64::MAX, root); 8] }
    }

    /// Gives the address of each entry that a walk reads; returns the last table, and the place of the last entry there.
    #[inline(always)]
    fn each(&mut self, miss: &Miss, mut give: impl FnMut(u64)) -> (Table, usize) {
        let lowest = self.plan.entry_level[miss.page.leaf()];
        for level in (lowest + 1..=miss.page.start()).rev() {
            let table = self.table(miss, level);
            give(self.tables.entry_address(table, miss.page.index(self.tables.step(level))));
        }
        let (table, at) = (Table(miss.table), miss.page.index(self.tables.step(lowest)));
        give(self.tables.entry_address(table, at));
        (table, at)
    }

    /// The table of a level above that of the last one.
    #[inline(always)]
    fn table(&mut self, miss: &Miss, level: u8) -> Table {
        let part = miss.page.number(self.plan.shift[usize::from(level + 1) % 8]);
        let known = &mut self.known[usize::from(level) % 8];
        if level < self.plan.n_levels && known.0 != part {
            *known = (part, self.path.known(miss.page, level));
        }
        known.1
    }
}

/// Where accesses themselves do not go through the caches.
fn together(machine: &mut Machine, root: Table, misses: &[Miss], done: &mut Done) {
    let Machine { plan, tables, memory, .. } = machine;
    let mut entries = Entries::new(plan, tables, root);
    let mut reads = Reads::default();
    for miss in walks(misses) {
        let kind = miss.page.kind().index();
        entries.each(miss, |address| reads.push(address / LINE, kind));
    }
    reads.go(memory, &mut done.served);
}

/// Where accesses themselves go through the caches between the walks.
fn among_accesses(
    machine: &mut Machine,
    root: Table,
    misses: &[Miss],
    touches: &mut Touches<'_>,
    done: &mut Done,
) {
    let Machine { plan, tables, memory, space, .. } = machine;
    let mapped = Mapped { tables, nested: None, space: *space, va_mask: plan.va_mask };
    let mut entries = Entries::new(plan, tables, root);
    let mut lines = Vec::new();
    for miss in walks(misses) {
        let kind = miss.page.kind().index();
        lines.clear();
        let (table, at) = entries.each(miss, |address| lines.push(read_by(address / LINE, kind)));
        touches.walk(miss.index, &lines, mapped, memory, &mut done.served);
        if let Touches::Each(each) = touches {
            let shift = plan.shift[usize::from(plan.entry_level[miss.page.leaf()])];
            let in_page = miss.page.va() & ((1 << shift) - 1);
            each.know(miss.page.va(), tables.frame(tables.read(table, at)) + in_page);
        }
    }
    touches.go(memory, &mut done.served);
}
