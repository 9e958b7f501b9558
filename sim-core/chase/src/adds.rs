//! Measures the clock of the processor: a chain of additions, each of which needs the one before.

use std::hint::black_box;

use crate::timing::Timing;

/// The operations between two looks at the clock.
const CHAIN: u32 = 1 << 15;
const TIMES: u32 = 4;

/// Returns the nanoseconds of one addition or exclusive or. On the processors that are known, this is one clock cycle.
pub fn ns_of_an_add(timing: &mut Timing<'_>) -> f64 {
    // The compiler cannot know the values, and cannot put alternating operations together.
    let (a, b) = black_box((0x9e37_79b9_u32, 0x85eb_ca6b_u32));
    let mut x = black_box(1_u32);
    let mut once = || {
        timing.ns_each(|| {
            for _ in 0..CHAIN / 32 {
                x = sixteen_pairs(x, a, b);
            }
            CHAIN
        })
    };
    // Everything in cycles depends on this number, so it is measured several times.
    let ns = (0..TIMES).map(|_| once()).fold(f64::INFINITY, f64::min);
    black_box(x);
    ns
}

#[inline]
fn sixteen_pairs(mut x: u32, a: u32, b: u32) -> u32 {
    macro_rules! pairs {
        ($($pair:literal)*) => { $( let _ = $pair; x = (x ^ a).wrapping_add(b); )* };
    }
    pairs!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    x
}
