//! An entry of a TLB array or of a paging-structure cache.

use pagewalk_base::narrow::low32;

/// An entry without its tag, in two words, so that a fill is two stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Two access numbers. Lower half: the access that filled the entry. Upper half: the access that began its
    /// latest use.
    times: u64,
    /// Two numbers. Lower half: the hits. Upper half: the data, see [`Self::data`].
    uses: u64,
}

/// The bit of the data that marks a prefetched translation which no access has used yet. Numbers of tables are smaller.
pub(crate) const PREFETCHED: u32 = 1 << 31;

const LOW_HALF: u64 = 0xffff_ffff;

impl Entry {
    #[inline]
    pub(crate) fn new(now: u32, data: u32) -> Self {
        Self { times: u64::from(now) << 32 | u64::from(now), uses: u64::from(data) << 32 }
    }

    pub(crate) fn filled_at(self) -> u32 {
        low32(self.times)
    }

    /// Returns the access that began the latest use of the entry. Repeats on the page that was just used do not
    /// change it.
    pub(crate) fn used_at(self) -> u32 {
        low32(self.times >> 32)
    }

    #[inline]
    pub(crate) fn set_used_at(&mut self, now: u32) {
        self.times = self.times & LOW_HALF | u64::from(now) << 32;
    }

    /// Records that the latest use of the entry began at access `at`, unless a later access began it.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn use_from(&mut self, at: u32) {
        self.times = self.times.max(u64::from(at) << 32 | self.times & LOW_HALF);
    }

    pub(crate) fn hits(self) -> u32 {
        low32(self.uses)
    }

    /// Adds `n` hits. Traces have fewer than 2^32 accesses, so hits never carry into the data.
    #[inline]
    pub(crate) fn add_hits(&mut self, n: u32) {
        self.uses += u64::from(n);
    }

    /// Returns the 32 bits of data. In a translation, the lowest bit is 1 if the dirty flag is known to be set. In a
    /// paging-structure cache, the data is the number of the next table.
    #[inline]
    pub(crate) fn data(self) -> u32 {
        low32(self.uses >> 32)
    }

    /// Returns whether the dirty flag of a translation is known to be set.
    #[inline]
    pub(crate) fn is_known_dirty(self) -> bool {
        self.data() & 1 != 0
    }

    /// Returns whether a prefetch filled the translation, and no access has used it yet.
    #[inline]
    pub(crate) fn is_prefetched(self) -> bool {
        self.data() & PREFETCHED != 0
    }

    /// Records the first use of a prefetched translation.
    pub(crate) fn clear_prefetched(&mut self) {
        self.set_data(self.data() & !PREFETCHED);
    }

    /// Records a hit of a translation at access `now`. Returns two flags: whether this is the first store since the
    /// fill to a page that was not known to be dirty, and whether the page is dirty now.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn hit(&mut self, now: u32, store: bool) -> (bool, bool) {
        self.add_hits(1);
        self.set_used_at(now);
        let first_store = store && !self.is_known_dirty();
        if first_store {
            self.mark_dirty();
        }
        (first_store, self.is_known_dirty())
    }

    #[inline]
    pub(crate) fn set_data(&mut self, data: u32) {
        self.uses = self.uses & LOW_HALF | u64::from(data) << 32;
    }

    #[inline]
    pub(crate) fn mark_dirty(&mut self) {
        self.uses |= 1 << 32;
    }
}
