//! Lookups of one number, one after the other: nothing but the counts of its entry changes with those after the first.

use crate::caches::set_assoc::Ways;
use crate::caches::tlb::{Entry, Indexing};

/// The number that a cache was asked for last, and what came for it since.
pub(super) struct Again {
    number: u64,
    n: u32,
    /// The access that came last.
    index: u32,
}

impl Again {
    pub(super) fn new() -> Self {
        Self { number: u64::MAX, n: 0, index: 0 }
    }

    /// Whether a number is the latest, whose entry is told of it later: by [`Self::tell`], before another is asked for.
    #[inline(always)]
    pub(super) fn is(&mut self, number: u64, index: u32) -> bool {
        let is_again = number == self.number;
        if is_again {
            self.n += 1;
            self.index = index;
        }
        is_again
    }

    /// Tells the entry what it has not been told. `number` is the next.
    #[inline(always)]
    pub(super) fn tell<R, S: Ways<Entry, R> + ?Sized>(
        &mut self,
        number: u64,
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
        self.number = number;
    }
}
