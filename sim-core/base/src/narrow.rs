//! Conversions to narrower numbers, for values that are known to fit: masks and small geometries. Hot paths use them
//! instead of checked conversions.

/// Returns the low 32 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
pub const fn low32(x: u64) -> u32 {
    x as u32
}

/// Returns a number below 2³² as an index. The caller has masked it.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "callers mask the value to far less than 2^32")]
pub const fn index(x: u64) -> usize {
    x as usize
}

/// Returns the index of an array that has at most 2²⁶ entries.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "configurations are checked to have at most 2^26 entries"
)]
pub const fn small(x: usize) -> u32 {
    x as u32
}

/// Returns the low 16 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
pub const fn low16(x: u32) -> u16 {
    x as u16
}
