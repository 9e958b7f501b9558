//! The third stage: looks the misses of level 2 up in the paging-structure caches, one cache at a time. Each level
//! has its own cache.
//!
//! A walk fills every cache that does not shorten it. So the contents of a cache follow from the misses alone,
//! except for the table that an entry leads to: the walk has to read it. Until then, the entry keeps the table of
//! the entry that it replaced, because earlier walks of the batch may still start there.
//!
//! Bench row: (b) on nested 4K pages, whose batches begin with many first touches.

use super::batch::{ArrayCounts, Miss};
use super::packed_page::Stage;
use crate::caches::psc::Place;
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing};
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::machine::translate::walk::Start;
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::narrow::low16;

/// Looks misses up in the paging-structure caches, the deepest first. `starts` receives the start of each walk.
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    probe: &mut P,
) {
    let root_level = machine.plan.root_level;
    let mut n_walks = 0;
    starts.clear();
    for miss in misses.iter_mut() {
        let mut start = Start::default();
        if miss.page.is_at(Stage::MissedLevel2) {
            // Under a host, a TLB entry may be smaller than the guest's page.
            let leaf = if machine.plan.is_virtual() {
                machine.os.leaf_of(machine.space, miss.page.va(), true)
            } else {
                miss.page.leaf()
            };
            miss.page = miss.page.at_stage(Stage::Walks);
            (start.level, start.lowest) = (root_level, machine.plan.entry_level[leaf]);
            n_walks += 1;
        }
        starts.push(start);
    }
    if n_walks == 0 {
        return;
    }
    for level in Level::LOWEST.until(root_level) {
        let Place::Own(row) = machine.plan.psc.places[level] else { continue };
        let entries = &mut machine.structures.psc[usize::from(row)];
        let lookups = Lookups {
            misses,
            starts,
            level,
            root_level,
            shift: machine.plan.shift[Leaf::of(level.above())],
            class: machine.table_class[level],
            indexing: entries.indexing(),
        };
        let counts = entries.with(lookups);
        let structure = machine.plan.psc_id(row);
        let ArrayCounts { hits, fills, evictions } = counts;
        if let Some(tally) = probe.tally() {
            tally.psc_lookups(structure, u64::from(hits + fills), u64::from(hits));
            tally.fills(structure, u64::from(fills), u64::from(evictions));
        }
    }
}

/// The lookups of one cache.
struct Lookups<'a> {
    misses: &'a [Miss],
    starts: &'a mut [Start],
    /// The level of the tables that the cache's entries lead to.
    level: Level,
    root_level: Level,
    shift: u32,
    class: u64,
    indexing: Indexing,
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { misses, starts, level, root_level, shift, class, indexing } = self;
        let mut done = ArrayCounts::default();
        for (miss, start) in misses.iter().zip(starts) {
            // The page needs no walk, a deeper cache has hit, or the walk ends above this cache.
            let is_over = !miss.page.is_at(Stage::Walks) || start.level != root_level;
            if is_over || start.lowest > level {
                continue;
            }
            let number = miss.page.number(shift);
            let tag = number | class;
            let set = indexing.set_of(number);
            let way = if let Some((way, entry)) = sets.lookup(set, tag, policy) {
                done.hits += 1;
                entry.add_hits(1);
                entry.set_used_at(miss.index);
                start.level = level;
                way
            } else {
                let filled = sets.insert_absent(set, tag, Entry::new(miss.index, 0), policy);
                sets.data(set, filled.way).set_data(filled.old.data());
                done.fills += 1;
                done.evictions += u32::from(filled.was_full);
                filled.way
            };
            start.ways[usize::from(level.number()) % 4] = low16(way);
        }
        done
    }
}
