//! The first two stages for a batch of one sort: accesses of one kind to pages of one leaf, which one array of each level
//! holds whole.
//!
//! A program that reads large data at random makes such batches. Their loops need not ask for the sort of each run head, and
//! so keep all that they need in registers.
//!
//! Bench row: (b) random loads.

use super::batch::{ArrayCounts, BATCH, Counts, Miss};
use super::level_1::last_of;
use super::list::List;
use super::packed_page::Stage;
use super::run_heads::{Form, RunHead};
use crate::caches::set_assoc::{EMPTY, OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::{Kind, RUN_PAGE_BITS};
use pagewalk_base::whole::IS_WHOLE;

/// Looks run heads up in both levels, and writes the misses of level 1 to `misses`. Hits of level 2 that change no page
/// table go to `hits`, if there is such a list. The run heads come from `route::of_one_sort`.
pub(super) fn run(
    machine: &mut Machine,
    (heads, form): (&[RunHead], Form),
    counts: &mut Counts,
    misses: &mut List<Miss>,
    hits: Option<&mut Vec<Miss>>,
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
    let used = if last.array == l1_array { last.tag } else { EMPTY };
    let l1_counts = &mut counts.l1[usize::from(l1_array) % MAX_ARRAYS];
    let is_usual = IS_WHOLE && !store && shift == RUN_PAGE_BITS && !form.is_in_slots();
    misses.fill(BATCH, |places| {
        let Some(misses) = places.first_chunk_mut() else { return 0 };
        let common = Common { shift, class, store };
        let indexing = l1.indexing();
        let done = if is_usual && indexing == indexing.without_fold() {
            l1.with(Level1::<true> { common, heads, form, indexing, used, misses })
        } else {
            l1.with(Level1::<false> { common, heads, form, indexing, used, misses })
        };
        *last = last_of(l1, l1_array, done.used, class);
        counts.l1_hits[kind][usize::from(l1_array) % MAX_ARRAYS] += done.hits;
        l1_counts.add(done.counts);
        let (n, begin, indexing) = (done.n_misses, first.index, l2.indexing());
        let (n_left, done) = if is_usual {
            l2.with(Level2::<true> { common, misses, n, hits, indexing, begin })
        } else {
            l2.with(Level2::<false> { common, misses, n, hits, indexing, begin })
        };
        counts.l2[usize::from(l2_array) % MAX_ARRAYS].add(done);
        n_left
    });
}

/// What the loops of both levels need of the sort.
#[derive(Clone, Copy)]
struct Common {
    shift: u32,
    class: u64,
    store: bool,
}

impl Common {
    /// Returns the values for the usual batches: loads or fetches in pages of 4 KiB. Their loops know these values when
    /// they are compiled, and so need fewer registers.
    #[cfg_attr(feature = "fast", inline(always))]
    fn usual<const USUAL: bool>(self) -> Self {
        if USUAL { Self { shift: RUN_PAGE_BITS, store: false, ..self } } else { self }
    }
}

/// The run heads, for the array of level 1. `USUAL` batches have the values of [`Common::usual`], and `indexing` is plain.
struct Level1<'a, const USUAL: bool> {
    common: Common,
    heads: &'a [RunHead],
    form: Form,
    indexing: Indexing,
    /// The tag that the kind used last.
    used: u64,
    misses: &'a mut [Miss; BATCH],
}

struct Done {
    /// The tag that was used last, or [`EMPTY`].
    used: u64,
    /// The hits, and all repeats.
    hits: u32,
    /// The fills. [`Counts`] has the hits by kind.
    counts: ArrayCounts,
    n_misses: usize,
}

impl<const USUAL: bool> OnWays<Entry> for Level1<'_, USUAL> {
    const MOST_SEARCHED: usize = 256;
    type Done = Done;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, rule: &mut R) -> Done {
        let Self { common, heads, form, indexing, mut used, misses } = self;
        let Common { shift, class, store } = common.usual::<USUAL>();
        let indexing = if USUAL { indexing.without_fold() } else { indexing };
        let form = if USUAL { Form::PLAIN } else { form };
        let sets = sets.up_to(indexing.last());
        let (mut n_misses, mut hits, mut n_empty) = (0, 0, 0);
        for head in heads {
            let RunHead { page, index, n_repeats, .. } = *head;
            let number = page.number(shift);
            let tag = number | class;
            let set = indexing.set_of(number);
            let mut stage = Stage::MissedLevel1;
            if let Some((_, entry)) = sets.lookup(set, tag, rule) {
                hits += 1;
                entry.add_hits(1 + n_repeats);
                if used != tag {
                    entry.use_from(form.use_of(head));
                }
                used = form.last_tag(tag);
                if !store || entry.is_known_dirty() {
                    continue;
                }
                entry.mark_dirty();
                stage = Stage::Stored;
            } else {
                let mut entry = Entry::new(index, u32::from(store));
                entry.add_hits(n_repeats);
                entry.use_from(form.use_of(head));
                let was_full = sets.insert_absent(set, tag, entry, rule).was_full;
                n_empty += u32::from(!was_full);
                used = form.last_tag(tag);
            }
            let miss = &mut misses[n_misses % BATCH];
            (miss.page, miss.index) = (page.at_stage(stage), index);
            n_misses += 1;
        }
        // Most fills evict from full sets, so the loop counts the fills that evict nothing.
        let fills = small(heads.len()) - hits;
        let n_repeats: u32 = heads.iter().map(|head| form.of_kind(head)).sum();
        let counts = ArrayCounts { hits: 0, fills, evictions: fills - n_empty };
        Done { used, hits: hits + n_repeats, counts, n_misses }
    }
}

/// The misses of level 1, for the array of level 2.
struct Level2<'a, const USUAL: bool> {
    common: Common,
    misses: &'a mut [Miss; BATCH],
    /// The number of misses.
    n: usize,
    hits: Option<&'a mut Vec<Miss>>,
    indexing: Indexing,
    /// The first access of the batch.
    begin: u32,
}

impl<const USUAL: bool> OnWays<Entry> for Level2<'_, USUAL> {
    const MOST_SEARCHED: usize = 256;
    /// The number of misses that are left, and the hits and fills.
    type Done = (usize, ArrayCounts);

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(
        self,
        sets: &mut S,
        rule: &mut R,
    ) -> (usize, ArrayCounts) {
        let Self { common, misses, n, hits: mut hit_list, indexing, begin } = self;
        let Common { shift, class, store } = common.usual::<USUAL>();
        let sets = sets.up_to(indexing.last());
        let (mut n_left, mut hits, mut fills, mut n_empty) = (0, 0, 0, 0);
        for at in 0..n.min(BATCH) {
            let Miss { mut page, index, .. } = misses[at];
            if store && page.is_at(Stage::Stored) {
                misses[n_left % BATCH] = Miss { page, index, table: 0 };
                n_left += 1;
                continue;
            }
            let number = page.number(shift);
            let (set, tag) = (indexing.set_of(number), number | class);
            if let Some((_, entry)) = sets.lookup(set, tag, rule) {
                hits += 1;
                let is_fresh = entry.filled_at() >= begin;
                page = page.at_stage(Stage::of_hit(entry.hit(index, store), is_fresh));
                if let Some(hits) = hit_list.as_deref_mut().filter(|_| page.is_plain_hit()) {
                    add(hits, Miss { page, index, table: 0 });
                    continue;
                }
            } else {
                fills += 1;
                let entry = Entry::new(index, u32::from(store));
                let was_full = sets.insert_absent(set, tag, entry, rule).was_full;
                n_empty += u32::from(!was_full);
                page = page.at_stage(Stage::MissedLevel2);
            }
            let miss = &mut misses[n_left % BATCH];
            (miss.page, miss.index) = (page, index);
            n_left += 1;
        }
        (n_left, ArrayCounts { hits, fills, evictions: fills - n_empty })
    }
}

/// Adds a hit to a list. The function is separate because level 2 of a batch of one sort rarely hits.
#[inline(never)]
fn add(hits: &mut Vec<Miss>, hit: Miss) {
    hits.push(hit);
}
