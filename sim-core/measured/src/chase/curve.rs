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
    /// The least time of each half of the rounds, in nanoseconds.
    pub halves: [f64; 2],
    /// A fourth of the rounds was below `low`, and a fourth above `high`.
    pub low: f64,
    pub high: f64,
}

pub(super) fn costs(samples: &ChaseSamples) -> Vec<ChaseCost> {
    let points = &samples.points;
    let all = difference(points, 0, 1);
    let halves = [difference(points, 0, 2), difference(points, 1, 2)];
    let dense = envelope(points.iter().map(|point| least(point.dense.iter())).collect());
    let cost = |at: usize, point: &ChasePoint| ChaseCost {
        pages: point.pages,
        ns: all[at],
        halves: [halves[0][at], halves[1][at]],
        low: quantile(&point.spread, 0.25) - dense[at],
        high: quantile(&point.spread, 0.75) - dense[at],
    };
    points.iter().enumerate().map(|(at, point)| cost(at, point)).collect()
}

/// Returns the least times of the spread lines minus those of the dense lines, of every `step`-th round from `first`.
fn difference(points: &[ChasePoint], first: usize, step: usize) -> Vec<f64> {
    let chosen = |of: &[f64]| least(of.iter().skip(first).step_by(step));
    let spread = envelope(points.iter().map(|point| chosen(&point.spread)).collect());
    let dense = envelope(points.iter().map(|point| chosen(&point.dense)).collect());
    spread.iter().zip(dense).map(|(spread, dense)| spread - dense).collect()
}

/// Lowers each time to the least of those with more lines: more lines never take less time for each.
fn envelope(mut times: Vec<f64>) -> Vec<f64> {
    let mut least = f64::INFINITY;
    for time in times.iter_mut().rev() {
        least = least.min(*time);
        *time = least;
    }
    times
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_at_most_that_of_more_lines() {
        assert_eq!(envelope(vec![2.0, 1.0, 5.0, 3.0, 4.0]), [1.0, 1.0, 3.0, 3.0, 4.0]);
    }
}
