//! The third stage: misses of level 2 through the paging-structure caches, one cache at a time,
//! where each level has its own.
//!
//! Every walk that a cache does not shorten fills it, so that what it holds follows from the
//! misses alone, but for the table that an entry leads to. That is known only when the walk has
//! read it. A filled entry keeps the table of the one before it until then: walks are done in
//! order, and those that were served by the entry before need it.

use super::{ArrayCounts, Miss, Stage};
use crate::machine::Machine;
use crate::narrow::low16;
use crate::policy::Replacement;
use crate::probe::Probe;
use crate::psc::Place;
use crate::set_assoc::{EMPTY, OnWays, Ways};
use crate::tlb::{Entry, Indexing};

/// Takes misses through the paging-structure caches, the deepest first.
pub(super) fn run<P: Probe>(machine: &mut Machine, misses: &mut [Miss], probe: &mut P) {
    let n_levels = machine.plan.n_levels;
    let mut n_walks = 0;
    for miss in misses.iter_mut().filter(|miss| miss.stage == Stage::MissedLevel2) {
        miss.stage = Stage::Walks;
        miss.start.level = n_levels;
        // Under a host the TLB may hold less than the page.
        let leaf = if machine.plan.is_virtual() {
            machine.os.leaf_of(machine.space, miss.va, true)
        } else {
            miss.leaf
        };
        miss.start.lowest = machine.plan.entry_level[usize::from(leaf) % 8];
        n_walks += 1;
    }
    if n_walks == 0 {
        return;
    }
    for level in 1..n_levels {
        let at = usize::from(level) % 8;
        let Place::Own(row) = machine.plan.psc.places[at] else { continue };
        let entries = &mut machine.psc[usize::from(row)];
        let lookups = Lookups {
            misses,
            level,
            n_levels,
            shift: machine.plan.shift[(at + 1) % 8],
            class: machine.table_class[at],
            indexing: entries.indexing(),
        };
        let counts = entries.with(lookups);
        let structure = machine.plan.first_psc() + usize::from(row);
        let ArrayCounts { hits, fills, evictions } = counts;
        probe.psc_lookups(structure, u64::from(hits + fills), u64::from(hits));
        probe.fills(structure, u64::from(fills), u64::from(evictions));
    }
}

/// The lookups of one cache.
struct Lookups<'a> {
    misses: &'a mut [Miss],
    /// Of the tables that its entries lead to.
    level: u8,
    n_levels: u8,
    shift: u32,
    class: u64,
    indexing: Indexing,
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<S: Ways<Entry> + ?Sized>(self, sets: &mut S, policy: &mut Replacement) -> ArrayCounts {
        let Self { misses, level, n_levels, shift, class, indexing } = self;
        let mut done = ArrayCounts::default();
        for miss in misses {
            // Served by a deeper cache, or nothing to walk; or the cache is not above the last entry.
            let is_over = miss.stage != Stage::Walks || miss.start.level != n_levels;
            if is_over || miss.start.lowest > level {
                continue;
            }
            let number = miss.va >> shift;
            let tag = number | class;
            let set = indexing.set_of(number);
            let way = if let Some((way, entry)) = sets.lookup(set, tag, policy) {
                done.hits += 1;
                entry.add_hits(1);
                entry.set_used_at(miss.index);
                miss.start.level = level;
                way
            } else {
                let filled = sets.insert_absent(set, tag, Entry::new(miss.index, 0), policy);
                sets.data(set, filled.way).set_data(filled.old.data());
                done.fills += 1;
                done.evictions += u32::from(filled.evicted != EMPTY);
                filled.way
            };
            miss.start.ways[usize::from(level) % 4] = low16(way);
        }
        done
    }
}
