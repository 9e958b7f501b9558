//! The reads of page tables by walks without a host.
//!
//! The tables do not depend on the results of lookups in the paging-structure caches. As in the machine's own code,
//! these walks map pages at first touch, and set flags of leaf entries. Most walks change nothing: one loop finds their last
//! tables, and reads two bits of the entries that end them. The entries of the other walks change afterwards, in order.
//!
//! Bench row: (b) random loads; first touches: (a) strided loads.

use super::batch::{BatchState, MOST_MISSES, Miss};
use super::packed_page::{PackedPage, Stage};
use super::route;
use super::walks::WalkSums;
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, SETTLED, Table, WRITTEN};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::trace::Kind;

/// Reads the tables of walks to pages of one leaf, up to the first exceptional miss. `found` receives the walks. Returns
/// whether an exceptional miss or nothing follows.
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    BatchState { touches, late_dirty }: &mut BatchState<'_>,
    found: &mut Found,
    sums: &mut WalkSums,
    probe: &mut P,
) -> bool {
    (found.n, found.n_others) = (0, 0);
    let Some(first) = misses.first() else { return true };
    let leaf = first.page.leaf();
    let lowest = machine.plan.entry_level[leaf];
    // The last table is the root, so there is no table above it.
    if lowest >= machine.plan.root_level {
        return true;
    }
    let may_map = route::may_map_early(machine, touches.as_ref());
    let mut is_over = find(machine, (leaf, lowest), may_map, misses, found);
    for number in found.others() {
        let miss = &misses[usize::from(*number)];
        let at = machine.tables.index(miss.page.va(), lowest);
        let entry = machine.tables.read(Table(miss.table), at);
        if !write_entry(machine, (lowest, leaf), miss, may_map, sums, probe) {
            (found.n, is_over) = (usize::from(*number), true);
            break;
        }
        if has(entry, DIRTY) {
            late_dirty.record_walk(machine, miss);
        }
    }
    for miss in &misses[..found.n] {
        sums.walks[miss.page.kind().index()] += 1;
    }
    is_over
}

/// The walks that a search has found.
pub(super) struct Found {
    /// The number of walks.
    pub(super) n: usize,
    /// The walks that may have to change the last entry, and the loads and fetches whose page may be dirty.
    others: [u16; MOST_MISSES],
    n_others: usize,
}

impl Default for Found {
    fn default() -> Self {
        Self { n: 0, others: [0; MOST_MISSES], n_others: 0 }
    }
}

impl Found {
    fn others(&self) -> &[u16] {
        &self.others[..self.n_others]
    }
}

/// Bits that no entry has.
const NEVER: u64 = u64::MAX;

/// Finds the last tables of walks to pages of one leaf, whose entries are at level `lowest`, and reads the bits of these
/// entries. Returns whether an exceptional miss or nothing follows. `may_map` as in [`write_entry`].
#[inline(never)]
fn find(
    machine: &Machine,
    (leaf, lowest): (Leaf, Level),
    may_map: bool,
    misses: &mut [Miss],
    found: &mut Found,
) -> bool {
    let Machine { plan, tables, space, .. } = machine;
    let Some(root) = tables.existing_root(*space, 0) else { return true };
    let path = Path { root, root_level: plan.root_level, tables };
    let above = lowest.above();
    // The address bits that choose a table of this level; the root covers all addresses.
    let is_root = above == plan.root_level;
    let span = if is_root { 0 } else { u64::MAX << plan.shift[Leaf::of(above.above())] };
    let [step, last_step] = [above, lowest].map(|level| tables.step(level));
    // For each kind of access: the bits of an entry that the walk need not change. A load or a fetch also needs no dirty
    // flag of it.
    let mut expected = [SETTLED; 4];
    expected[Kind::Store.index()] |= WRITTEN;
    let mut in_span = PackedPage::default();
    let mut upper: &[u64] = &[];
    for (miss, number) in misses.iter_mut().zip(0..) {
        let page = miss.page;
        if !page.is(leaf, Stage::MissedLevel2) {
            return page.leaf() == leaf;
        }
        if upper.is_empty() || !page.is_equal_in(in_span, span) {
            let Some(table) = path.table(page, above) else { return true };
            (in_span, upper) = (page, tables.entries(table));
        }
        let entry = upper[page.index(step)];
        if !has(entry, PRESENT | ACCESSED) {
            return true;
        }
        let table = tables.next(entry);
        miss.table = table.0;
        let last = page.index(last_step);
        if tables.settled(table, last) != expected[page.kind().index()] {
            if !may_map && tables.read(table, last) & PRESENT == 0 {
                return true;
            }
            if page.kind() == Kind::Store {
                // This store may make the pages of later walks dirty.
                let clean = expected[Kind::Store.index()];
                expected = [NEVER; 4];
                expected[Kind::Store.index()] = clean;
            }
            found.others[found.n_others % MOST_MISSES] = number;
            found.n_others += 1;
        }
        found.n += 1;
    }
    true
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
