//! Vectors of tags: 16, 32 or 64 bits each. Most lines have short tags, which fit many to a vector.
//!
//! Physical memory has tables below 1 GiB, and data from 64 GiB on. So in 16-bit tags, the bit that tells them apart
//! stands directly above the bits in use.
//!
//! ```text
//! line    … 0 | 30 | 0 0 0 0 0 | 24 … 0 |
//! folded             | 30 | 24 … 0 |        26 bits: 10 or more of them choose the set
//! ```

use std::fmt::Debug;

use super::super::read_list::NUMBER;
use pagewalk_base::narrow::{low16, low32};
use wide::{u16x8, u32x4, u64x2};

/// The bits of a line that a folded line keeps at their places, and the bit that it keeps above them.
const KEPT_BITS: u32 = 25;
const KEPT: u64 = (1 << KEPT_BITS) - 1;
pub(crate) const FRAMES_BIT: u32 = 30;

/// A vector of tags.
pub(super) trait Lanes: Copy + Debug + PartialEq {
    /// The number of tags.
    const N: usize;
    /// The tag of an empty place. No line has it.
    const EMPTY: u64;
    /// Whether tags are of folded lines.
    const FOLDS: bool;

    /// Returns a vector with one tag in all lanes.
    fn splat(tag: u64) -> Self;
    /// Returns one bit for each lane in which both vectors are equal.
    fn equal(self, other: Self) -> u32;
    /// Moves all lanes one place up. The last lane of `before` comes first.
    fn push(self, before: Self) -> Self;
    /// Returns the mask of the places up to `place`, for the vector `number` of a set of at most 16 places.
    fn up_to(place: usize, number: usize) -> Self;
    /// Returns `new` in the lanes of the mask `self`, `old` in the others.
    fn select(self, new: Self, old: Self) -> Self;
    fn at(self, lane: usize) -> u64;
    fn put(&mut self, lane: usize, tag: u64);

    /// Returns the tag of a line, if [`Self::hold`] is true for the line. Only the widest tags have the bits of the
    /// reader.
    #[cfg_attr(feature = "fast", inline(always))]
    fn tag_of(line: u64, set_bits: u32) -> u64 {
        let line = if Self::EMPTY == u64::MAX { line & NUMBER } else { line };
        fold::<Self>(line) >> set_bits
    }

    /// Returns whether tags of this width tell these lines apart. If they do for all bits of several lines together, they
    /// do for the lines.
    fn hold(lines: &[u64], set_bits: u32) -> bool {
        let (mut all, mut above) = (0, 0);
        for line in lines {
            all |= line & NUMBER;
            above |= (fold::<Self>(line & NUMBER) >> set_bits) + 1;
        }
        let outside = if Self::FOLDS { !(KEPT | 1 << FRAMES_BIT) } else { 0 };
        // The sum is larger than all tags if a tag is equal to that of an empty place.
        all & outside == 0 && above & !Self::EMPTY == 0
    }

    /// Returns the bits of a line above the number of its set.
    fn whole_tag(tag: u64, set_bits: u32) -> u64 {
        if !Self::FOLDS {
            return tag;
        }
        let line = tag << set_bits;
        (line & KEPT | (line >> KEPT_BITS & 1) << FRAMES_BIT) >> set_bits
    }
}

#[cfg_attr(feature = "fast", inline(always))]
fn fold<L: Lanes>(line: u64) -> u64 {
    if L::FOLDS { line & KEPT | line >> (FRAMES_BIT - KEPT_BITS) & 1 << KEPT_BITS } else { line }
}

/// A table that begins at a cache line of the simulating computer, so that no vector of it crosses a line.
#[repr(align(64))]
struct Aligned<T>(T);

/// Implements [`Lanes`] for a vector of `$n` tags.
macro_rules! lanes {
    ($vector:ident, $tag:ident, $n:literal, $folds:literal, $narrow:expr, [$($lane:literal),*]) => {
        impl Lanes for $vector {
            const N: usize = $n;
            const EMPTY: u64 = $tag::MAX as u64;
            const FOLDS: bool = $folds;

            #[cfg_attr(feature = "fast", inline(always))]
            fn splat(tag: u64) -> Self {
                Self::splat($narrow(tag))
            }

            #[cfg_attr(feature = "fast", inline(always))]
            fn equal(self, other: Self) -> u32 {
                self.simd_eq(other).to_bitmask()
            }

            #[cfg_attr(feature = "fast", inline(always))]
            fn push(self, before: Self) -> Self {
                let tags = self.to_array();
                Self::new([before.to_array()[$n - 1], $(tags[$lane]),*])
            }

            #[cfg_attr(feature = "fast", inline(always))]
            fn up_to(place: usize, number: usize) -> Self {
                /// The masks of all vectors of a set, for each place.
                static MASKS: Aligned<[[[$tag; $n]; 16 / $n]; 16]> = {
                    let mut masks = [[[0; $n]; 16 / $n]; 16];
                    let mut at = 0;
                    while at < 16 * 16 {
                        let (place, other) = (at / 16, at % 16);
                        if other <= place {
                            masks[place][other / $n][other % $n] = $tag::MAX;
                        }
                        at += 1;
                    }
                    Aligned(masks)
                };
                Self::new(MASKS.0[place % 16][number % (16 / $n)])
            }

            #[cfg_attr(feature = "fast", inline(always))]
            fn select(self, new: Self, old: Self) -> Self {
                self.bitselect(new, old)
            }

            #[cfg_attr(feature = "fast", inline(always))]
            fn at(self, lane: usize) -> u64 {
                self.to_array()[lane % $n].into()
            }

            fn put(&mut self, lane: usize, tag: u64) {
                let mut tags = self.to_array();
                tags[lane % $n] = $narrow(tag);
                *self = Self::new(tags);
            }
        }
    };
}

lanes!(u16x8, u16, 8, true, |tag| low16(low32(tag)), [0, 1, 2, 3, 4, 5, 6]);
lanes!(u32x4, u32, 4, false, low32, [0, 1, 2]);
lanes!(u64x2, u64, 2, false, |tag| tag, [0]);
