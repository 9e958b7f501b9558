//! The first stage: looks run heads up in level 1, one array at a time.
//!
//! Bench row: (c) recorded trace, whose run heads are mostly hits of level 1.

use super::batch::{Counts, Miss};
use super::packed_page::{Sorts, Stage};
use super::run_heads::{Form, RunHead};
use crate::caches::set_assoc::{EMPTY, OnWays, Ways};
use crate::caches::tlb::{Entries, Entry, Indexing, Key};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::structures::{Last, NOWHERE};
use pagewalk_base::trace::Kind;

/// Looks run heads up in level 1, and adds the misses to `misses`.
pub(super) fn run(
    machine: &mut Machine,
    (heads, form): (&[RunHead], Form),
    counts: &mut Counts,
    misses: &mut Vec<Miss>,
) {
    let mut rest = heads;
    while let Some(first) = rest.first() {
        let leaf = first.page.leaf();
        // Level 1 holds each page in one array: see `route::allows_runs`.
        let array_of = [0, 1, 2, 3].map(|kind| machine.plan.only_l1[kind][leaf]);
        let array = array_of[first.page.kind().index()];
        let entries = &mut machine.structures.l1[usize::from(array)].entries;
        let last = &mut machine.structures.last;
        let used = last.map(|last| if last.array == array { last.tag } else { EMPTY });
        let class = machine.page_class[leaf];
        let input = Input {
            heads: rest,
            form,
            sorts: Sorts::of(leaf, |kind| array_of[kind] == array),
            shift: machine.plan.shift[leaf],
            class,
            indexing: entries.indexing(),
            used,
            misses,
        };
        let (n, done) = entries.with(input);
        rest = &rest[n..];
        for (kind, n) in done.hits.iter().enumerate() {
            counts.l1_hits[kind][usize::from(array) % MAX_ARRAYS] += n;
        }
        for (last, (before, tag)) in last.iter_mut().zip(used.into_iter().zip(done.used)) {
            // The entry of the same tag may be in another slot now.
            if tag != EMPTY || before != EMPTY {
                *last = last_of(entries, array, tag, class);
            }
        }
        let counts = &mut counts.l1[usize::from(array) % MAX_ARRAYS];
        counts.fills += done.fills;
        counts.evictions += done.evictions;
    }
}

/// Returns the record that a kind used a tag last, or none if it is [`EMPTY`].
pub(super) fn last_of(entries: &Entries, array: u8, tag: u64, class: u64) -> Last {
    if tag == EMPTY {
        return NOWHERE;
    }
    let slot = entries.slot_of(Key::new(tag & !class, class)).unwrap_or_default();
    Last { array, tag, slot }
}

/// The first run heads that one array serves, as pages of one size.
struct Input<'a> {
    heads: &'a [RunHead],
    form: Form,
    sorts: Sorts,
    shift: u32,
    class: u64,
    indexing: Indexing,
    /// For each kind: the tag that the kind used last, or [`EMPTY`].
    used: [u64; 4],
    misses: &'a mut Vec<Miss>,
}

struct Done {
    /// The hits of each kind.
    hits: [u32; 4],
    used: [u64; 4],
    fills: u32,
    evictions: u32,
}

impl OnWays<Entry> for Input<'_> {
    /// Batches whose pages change their size have short loops, so only small arrays are searched.
    const MOST_SEARCHED: usize = 16;
    /// The number of run heads that the array served, and their hits and fills.
    type Done = (usize, Done);

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> (usize, Done) {
        let Self { heads, form, sorts, shift, class, indexing, used: before, misses } = self;
        let sets = sets.up_to(indexing.last());
        let mut done = Done { hits: [0; 4], used: before, fills: 0, evictions: 0 };
        let mut rest = heads;
        while let [head, others @ ..] = rest {
            let mut page = head.page;
            if !sorts.has(page) {
                break;
            }
            rest = others;
            let kind = page.kind();
            let at = kind.index();
            let store = kind == Kind::Store;
            let number = page.number(shift);
            let tag = number | class;
            let set = indexing.set_of(number);
            done.hits[at] += 1 + form.of_kind(head);
            let begins_use = done.used[at] != tag;
            done.used[at] = form.last_tag(tag);
            if let Some((_, entry)) = sets.lookup(set, tag, policy) {
                entry.add_hits(1 + head.n_repeats);
                if begins_use {
                    entry.use_from(form.use_of(head));
                }
                if !store || entry.is_known_dirty() {
                    continue;
                }
                entry.mark_dirty();
                page = page.at_stage(Stage::Stored);
            } else {
                done.hits[at] -= 1;
                done.fills += 1;
                let mut entry = Entry::new(head.index, u32::from(store));
                entry.add_hits(head.n_repeats);
                entry.use_from(form.use_of(head));
                let filled = sets.insert_absent(set, tag, entry, policy);
                done.evictions += u32::from(filled.was_full);
            }
            misses.push(Miss { page, index: head.index, table: 0 });
        }
        (heads.len() - rest.len(), done)
    }
}
