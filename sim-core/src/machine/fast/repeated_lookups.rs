//! Repeated lookups of one number. Each lookup after the first changes only the counts of its entry. So these
//! lookups are counted here, and written to the entry once.
//!
//! Bench row: (a) strided loads, whose walks look up the same prefix 512 times in a row.

use crate::caches::set_assoc::Ways;
use crate::caches::tlb::Entry;
use pagewalk_base::narrow::index;

/// The latest number that was looked up in a cache, and the lookups that are not yet written to its entry.
pub(super) struct RepeatedLookups {
    number: u64,
    n: u32,
    /// The access of the latest lookup.
    index: u32,
}

impl RepeatedLookups {
    pub(super) fn new() -> Self {
        Self { number: u64::MAX, n: 0, index: 0 }
    }

    /// Counts a lookup if `number` is the latest one. Returns whether it is.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn count(&mut self, number: u64, index: u32) -> bool {
        let is_repeated = number == self.number;
        if is_repeated {
            self.n += 1;
            self.index = index;
        }
        is_repeated
    }

    /// Writes the counted lookups to their entry, and makes `next` the latest number. `set_mask` and `class` turn a number
    /// into its set and its tag.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn begin<R, S: Ways<Entry, R> + ?Sized>(
        &mut self,
        next: u64,
        (set_mask, class): (u64, u64),
        sets: &mut S,
        policy: &mut R,
    ) {
        if self.n > 0 {
            self.write((set_mask, class), sets, policy);
        }
        self.number = next;
    }

    #[inline(never)]
    fn write<R, S: Ways<Entry, R> + ?Sized>(
        &mut self,
        (set_mask, class): (u64, u64),
        sets: &mut S,
        policy: &mut R,
    ) {
        let (set, n) = (index(self.number & set_mask), std::mem::take(&mut self.n));
        if let Some((_, entry)) = sets.lookup(set, self.number | class, policy) {
            entry.add_hits(n);
            entry.set_used_at(self.index);
        }
    }
}
