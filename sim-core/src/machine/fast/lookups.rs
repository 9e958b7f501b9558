//! The lookups of many walks in one cache, in order. A lookup that misses fills the cache.
//!
//! Walks often ask for one number many times in a row. Each lookup after the first changes only the counts of the entry. So
//! these lookups are counted, and written to the entry once.
//!
//! Bench rows: (b) random loads and (b) on nested 4K pages; (a) strided loads, which ask for a number 512 times in a row.

use super::batch::ArrayCounts;
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::Entry;
use pagewalk_base::narrow::index;

/// A walk, or a part of it, that is looked up.
pub(super) trait Query {
    /// Returns the number that the cache is asked for.
    fn number(&self, shift: u32) -> u64;
    /// Returns the number of the access.
    fn access(&self) -> u32;
    /// Notes that a cache serves the walk. `start` is the level of the table where the walk starts.
    fn serve(&mut self, start: u8);
    /// Notes that a cache does not serve the walk.
    fn miss(&mut self) {}
}

/// The lookups of one cache.
pub(super) struct Lookups<'a, Q, A, D> {
    pub(super) queries: &'a mut [Q],
    /// Whether a query is looked up in this cache.
    pub(super) asks: A,
    /// Returns the data of a new entry.
    pub(super) data: D,
    /// The start of walks that the cache serves.
    pub(super) start: u8,
    pub(super) shift: u32,
    pub(super) class: u64,
    pub(super) set_mask: u64,
    /// Lookups after the queries, which all ask for the number of the last query.
    pub(super) more: Repeats,
}

impl<Q: Query, A: Fn(&Q) -> bool, D: Fn(&Q) -> u32> OnWays<Entry> for Lookups<'_, Q, A, D> {
    const MOST_SEARCHED: usize = 256;
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { queries, asks, data, start, shift, class, set_mask, more } = self;
        let sets = sets.up_to(set_mask);
        let (mut n, mut fills, mut n_empty) = (0, 0, 0);
        let mut latest = u64::MAX;
        let mut repeats = Repeats::default();
        for query in queries {
            if !asks(query) {
                continue;
            }
            let number = query.number(shift);
            let now = query.access();
            n += 1;
            if number == latest {
                repeats.n += 1;
                repeats.access = now;
                query.serve(start);
                continue;
            }
            if repeats.n > 0 {
                repeats.write((index(latest & set_mask), latest | class), sets, policy);
                repeats.n = 0;
            }
            latest = number;
            let (set, tag) = (index(number & set_mask), number | class);
            if let Some((_, entry)) = sets.lookup(set, tag, policy) {
                debug_assert_eq!(entry.data(), data(query), "the cache has what the walk found");
                entry.add_hits(1);
                entry.set_used_at(now);
                query.serve(start);
                continue;
            }
            let entry = Entry::new(now, data(query));
            n_empty += u32::from(!sets.insert_absent(set, tag, entry, policy).was_full);
            fills += 1;
            query.miss();
        }
        if more.n > 0 {
            repeats = Repeats { n: repeats.n + more.n, access: more.access };
        }
        if repeats.n > 0 {
            repeats.write((index(latest & set_mask), latest | class), sets, policy);
        }
        ArrayCounts { hits: n + more.n - fills, fills, evictions: fills - n_empty }
    }
}

/// Repeated lookups that are not yet written to their entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Repeats {
    pub(super) n: u32,
    /// The access of the latest lookup.
    pub(super) access: u32,
}

impl Repeats {
    #[inline(never)]
    fn write<R, S: Ways<Entry, R> + ?Sized>(
        self,
        (set, tag): (usize, u64),
        sets: &mut S,
        policy: &mut R,
    ) {
        if let Some((_, entry)) = sets.lookup(set, tag, policy) {
            entry.add_hits(self.n);
            entry.set_used_at(self.access);
        }
    }
}
