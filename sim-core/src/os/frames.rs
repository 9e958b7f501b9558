//! Pools of data frames: they assign physical memory to pages.

use super::config::Frames;
use crate::page_table::{FRAMES_AT, Frame};
use pagewalk_base::addr::{Leaf, Paging, PerLeaf};
use pagewalk_base::error::{Error, ErrorCode, Result};

/// The least size of a block of data frames, in bytes.
const BLOCK: u64 = 2 << 20;
/// The end of physical memory: 52 bits.
const MEMORY_END: u64 = 1 << 52;
/// The number of frames that `shuffled` permutes together.
const SHUFFLE_BITS: u32 = 12;
/// The most bytes of memory that `shuffled` permutes together.
const SHUFFLE_BYTES: u64 = 1 << 42;

/// The frames of one physical memory, a pool for each page size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FramePools {
    order: Frames,
    pools: PerLeaf<Pool>,
    next_block: u64,
    /// The end of usable memory. Pages below 4K need address bits below bit 12, which reduces the 52 bits.
    memory_end: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pool {
    page: u64,
    /// The address of the block in use, and the number of frames taken from it.
    block: u64,
    n_taken: u64,
    n_frames: u64,
}

impl FramePools {
    /// Makes pools that begin at `from`, or where frames usually do.
    pub(super) fn new(order: Frames, paging: &Paging, from: Option<u64>) -> Self {
        let mut pools = PerLeaf::<Pool>::default();
        for leaf in paging.leaves() {
            pools[leaf].page = paging.size_of(leaf).bytes();
        }
        Self {
            order,
            pools,
            next_block: from.unwrap_or(FRAMES_AT),
            memory_end: MEMORY_END >> 12u32.saturating_sub(u32::from(paging.offset_bits)),
        }
    }

    /// Takes a frame for a page of `leaf`.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    #[inline]
    pub(super) fn take(&mut self, leaf: Leaf) -> Result<Frame> {
        let pool = &mut self.pools[leaf];
        if pool.n_taken == pool.n_frames {
            let window = match self.order {
                Frames::Sequential | Frames::Recorded => 1,
                Frames::Shuffled => (pool.page << SHUFFLE_BITS).min(SHUFFLE_BYTES),
            };
            let bytes = BLOCK.max(pool.page).max(window);
            let block = self.next_block.next_multiple_of(BLOCK.max(pool.page));
            if block + bytes > self.memory_end {
                return Err(Error::new(
                    ErrorCode::TooLarge,
                    "the trace touches more than 4 PiB of pages: use a smaller page size",
                ));
            }
            self.next_block = block + bytes;
            (pool.block, pool.n_taken, pool.n_frames) = (block, 0, bytes / pool.page);
        }
        let number = match self.order {
            Frames::Sequential | Frames::Recorded => pool.n_taken,
            Frames::Shuffled => shuffle(pool.n_taken, pool.n_frames),
        };
        pool.n_taken += 1;
        Ok(Frame::at(pool.block + number * pool.page))
    }
}

/// Applies a fixed permutation of 0..n; n is a power of two.
fn shuffle(number: u64, n: u64) -> u64 {
    let mask = n - 1;
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x517c) & mask;
    let folded = mixed ^ mixed >> (SHUFFLE_BITS / 2);
    folded.wrapping_mul(0x2545_f491_4f6c_dd1d) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffled_frames_are_a_permutation() {
        let mut seen: Vec<u64> = (0..4096).map(|n| shuffle(n, 4096)).collect();
        assert_ne!(seen[..8], [0, 1, 2, 3, 4, 5, 6, 7]);
        seen.sort_unstable();
        assert!(seen.iter().enumerate().all(|(at, n)| at as u64 == *n));
    }
}
