//! The second stage: looks the misses of level 1 up in level 2, if level 2 holds only pages.
//!
//! Bench row: (c) recorded trace, whose batches mix fetches, loads and stores.

use super::batch::{ArrayCounts, Counts, Miss};
use super::packed_page::{Sorts, Stage};
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::plan::NO_SINGLE;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// Looks misses up in level 2.
pub(super) fn run(machine: &mut Machine, misses: &mut [Miss], counts: &mut Counts) {
    let begin = misses.first().map_or(0, |miss| miss.index);
    let mut rest = misses;
    while let Some(first) = rest.first_mut() {
        let leaf = first.page.leaf();
        let array_of = [0, 1, 2, 3].map(|kind| machine.plan.only_l2[kind][leaf]);
        let array = array_of[first.page.kind().index()];
        if array == NO_SINGLE {
            // No array holds the page: see `route::level_2_is_apart`.
            if first.page.is_at(Stage::MissedLevel1) {
                first.page = first.page.at_stage(Stage::MissedLevel2);
            }
            rest = &mut rest[1..];
            continue;
        }
        let entries = &mut machine.structures.l2[usize::from(array)].entries;
        let input = Input {
            sorts: Sorts::of(leaf, |kind| array_of[kind] == array),
            shift: machine.plan.shift[leaf],
            class: machine.page_class[leaf],
            indexing: entries.indexing(),
            misses: rest,
            begin,
        };
        let (n, done) = entries.with(input);
        rest = &mut rest[n..];
        let counts = &mut counts.l2[usize::from(array) % MAX_ARRAYS];
        counts.add(done);
    }
}

/// The first misses that one array serves, as pages of one size.
struct Input<'a> {
    misses: &'a mut [Miss],
    sorts: Sorts,
    shift: u32,
    class: u64,
    indexing: Indexing,
    /// The access of the batch's first miss.
    begin: u32,
}

impl OnWays<Entry> for Input<'_> {
    /// The number of misses that the array served, and their hits and fills.
    type Done = (usize, ArrayCounts);

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(
        self,
        sets: &mut S,
        policy: &mut R,
    ) -> (usize, ArrayCounts) {
        let Self { misses, sorts, shift, class, indexing, begin } = self;
        let sets = sets.up_to(indexing.last());
        let (mut n, mut hits, mut n_done, mut n_empty) = (misses.len(), 0, 0, 0);
        for (at, miss) in misses.iter_mut().enumerate() {
            let page = miss.page;
            if !sorts.has(page) {
                n = at;
                break;
            }
            if !page.is_at(Stage::MissedLevel1) {
                n_done += 1;
                continue;
            }
            let number = page.number(shift);
            let (set, tag) = (indexing.set_of(number), number | class);
            let store = page.kind() == Kind::Store;
            let stage = if let Some((_, entry)) = sets.lookup(set, tag, policy) {
                hits += 1;
                let is_fresh = entry.filled_at() >= begin;
                Stage::of_hit(entry.hit(miss.index, store), is_fresh)
            } else {
                let entry = Entry::new(miss.index, u32::from(store));
                if !sets.insert_absent(set, tag, entry, policy).was_full {
                    n_empty += 1;
                }
                Stage::MissedLevel2
            };
            miss.page = page.at_stage(stage);
        }
        // Most fills evict from full sets, so the loop counts the fills that evict nothing.
        let fills = small(n) - n_done - hits;
        (n, ArrayCounts { hits, fills, evictions: fills - n_empty })
    }
}
