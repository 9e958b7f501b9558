//! The lookups of all queries in one cache.

use super::super::ArrayCounts;
use super::super::again::Again;
use super::{Query, Way};
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing};

/// Starts that are no level: a query that is for the nested TLB first, and one that it has served.
pub(super) const FOR_TLB: u8 = 9;
pub(super) const BY_TLB: u8 = 8;

/// The lookups of one cache, by all queries that wait for it; it is filled where it misses.
pub(super) struct Lookups<'a> {
    pub(super) queries: &'a mut [Query],
    pub(super) ways: &'a [Way],
    /// The start of queries that wait: 0, or [`FOR_TLB`] for the nested TLB.
    pub(super) asked: u8,
    /// Of the tables that its entries lead to; [`BY_TLB`] for the nested TLB.
    pub(super) level: u8,
    pub(super) shift: u32,
    pub(super) class: u64,
    pub(super) indexing: Indexing,
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { queries, ways, asked, level, shift, class, indexing } = self;
        let mut again = Again::new();
        let (mut hits, mut fills, mut n_empty) = (0, 0, 0);
        for query in queries {
            // Served by a deeper cache; or the cache is not above the last entry.
            if query.start != asked || query.lowest > level {
                continue;
            }
            let number = query.address >> shift;
            query.start = level;
            hits += 1;
            if again.is(number, query.index) {
                continue;
            }
            again.tell(number, (indexing, class), sets, policy);
            let (set, tag) = (indexing.set_of(number), number | class);
            if let Some((_, entry)) = sets.lookup_rare(set, tag, policy) {
                entry.add_hits(1);
                entry.set_used_at(query.index);
                continue;
            }
            query.start = 0;
            hits -= 1;
            fills += 1;
            let data = if level == query.lowest {
                query.table
            } else if level == BY_TLB {
                // Pages of tables are dirty for the host, which is all that an entry knows.
                1
            } else {
                ways[query.way as usize].tables[usize::from(level) % 8]
            };
            let filled = sets.insert_absent(set, tag, Entry::new(query.index, data), policy);
            n_empty += u32::from(!filled.was_full);
        }
        again.tell(u64::MAX, (indexing, class), sets, policy);
        ArrayCounts { hits, fills, evictions: fills - n_empty }
    }
}
