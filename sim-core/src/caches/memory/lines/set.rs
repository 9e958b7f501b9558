//! One set of lines, in a layout of fixed size.
//!
//! A read compares one byte of all tags together, eight bytes in a word, because most lines miss or may be in any
//! way.

use crate::caches::policy::queue_to_back;
use crate::caches::set_assoc::{LOW, zero_lanes};
use pagewalk_base::narrow::{index, low16, low32, small};

/// A set of up to `N` ways; ways beyond the cache's number stay empty. A tag is kept as a lower part and, if `H` is
/// `N`, an upper part. The lowest bytes of all tags stand in `W` words, eight to a word. If `W` is 0, reads compare the
/// lower parts instead. The alignment is a cache line of the computer that simulates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Set<const N: usize, const H: usize, const W: usize> {
    /// Nibble `r` is the way at rank `r`; rank 0 is the next victim. Empty ways come first.
    pub(super) order: u64,
    bytes: [[u8; 8]; W],
    low: [u32; N],
    high: [u16; H],
}

/// The tag of an empty way. No line has its upper part.
const NO_LINE: u64 = (1 << 48) - 1;

impl<const N: usize, const H: usize, const W: usize> Set<N, H, W> {
    pub(super) fn empty(n_ways: u32) -> Self {
        let ranks = if n_ways < 16 { (1 << (4 * n_ways)) - 1 } else { u64::MAX };
        let order = 0xfedc_ba98_7654_3210 & ranks;
        Self { order, bytes: [[0xff; 8]; W], low: [low32(NO_LINE); N], high: [upper(NO_LINE); H] }
    }

    /// Reads a line, and fills it after a miss. Returns true for a hit.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn read(&mut self, tag: u64, n_ways: u32) -> bool {
        let latest = index(self.order >> (4 * (n_ways - 1)) & 0xf);
        self.has(latest, tag) || self.read_other(tag, n_ways)
    }

    /// Does the same as [`Self::read`]. It is faster if the line is seldom the one that was read last.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn read_other(&mut self, tag: u64, n_ways: u32) -> bool {
        if let Some(way) = self.find(tag) {
            self.order = queue_to_back(self.order, way, n_ways);
            return true;
        }
        let victim = self.order & 0xf;
        self.order = self.order >> 4 | victim << (4 * (n_ways - 1));
        self.put(index(victim), tag);
        false
    }

    /// Stores the tag of another line in a way.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn put(&mut self, way: usize, tag: u64) {
        self.low[way % N] = low32(tag);
        if W > 0 {
            self.bytes.as_flattened_mut()[way % N] = tag.to_le_bytes()[0];
        }
        if H > 0 {
            self.high[way % H] = upper(tag);
        }
    }

    /// Returns the way that has a tag.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn find(&self, tag: u64) -> Option<u32> {
        let mut equal = self.like(tag);
        while equal != 0 {
            let at = equal.trailing_zeros();
            // Lane `l` of word `w` has bit `8 * l + w`.
            let way = if W > 0 { at % 8 * 8 + at / 8 } else { at };
            if self.has(way as usize, tag) {
                return Some(way % small(N));
            }
            equal &= equal - 1;
        }
        None
    }

    /// Returns one bit for each way that may have a tag.
    #[cfg_attr(feature = "fast", inline(always))]
    fn like(&self, tag: u64) -> u64 {
        if W == 0 {
            let low = self.low.iter().enumerate();
            return low.fold(0, |bits, (way, low)| bits | u64::from(*low == low32(tag)) << way);
        }
        let lanes = (tag & 0xff) * LOW;
        let words = self.bytes.iter().enumerate();
        words.fold(0, |bits, (word, bytes)| {
            bits | zero_lanes(u64::from_le_bytes(*bytes) ^ lanes) >> (7 - word)
        })
    }

    /// Returns whether the way holds the tag.
    #[cfg_attr(feature = "fast", inline(always))]
    fn has(&self, way: usize, tag: u64) -> bool {
        self.low[way % N] == low32(tag) && (H == 0 || self.high[way % H] == upper(tag))
    }
}

/// Returns the upper part of a tag.
#[cfg_attr(feature = "fast", inline(always))]
fn upper(tag: u64) -> u16 {
    low16(low32(tag >> 32))
}
