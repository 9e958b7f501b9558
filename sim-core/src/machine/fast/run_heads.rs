//! The run heads of a batch, in order, each with the number of its repeats.
//!
//! Bench row: (a) strided loads, of which 63 in 64 are repeats.

use super::batch::BATCH;
use super::packed_page::PackedPage;
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::RUN_PAGE_BITS;
use pagewalk_base::trace::{Kind, group};

/// The places of each group: twice the most run heads. So the number of all places is a power of two, and an index
/// is masked instead of checked.
const OF_GROUP: usize = 2 * BATCH;
const PLACES: usize = 2 * OF_GROUP;
/// For each kind: the place that counts repeats of a run head of an earlier batch.
const EARLIER: [usize; 4] = [BATCH, BATCH + 1, BATCH + 2, BATCH + 3];

/// A run head: an access that must be translated.
#[derive(Clone, Copy, Default)]
pub(super) struct RunHead {
    pub(super) page: PackedPage,
    /// The number of the access.
    pub(super) index: u32,
    /// The number of later accesses that repeat its page.
    pub(super) n_repeats: u32,
}

pub(super) struct RunHeads {
    /// The places of fetches, then those of data, because different level-1 arrays serve them.
    places: Box<[RunHead; PLACES]>,
    /// The number of run heads of each group.
    n: [usize; 2],
    /// The sorts of the run heads of each group, as bits.
    sorts: [u32; 2],
    /// For each kind: the place of its latest run head, or [`EARLIER`] if this batch has none.
    latest: [usize; 4],
    /// For each kind: the number of repeats of its latest run head.
    repeats: [u32; 4],
}

/// A range of addresses whose pages all have one leaf level.
#[derive(Clone, Copy)]
pub(super) struct LeafRange {
    pub(super) first: u64,
    /// The last address minus the first.
    pub(super) length: u64,
    pub(super) leaf: Leaf,
}

impl LeafRange {
    /// A range in which no page begins.
    pub(super) const EMPTY: Self = Self { first: 1, length: 0, leaf: Leaf::SMALLEST };

    /// Returns a range of one leaf, given its first and last address, or an empty range if `va` lies outside.
    pub(super) fn around(va: u64, leaf: Leaf, (first, last): (u64, u64)) -> Self {
        let is_in = (first..=last).contains(&va);
        if is_in {
            Self { first, length: last - first, leaf }
        } else {
            Self { leaf, ..Self::EMPTY }
        }
    }

    /// Returns whether the range contains the first address of a page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn has(self, va: u64) -> bool {
        va.wrapping_sub(self.first) <= self.length
    }
}

impl RunHeads {
    pub(super) fn new() -> Self {
        let places = Box::new([RunHead::default(); PLACES]);
        Self { places, n: [0; 2], sorts: [0; 2], latest: EARLIER, repeats: [0; 4] }
    }

    /// Counts repeats of fetches, loads and stores.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn repeat(&mut self, n: [u32; 3]) {
        for (sum, n) in self.repeats.iter_mut().zip(n) {
            *sum += n;
        }
    }

    /// Adds a run head. Returns true if the batch is then full.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn push(&mut self, kind: Kind, page: PackedPage, index: u32) -> bool {
        let n = self.n[group(kind)];
        let at = group(kind) * OF_GROUP + n;
        self.begin(kind, at);
        let place = &mut self.places[at % PLACES];
        (place.page, place.index) = (page, index);
        self.n[group(kind)] = n + 1;
        self.sorts[group(kind)] |= 1 << page.sort();
        n + 1 == BATCH
    }

    /// Makes `at` the place of the latest run head of a kind. The previous run head gets its repeats.
    #[cfg_attr(feature = "fast", inline(always))]
    fn begin(&mut self, kind: Kind, at: usize) {
        let before = std::mem::replace(&mut self.latest[kind.index()], at);
        let n_repeats = std::mem::take(&mut self.repeats[kind.index()]);
        self.places[before % PLACES].n_repeats = n_repeats;
    }

    /// Adds the first run heads of `offsets` whose pages lie in `range`, and leaves room for one more. Returns the
    /// number of added run heads. Their page numbers are `base` plus the offset. `va_mask` has the bits of an
    /// address that translation reads.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn push_range(
        &mut self,
        (first, kind): (u32, Kind),
        (base, offsets): (u64, &[u32]),
        va_mask: u64,
        range: LeafRange,
    ) -> usize {
        let from = group(kind) * OF_GROUP;
        let n = self.n[group(kind)];
        let room = self.places.get_mut(from + n..from + BATCH - 1).unwrap_or_default();
        let mut added = 0;
        for (place, offset) in room.iter_mut().zip(offsets) {
            let va = (base + u64::from(*offset)) << RUN_PAGE_BITS & va_mask;
            if !range.has(va) {
                break;
            }
            let index = first + small(added);
            *place = RunHead { page: PackedPage::new(va, kind, range.leaf), index, n_repeats: 0 };
            added += 1;
        }
        if added > 0 {
            self.begin(kind, from + n + added - 1);
            self.n[group(kind)] = n + added;
            self.sorts[group(kind)] |= 1 << PackedPage::new(0, kind, range.leaf).sort();
        }
        added
    }

    /// Ends the batch: assigns the repeats to all run heads. Returns for each kind the repeats of run heads of
    /// earlier batches.
    pub(super) fn end(&mut self) -> [u32; 4] {
        for kind in Kind::SERVED {
            self.begin(kind, EARLIER[kind.index()]);
        }
        EARLIER.map(|at| std::mem::take(&mut self.places[at].n_repeats))
    }

    /// Returns the run heads of a group: 0 for fetches, 1 for data.
    pub(super) fn of(&self, group: usize) -> &[RunHead] {
        &self.places[group * OF_GROUP..][..self.n[group]]
    }

    /// Returns whether the run heads of a group are of one sort: one kind of access, and pages of one leaf.
    pub(super) fn are_of_one_sort(&self, group: usize) -> bool {
        self.sorts[group].is_power_of_two()
    }

    pub(super) fn clear(&mut self) {
        (self.n, self.sorts) = ([0; 2], [0; 2]);
    }
}
