//! Repeated lookups of one number. Each lookup after the first changes only the counts of its entry. So these
//! lookups are counted here, and written to the entry once.
//!
//! Bench row: (a) strided loads, whose walks look up the same prefix 512 times in a row.

use crate::caches::set_assoc::Ways;
use crate::caches::tlb::{Entry, Indexing};

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

    /// Writes the counted lookups to their entry, and makes `next` the latest number.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn begin<R, S: Ways<Entry, R> + ?Sized>(
        &mut self,
        next: u64,
        (indexing, class): (Indexing, u64),
        sets: &mut S,
        policy: &mut R,
    ) {
        if self.n > 0 {
            let set = indexing.set_of(self.number);
            if let Some((_, entry)) = sets.lookup(set, self.number | class, policy) {
                entry.add_hits(self.n);
                entry.set_used_at(self.index);
            }
            self.n = 0;
        }
        self.number = next;
    }
}
