//! The first stage: heads through level 1, those of one array at a time.

use super::{Counts, Miss, Stage, Waiting};
use crate::config::MAX_ARRAYS;
use crate::cores::Last;
use crate::machine::Machine;
use crate::narrow::small;
use crate::policy::Replacement;
use crate::set_assoc::{EMPTY, OnWays, Ways};
use crate::tlb::{Entry, Indexing, Slot};
use crate::trace::Kind;
use crate::walk::Start;

/// Takes heads through level 1, and lists what misses.
pub(super) fn run(
    machine: &mut Machine,
    heads: &[Waiting],
    counts: &mut Counts,
    misses: &mut Vec<Miss>,
) {
    let mut rest = heads;
    while let Some(first) = rest.first() {
        let leaf = usize::from(first.leaf) % 8;
        // A machine that may skip repeats holds each page in one array of level 1.
        let array_of = [0, 1, 2, 3].map(|kind| machine.plan.only_l1[kind][leaf]);
        let array = array_of[first.kind.index()];
        let entries = &mut machine.l1[usize::from(array)].entries;
        let stretch = Stretch {
            heads: rest,
            leaf: first.leaf,
            array,
            array_of,
            shift: machine.plan.shift[leaf],
            class: machine.page_class[leaf],
            indexing: entries.indexing(),
            last: &mut machine.last,
            misses,
        };
        let (n, done) = entries.with(stretch);
        rest = &rest[n..];
        for (kind, n) in done.hits.iter().enumerate() {
            counts.l1_hits[kind][usize::from(array) % MAX_ARRAYS] += n;
        }
        let counts = &mut counts.l1[usize::from(array) % MAX_ARRAYS];
        counts.fills += done.fills;
        counts.evictions += done.evictions;
    }
}

/// Heads as far as they are looked up in one array, as pages of one size.
struct Stretch<'a> {
    heads: &'a [Waiting],
    leaf: u8,
    array: u8,
    /// By kind.
    array_of: [u8; 4],
    shift: u32,
    class: u64,
    indexing: Indexing,
    last: &'a mut [Last; 4],
    misses: &'a mut Vec<Miss>,
}

#[derive(Default)]
struct Done {
    /// By kind.
    hits: [u32; 4],
    fills: u32,
    evictions: u32,
}

impl OnWays<Entry> for Stretch<'_> {
    /// The number of heads that belong to the stretch, and what they did.
    type Done = (usize, Done);

    #[inline(never)]
    fn run<S: Ways<Entry> + ?Sized>(self, sets: &mut S, policy: &mut Replacement) -> (usize, Done) {
        let Self { heads, leaf, array, array_of, shift, class, indexing, last, misses } = self;
        let mut done = Done::default();
        for (n, head) in heads.iter().enumerate() {
            let at = head.kind.index();
            if head.leaf != leaf || array_of[at] != array {
                return (n, done);
            }
            let number = head.va >> shift;
            let tag = number | class;
            let set = indexing.set_of(number);
            let store = head.kind == Kind::Store;
            done.hits[at] += head.n_repeats;
            let used = |way| Last { array, slot: Slot { set: small(set), way } };
            let stage = if let Some((way, entry)) = sets.lookup(set, tag, policy) {
                done.hits[at] += 1;
                entry.add_hits(1 + head.n_repeats);
                if last[at] != used(way) {
                    last[at] = used(way);
                    entry.set_used_at(head.index);
                }
                if !store || entry.knows_dirty() {
                    continue;
                }
                entry.know_dirty();
                Stage::Stored
            } else {
                let mut entry = Entry::new(head.index, u32::from(store));
                entry.add_hits(head.n_repeats);
                let filled = sets.insert_absent(set, tag, entry, policy);
                done.fills += 1;
                done.evictions += u32::from(filled.evicted != EMPTY);
                last[at] = used(filled.way);
                Stage::MissedLevel1
            };
            let Waiting { va, index, kind, .. } = *head;
            misses.push(Miss { va, tag, index, kind, leaf, stage, start: Start::default() });
        }
        (heads.len(), done)
    }
}
