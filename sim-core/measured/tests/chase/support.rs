//! Makes the times of a chase from a function of its pages.

use pagewalk_base::addr::PageSize;
use pagewalk_chase::{BACKING, steps};
use pagewalk_measured::chase::{ChasePlace, ChasePoint, ChaseReport, ChaseSamples, Comparing};

/// The time of a load that hits the first level, and of an addition: 1 cycle at 1 GHz.
const HIT: f64 = 4.0;
pub(crate) const ADD: f64 = 1.0;

/// Returns the times of rounds, in each of which a load costs `cost(pages)` more than a hit. `noise` is called once for each
/// time, which it multiplies.
pub(crate) fn timed(
    rounds: usize,
    cost: impl Fn(u32) -> f64,
    noise: impl FnMut() -> f64,
) -> ChaseSamples {
    timed_with_stride(1, rounds, cost, noise)
}

/// As [`timed`], for one page of every `stride`.
pub(crate) fn timed_with_stride(
    stride: u32,
    rounds: usize,
    cost: impl Fn(u32) -> f64,
    mut noise: impl FnMut() -> f64,
) -> ChaseSamples {
    let points = pages_of(stride).into_iter().map(|pages| ChasePoint {
        pages,
        spread: (0..rounds).map(|_| (HIT + cost(pages)) * noise()).collect(),
        dense: (0..rounds).map(|_| HIT * noise()).collect(),
    });
    ChaseSamples {
        place: ChasePlace::Native,
        page: PageSize::K4,
        stride,
        points: points.collect(),
        adds: vec![ADD; rounds],
    }
}

/// Returns the numbers of pages that are measured with a stride.
pub(crate) fn pages_of(stride: u32) -> Vec<u32> {
    steps(4 * BACKING, 4096, stride as usize)
}

/// Returns the levels, without a comparison with models.
pub(crate) fn levels_of(samples: &ChaseSamples) -> ChaseReport {
    Comparing::new(samples, None).unwrap().finish().unwrap()
}
