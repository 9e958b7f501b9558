//! The first two stages in one loop, for a batch of one sort: accesses of one kind to pages of one leaf. The arrays
//! of both levels hold these pages whole, in sets of at most 16 ways.
//!
//! A program that reads large data at random makes such batches. Most of its run heads miss both levels. One loop
//! keeps in registers what the stages [`super::level_1`] and [`super::level_2`] would write to memory.
//!
//! Bench row: (b) random loads.

use super::batch::{ArrayCounts, Counts, Miss};
use super::packed_page::Stage;
use super::run_heads::RunHead;
use crate::caches::set_assoc::{EMPTY, OnWays, Ways};
use crate::caches::tlb::{Entries, Entry, Indexing, Slot};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::structures::Last;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// Looks run heads up in both levels, and adds the misses of level 1 to `misses`, which is empty.
/// `route::fits_both_levels` must hold.
pub(super) fn run(
    machine: &mut Machine,
    heads: &[RunHead],
    counts: &mut Counts,
    misses: &mut Vec<Miss>,
) {
    let Some(first) = heads.first() else { return };
    let (kind, leaf) = (first.page.kind().index(), first.page.leaf());
    let [l1_array, l2_array] = [machine.plan.only_l1, machine.plan.only_l2].map(|o| o[kind][leaf]);
    misses.resize(heads.len(), Miss::default());
    let l1 = &mut machine.structures.l1[usize::from(l1_array)].entries;
    let l2 = &mut machine.structures.l2[usize::from(l2_array)].entries;
    let last = &mut machine.structures.last[kind];
    let input = Input {
        heads,
        shift: machine.plan.shift[leaf],
        class: machine.page_class[leaf],
        store: first.page.kind() == Kind::Store,
        indexing: [l1.indexing(), l2.indexing()],
        used: if last.array == l1_array { l1.tag_at(last.slot) } else { EMPTY },
        misses,
    };
    // If both arrays are LRU, the loop needs no branch on the policy.
    let done = if l1.is_lru() && l2.is_lru() {
        l1.with_lru(Both::<true> { input, l2 })
    } else {
        l1.with_fixed(Both::<false> { input, l2 })
    };
    let done = done.flatten().expect("the route asks for sets of a fixed layout");
    misses.truncate(done.n_misses);
    *last = Last { array: l1_array, slot: done.used };
    counts.l1_hits[kind][usize::from(l1_array) % MAX_ARRAYS] += done.l1_hits;
    counts.l1[usize::from(l1_array) % MAX_ARRAYS].add(done.l1);
    counts.l2[usize::from(l2_array) % MAX_ARRAYS].add(done.l2);
}

/// The run heads of one sort.
struct Input<'a> {
    heads: &'a [RunHead],
    shift: u32,
    class: u64,
    store: bool,
    /// The index functions of level 1 and level 2.
    indexing: [Indexing; 2],
    /// The tag that the kind used last in the level-1 array.
    used: u64,
    /// One place for a miss of each run head.
    misses: &'a mut [Miss],
}

struct Done {
    /// The slot that was used last.
    used: Slot,
    /// The hits of level 1, and all repeats, of the run heads that were looked up.
    l1_hits: u32,
    /// The fills of level 1. [`Counts`] has the hits by kind.
    l1: ArrayCounts,
    l2: ArrayCounts,
    n_misses: usize,
}

/// Run heads and the level-2 array. If `LRU`, both arrays are LRU.
struct Both<'a, const LRU: bool> {
    input: Input<'a>,
    l2: &'a mut Entries,
}

impl<const LRU: bool> OnWays<Entry> for Both<'_, LRU> {
    /// `None` if the sets of level 2 have no fixed layout.
    type Done = Option<Done>;

    fn run<R, S: Ways<Entry, R> + ?Sized>(self, l1: &mut S, rule: &mut R) -> Option<Done> {
        let Self { input, l2 } = self;
        let work = WithLevel1 { input, l1, l1_rule: rule };
        if LRU { l2.with_lru(work) } else { l2.with_fixed(work) }
    }
}

/// Run heads and the sets of level 1, for the loop over the sets of level 2.
struct WithLevel1<'a, R, S: ?Sized> {
    input: Input<'a>,
    l1: &'a mut S,
    l1_rule: &'a mut R,
}

impl<R1, S1: Ways<Entry, R1> + ?Sized> OnWays<Entry> for WithLevel1<'_, R1, S1> {
    type Done = Done;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, l2: &mut S, l2_rule: &mut R) -> Done {
        let Self { input, l1, l1_rule } = self;
        let Input { heads, shift, class, store, indexing, mut used, misses } = input;
        let n_places = misses.len();
        let mut places = misses.iter_mut();
        let (mut l1_hits, mut n_stored, mut l2_hits) = (0, 0, 0);
        let (mut l1_empty, mut l2_empty) = (0, 0);
        let begin = heads.first().map_or(0, |head| head.index);
        for head in heads {
            let RunHead { page, index, n_repeats } = *head;
            let number = page.number(shift);
            let tag = number | class;
            let set = indexing[0].set_of(number);
            let stage = if let Some((_, entry)) = l1.lookup_rare(set, tag, l1_rule) {
                l1_hits += 1;
                entry.add_hits(1 + n_repeats);
                if used != tag {
                    used = tag;
                    entry.set_used_at(index);
                }
                if !store || entry.is_known_dirty() {
                    continue;
                }
                entry.mark_dirty();
                n_stored += 1;
                Stage::Stored
            } else {
                let mut entry = Entry::new(index, u32::from(store));
                entry.add_hits(n_repeats);
                if !l1.insert_absent(set, tag, entry, l1_rule).was_full {
                    l1_empty += 1;
                }
                used = tag;
                let set = indexing[1].set_of(number);
                if let Some((_, entry)) = l2.lookup_rare(set, tag, l2_rule) {
                    l2_hits += 1;
                    let is_fresh = entry.filled_at() >= begin;
                    Stage::of_hit(entry.hit(index, store), is_fresh)
                } else {
                    let entry = Entry::new(index, u32::from(store));
                    if !l2.insert_absent(set, tag, entry, l2_rule).was_full {
                        l2_empty += 1;
                    }
                    Stage::MissedLevel2
                }
            };
            if let Some(place) = places.next() {
                *place = Miss { page: page.at_stage(stage), index, table: 0 };
            }
        }
        let n_misses = n_places - places.len();
        // Most fills evict from full sets, so the loop counts the fills that evict nothing.
        let l1_fills = small(heads.len()) - l1_hits;
        let l2_fills = small(n_misses) - n_stored - l2_hits;
        let n_repeats: u32 = heads.iter().map(|head| head.n_repeats).sum();
        let used = heads.last().map_or(Slot::default(), |head| {
            let set = indexing[0].set_of(head.page.number(shift));
            // This lookup changes nothing, because this way was used last.
            let way = l1.lookup(set, used, l1_rule).map_or(0, |(way, _)| way);
            Slot { set: small(set), way }
        });
        Done {
            used,
            l1_hits: l1_hits + n_repeats,
            l1: ArrayCounts { hits: 0, fills: l1_fills, evictions: l1_fills - l1_empty },
            l2: ArrayCounts { hits: l2_hits, fills: l2_fills, evictions: l2_fills - l2_empty },
            n_misses,
        }
    }
}
