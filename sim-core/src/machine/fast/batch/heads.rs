//! Heads that wait together, each with the repeats on its page.

use super::packed::Packed;
use super::{BATCH, Waiting};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::RUN_PAGE_BITS;
use pagewalk_base::trace::{Kind, group};

/// Twice as many as needed of each group: a power of two, so that an index is masked, not checked.
const OF_GROUP: usize = 2 * BATCH;
const PLACES: usize = 2 * OF_GROUP;
/// By kind: a place where repeats of a head that is done are counted.
const BEFORE: [usize; 4] = [BATCH, BATCH + 1, BATCH + 2, BATCH + 3];

pub(super) struct Heads {
    /// Fetches first, then data: their arrays are not the same.
    places: Box<[Waiting; PLACES]>,
    /// By group.
    n: [usize; 2],
    /// By kind: where its last head is; [`BEFORE`] if there is none in this batch.
    latest: [usize; 4],
    /// By kind: repeats of its last head.
    repeats: [u32; 4],
}

/// A stretch of addresses of pages of one leaf.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    pub(super) first: u64,
    /// How far beyond the first the last one is.
    pub(super) beyond: u64,
    pub(super) leaf: u8,
}

impl Alike {
    /// Without the address of any page.
    pub(super) const NONE: Self = Self { first: 1, beyond: 0, leaf: 0 };

    /// Whether a page begins in it.
    #[inline(always)]
    pub(super) fn has(self, va: u64) -> bool {
        va.wrapping_sub(self.first) <= self.beyond
    }
}

impl Heads {
    pub(super) fn new() -> Self {
        let places = Box::new([Waiting::default(); PLACES]);
        Self { places, n: [0; 2], latest: BEFORE, repeats: [0; 4] }
    }

    #[inline(always)]
    pub(super) fn repeat(&mut self, n: [u32; 3]) {
        for (sum, n) in self.repeats.iter_mut().zip(n) {
            *sum += n;
        }
    }

    /// Adds a head; true if no other may wait with it.
    #[inline(always)]
    pub(super) fn push(&mut self, kind: Kind, page: Packed, index: u32) -> bool {
        let n = self.n[group(kind)];
        let at = group(kind) * OF_GROUP + n;
        self.begin(kind, at);
        let place = &mut self.places[at % PLACES];
        (place.page, place.index) = (page, index);
        self.n[group(kind)] = n + 1;
        n + 1 == BATCH
    }

    /// A head of a kind begins at a place: that before it has got all its repeats.
    #[inline(always)]
    fn begin(&mut self, kind: Kind, at: usize) {
        let before = std::mem::replace(&mut self.latest[kind.index()], at);
        let n_repeats = std::mem::take(&mut self.repeats[kind.index()]);
        self.places[before % PLACES].n_repeats = n_repeats;
    }

    /// Adds heads as far as their pages, so many further on than `base`, are in a stretch of one leaf, and there is
    /// room for one more; returns how many. `va_mask` has the bits of an address that translation looks at.
    #[inline(always)]
    pub(super) fn push_alike(
        &mut self,
        (first, kind): (u32, Kind),
        (base, offsets): (u64, &[u32]),
        va_mask: u64,
        alike: Alike,
    ) -> usize {
        let from = group(kind) * OF_GROUP;
        let n = self.n[group(kind)];
        let room = self.places.get_mut(from + n..from + BATCH - 1).unwrap_or_default();
        let mut added = 0;
        for (place, offset) in room.iter_mut().zip(offsets) {
            let va = (base + u64::from(*offset)) << RUN_PAGE_BITS & va_mask;
            if !alike.has(va) {
                break;
            }
            let index = first + small(added);
            *place = Waiting { page: Packed::new(va, kind, alike.leaf), index, n_repeats: 0 };
            added += 1;
        }
        if added > 0 {
            self.begin(kind, from + n + added - 1);
            self.n[group(kind)] = n + added;
        }
        added
    }

    /// Ends the batch: all heads have their repeats. Returns those of heads that were done before, by kind.
    pub(super) fn end(&mut self) -> [u32; 4] {
        for kind in Kind::SERVED {
            self.begin(kind, BEFORE[kind.index()]);
        }
        BEFORE.map(|at| std::mem::take(&mut self.places[at].n_repeats))
    }

    pub(super) fn of(&self, group: usize) -> &[Waiting] {
        &self.places[group * OF_GROUP..][..self.n[group]]
    }

    pub(super) fn clear(&mut self) {
        self.n = [0; 2];
    }
}
