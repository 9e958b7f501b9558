//! The second stage: misses of level 1 through level 2, where it holds nothing but pages.

use super::{ArrayCounts, Counts, Miss};
use crate::config::MAX_ARRAYS;
use crate::cores::Last;
use crate::levels::hit_l2;
use crate::machine::Machine;
use crate::narrow::small;
use crate::plan::SEVERAL;
use crate::policy::Replacement;
use crate::set_assoc::{EMPTY, OnWays, Ways};
use crate::tlb::{Entry, Indexing, Slot};
use crate::trace::Kind;

/// What level 2 said of a miss.
#[derive(Clone, Copy)]
pub(super) enum Found {
    NotAsked,
    /// Whether the page is dirty, and whether the entry has learned that now.
    Hit {
        dirty: bool,
        is_news: bool,
    },
    /// And the entry that was filled for it, if an array holds such pages.
    Nothing(Option<Last>),
}

/// Takes misses through level 2.
pub(super) fn run(machine: &mut Machine, misses: &mut [Miss], counts: &mut Counts) {
    let mut rest = misses;
    while let Some(first) = rest.first() {
        let leaf = first.page.leaf;
        let array_of = [0, 1, 2, 3].map(|kind| machine.plan.only_l2[kind][usize::from(leaf) % 8]);
        let array = array_of[first.page.kind.index()];
        if array == SEVERAL {
            // None: see `Machine::level_2_is_apart`.
            rest[0].found = Found::Nothing(None);
            rest = &mut rest[1..];
            continue;
        }
        let entries = &mut machine.l2[usize::from(array)].entries;
        let indexing = entries.indexing();
        let stretch = Stretch { misses: rest, leaf, array, array_of, indexing };
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
        let Self { misses, leaf, array, array_of, indexing } = self;
        let mut done = ArrayCounts::default();
        let n = misses.len();
        for (at, miss) in misses.iter_mut().enumerate() {
            let page = &miss.page;
            if page.leaf != leaf || array_of[page.kind.index()] != array {
                return (at, done);
            }
            if miss.filled.is_none() {
                continue;
            }
            let set = indexing.set_of(page.number);
            if let Some((_, entry)) = sets.lookup(set, page.tag, policy) {
                done.hits += 1;
                let (dirty, is_news) = hit_l2(page, entry, miss.index);
                miss.found = Found::Hit { dirty, is_news };
            } else {
                let entry = Entry::new(miss.index, u32::from(page.kind == Kind::Store));
                let filled = sets.insert_absent(set, page.tag, entry, policy);
                done.fills += 1;
                done.evictions += u32::from(filled.evicted != EMPTY);
                let slot = Slot { set: small(set), way: filled.way };
                miss.found = Found::Nothing(Some(Last { array, slot }));
            }
        }
        (n, done)
    }
}
