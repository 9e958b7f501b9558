//! Counts by kind of access, in one word.
//!
//! A count in memory is loaded, incremented and stored for each walk, and each walk waits for the one before. A word stays
//! in a register.
//!
//! Bench rows: (b) random loads and (b) on nested 4K pages.

use pagewalk_base::narrow::low32;

/// The bits of a count. The walks of a batch read fewer entries than 2^16.
const BITS: u32 = 16;

/// Counts of at most 2^16 - 1 for each kind of access.
#[derive(Clone, Copy, Default)]
pub(super) struct KindCounts(u64);

impl KindCounts {
    /// Adds `n` for a kind of access, given as an index.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn add(&mut self, kind: usize, n: u32) {
        debug_assert!(self.by_kind()[kind % 4] + n < 1 << BITS, "a count fits its bits");
        self.0 += u64::from(n) << (BITS as usize * (kind % 4));
    }

    /// Returns the counts.
    pub(super) fn by_kind(self) -> [u32; 4] {
        [0, 1, 2, 3].map(|kind| low32(self.0 >> (BITS * kind)) & ((1 << BITS) - 1))
    }

    /// Adds the counts to sums by kind of access.
    pub(super) fn add_to(self, sums: &mut [u32; 4]) {
        for (sum, n) in sums.iter_mut().zip(self.by_kind()) {
            *sum += n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_each_kind_are_apart() {
        let mut counts = KindCounts::default();
        for (kind, n) in [(0, 65_535), (1, 7), (3, 65_000), (1, 2)] {
            counts.add(kind, n);
        }
        let mut sums = [1, 0, 0, 0];
        counts.add_to(&mut sums);
        assert_eq!(sums, [65_536, 9, 0, 65_000]);
    }
}
