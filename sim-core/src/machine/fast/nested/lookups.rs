//! The lookups of all walks of a batch in one cache.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::batch::ArrayCounts;
use super::super::repeated_lookups::RepeatedLookups;
use super::{Query, UpperTables};
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing};
use pagewalk_base::addr::Level;

/// The start of a query whose first lookup is in the nested TLB. The number is no level.
pub(super) const FOR_TLB: u8 = 9;
/// The start of a query that hit the nested TLB. The number is no level.
pub(super) const BY_TLB: u8 = 8;

/// The lookups of one cache. A miss fills the cache.
pub(super) struct Lookups<'a> {
    pub(super) queries: &'a mut [Query],
    pub(super) upper: &'a [UpperTables],
    /// The start of the queries that are looked up in this cache: 0, or [`FOR_TLB`] for the nested TLB.
    pub(super) first_lookup: u8,
    /// The level of the tables that the cache's entries lead to; [`BY_TLB`] for the nested TLB.
    pub(super) level: u8,
    pub(super) shift: u32,
    pub(super) class: u64,
    pub(super) indexing: Indexing,
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { queries, upper, first_lookup, level, shift, class, indexing } = self;
        let mut repeated = RepeatedLookups::new();
        let (mut hits, mut fills, mut n_empty) = (0, 0, 0);
        for query in queries {
            // A deeper cache has served the query, or the walk ends above this cache.
            if query.start != first_lookup || query.lowest.number() > level {
                continue;
            }
            let number = query.address >> shift;
            query.start = level;
            hits += 1;
            if repeated.count(number, query.index) {
                continue;
            }
            repeated.begin(number, (indexing, class), sets, policy);
            let (set, tag) = (indexing.set_of(number), number | class);
            if let Some((_, entry)) = sets.lookup_rare(set, tag, policy) {
                entry.add_hits(1);
                entry.set_used_at(query.index);
                continue;
            }
            query.start = 0;
            hits -= 1;
            fills += 1;
            let data = if level == query.lowest.number() {
                query.table
            } else if level == BY_TLB {
                // The nested TLB records only whether a page is dirty. The host's pages that hold tables are dirty.
                1
            } else {
                upper[query.upper as usize].tables[Level::new(level)]
            };
            let filled = sets.insert_absent(set, tag, Entry::new(query.index, data), policy);
            n_empty += u32::from(!filled.was_full);
        }
        repeated.begin(u64::MAX, (indexing, class), sets, policy);
        ArrayCounts { hits, fills, evictions: fills - n_empty }
    }
}
