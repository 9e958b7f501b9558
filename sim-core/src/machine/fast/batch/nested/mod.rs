//! Walks in two dimensions that change no table, stage by stage: the twin of `walks` for virtual machines.
//!
//! ```text
//! misses of level 2 ─▶ tables of both dimensions ─▶ psc ─▶ nested TLB ─▶ ept_psc ─▶ memory caches
//!                      (only read: news is found)   └── each cache, for all walks at a time ──┘
//! ```
//!
//! What a cache holds follows from what it is asked, in order, and every walk asks, and fills after a miss, as the
//! machine does: guest's prefixes first; then, for each table that is left, its guest-physical page; then prefixes
//! of what the nested TLB does not know, and of the data. So each cache may do all walks before the next one begins.
//! Where the reads find something missing, or a flag that is to be set, the miss is left to the machine.

mod dimension;
mod emit;
mod host;
mod lookups;
mod reads;

use super::packed::Packed;
use super::touches::Touches;
use super::walks::Done;
use super::{ArrayCounts, Beside, Miss, news};
use crate::caches::psc::Place;
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::probe::Probe;
use crate::machine::translate::walk::Start;
use lookups::{BY_TLB, FOR_TLB, Lookups};
use pagewalk_base::narrow::small;

/// Whether the walks of a batch may be done here.
#[inline]
pub(super) fn serves<P: Probe>(machine: &Machine, probe: &P) -> bool {
    probe.takes_sums()
        && machine.level_2_is_apart()
        && machine.plan.walk_caches_are_apart()
        && !machine.os.counts_walks()
        && machine.nested.as_ref().is_some_and(|nested| nested.leaf_of_batches().is_some())
}

/// An address to look up in caches: of a guest's program, or guest-physical.
#[derive(Clone, Copy, Default)]
struct Query {
    address: u64,
    /// The access.
    index: u32,
    /// The last table of the walk.
    table: u32,
    /// Which of the known ways to that table.
    way: u32,
    /// Its level: that of the entry that ends the walk.
    lowest: u8,
    /// The level of the table that the walk starts at; 0 = no cache has said, [`FOR_TLB`] = the nested TLB is asked
    /// first, [`BY_TLB`] = it has said all.
    start: u8,
}

/// A walk of the guest's tables.
#[derive(Clone, Copy, Default)]
struct Walk {
    page: Packed,
    /// The guest-physical address of the data.
    data: u64,
    /// Where its last table is in the host.
    home: u64,
    /// Its miss.
    number: u32,
    /// Whether the page is known to be dirty.
    is_dirty: bool,
}

/// The tables above the last one on the way to some addresses, by level.
#[derive(Clone, Copy, Default)]
struct Way {
    tables: [u32; 8],
}

/// Where those of the guest are in the host, and how the host finds them.
#[derive(Clone, Copy, Default)]
struct OfTables {
    homes: [u64; 8],
    queries: [Query; 8],
}

/// Walks on their way through the stages.
#[derive(Default)]
pub(super) struct Work {
    walks: Vec<Walk>,
    /// One for each walk: of its pages in the guest, of its last table and of the data in the host.
    guest: Vec<Query>,
    of_table: Vec<Query>,
    of_data: Vec<Query>,
    /// What is asked of the host, in order: the tables that walks have to find, and their data.
    host: Vec<Query>,
    guest_ways: Vec<Way>,
    /// One for each of those.
    of_tables: Vec<OfTables>,
    host_ways: Vec<Way>,
    lines: Vec<u64>,
    /// Where those of each walk end.
    ends: Vec<usize>,
    tlb: ArrayCounts,
    psc: [ArrayCounts; 8],
}

/// Does misses, in order.
#[inline(never)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    work: &mut Work,
    beside: &mut Beside<'_>,
    probe: &mut P,
) {
    let mut done = Done::default();
    news::run(machine, misses, starts, beside, probe, |machine, misses, beside, _| {
        let n = reads::run(machine, misses, work, &mut beside.learned, &mut done);
        if !work.walks.is_empty() {
            ask(machine, work, &mut beside.touches, &mut done);
        }
        n
    });
    done.tell(machine, probe);
    tell(machine, work, probe);
}

/// Tells what the caches of the host's side did.
fn tell<P: Probe>(machine: &Machine, work: &mut Work, probe: &mut P) {
    let Some(nested) = &machine.nested else { return };
    let tlb = (nested.plan.tlb_at, std::mem::take(&mut work.tlb));
    let psc = nested.plan.psc_at.number(std::mem::take(&mut work.psc));
    for (structure, counts) in std::iter::once(tlb).chain(psc) {
        let ArrayCounts { hits, fills, evictions } = counts;
        if hits + fills > 0 {
            probe.psc_lookups(structure, u64::from(hits + fills), u64::from(hits));
            probe.fills(structure, u64::from(fills), u64::from(evictions));
        }
    }
}

/// Takes walks through the caches, one after the other.
#[inline(never)]
fn ask(machine: &mut Machine, work: &mut Work, touches: &mut Option<Touches<'_>>, done: &mut Done) {
    let Machine { plan, structures, table_class, nested: Some(nested), .. } = machine else {
        return;
    };
    let mut n_left = small(work.walks.len());
    for level in 1..plan.n_levels {
        let at = usize::from(level);
        let Place::Own(row) = plan.psc.places[at] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut structures.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: &mut work.guest,
            ways: &work.guest_ways,
            asked: 0,
            level,
            shift: plan.shift[at + 1],
            class: table_class[at],
            indexing: entries.indexing(),
        });
        n_left -= counts.hits;
        done.caches[usize::from(row)].add(counts);
    }
    list_host_walks(nested, work, plan.n_levels);
    let n_left = small(work.host.len()) - ask_tlb(nested, work);
    ask_host(nested, work, n_left);
    emit::run(machine, work, touches, done);
}

/// Lists what is asked of the host: a table that a cache knows is not. `n_levels`: of the guest.
#[inline(never)]
fn list_host_walks(nested: &Nested, work: &mut Work, n_levels: u8) {
    let Work { guest, of_table, of_data, host, of_tables, .. } = work;
    debug_assert!(nested.is_walked(), "there is a host's table to be walked");
    let start = if nested.caches.tlb.is_some() { FOR_TLB } else { 0 };
    host.clear();
    for ((query, of_table), of_data) in guest.iter().zip(of_table).zip(of_data) {
        let first = if query.start == 0 { n_levels } else { query.start - 1 };
        for level in (query.lowest + 1..=first).rev() {
            let table = of_tables[query.way as usize].queries[usize::from(level) % 8];
            host.push(Query { index: query.index, start, ..table });
        }
        if first >= query.lowest {
            host.push(Query { start, ..*of_table });
        }
        host.push(*of_data);
    }
}

/// Asks the nested TLB about tables; returns how many it knew.
fn ask_tlb(nested: &mut Nested, work: &mut Work) -> u32 {
    let Some(leaf) = nested.leaf_of_batches() else { return 0 };
    let at = usize::from(leaf) % 8;
    let Nested { plan, caches, page_class, .. } = nested;
    let Some(tlb) = &mut caches.tlb else { return 0 };
    let counts = tlb.with(Lookups {
        queries: &mut work.host,
        ways: &[],
        asked: FOR_TLB,
        level: BY_TLB,
        shift: plan.shift[at],
        class: page_class[at],
        indexing: tlb.indexing(),
    });
    work.tlb.add(counts);
    counts.hits
}

/// Asks the caches of the host's tables, for the `n_left` addresses that the nested TLB did not know.
fn ask_host(nested: &mut Nested, work: &mut Work, n_left: u32) {
    let mut n_left = n_left;
    let Nested { plan, caches, table_class, .. } = nested;
    for level in 1..plan.n_levels {
        let at = usize::from(level);
        let Place::Own(row) = plan.psc.places[at] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut caches.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: &mut work.host,
            ways: &work.host_ways,
            asked: 0,
            level,
            shift: plan.shift[at + 1],
            class: table_class[at],
            indexing: entries.indexing(),
        });
        n_left -= counts.hits;
        work.psc[usize::from(row) % 8].add(counts);
    }
}
