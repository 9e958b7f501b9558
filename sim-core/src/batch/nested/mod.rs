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

mod emit;
mod lookups;
mod reads;

use super::packed::Packed;
use super::touches::Touches;
use super::walks::{Done, FEW, GRANTED};
use super::{ArrayCounts, Miss, translate, walk_caches};
use crate::machine::Machine;
use crate::nested::Nested;
use crate::page_table::Table;
use crate::probe::Probe;
use crate::psc::Place;
use crate::walk::Start;
use lookups::Lookups;

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
    /// The level of the table that the walk starts at; 0 = no cache has said.
    start: u8,
}

/// A walk of the guest's tables.
#[derive(Clone, Copy, Default)]
struct Walk {
    page: Packed,
    /// Where its last table is in the host, and how the host finds that and the data.
    home: u64,
    of_table: Query,
    of_data: Query,
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
    /// One for each walk.
    guest: Vec<Query>,
    /// The guest's tables that walks have to find, in order, with their levels.
    asked: Vec<Query>,
    asked_tables: Vec<(Table, u64)>,
    /// What the host's tables are walked for, in order.
    host: Vec<Query>,
    guest_ways: Vec<Way>,
    /// One for each of those.
    of_tables: Vec<OfTables>,
    host_ways: Vec<Way>,
    lines: Vec<u64>,
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
    probe: &mut P,
) {
    let mut done = Done::default();
    let mut rest = misses;
    let (mut n_plain, mut n_wanted) = (GRANTED, 0);
    let mut touches: Option<Touches<'_>> = None;
    loop {
        let n = reads::run(machine, rest, work, &mut done);
        if !work.walks.is_empty() {
            ask(machine, work, &mut done);
        }
        let Some(special) = rest.get(n) else { break };
        translate(machine, special, Start::default(), &mut touches, probe);
        rest = &mut rest[n + 1..];
        n_plain += n;
        n_wanted += FEW;
        if n_plain < n_wanted {
            walk_caches::run(machine, rest, starts, probe);
            for (miss, start) in rest.iter().zip(starts.iter()) {
                translate(machine, miss, *start, &mut touches, probe);
            }
            break;
        }
    }
    done.tell(machine, probe);
    tell(machine, work, probe);
}

/// Tells what the caches of the host's side did.
fn tell<P: Probe>(machine: &Machine, work: &mut Work, probe: &mut P) {
    let Some(nested) = &machine.nested else { return };
    let tlb = (nested.plan.tlb_at, std::mem::take(&mut work.tlb));
    let psc = (nested.plan.psc_at..).zip(std::mem::take(&mut work.psc));
    for (structure, counts) in std::iter::once(tlb).chain(psc) {
        let ArrayCounts { hits, fills, evictions } = counts;
        if hits + fills > 0 {
            probe.psc_lookups(structure, u64::from(hits + fills), u64::from(hits));
            probe.fills(structure, u64::from(fills), u64::from(evictions));
        }
    }
}

/// Takes walks through the caches, one after the other.
fn ask(machine: &mut Machine, work: &mut Work, done: &mut Done) {
    let Machine { plan, psc, table_class, nested: Some(nested), .. } = machine else { return };
    for level in 1..plan.n_levels {
        let at = usize::from(level);
        let Place::Own(row) = plan.psc.places[at] else { continue };
        let entries = &mut psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: &mut work.guest,
            ways: &work.guest_ways,
            level,
            shift: plan.shift[at + 1],
            class: table_class[at],
            indexing: entries.indexing(),
        });
        done.caches[usize::from(row)].add(counts);
    }
    begin_at_root(&mut work.guest, plan.n_levels);
    find_tables(nested, work, plan.n_levels);
    ask_tlb(nested, work);
    list_host_walks(nested, work);
    ask_host(nested, work);
    emit::run(machine, work, done);
}

/// Walks that no cache shortens.
fn begin_at_root(queries: &mut [Query], n_levels: u8) {
    for query in queries.iter_mut().filter(|query| query.start == 0) {
        query.start = n_levels;
    }
}

/// Lists the tables of the guest that walks have to find: a table that a cache knows is not one of them.
fn find_tables(nested: &Nested, work: &mut Work, n_levels: u8) {
    let Work { walks, guest, asked, asked_tables, of_tables, guest_ways, .. } = work;
    asked.clear();
    asked_tables.clear();
    for (walk, query) in walks.iter().zip(guest) {
        let way = query.way as usize;
        let first = if query.start == n_levels { n_levels } else { query.start - 1 };
        for level in (query.lowest + 1..=first).rev() {
            let (tables, at) = (&of_tables[way], usize::from(level) % 8);
            asked.push(Query { index: query.index, ..tables.queries[at] });
            asked_tables.push((Table(guest_ways[way].tables[at]), tables.homes[at]));
        }
        if first >= query.lowest {
            asked.push(walk.of_table);
            asked_tables.push((Table(query.table), walk.home));
        }
    }
    debug_assert!(nested.is_walked(), "there is a host's table to be walked");
}

/// Asks the nested TLB about them.
fn ask_tlb(nested: &mut Nested, work: &mut Work) {
    let Some(leaf) = nested.leaf_of_batches() else { return };
    let at = usize::from(leaf) % 8;
    let Nested { plan, caches, page_class, .. } = nested;
    let Some(tlb) = &mut caches.tlb else { return };
    // Pages of tables are dirty for the host, which is all that an entry knows.
    work.tlb.add(tlb.with(Lookups {
        queries: &mut work.asked,
        ways: &[],
        level: DIRTY,
        shift: plan.shift[at],
        class: page_class[at],
        indexing: tlb.indexing(),
    }));
}

/// Stands for the level of a query of the nested TLB: no walk ends at a higher one.
const DIRTY: u8 = 8;

/// Lists what the host's tables are walked for: tables that the nested TLB did not know, and all data.
fn list_host_walks(nested: &mut Nested, work: &mut Work) {
    let Work { walks, guest, asked, asked_tables, host, .. } = work;
    host.clear();
    let mut tables = asked.iter().zip(asked_tables).peekable();
    for (walk, query) in walks.iter().zip(guest) {
        while let Some((table, (number, home))) = tables.next_if(|(t, _)| t.index == query.index) {
            if table.start == 0 {
                nested.keep_home(*number, *home);
                host.push(*table);
            }
        }
        host.push(walk.of_data);
    }
}

/// Asks the caches of the host's tables.
fn ask_host(nested: &mut Nested, work: &mut Work) {
    let Nested { plan, caches, table_class, .. } = nested;
    for level in 1..plan.n_levels {
        let at = usize::from(level);
        let Place::Own(row) = plan.psc.places[at] else { continue };
        let entries = &mut caches.psc[usize::from(row)];
        let counts = entries.with(Lookups {
            queries: &mut work.host,
            ways: &work.host_ways,
            level,
            shift: plan.shift[at + 1],
            class: table_class[at],
            indexing: entries.indexing(),
        });
        work.psc[usize::from(row) % 8].add(counts);
    }
    begin_at_root(&mut work.host, plan.n_levels);
}
