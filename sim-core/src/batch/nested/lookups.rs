//! The lookups of all queries in one cache.

use super::super::ArrayCounts;
use super::{DIRTY, Query, Way};
use crate::set_assoc::{OnWays, Ways};
use crate::tlb::{Entry, Indexing};

/// The lookups of one cache, by all queries that no other one has served; it is filled where it misses.
pub(super) struct Lookups<'a> {
    pub(super) queries: &'a mut [Query],
    pub(super) ways: &'a [Way],
    /// Of the tables that its entries lead to; [`DIRTY`] for the nested TLB.
    pub(super) level: u8,
    pub(super) shift: u32,
    pub(super) class: u64,
    pub(super) indexing: Indexing,
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { queries, ways, level, shift, class, indexing } = self;
        let mut done = ArrayCounts::default();
        for query in queries {
            // Served by a deeper cache; or the cache is not above the last entry.
            if query.start != 0 || query.lowest > level {
                continue;
            }
            let number = query.address >> shift;
            let (set, tag) = (indexing.set_of(number), number | class);
            if let Some((_, entry)) = sets.lookup(set, tag, policy) {
                entry.add_hits(1);
                entry.set_used_at(query.index);
                query.start = level;
                done.hits += 1;
                continue;
            }
            let data = if level == query.lowest {
                query.table
            } else if level == DIRTY {
                1
            } else {
                ways[query.way as usize].tables[usize::from(level) % 8]
            };
            let filled = sets.insert_absent(set, tag, Entry::new(query.index, data), policy);
            done.fills += 1;
            done.evictions += u32::from(filled.was_full);
        }
        done
    }
}
