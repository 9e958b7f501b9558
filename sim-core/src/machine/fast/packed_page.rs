//! The page of a run head and the stage that it has reached, in one word. Pages of runs are 4 KiB, so the lowest bits
//! of their addresses are free.
//!
//! Bench row: (b) random loads, where each miss passes through every stage.
//!
//! ```text
//! 63 … 12   10 … 8   7 … 5   4 … 2   1 … 0
//! address   start    stage   leaf    kind
//! ```

#[cfg(doc)]
use crate::caches::tlb::Entry;
use crate::caches::tlb::Key;
use crate::machine::Page;
use crate::machine::plan::Plan;
use pagewalk_base::addr::{Leaf, Level, PerLeaf};
use pagewalk_base::narrow::{index, low32};
use pagewalk_base::trace::{Kind, RUN_PAGE_BITS};

const LEAF_AT: u32 = 2;
const STAGE_AT: u32 = 5;
const START_AT: u32 = 8;
const LEAF_AND_STAGE: u64 = (1 << START_AT) - (1 << LEAF_AT);
const SORT: u64 = (1 << STAGE_AT) - 1;

/// The stage that a run head has reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The run head missed and filled level 1, or has not been looked up in level 1 yet.
    MissedLevel1,
    /// The run head is a store that hit level 1, in an entry that was not dirty.
    Stored,
    /// The run head hit level 2, in an entry that is not dirty.
    HitClean,
    /// The run head hit level 2, in an entry that is not dirty. A miss of the same batch filled the entry, and its
    /// walk is not done.
    HitFresh,
    /// The run head hit level 2, in an entry that is dirty.
    HitDirty,
    /// The run head is a store that hit level 2 and made the entry dirty.
    HitNowDirty,
    /// The run head missed level 2.
    MissedLevel2,
    /// The run head missed level 2, and `walk_caches` has looked up where its walk starts.
    Walks,
}

impl Stage {
    /// Returns the stage after a hit of level 2. `hit` is the result of [`Entry::hit`].
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn of_hit(hit: (bool, bool), is_fresh: bool) -> Self {
        match hit {
            (true, _) => Self::HitNowDirty,
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
    Stage::HitNowDirty,
    Stage::MissedLevel2,
    Stage::Walks,
];

/// A page packed in one word: the address of a 4 KiB page, the kind of an access to it, the leaf of the page that
/// holds it, a [`Stage`], and the level of the table where its walk starts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedPage(u64);

impl PackedPage {
    /// Makes the page of a run head that has not been looked up in level 1.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn new(va: u64, kind: Kind, leaf: Leaf) -> Self {
        Self(va | u64::from(leaf.number()) << LEAF_AT | kind as u64)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn va(self) -> u64 {
        self.0 >> RUN_PAGE_BITS << RUN_PAGE_BITS
    }

    /// Returns the number of the page, or of a larger part of the address space. `shift` is 12 or more.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn number(self, shift: u32) -> u64 {
        self.0 >> shift
    }

    /// Returns the index of the page's entry in a table. The argument comes from
    /// [`crate::page_table::PageTables::step`].
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn index(self, (shift, mask): (u32, u64)) -> usize {
        index(self.number(shift) & mask)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn kind(self) -> Kind {
        Kind::of_index(self.0)
    }

    /// Returns the leaf.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn leaf(self) -> Leaf {
        Leaf::from_bits(self.0 >> LEAF_AT)
    }

    /// Returns the page as the TLB holds it. `class` has the bits that turn a page number into a tag, by leaf.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn page(self, plan: &Plan, class: &PerLeaf<u64>) -> Page {
        let leaf = self.leaf();
        let key = Key::new(self.number(plan.shift[leaf]), class[leaf]);
        Page { kind: self.kind(), leaf, va: self.va(), key }
    }

    /// Returns the sort: the kind of the access and the leaf, as one number.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn sort(self) -> u32 {
        low32(self.0 & SORT)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn stage(self) -> Stage {
        STAGES[index(self.0 >> STAGE_AT & 7)]
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_at(self, stage: Stage) -> bool {
        self.0 >> STAGE_AT & 7 == stage as u64
    }

    /// Returns whether the run head hit level 2 and changes no page table.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_plain_hit(self) -> bool {
        let stage = self.0 >> STAGE_AT & 7;
        (Stage::HitClean as u64..=Stage::HitDirty as u64).contains(&stage)
    }

    /// Returns whether the page has this leaf and the run head is at this stage.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is(self, leaf: Leaf, stage: Stage) -> bool {
        self.0 & LEAF_AND_STAGE == (stage as u64) << STAGE_AT | u64::from(leaf.number()) << LEAF_AT
    }

    /// Returns whether the two words are equal in the bits of `mask`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_equal_in(self, other: Self, mask: u64) -> bool {
        (self.0 ^ other.0) & mask == 0
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at_stage(self, stage: Stage) -> Self {
        Self(self.0 & !(7 << STAGE_AT) | (stage as u64) << STAGE_AT)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn start(self) -> Level {
        Level::new((self.0 >> START_AT & 7).to_le_bytes()[0])
    }

    /// Returns whether the level where the walk starts is set.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn has_start(self) -> bool {
        self.0 & 7 << START_AT != 0
    }

    /// Sets the level where the walk starts, which must not be set yet.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn starting_at(self, level: Level) -> Self {
        Self(self.0 | u64::from(level.number()) << START_AT)
    }
}

/// A set of sorts: one leaf, and the kinds for which `serves` holds.
#[derive(Clone, Copy)]
pub(super) struct Sorts(u32);

impl Sorts {
    pub(super) fn of(leaf: Leaf, serves: impl Fn(usize) -> bool) -> Self {
        let kinds = (0..4).filter(|kind| serves(*kind));
        Self(
            kinds
                .fold(0, |sorts, kind| sorts | 1 << (usize::from(leaf.number()) << LEAF_AT | kind)),
        )
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn has(self, page: PackedPage) -> bool {
        self.0 >> page.sort() & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_page_returns_its_parts() {
        let group = Leaf::groups().last().unwrap();
        for (va, kind, leaf) in
            [(0, Kind::Fetch, Leaf::SMALLEST), (0xffff_ffff_ffff_f000, Kind::Prefetch, group)]
        {
            let page = PackedPage::new(va, kind, leaf).at_stage(Stage::MissedLevel2);
            let page = page.at_stage(Stage::HitClean);
            assert_eq!((page.va(), page.kind(), page.leaf()), (va, kind, leaf));
            assert_eq!((page.number(12), page.number(21)), (va >> 12, va >> 21));
            assert!(page.stage() == Stage::HitClean);
            assert!(Sorts::of(leaf, |at| at == kind.index()).has(page));
            assert!(!Sorts::of(leaf, |at| at != kind.index()).has(page));
        }
    }
}
