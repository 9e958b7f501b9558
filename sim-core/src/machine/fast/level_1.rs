//! The first stage: looks run heads up in level 1, one array at a time.
//!
//! Bench row: (c) recorded trace, whose run heads are mostly hits of level 1.

use super::batch::{Counts, Miss};
use super::packed_page::{Sorts, Stage};
use super::run_heads::RunHead;
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing, Slot};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::structures::Last;
use pagewalk_base::narrow::{low32, small};
use pagewalk_base::trace::Kind;

/// Looks run heads up in level 1, and adds the misses to `misses`.
pub(super) fn run(
    machine: &mut Machine,
    heads: &[RunHead],
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
        let used = machine
            .structures
            .last
            .map(|last| if last.array == array { used(last.slot) } else { NONE });
        let input = Input {
            heads: rest,
            sorts: Sorts::of(leaf, |kind| array_of[kind] == array),
            shift: machine.plan.shift[leaf],
            class: machine.page_class[leaf],
            indexing: entries.indexing(),
            used,
            misses,
        };
        let (n, done) = entries.with(input);
        rest = &rest[n..];
        for (kind, n) in done.hits.iter().enumerate() {
            counts.l1_hits[kind][usize::from(array) % MAX_ARRAYS] += n;
        }
        for (last, used) in machine.structures.last.iter_mut().zip(done.used) {
            if used != NONE {
                *last = Last { array, slot: Slot { set: low32(used >> 32), way: low32(used) } };
            }
        }
        let counts = &mut counts.l1[usize::from(array) % MAX_ARRAYS];
        counts.fills += done.fills;
        counts.evictions += done.evictions;
    }
}

/// The word for no slot.
const NONE: u64 = u64::MAX;

/// Returns a slot as one word.
#[cfg_attr(feature = "fast", inline(always))]
fn used(slot: Slot) -> u64 {
    u64::from(slot.set) << 32 | u64::from(slot.way)
}

/// The first run heads that one array serves, as pages of one size.
struct Input<'a> {
    heads: &'a [RunHead],
    sorts: Sorts,
    shift: u32,
    class: u64,
    indexing: Indexing,
    /// For each kind: the slot of the array that the kind used last, or [`NONE`].
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
        let Self { heads, sorts, shift, class, indexing, used: before, misses } = self;
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
            let n_uses = 1 + head.n_repeats;
            done.hits[at] += n_uses;
            if let Some((way, entry)) = sets.lookup(set, tag, policy) {
                entry.add_hits(n_uses);
                let now_used = used(Slot { set: small(set), way });
                if done.used[at] != now_used {
                    done.used[at] = now_used;
                    entry.set_used_at(head.index);
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
                let filled = sets.insert_absent(set, tag, entry, policy);
                done.evictions += u32::from(filled.was_full);
                done.used[at] = used(Slot { set: small(set), way: filled.way });
            }
            misses.push(Miss { page, index: head.index, table: 0 });
        }
        (heads.len() - rest.len(), done)
    }
}
