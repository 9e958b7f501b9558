//! The last stage for nested walks, stage by stage. [`super::walks`] is the last stage for walks
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
//! walks before the next cache begins. Pages are mapped at their first touch, in order. A miss is exceptional if an entry
//! above the last table, in either dimension, is missing or has a flag to be set.
//!
//! Bench row: (b) on nested 4K pages.

mod dimension;
mod first_touch;
mod host;
mod query;
mod references;
mod spans;
mod table_reads;

use super::batch::{ArrayCounts, BatchState, Miss};
use super::kind_counts::KindCounts;
use super::line_touches::LineTouches;
use super::list::List;
use super::lookups::{Lookups, Repeats};
use super::walks::WalkSums;
use super::{exceptional, route};
use crate::caches::psc::Place;
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::probe::Probe;
use crate::machine::translate::walk::Start;
use crate::page_table::Table;
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::narrow::small;
use query::{BY_TLB, FOR_TLB, Query};
use spans::{Known, Spans};

/// The most entries that a walk reads: five levels of the guest, and five of the host for each table and for the data.
const MOST_READS: usize = 5 + 6 * 5;

/// The walks of a batch, with the results of the stages.
#[derive(Default)]
pub(super) struct Work {
    /// For each walk: the lookup of its page in the guest.
    guest: List<Query>,
    /// For each walk: the lookup of its data in the host.
    data: List<Query>,
    /// The lookups in the host, in order: of the tables that walks have to find, and of their data.
    host: List<Query>,
    /// Tables whose home the host does not keep yet.
    unkept: Vec<Unkept>,
    pub(super) known: Known,
    /// The lines that walks read.
    lines: List<u64>,
    tlb: ArrayCounts,
    psc: [ArrayCounts; MAX_ARRAYS],
}

/// A table of the guest whose home the host keeps if the host's tables are walked for it.
struct Unkept {
    /// The number of the lookup in the host.
    query: usize,
    table: u32,
    home: u64,
    /// The place of the guest's span whose last table it is.
    span: Option<u32>,
}

/// Processes misses in order, and then hits of level 2 that change no page table.
#[inline(never)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    (misses, hits): (&mut [Miss], &[Miss]),
    starts: &mut Vec<Start>,
    work: &mut Work,
    state: &mut BatchState<'_>,
    probe: &mut P,
) {
    let mut sums = WalkSums::default();
    exceptional::run(machine, misses, starts, state, probe, |machine, misses, state, probe| {
        let n = table_reads::run(machine, misses, work, state, &mut sums, probe);
        if work.guest.len() > 0 {
            look_up_caches(machine, work, &mut state.touches, &mut sums);
        }
        n
    });
    sums.count_hits(machine, hits, &state.late_dirty);
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
    let Work { guest, known, .. } = work;
    let spans = &known.guest;
    let mut n_left = small(guest.len());
    for level in Level::LOWEST.until(plan.root_level) {
        let Place::Own(row) = plan.psc.places[level] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut structures.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: guest.values_mut(),
            shift: plan.shift[Leaf::of(level.above())],
            class: table_class[level],
            set_mask: entries.set_mask(),
            // Other walks end above this cache. The closures copy the level, so that loops keep it in a register.
            asks: move |query: &Query| query.start == 0 && query.lowest <= level,
            data: move |query: &Query| spans.table(query, level),
            start: level.number(),
            more: Repeats::default(),
        });
        n_left -= counts.hits;
        sums.caches[usize::from(row)].add(counts);
    }
    let n_read = list_host_walks(work, plan.root_level);
    let n_left = small(work.host.len()) - look_up_tlb(nested, work);
    keep_homes(nested, work);
    look_up_host_caches(nested, work, n_left);
    references::run(machine, work, n_read, touches, sums);
}

/// Lists the lookups in the host. Tables that a paging-structure cache has skipped need no lookup. Returns the number
/// of the guest's entries that are read, by kind of access. `root_level` is the guest's.
#[inline(never)]
fn list_host_walks(work: &mut Work, root_level: Level) -> KindCounts {
    let Work { guest, data, host, unkept, known, .. } = work;
    let mut n_read = KindCounts::default();
    host.begin(guest.len() * (usize::from(root_level.number()) + 1));
    for (query, data) in guest.values().iter().zip(data.values()) {
        let mut n = 1;
        if !query.starts_lowest() {
            n = 2;
            if !query.starts_above() {
                n += list_upper_tables(query, root_level, &known.guest, host, unkept);
            }
            let (mapped, is_kept) = known.guest.mapped(query.span);
            if !is_kept {
                let (table, span) = (query.table, query.span);
                let home = known.guest.at(span).home;
                unkept.push(Unkept { query: host.len(), table, home, span: Some(span) });
            }
            host.push(Query { index: query.index, ..mapped });
        }
        host.push(*data);
        n_read.add(query.kind(), n);
    }
    n_read
}

/// Lists the lookups of the tables above the last one. Returns the number of entries that are read above those of
/// the table above the last one.
#[inline(never)]
fn list_upper_tables(
    query: &Query,
    root_level: Level,
    spans: &Spans,
    host: &mut List<Query>,
    unkept: &mut Vec<Unkept>,
) -> u32 {
    let start = query.start_level().unwrap_or(root_level);
    let first = query.lowest.above();
    let above = spans.above(query.span);
    for level in first.up_to(start).rev() {
        if level < start || query.start == 0 {
            let (table, home) = (above.tables[level], above.homes[level]);
            unkept.push(Unkept { query: host.len(), table, home, span: None });
            host.push(Query { index: query.index, ..above.mapped[level] });
        }
    }
    start.reads_down_to(first) - 1
}

/// Keeps the homes of tables for which the host's tables are walked.
fn keep_homes(nested: &mut Nested, work: &mut Work) {
    let Work { host, unkept, known, .. } = work;
    for Unkept { query, table, home, span } in unkept.drain(..) {
        if host.values()[query].start != BY_TLB {
            nested.own.keep_home(Table(table), home);
            if let Some(span) = span {
                known.guest.keep_home(span);
            }
        }
    }
}

/// Looks tables up in the nested TLB, and returns the number of hits.
fn look_up_tlb(nested: &mut Nested, work: &mut Work) -> u32 {
    let Some(leaf) = route::host_leaf(nested) else { return 0 };
    let Nested { plan, caches, page_class, .. } = nested;
    let Some(tlb) = &mut caches.tlb else { return 0 };
    let counts = tlb.with(Lookups {
        queries: work.host.values_mut(),
        shift: plan.shift[leaf],
        class: page_class[leaf],
        set_mask: tlb.set_mask(),
        asks: |query: &Query| query.start == FOR_TLB,
        // The nested TLB records only whether a page is dirty. The host's pages that hold tables are dirty.
        data: |_: &Query| 1,
        start: BY_TLB,
        more: Repeats::default(),
    });
    work.tlb.add(counts);
    counts.hits
}

/// Looks the `n_left` addresses that the nested TLB does not hold up in the host's paging-structure caches.
fn look_up_host_caches(nested: &mut Nested, work: &mut Work, n_left: u32) {
    let Nested { plan, caches, table_class, .. } = nested;
    let Work { host, known, psc, .. } = work;
    let spans = &known.host;
    let mut n_left = n_left;
    for level in Level::LOWEST.until(plan.root_level) {
        let Place::Own(row) = plan.psc.places[level] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut caches.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: host.values_mut(),
            shift: plan.shift[Leaf::of(level.above())],
            class: table_class[level],
            set_mask: entries.set_mask(),
            // Other walks end above this cache. The closures copy the level, so that loops keep it in a register.
            asks: move |query: &Query| query.start == 0 && query.lowest <= level,
            data: move |query: &Query| spans.table(query, level),
            start: level.number(),
            more: Repeats::default(),
        });
        n_left -= counts.hits;
        psc[usize::from(row) % MAX_ARRAYS].add(counts);
    }
}
