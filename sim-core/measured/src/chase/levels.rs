//! Finds the levels of the TLB in a curve of costs.
//!
//! ```text
//! cost │                       ··········   next plateau
//!      │                     ·      ▲
//!      │                   · half   │ ns
//!      │ · · · · · · · · ·          ▼       plateau
//!      └────────────────▲─▲──────────────── pages
//!                   reach[0] reach[1]+1
//! ```

use serde::Serialize;

use super::curve::{ChaseCost, median};

/// The points at the beginning that are surely in the first level.
const FIRST: usize = 4;
/// A cost counts as higher if as many points in a row are higher.
const SUSTAINED: usize = 3;
/// The least rise in nanoseconds that is seen.
const LEAST_RISE: f64 = 0.1;
/// A further rise must have this share of the one before. Misses of the first data cache make smaller ones.
const SHARE: f64 = 0.35;
/// The noise of the halves, times this, is no rise.
const NOISE: f64 = 5.0;
const MOST_LEVELS: usize = 2;
/// The most that the ends of an interval may differ, as a factor. A wider interval says nothing.
const WIDEST_FIRST: f64 = 1.5;
const WIDEST: f64 = 4.0;
/// A cost that is above the plateau by at most this share of the step is not yet higher. One page too many in an array
/// of 64 entries and 4 ways makes 5 of 65 loads miss, which is more.
const NOT_YET: f64 = 0.05;
/// The costs beyond a rise are at one height if half of them lie within this share of the step.
const FLAT: f64 = 0.15;

/// A level of the TLB.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ChaseLevel {
    /// The most pages without a higher cost, from and to.
    pub reach: [u32; 2],
    /// Between these numbers of pages, the cost has risen by half.
    pub half: [u32; 2],
    /// The nanoseconds of a translation beyond the reach: how much they are more than before. If the cost goes on
    /// rising, this is the cost at twice the reach.
    pub ns: f64,
    /// The least and the most of `ns`, over the pages and the halves of the rounds.
    pub ns_range: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles_range: Option<[f64; 2]>,
    /// Whether the cost stays at one height beyond the reach, as in a further level of the TLB.
    pub is_flat: bool,
}

/// Returns the levels, or the reason why the curve shows none.
pub(super) fn levels(costs: &[ChaseCost]) -> Result<Vec<ChaseLevel>, String> {
    let noise = noise(costs);
    let all = steps(costs, |cost| cost.ns, noise);
    let Some(first) = all.first() else {
        if noise * NOISE > LEAST_RISE {
            return Err(format!(
                "Too noisy: two halves of the rounds differ by {noise:.2} ns, and no step stands out. Close other programs, or measure longer."
            ));
        }
        return Err(
            "No step stands out: the pages may be larger than asked for, or the numbers of pages too few."
                .to_owned(),
        );
    };
    if noise * 4.0 > first.ns {
        return Err(format!(
            "Too noisy: two halves of the rounds differ by {noise:.2} ns, and the first step has {:.2} ns. Close other programs, or measure longer.",
            first.ns
        ));
    }
    let halves = [0, 1].map(|half| steps(costs, |cost| cost.halves[half], noise));
    let mut found = Vec::new();
    for (at, level) in all.into_iter().enumerate() {
        let (Some(a), Some(b)) = (halves[0].get(at), halves[1].get(at)) else { break };
        found.push(level.with(a).with(b));
    }
    let Some(first) = found.first() else {
        let reason = "Too noisy: only one half of the rounds shows a step. Measure longer.";
        return Err(reason.to_owned());
    };
    if !first.is_narrow(WIDEST_FIRST) {
        let ([from, to], [low, high]) = (first.reach, first.ns_range);
        return Err(format!(
            "Too noisy: the first level could reach {from} to {to} pages, for {low:.1} to {high:.1} ns. Close other programs, or measure longer."
        ));
    }
    let n = found.iter().take_while(|level| level.is_narrow(WIDEST)).count();
    found.truncate(n);
    Ok(found)
}

/// Returns how far the halves of the rounds usually differ, in nanoseconds. Many pages take longer, and differ more.
pub(super) fn noise(costs: &[ChaseCost]) -> f64 {
    let few: Vec<f64> = costs
        .iter()
        .filter(|cost| cost.pages <= 512)
        .map(|cost| (cost.halves[0] - cost.halves[1]).abs())
        .collect();
    median(&few)
}

fn steps(costs: &[ChaseCost], of: impl Fn(&ChaseCost) -> f64, noise: f64) -> Vec<ChaseLevel> {
    let values: Vec<f64> = costs.iter().map(&of).collect();
    let mut found: Vec<ChaseLevel> = Vec::new();
    let mut plateau = median(values.get(..FIRST).unwrap_or(&[]));
    let mut least_rise = LEAST_RISE.max(NOISE * noise);
    let mut from = 0;
    while found.len() < MOST_LEVELS {
        let first_up = |rise: f64| {
            let is_up = |at: &usize| {
                let end = values.len().min(at + SUSTAINED);
                values[*at..end].iter().all(|value| *value > plateau + rise)
            };
            (from..values.len()).find(is_up).filter(|at| *at > 0)
        };
        let Some(up) = first_up(least_rise) else { break };
        let beyond: Vec<usize> =
            (up..values.len()).filter(|at| is_beyond(costs, up, *at)).collect();
        if beyond.len() < 3 {
            break;
        }
        let heights: Vec<f64> = beyond.iter().map(|at| values[*at]).collect();
        let (low, high) = (quartile(&heights, 0.25), quartile(&heights, 0.75));
        let middle = median(&heights);
        let flat = high - low <= (least_rise * 2.0).max((middle - plateau) * FLAT);
        let height = if flat { middle } else { *heights.last().unwrap_or(&middle) };
        let ns = height - plateau;
        let range = if flat { [low - plateau, high - plateau] } else { [ns, ns] };
        let up = first_up(least_rise.max(NOT_YET * ns)).unwrap_or(up);
        // A cost a little above the plateau may be the beginning of the rise.
        let most = plateau + (least_rise / 2.0).max(NOT_YET * ns);
        let mut last = (from..up).rev().find(|at| values[*at] <= most).unwrap_or(from);
        // In an array with sets, the rise begins slowly, because few sets are full.
        let least_seen = LEAST_RISE.max(NOISE * noise);
        let is_near = |at: usize| u64::from(costs[at].pages) * 4 >= u64::from(costs[up].pages) * 3;
        while last > from && is_near(last - 1) && values[last] > values[last - 1] + least_seen {
            last -= 1;
        }
        let above = (up..values.len()).find(|at| values[*at] >= plateau + ns / 2.0).unwrap_or(up);
        found.push(ChaseLevel {
            reach: [costs[last].pages, costs[up].pages - 1],
            half: [costs[above.saturating_sub(1)].pages, costs[above].pages],
            ns,
            ns_range: range,
            cycles: None,
            cycles_range: None,
            is_flat: flat,
        });
        if !flat {
            break;
        }
        from = beyond[0];
        plateau = middle;
        least_rise = least_rise.max(SHARE * ns);
    }
    found
}

/// Returns whether a point shows the cost beyond the rise at `up`: it has 1.25 to 2 times as many pages.
fn is_beyond(costs: &[ChaseCost], up: usize, at: usize) -> bool {
    let (up, pages) = (u64::from(costs[up].pages), u64::from(costs[at].pages));
    pages * 4 >= up * 5 && pages <= up * 2
}

fn quartile(of: &[f64], share: f64) -> f64 {
    super::curve::quantile(of, share)
}

impl ChaseLevel {
    /// Returns whether the ends of each interval differ by at most a factor.
    fn is_narrow(&self, factor: f64) -> bool {
        let [from, to] = self.reach.map(f64::from);
        let [low, high] = self.ns_range;
        low > 0.0 && to <= from * factor && high <= low * factor
    }

    /// Returns the pages that the level may hold: noise can draw the lower end of the reach far below the step. In an
    /// array with sets, the step is slow, and its half can lie above the whole reach.
    pub(super) fn span(&self) -> [u32; 2] {
        let near_half = (self.half[0] * 15 / 16).min(self.reach[1]);
        [self.reach[0].max(near_half), self.reach[1].max(self.half[1])]
    }

    /// Widens the intervals by what a half of the rounds shows.
    fn with(mut self, half: &Self) -> Self {
        let wider = |a: [u32; 2], b: [u32; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        self.reach = wider(self.reach, half.reach);
        self.half = wider(self.half, half.half);
        let (low, high) = (half.ns_range[0].min(half.ns), half.ns_range[1].max(half.ns));
        self.ns_range = [self.ns_range[0].min(low), self.ns_range[1].max(high)];
        self
    }

    /// Adds pages that the loop itself may have used, so that the processor may hold up to as many more.
    pub(super) fn with_own_pages(mut self, pages: u32) -> Self {
        self.reach[1] += pages;
        self.half[1] += pages;
        self
    }

    /// Adds the cycles.
    pub(super) fn at_clock(mut self, ghz: f64) -> Self {
        self.cycles = Some(self.ns * ghz);
        self.cycles_range = Some(self.ns_range.map(|ns| ns * ghz));
        self
    }
}
