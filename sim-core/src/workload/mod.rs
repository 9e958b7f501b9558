//! Generated traces: streams of accesses made by rule, of any length.

use crate::policy::{draw, xorshift};
use crate::trace::{Access, Kind};

/// Where generated data starts.
const BASE: u64 = 0x7f00_0000_0000;

/// `n` loads of 8 bytes, `stride` bytes apart, over and over the same `bytes` bytes.
pub fn strided(n: u32, bytes: u64, stride: u64) -> impl Iterator<Item = Access> {
    (0..u64::from(n))
        .map(move |i| Access::new(Kind::Load, BASE + i.wrapping_mul(stride) % bytes.max(1), 8))
}

/// `n` loads of 8 bytes at uniformly random multiples of 8 within `bytes` bytes (xorshift64*, seed 1).
pub fn uniform(n: u32, bytes: u64) -> impl Iterator<Item = Access> {
    let words = (bytes / 8).max(1);
    let mut state = 1;
    (0..n).map(move |_| {
        state = xorshift(state);
        Access::new(Kind::Load, BASE + (draw(state) >> 11) % words * 8, 8)
    })
}
