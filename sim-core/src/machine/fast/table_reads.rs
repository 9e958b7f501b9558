//! The reads of page tables by walks without a host.
//!
//! The tables do not depend on the results of lookups in the paging-structure caches. As in the machine's own code,
//! these walks map pages at first touch, and set flags of leaf entries. Most walks change nothing: one loop finds their last
//! tables, and reads two bits of the entries that end them. The entries of the other walks change afterwards, in order.
//!
//! Bench row: (b) random loads; first touches: (a) strided loads.

use super::batch::{BatchState, MOST_MISSES, Miss};
use super::kind_counts::KindCounts;
use super::packed_page::{PackedPage, Stage};
use super::route;
use super::walks::WalkSums;
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, SETTLED, Table, WRITTEN};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::narrow::{low16, small};
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;

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
    (found.n, found.n_others, found.is_below_one) = (0, 0, true);
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
    let mut counts = KindCounts::default();
    for miss in &misses[..found.n] {
        counts.add(miss.page.kind().index(), 1);
    }
    counts.add_to(&mut sums.walks);
    is_over
}

/// The walks that a search has found.
pub(super) struct Found {
    /// The number of walks.
    pub(super) n: usize,
    /// The walks that may have to change the last entry, and the loads and fetches whose page may be dirty.
    others: [u16; MOST_MISSES],
    n_others: usize,
    /// Whether one table is known to lead to the last tables of all walks.
    pub(super) is_below_one: bool,
}

impl Default for Found {
    fn default() -> Self {
        Self { n: 0, others: [0; MOST_MISSES], n_others: 0, is_below_one: true }
    }
}

impl Found {
    fn add_other(&mut self, number: usize) {
        self.others[self.n_others % MOST_MISSES] = low16(small(number));
        self.n_others += 1;
    }

    fn others(&self) -> &[u16] {
        &self.others[..self.n_others]
    }
}

/// Bits that no entry has.
const NEVER: u64 = u64::MAX;

/// Finds the last tables of walks to pages of one leaf, whose entries are at level `lowest`, and reads the bits of these
/// entries. Returns whether an exceptional miss or nothing follows. `may_map` as in [`write_entry`].
fn find(
    machine: &Machine,
    (leaf, lowest): (Leaf, Level),
    may_map: bool,
    misses: &mut [Miss],
    found: &mut Found,
) -> bool {
    let Machine { plan, tables, space, .. } = machine;
    let Some(root) = tables.existing_root(*space, 0) else { return true };
    let above = lowest.above();
    // The address bits that choose a table of this level; the root covers all addresses.
    let is_root = above == plan.root_level;
    let search = Search {
        path: Path { root, root_level: plan.root_level, tables },
        leaf,
        above,
        span: if is_root { 0 } else { u64::MAX << plan.shift[Leaf::of(above.above())] },
        steps: [above, lowest].map(|level| tables.step(level)),
        may_map,
    };
    let (n, is_over) = if IS_WHOLE && search.steps == USUAL_STEPS {
        search.find::<true>(misses, found)
    } else {
        search.find::<false>(misses, found)
    };
    found.n = n;
    is_over
}

/// The steps of the two lowest levels of most machines: tables of 512 entries, and pages of 4 KiB.
const USUAL_STEPS: [(u32, u64); 2] = [(21, (1 << 9) - 1), (12, (1 << 9) - 1)];

/// A search for the last tables of walks to pages of one leaf.
struct Search<'a> {
    path: Path<'a>,
    leaf: Leaf,
    /// The level above that of the last tables.
    above: Level,
    /// The address bits that choose a table of this level.
    span: u64,
    /// The steps of this level and of the last tables, from [`PageTables::step`].
    steps: [(u32, u64); 2],
    may_map: bool,
}

impl Search<'_> {
    /// Finds the walks, and returns their number, and whether an exceptional miss or nothing follows. The loop with the
    /// `USUAL` steps knows them when it is compiled.
    #[inline(never)]
    fn find<const USUAL: bool>(&self, misses: &mut [Miss], found: &mut Found) -> (usize, bool) {
        let Self { path, leaf, above, span, may_map, .. } = *self;
        let tables = path.tables;
        let [step, last_step] = if USUAL { USUAL_STEPS } else { self.steps };
        // For each kind of access: the bits of an entry that the walk need not change. A load or a fetch also needs no
        // dirty flag of it.
        let mut expected = [SETTLED; 4];
        expected[Kind::Store.index()] |= WRITTEN;
        // The entries of the first walk's table at level `above`. The list is empty if the walk would change an entry on the
        // way.
        let mut in_span = misses.first().map_or(PackedPage::default(), |first| first.page);
        let mut upper = path.table(in_span, above).map_or(&[][..], |table| tables.entries(table));
        for (n, miss) in misses.iter_mut().enumerate() {
            let page = miss.page;
            if !page.is(leaf, Stage::MissedLevel2) {
                return (n, page.leaf() == leaf);
            }
            if !page.is_equal_in(in_span, span) {
                found.is_below_one = false;
                let Some(table) = path.table(page, above) else { return (n, true) };
                (in_span, upper) = (page, tables.entries(table));
            }
            let entry =
                upper.get(page.index(step)).filter(|entry| has(**entry, PRESENT | ACCESSED));
            let Some(entry) = entry else { return (n, true) };
            let (table, last) = (tables.next(*entry), page.index(last_step));
            miss.table = table.0;
            if tables.settled_below(*entry, last) != expected[page.kind().index()] {
                if !may_map && tables.read(table, last) & PRESENT == 0 {
                    return (n, true);
                }
                if page.kind() == Kind::Store {
                    // This store may make the pages of later walks dirty.
                    let clean = expected[Kind::Store.index()];
                    expected = [NEVER; 4];
                    expected[Kind::Store.index()] = clean;
                }
                found.add_other(n);
            }
        }
        (misses.len(), true)
    }
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
    let wanted = if store { ACCESSED | DIRTY } else { ACCESSED };
    let mut entry = tables.read(table, at);
    if entry & PRESENT == 0 {
        if !may_map || os.map_entry(tables, (*space, va), (table, at), leaf, wanted).is_err() {
            return false;
        }
        entry = tables.format.page_flags();
        probe.fault(os.cause_of(va, store));
    } else {
        tables.set_page_flags(table, at, leaf, wanted);
    }
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
