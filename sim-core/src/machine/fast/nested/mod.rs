//! The last stage for nested walks that change no table, stage by stage. [`super::walks`] is the last stage for walks
//! without a host.
//!
//! ```text
//! misses of level 2 ─▶ tables of both dimensions ─▶ psc ─▶ nested TLB ─▶ ept_psc ─▶ memory caches
//!                      (reads find exceptional      └── each cache, for all walks at a time ──┘
//!                       misses)
//! ```
//!
//! The contents of a cache follow from the lookups in it, in order. The order is that of the machine. Each walk first
//! looks up the guest's prefixes. Then it looks up the guest-physical page of each remaining table. At last it looks up
//! the prefixes of pages that the nested TLB does not hold, and of the data. So each cache may do the lookups of all
//! walks before the next cache begins. A miss is exceptional if a read finds a missing entry or a flag to be set.
//!
//! Bench row: (b) on nested 4K pages.

mod dimension;
mod host;
mod lookups;
mod references;
mod table_reads;

use super::batch::{ArrayCounts, BatchState, Miss};
use super::line_touches::LineTouches;
use super::packed_page::PackedPage;
use super::walks::WalkSums;
use super::{exceptional, route};
use crate::caches::psc::Place;
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::probe::Probe;
use crate::machine::translate::walk::Start;
use lookups::{BY_TLB, FOR_TLB, Lookups};
use pagewalk_base::addr::{Leaf, Level, PerLevel};
use pagewalk_base::narrow::small;

/// An address to look up in caches: guest-virtual or guest-physical.
#[derive(Clone, Copy, Default)]
struct Query {
    address: u64,
    /// The number of the access.
    index: u32,
    /// The last table of the walk.
    table: u32,
    /// The number of the upper tables on the way to that table.
    upper: u32,
    /// The level of the last table, whose entry ends the walk.
    lowest: Level,
    /// The level of the table where the walk starts, as a number. 0 = no cache has hit. [`FOR_TLB`] = the first
    /// lookup is in the nested TLB. [`BY_TLB`] = the nested TLB has hit.
    start: u8,
}

impl Query {
    /// Returns the level of the table where the walk starts, or `None` if no cache has hit.
    #[cfg_attr(feature = "fast", inline(always))]
    fn start_level(&self) -> Option<Level> {
        (self.start != 0).then_some(Level::new(self.start))
    }
}

/// A walk of the guest's tables.
#[derive(Clone, Copy, Default)]
struct Walk {
    page: PackedPage,
    /// The guest-physical address of the data.
    data: u64,
    /// The host-physical address of the last table.
    home: u64,
    /// The number of the miss that the walk belongs to.
    number: u32,
    /// Whether the page is dirty in both dimensions.
    is_dirty: bool,
}

/// The tables above the last one on the way to some addresses, by level.
#[derive(Clone, Copy, Default)]
struct UpperTables {
    tables: PerLevel<u32>,
}

/// The host-physical addresses of upper tables of the guest, and the queries with which the host finds them, by
/// level.
#[derive(Clone, Copy, Default)]
struct TableHomes {
    homes: PerLevel<u64>,
    queries: PerLevel<Query>,
}

/// The walks of a batch, with the results of the stages.
#[derive(Default)]
pub(super) struct Work {
    walks: Vec<Walk>,
    /// For each walk: the lookup of its page in the guest, of its last table in the host, and of its data in the
    /// host.
    guest: Vec<Query>,
    of_table: Vec<Query>,
    of_data: Vec<Query>,
    /// The lookups in the host, in order: of the tables that walks have to find, and of their data.
    host: Vec<Query>,
    guest_upper: Vec<UpperTables>,
    /// The homes of `guest_upper`, in the same order.
    homes: Vec<TableHomes>,
    host_upper: Vec<UpperTables>,
    /// The lines that walks read.
    lines: Vec<u64>,
    /// For each walk: the end of its lines in `lines`.
    ends: Vec<usize>,
    tlb: ArrayCounts,
    psc: [ArrayCounts; MAX_ARRAYS],
}

/// Processes misses in order.
#[inline(never)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    work: &mut Work,
    state: &mut BatchState<'_>,
    probe: &mut P,
) {
    let mut sums = WalkSums::default();
    exceptional::run(machine, misses, starts, state, probe, |machine, misses, state, _| {
        let n = table_reads::run(machine, misses, work, &mut state.late_dirty, &mut sums);
        if !work.walks.is_empty() {
            look_up_caches(machine, work, &mut state.touches, &mut sums);
        }
        n
    });
    sums.report(machine, probe);
    report_host_caches(machine, work, probe);
}

/// Reports the lookups and fills of the nested TLB and of the host's paging-structure caches.
fn report_host_caches<P: Probe>(machine: &Machine, work: &mut Work, probe: &mut P) {
    let (Some(nested), Some(tally)) = (&machine.nested, probe.tally()) else { return };
    let tlb = (nested.plan.tlb_at, std::mem::take(&mut work.tlb));
    let psc = nested.plan.psc_at.number(std::mem::take(&mut work.psc));
    for (structure, counts) in std::iter::once(tlb).chain(psc) {
        let ArrayCounts { hits, fills, evictions } = counts;
        if hits + fills > 0 {
            tally.psc_lookups(structure, u64::from(hits + fills), u64::from(hits));
            tally.fills(structure, u64::from(fills), u64::from(evictions));
        }
    }
}

/// Looks the walks up in the caches, one cache after the other.
#[inline(never)]
fn look_up_caches(
    machine: &mut Machine,
    work: &mut Work,
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    let Machine { plan, structures, table_class, nested: Some(nested), .. } = machine else {
        return;
    };
    let mut n_left = small(work.walks.len());
    for level in Level::LOWEST.until(plan.root_level) {
        let Place::Own(row) = plan.psc.places[level] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut structures.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: &mut work.guest,
            upper: &work.guest_upper,
            first_lookup: 0,
            level: level.number(),
            shift: plan.shift[Leaf::of(level.above())],
            class: table_class[level],
            indexing: entries.indexing(),
        });
        n_left -= counts.hits;
        sums.caches[usize::from(row)].add(counts);
    }
    list_host_walks(nested, work, plan.root_level);
    let n_left = small(work.host.len()) - look_up_tlb(nested, work);
    look_up_host_caches(nested, work, n_left);
    references::run(machine, work, touches, sums);
}

/// Lists the lookups in the host. Tables that a paging-structure cache has skipped need no lookup. `root_level` is
/// the guest's.
#[inline(never)]
fn list_host_walks(nested: &Nested, work: &mut Work, root_level: Level) {
    let Work { guest, of_table, of_data, host, homes, .. } = work;
    debug_assert!(nested.is_walked(), "the route asks for host tables that are walked");
    let start = if nested.caches.tlb.is_some() { FOR_TLB } else { 0 };
    host.clear();
    for ((query, of_table), of_data) in guest.iter().zip(of_table).zip(of_data) {
        let first = query.start_level().map_or(root_level, Level::below);
        for level in query.lowest.above().up_to(first).rev() {
            let table = homes[query.upper as usize].queries[level];
            host.push(Query { index: query.index, start, ..table });
        }
        if first >= query.lowest {
            host.push(Query { start, ..*of_table });
        }
        host.push(*of_data);
    }
}

/// Looks tables up in the nested TLB, and returns the number of hits.
fn look_up_tlb(nested: &mut Nested, work: &mut Work) -> u32 {
    let Some(leaf) = route::host_leaf(nested) else { return 0 };
    let Nested { plan, caches, page_class, .. } = nested;
    let Some(tlb) = &mut caches.tlb else { return 0 };
    let counts = tlb.with(Lookups {
        queries: &mut work.host,
        upper: &[],
        first_lookup: FOR_TLB,
        level: BY_TLB,
        shift: plan.shift[leaf],
        class: page_class[leaf],
        indexing: tlb.indexing(),
    });
    work.tlb.add(counts);
    counts.hits
}

/// Looks the `n_left` addresses that the nested TLB does not hold up in the host's paging-structure caches.
fn look_up_host_caches(nested: &mut Nested, work: &mut Work, n_left: u32) {
    let mut n_left = n_left;
    let Nested { plan, caches, table_class, .. } = nested;
    for level in Level::LOWEST.until(plan.root_level) {
        let Place::Own(row) = plan.psc.places[level] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut caches.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: &mut work.host,
            upper: &work.host_upper,
            first_lookup: 0,
            level: level.number(),
            shift: plan.shift[Leaf::of(level.above())],
            class: table_class[level],
            indexing: entries.indexing(),
        });
        n_left -= counts.hits;
        work.psc[usize::from(row) % MAX_ARRAYS].add(counts);
    }
}
