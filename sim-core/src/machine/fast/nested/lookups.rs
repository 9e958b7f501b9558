//! The lookups of all walks of a batch in one cache.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::batch::ArrayCounts;
use super::super::repeated_lookups::RepeatedLookups;
use super::query::{BY_TLB, Query};
use super::spans::Spans;
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::Entry;
use pagewalk_base::addr::Level;
use pagewalk_base::narrow::index;

/// The lookups of one cache. A miss fills the cache.
pub(super) struct Lookups<'a> {
    pub(super) queries: &'a mut [Query],
    /// The spans of the queries.
    pub(super) spans: &'a Spans,
    /// The start of the queries that are looked up in this cache: 0, or [`FOR_TLB`] for the nested TLB.
    pub(super) first_lookup: u8,
    /// The level of the tables that the cache's entries lead to; [`BY_TLB`] for the nested TLB.
    pub(super) level: u8,
    pub(super) shift: u32,
    pub(super) class: u64,
    pub(super) set_mask: u64,
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { queries, spans, first_lookup, level, shift, class, set_mask } = self;
        let mut repeated = RepeatedLookups::new();
        let (mut n, mut fills, mut n_empty) = (0, 0, 0);
        for query in queries {
            // A deeper cache has served the query, or the walk ends above this cache.
            if query.start != first_lookup || query.lowest.number() > level {
                continue;
            }
            let number = query.address >> shift;
            n += 1;
            query.start = level;
            if repeated.count(number, query.index) {
                continue;
            }
            repeated.begin(number, (set_mask, class), sets, policy);
            let (set, tag) = (index(number & set_mask), number | class);
            if let Some((_, entry)) = sets.lookup(set, tag, policy) {
                entry.add_hits(1);
                entry.set_used_at(query.index);
                continue;
            }
            query.start = 0;
            fills += 1;
            let data = if level == query.lowest.number() {
                query.table
            } else {
                upper_table(query, level, spans)
            };
            let filled = sets.insert_absent(set, tag, Entry::new(query.index, data), policy);
            n_empty += u32::from(!filled.was_full);
        }
        repeated.begin(u64::MAX, (set_mask, class), sets, policy);
        ArrayCounts { hits: n - fills, fills, evictions: fills - n_empty }
    }
}

/// Returns the data of an entry that does not lead to the last table.
#[inline(never)]
fn upper_table(query: &Query, level: u8, spans: &Spans) -> u32 {
    // The nested TLB records only whether a page is dirty. The host's pages that hold tables are dirty.
    if level == BY_TLB { 1 } else { spans.above(query.span).tables[Level::new(level)] }
}
