//! The second stage: misses of level 1 through level 2, where it holds nothing but pages.

use super::{ArrayCounts, Counts, Miss, Stage};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::plan::SEVERAL;
use crate::policy::Replacement;
use crate::set_assoc::{EMPTY, OnWays, Ways};
use crate::tlb::{Entry, Indexing};
use crate::trace::Kind;

/// Takes misses through level 2.
pub(super) fn run(machine: &mut Machine, misses: &mut [Miss], counts: &mut Counts) {
    let mut rest = misses;
    while let Some(first) = rest.first_mut() {
        let leaf = usize::from(first.leaf) % 8;
        let array_of = [0, 1, 2, 3].map(|kind| machine.plan.only_l2[kind][leaf]);
        let array = array_of[first.kind.index()];
        if array == SEVERAL {
            // None holds the page: see `Plan::level_2_is_apart`.
            if first.stage == Stage::MissedLevel1 {
                first.stage = Stage::MissedLevel2;
            }
            rest = &mut rest[1..];
            continue;
        }
        let entries = &mut machine.l2[usize::from(array)].entries;
        let stretch = Stretch {
            leaf: first.leaf,
            array,
            array_of,
            shift: machine.plan.shift[leaf],
            indexing: entries.indexing(),
            misses: rest,
        };
        let (n, done) = entries.with(stretch);
        rest = &mut rest[n..];
        let counts = &mut counts.l2[usize::from(array) % MAX_ARRAYS];
        counts.hits += done.hits;
        counts.fills += done.fills;
        counts.evictions += done.evictions;
    }
}

/// Misses as far as they are looked up in one array, as pages of one size.
struct Stretch<'a> {
    misses: &'a mut [Miss],
    leaf: u8,
    array: u8,
    /// By kind.
    array_of: [u8; 4],
    shift: u32,
    indexing: Indexing,
}

impl OnWays<Entry> for Stretch<'_> {
    /// The number of misses that belong to the stretch, and what they did.
    type Done = (usize, ArrayCounts);

    #[inline(never)]
    fn run<S: Ways<Entry> + ?Sized>(
        self,
        sets: &mut S,
        policy: &mut Replacement,
    ) -> (usize, ArrayCounts) {
        let Self { misses, leaf, array, array_of, shift, indexing } = self;
        let mut done = ArrayCounts::default();
        let n = misses.len();
        for (at, miss) in misses.iter_mut().enumerate() {
            if miss.leaf != leaf || array_of[miss.kind.index()] != array {
                return (at, done);
            }
            if miss.stage != Stage::MissedLevel1 {
                continue;
            }
            let set = indexing.set_of(miss.va >> shift);
            let store = miss.kind == Kind::Store;
            miss.stage = if let Some((_, entry)) = sets.lookup(set, miss.tag, policy) {
                done.hits += 1;
                match entry.hit(miss.index, store) {
                    (true, _) => Stage::HitWithNews,
                    (false, true) => Stage::HitDirty,
                    (false, false) => Stage::HitClean,
                }
            } else {
                let entry = Entry::new(miss.index, u32::from(store));
                let filled = sets.insert_absent(set, miss.tag, entry, policy);
                done.fills += 1;
                done.evictions += u32::from(filled.evicted != EMPTY);
                Stage::MissedLevel2
            };
        }
        (n, done)
    }
}
