//! The run heads of a batch, in order, each with the number of its repeats.
//!
//! Bench row: (a) strided loads, of which 63 in 64 are repeats.

use super::batch::BATCH;
use super::packed_page::PackedPage;
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;
use pagewalk_base::trace::RUN_PAGE_BITS;

/// The parts of a batch: fetches, data, and stores if level 1 serves them apart from loads.
pub(super) const PARTS: usize = 3;
/// The places of each part: twice the most run heads. The number of all places is a power of two, so that an index
/// is masked instead of checked.
const OF_PART: usize = 2 * BATCH;
const PLACES: usize = 4 * OF_PART;
/// For each kind: the place that counts repeats of a run head of an earlier batch.
const EARLIER: [usize; 4] = [BATCH, BATCH + 1, BATCH + 2, BATCH + 3];

/// A run head: an access that must be translated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunHead {
    pub(super) page: PackedPage,
    /// The number of the access.
    pub(super) index: u32,
    /// The number of later accesses that repeat its page.
    pub(super) n_repeats: u32,
    /// With slots, the access that begins the latest use of its entry, or 0 if an earlier use goes on.
    pub(super) used_at: u32,
}

/// The form of the runs that run heads come from: without slots or with slots.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// All ones if every repeat has the kind of its run head: then run heads count them by kind.
    of_kind: u32,
    /// All ones if run heads do not say which page a kind used last.
    hides_last: u64,
}

impl Form {
    /// Runs without slots.
    pub(super) const PLAIN: Self = Self { of_kind: u32::MAX, hides_last: 0 };
    /// Runs with slots: repeats may be of other kinds, and come after run heads of other pages.
    const IN_SLOTS: Self = Self { of_kind: 0, hides_last: u64::MAX };

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_in_slots(self) -> bool {
        self.hides_last != 0
    }

    /// Returns the number of repeats that have the kind of their run head for certain.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn of_kind(self, head: &RunHead) -> u32 {
        head.n_repeats & self.of_kind
    }

    /// Returns the access that begins the latest use of the entry of a run head, or 0 if an earlier use goes on.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn use_of(self, head: &RunHead) -> u32 {
        if self.is_in_slots() { head.used_at } else { head.index }
    }

    /// Returns the tag that a kind used last after a run head with this tag, or
    /// [`EMPTY`](crate::caches::set_assoc::EMPTY) if the runs do not say.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn last_tag(self, tag: u64) -> u64 {
        tag | self.hides_last
    }
}

pub(super) struct RunHeads {
    /// The places of each part, because different level-1 arrays serve them.
    places: Box<[RunHead; PLACES]>,
    /// For each kind: the part of its run heads.
    part_of: [usize; 4],
    /// The number of run heads of each part.
    n: [usize; 4],
    /// The sorts of the run heads of each part, as bits.
    sorts: [u32; 4],
    /// For each kind: the place of its latest run head, or [`EARLIER`] if this batch has none.
    latest: [usize; 4],
    /// For each kind: the number of repeats of its latest run head.
    repeats: [u32; 4],
    pub(super) form: Form,
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
    /// Begins without run heads. `in_slots` says whether the runs have slots, `stores_apart` whether stores are a part of
    /// their own.
    pub(super) fn new(in_slots: bool, stores_apart: bool) -> Self {
        let places = vec![RunHead::default(); PLACES];
        let places = places.try_into().expect("the number of places is fixed");
        let form = if in_slots { Form::IN_SLOTS } else { Form::PLAIN };
        let part_of = [0, 1, if stores_apart { 2 } else { 1 }, 1];
        Self { places, part_of, n: [0; 4], sorts: [0; 4], latest: EARLIER, repeats: [0; 4], form }
    }

    /// Counts repeats of fetches, loads and stores.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn repeat(&mut self, n: [u32; 3]) {
        for (sum, n) in self.repeats.iter_mut().zip(n) {
            *sum += n;
        }
    }

    /// Returns the repeats of the latest run head of a kind, which has not been pushed.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn take_repeats(&mut self, kind: Kind) -> u32 {
        std::mem::take(&mut self.repeats[kind.index()])
    }

    /// Adds a run head. Returns true if the batch is then full.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn push(&mut self, kind: Kind, page: PackedPage, index: u32) -> bool {
        let part = self.part_of(kind);
        let n = self.n[part];
        let at = part * OF_PART + n;
        self.begin(kind, at);
        let place = &mut self.places[at % PLACES];
        (place.page, place.index) = (page, index);
        self.n[part] = n + 1;
        self.sorts[part] |= 1 << page.sort();
        n + 1 == BATCH
    }

    /// Adds a run head with slots. Returns true if the batch is then full.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn push_in_slot(&mut self, kind: Kind, head: RunHead) -> bool {
        let part = self.part_of(kind);
        let n = self.n[part];
        self.places[(part * OF_PART + n) % PLACES] = head;
        self.n[part] = n + 1;
        self.sorts[part] |= 1 << head.page.sort();
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
        let part = self.part_of(kind);
        let from = part * OF_PART;
        let n = self.n[part];
        let room = self.places.get_mut(from + n..from + BATCH - 1).unwrap_or_default();
        let mut added = 0;
        for (place, offset) in room.iter_mut().zip(offsets) {
            let va = (base + u64::from(*offset)) << RUN_PAGE_BITS & va_mask;
            if !range.has(va) {
                break;
            }
            let index = first + small(added);
            place.page = PackedPage::new(va, kind, range.leaf);
            (place.index, place.n_repeats) = (index, 0);
            added += 1;
        }
        if added > 0 {
            self.begin(kind, from + n + added - 1);
            self.n[part] = n + added;
            self.sorts[part] |= 1 << PackedPage::new(0, kind, range.leaf).sort();
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

    /// Returns the part of the run heads of a kind.
    #[cfg_attr(feature = "fast", inline(always))]
    fn part_of(&self, kind: Kind) -> usize {
        self.part_of[kind.index()] % 4
    }

    /// Returns the run heads of a part.
    pub(super) fn of(&self, part: usize) -> &[RunHead] {
        &self.places[part * OF_PART..][..self.n[part]]
    }

    /// Returns all run heads if they are of one sort: one kind of access, and pages of one leaf.
    pub(super) fn of_one_sort(&self) -> Option<&[RunHead]> {
        let mut parts = (0..PARTS).filter(|part| self.n[*part] > 0);
        let only = parts.next().filter(|_| parts.next().is_none())?;
        self.sorts[only].is_power_of_two().then(|| self.of(only))
    }

    pub(super) fn clear(&mut self) {
        (self.n, self.sorts) = ([0; 4], [0; 4]);
    }
}
