//! The first two stages for a batch of one sort: accesses of one kind to pages of one leaf, which one array of each level
//! holds whole.
//!
//! A program that reads large data at random makes such batches. Their loops need not ask for the sort of each run head, and
//! so keep all that they need in registers.
//!
//! Bench row: (b) random loads.

use super::batch::{ArrayCounts, Counts, Miss};
use super::packed_page::Stage;
use super::run_heads::RunHead;
use crate::caches::set_assoc::{EMPTY, OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing, Slot};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::structures::Last;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// Looks run heads up in both levels, and adds the misses of level 1 to `misses`, which is empty.
/// `route::is_of_one_sort` must hold.
pub(super) fn run(
    machine: &mut Machine,
    heads: &[RunHead],
    counts: &mut Counts,
    misses: &mut Vec<Miss>,
) {
    let Some(first) = heads.first() else { return };
    let (kind, leaf) = (first.page.kind().index(), first.page.leaf());
    let [l1_array, l2_array] = [machine.plan.only_l1, machine.plan.only_l2].map(|o| o[kind][leaf]);
    let l1 = &mut machine.structures.l1[usize::from(l1_array)].entries;
    let l2 = &mut machine.structures.l2[usize::from(l2_array)].entries;
    let last = &mut machine.structures.last[kind];
    let shift = machine.plan.shift[leaf];
    let class = machine.page_class[leaf];
    let store = first.page.kind() == Kind::Store;
    misses.resize(heads.len(), Miss::default());
    let used = if last.array == l1_array { l1.tag_at(last.slot) } else { EMPTY };
    let indexing = l1.indexing();
    let done = l1.with(Level1 { heads, shift, class, store, indexing, used, misses });
    misses.truncate(done.n_misses);
    *last = Last { array: l1_array, slot: done.used };
    counts.l1_hits[kind][usize::from(l1_array) % MAX_ARRAYS] += done.hits;
    counts.l1[usize::from(l1_array) % MAX_ARRAYS].add(done.counts);
    let (begin, indexing) = (first.index, l2.indexing());
    let done = l2.with(Level2 { misses, shift, class, store, indexing, begin });
    counts.l2[usize::from(l2_array) % MAX_ARRAYS].add(done);
}

/// The run heads, for the array of level 1.
struct Level1<'a> {
    heads: &'a [RunHead],
    shift: u32,
    class: u64,
    store: bool,
    indexing: Indexing,
    /// The tag that the kind used last.
    used: u64,
    /// One place for a miss of each run head.
    misses: &'a mut [Miss],
}

struct Done {
    /// The slot that was used last.
    used: Slot,
    /// The hits, and all repeats.
    hits: u32,
    /// The fills. [`Counts`] has the hits by kind.
    counts: ArrayCounts,
    n_misses: usize,
}

impl OnWays<Entry> for Level1<'_> {
    type Done = Done;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, rule: &mut R) -> Done {
        let Self { heads, shift, class, store, indexing, mut used, misses } = self;
        let n_places = misses.len();
        let mut places = misses.iter_mut();
        let (mut hits, mut n_empty) = (0, 0);
        for head in heads {
            let RunHead { page, index, n_repeats } = *head;
            let number = page.number(shift);
            let tag = number | class;
            let set = indexing.set_of(number);
            let mut stage = Stage::MissedLevel1;
            if let Some((_, entry)) = sets.lookup(set, tag, rule) {
                hits += 1;
                entry.add_hits(1 + n_repeats);
                if used != tag {
                    entry.set_used_at(index);
                }
                used = tag;
                if !store || entry.is_known_dirty() {
                    continue;
                }
                entry.mark_dirty();
                stage = Stage::Stored;
            } else {
                let mut entry = Entry::new(index, u32::from(store));
                entry.add_hits(n_repeats);
                let was_full = sets.insert_absent(set, tag, entry, rule).was_full;
                n_empty += u32::from(!was_full);
                used = tag;
            }
            if let Some(place) = places.next() {
                *place = Miss { page: page.at_stage(stage), index, table: 0 };
            }
        }
        let n_misses = n_places - places.len();
        // Most fills evict from full sets, so the loop counts the fills that evict nothing.
        let fills = small(heads.len()) - hits;
        let n_repeats: u32 = heads.iter().map(|head| head.n_repeats).sum();
        let used = heads.last().map_or(Slot::default(), |head| {
            let set = indexing.set_of(head.page.number(shift));
            // This lookup changes nothing, because this way was used last.
            let way = sets.lookup(set, used, rule).map_or(0, |(way, _)| way);
            Slot { set: small(set), way }
        });
        let counts = ArrayCounts { hits: 0, fills, evictions: fills - n_empty };
        Done { used, hits: hits + n_repeats, counts, n_misses }
    }
}

/// The misses of level 1, for the array of level 2.
struct Level2<'a> {
    misses: &'a mut [Miss],
    shift: u32,
    class: u64,
    store: bool,
    indexing: Indexing,
    /// The first access of the batch.
    begin: u32,
}

impl OnWays<Entry> for Level2<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, rule: &mut R) -> ArrayCounts {
        let Self { misses, shift, class, store, indexing, begin } = self;
        let (mut hits, mut fills, mut n_empty) = (0, 0, 0);
        for miss in misses {
            let page = miss.page;
            if store && page.is_at(Stage::Stored) {
                continue;
            }
            let number = page.number(shift);
            let (set, tag) = (indexing.set_of(number), number | class);
            let stage = if let Some((_, entry)) = sets.lookup(set, tag, rule) {
                hits += 1;
                let is_fresh = entry.filled_at() >= begin;
                Stage::of_hit(entry.hit(miss.index, store), is_fresh)
            } else {
                fills += 1;
                let entry = Entry::new(miss.index, u32::from(store));
                let was_full = sets.insert_absent(set, tag, entry, rule).was_full;
                n_empty += u32::from(!was_full);
                Stage::MissedLevel2
            };
            miss.page = page.at_stage(stage);
        }
        ArrayCounts { hits, fills, evictions: fills - n_empty }
    }
}
