//! A page of a head, and how far it has come, in one word: pages of runs are 4 KiB, so that the
//! lowest bits of their addresses are free.
//!
//! ```text
//! 63 … 12   10 … 8   7 … 5   4 … 2   1 … 0
//! address   start    stage   leaf    kind
//! ```

#[cfg(doc)]
use crate::caches::tlb::Entry;
use crate::machine::Page;
use crate::machine::plan::Plan;
use pagewalk_base::narrow::{index, low32};
use pagewalk_base::trace::{Kind, RUN_PAGE_BITS};

const LEAF_AT: u32 = 2;
const STAGE_AT: u32 = 5;
const START_AT: u32 = 8;
const LEAF_AND_STAGE: u64 = (1 << START_AT) - (1 << LEAF_AT);
const SORT: u64 = (1 << STAGE_AT) - 1;

/// Kinds of accesses to pages of each leaf.
pub(super) const N_SORTS: usize = 1 << STAGE_AT;

/// How far a head has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// It filled an entry of level 1, or has not been there.
    MissedLevel1,
    /// A store that hit an entry of level 1 which did not know its page to be dirty.
    Stored,
    /// The entry of level 2 does not know its page to be dirty.
    HitClean,
    /// Nor does this one, which a walk of the same batch has filled that is still to be done.
    HitFresh,
    HitDirty,
    /// It is a store, and the entry has learned now that its page is dirty.
    HitWithNews,
    MissedLevel2,
    /// The paging-structure caches have been asked too.
    Walks,
}

impl Stage {
    /// What [`Entry::hit`] says of a hit of level 2.
    #[inline(always)]
    pub(super) fn of_hit(hit: (bool, bool), is_fresh: bool) -> Self {
        match hit {
            (true, _) => Self::HitWithNews,
            (false, true) => Self::HitDirty,
            (false, false) if is_fresh => Self::HitFresh,
            (false, false) => Self::HitClean,
        }
    }
}

const STAGES: [Stage; 8] = [
    Stage::MissedLevel1,
    Stage::Stored,
    Stage::HitClean,
    Stage::HitFresh,
    Stage::HitDirty,
    Stage::HitWithNews,
    Stage::MissedLevel2,
    Stage::Walks,
];

/// An address of a 4 KiB page, with the kind of an access to it, the leaf of the page that it lies in, a
/// [`Stage`], and the level of the table at which its walk starts.
#[derive(Clone, Copy, Default)]
pub(super) struct Packed(u64);

impl Packed {
    /// A head of level 1.
    #[inline(always)]
    pub(super) fn new(va: u64, kind: Kind, leaf: u8) -> Self {
        Self(va | u64::from(leaf) << LEAF_AT | kind as u64)
    }

    #[inline(always)]
    pub(super) fn va(self) -> u64 {
        self.0 >> RUN_PAGE_BITS << RUN_PAGE_BITS
    }

    /// The number of the page, or of a larger part of the address space: `shift` is 12 or more.
    #[inline(always)]
    pub(super) fn number(self, shift: u32) -> u64 {
        self.0 >> shift
    }

    /// Which entry of a table: [`crate::page_table::PageTables::step`].
    #[inline(always)]
    pub(super) fn index(self, (shift, mask): (u32, u64)) -> usize {
        index(self.number(shift) & mask)
    }

    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        Kind::of_index(self.0)
    }

    /// Below 8.
    #[inline(always)]
    pub(super) fn leaf(self) -> usize {
        index(self.0 >> LEAF_AT & 7)
    }

    /// The page in the TLB; `class` makes tags of numbers, by leaf.
    #[inline(always)]
    pub(super) fn page(self, plan: &Plan, class: &[u64; 8]) -> Page {
        let leaf = self.leaf();
        let number = self.number(plan.shift[leaf]);
        Page {
            kind: self.kind(),
            leaf: (leaf as u64).to_le_bytes()[0],
            va: self.va(),
            number,
            tag: number | class[leaf],
        }
    }

    /// What [`Self::sort`] is made of.
    pub(super) fn of_sort(sort: usize) -> (Kind, usize) {
        let page = Self(sort as u64);
        (page.kind(), page.leaf())
    }

    /// Kind and leaf in one number, below [`N_SORTS`].
    #[inline(always)]
    pub(super) fn sort(self) -> u32 {
        low32(self.0 & SORT)
    }

    #[inline(always)]
    pub(super) fn stage(self) -> Stage {
        STAGES[index(self.0 >> STAGE_AT & 7)]
    }

    #[inline(always)]
    pub(super) fn is_at(self, stage: Stage) -> bool {
        self.0 >> STAGE_AT & 7 == stage as u64
    }

    /// Whether it hit level 2, and the page tables need not be told.
    #[inline(always)]
    pub(super) fn is_plain_hit(self) -> bool {
        let stage = self.0 >> STAGE_AT & 7;
        (Stage::HitClean as u64..=Stage::HitDirty as u64).contains(&stage)
    }

    /// Whether it is at a stage, and the page of a leaf.
    #[inline(always)]
    pub(super) fn is(self, leaf: usize, stage: Stage) -> bool {
        self.0 & LEAF_AND_STAGE == (stage as u64) << STAGE_AT | (leaf as u64) << LEAF_AT
    }

    /// Whether it lies beside another where only the bits of `mask` count.
    #[inline(always)]
    pub(super) fn is_beside(self, other: Self, mask: u64) -> bool {
        (self.0 ^ other.0) & mask == 0
    }

    #[inline(always)]
    pub(super) fn at_stage(self, stage: Stage) -> Self {
        Self(self.0 & !(7 << STAGE_AT) | (stage as u64) << STAGE_AT)
    }

    #[inline(always)]
    pub(super) fn start(self) -> u8 {
        (self.0 >> START_AT & 7).to_le_bytes()[0]
    }

    /// Where no start has been given yet.
    #[inline(always)]
    pub(super) fn starting_at(self, level: u8) -> Self {
        Self(self.0 | u64::from(level) << START_AT)
    }
}

/// A set of leaves, of pages at one stage.
#[derive(Clone, Copy)]
pub(super) struct Leaves(u64);

impl Leaves {
    pub(super) fn at(stage: Stage, has: impl Fn(usize) -> bool) -> Self {
        let leaves = (0..8).filter(|leaf| has(*leaf));
        Self(
            leaves.fold(0, |bits, leaf| {
                bits | 1 << ((stage as usize) << (STAGE_AT - LEAF_AT) | leaf)
            }),
        )
    }

    #[inline(always)]
    pub(super) fn has(self, page: Packed) -> bool {
        self.0 >> (page.0 >> LEAF_AT & 63) & 1 == 1
    }
}

/// A set of sorts: of the kinds for which `serves` holds, of pages of one leaf.
#[derive(Clone, Copy)]
pub(super) struct Sorts(u32);

impl Sorts {
    pub(super) fn of(leaf: usize, serves: impl Fn(usize) -> bool) -> Self {
        let kinds = (0..4).filter(|kind| serves(*kind));
        Self(kinds.fold(0, |sorts, kind| sorts | 1 << (leaf << LEAF_AT | kind)))
    }

    #[inline(always)]
    pub(super) fn has(self, page: Packed) -> bool {
        self.0 >> page.sort() & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_page_gives_back_what_was_put_in() {
        for (va, kind, leaf) in [(0, Kind::Fetch, 0), (0xffff_ffff_ffff_f000, Kind::Prefetch, 7)] {
            let page = Packed::new(va, kind, leaf).at_stage(Stage::MissedLevel2);
            let page = page.at_stage(Stage::HitClean);
            assert_eq!((page.va(), page.kind(), page.leaf()), (va, kind, usize::from(leaf)));
            assert_eq!((page.number(12), page.number(21)), (va >> 12, va >> 21));
            assert!(page.stage() == Stage::HitClean);
            assert!(Sorts::of(usize::from(leaf), |at| at == kind.index()).has(page));
            assert!(!Sorts::of(usize::from(leaf), |at| at != kind.index()).has(page));
        }
    }
}
