//! The cost of translation by the number of pages: the least time of the spread lines minus that of the dense lines.

use serde::Serialize;

use super::samples::{ChasePoint, ChaseSamples};

/// The cost of one translation, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChaseCost {
    pub pages: u32,
    /// From the least time of all rounds. Other programs and interrupts only add time.
    pub ns: f64,
    /// The same from each half of the rounds.
    pub halves: [f64; 2],
    /// A fourth of the rounds was below `low`, and a fourth above `high`.
    pub low: f64,
    pub high: f64,
}

pub(super) fn costs(samples: &ChaseSamples) -> Vec<ChaseCost> {
    samples.points.iter().map(cost).collect()
}

fn cost(point: &ChasePoint) -> ChaseCost {
    let ChasePoint { pages, spread, dense } = point;
    let base = least(dense.iter());
    let half = |from| {
        least(spread.iter().skip(from).step_by(2)) - least(dense.iter().skip(from).step_by(2))
    };
    ChaseCost {
        pages: *pages,
        ns: least(spread.iter()) - base,
        halves: [half(0), half(1)],
        low: quantile(spread, 0.25) - base,
        high: quantile(spread, 0.75) - base,
    }
}

pub(super) fn least<'a>(of: impl Iterator<Item = &'a f64>) -> f64 {
    of.copied().fold(f64::INFINITY, f64::min)
}

/// Returns the value below which the `share` of the values is. Returns 0 without values.
pub(super) fn quantile(of: &[f64], share: f64) -> f64 {
    let mut sorted = of.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a small number"
    )]
    let at = (last as f64 * share).round() as usize;
    sorted.get(at.min(last)).copied().unwrap_or(0.0)
}

pub(super) fn median(of: &[f64]) -> f64 {
    quantile(of, 0.5)
}
