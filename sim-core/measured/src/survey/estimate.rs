//! Estimates the hit rate of a machine's TLB from samples. The popularity of the sampled pages goes into the
//! independent reference model (`irm`); the bootstrap gives a confidence interval.
//!
//! A resample has each sample a random number of times, drawn from Poisson's distribution with mean 1. So a
//! page with c samples gets a number with mean c (A. Hanley, B. `MacGibbon`, "Creating non-parametric bootstrap
//! samples using Poisson frequencies", Comput. Methods Programs Biomed. 83, 2006). Resampling changes an
//! estimate as sampling changed the truth. Few samples show too few pages, so the estimated hit rate is too
//! high. Resamples show fewer pages still, and their difference is the correction of the estimate and of its
//! interval (the basic bootstrap: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters
//! 10 and 13). If the resamples have lower hit rates, a few samples have most of the weight. Then the estimate
//! is not corrected, and the interval is extended down to the resamples.

use libm::exp;
use serde::Serialize;

use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;
use pagewalk_sources::workload::random::Draws;

use super::arrays::{Reach, reaches};
use super::irm::{Grouping, Popularity};
use super::pages::{PageKey, PageTally, float};

/// The number of resamples for an estimate.
pub(super) const RESAMPLES: usize = 200;
/// The number of sorted resamples cut off at either end, so that 95 % remain.
const OUTSIDE: usize = RESAMPLES / 40;
/// The correction is uncertain too: this part of it is added to the interval at both ends.
const DOUBT: f64 = 0.2;
/// Above this mean, the normal distribution is a good approximation of Poisson's.
const MANY: f64 = 64.0;

/// The estimated hit rate of the arrays of one level for one page size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyEstimate {
    /// All memory is taken to be mapped with pages of this size.
    pub pages: PageSize,
    pub level: u8,
    /// The arrays that hold such pages.
    pub arrays: Vec<String>,
    pub entries: u32,
    /// The share of accesses that hit in this level or in level 1, 0 to 1, corrected for the bias of few
    /// samples.
    pub hit_rate: f64,
    /// The lower end of the 95 % confidence interval, if the model holds. `high` is the upper end.
    pub low: f64,
    pub high: f64,
    /// The hit rate before the correction.
    pub uncorrected: f64,
    /// Whether all sampled pages fit. More samples might show more pages, so the hit rate is uncertain.
    pub all_fit: bool,
}

/// Computes the estimates of one side, resample by resample.
#[derive(Debug)]
pub(super) struct Estimator {
    sizes: Vec<OfSize>,
    grouping: Grouping,
    draws: Draws,
    done: usize,
}

/// All arrays for pages of one size.
#[derive(Debug)]
struct OfSize {
    pages: PageSize,
    reaches: Vec<Reach>,
    /// The pages of each process.
    spaces: Vec<Vec<Page>>,
    first: Vec<f64>,
    all_fit: Vec<bool>,
    /// For each array: the hit rates of the resamples.
    resampled: Vec<Vec<f64>>,
    /// The share of all weight that is on pages of a single sample.
    once: f64,
}

/// A page, represented by samples of equal weight.
#[derive(Clone, Copy, Debug)]
struct Page {
    samples: f64,
    each: f64,
    /// The probability that a resample has no sample of the page.
    none: f64,
}

impl Estimator {
    /// Creates the estimator. `folded` has the pages of each size for each process.
    pub(super) fn new(
        machine: &MachineConfig,
        kind: Kind,
        weighted: bool,
        folded: &[(PageSize, Vec<(PageKey, PageTally)>)],
    ) -> Self {
        let mut grouping = Grouping::default();
        let size = |(pages, tallies): &(PageSize, Vec<(PageKey, PageTally)>)| {
            let reaches = reaches(machine, kind, *pages);
            let spaces = spaces(tallies, weighted);
            let uncorrected = popularities(&spaces, &mut grouping, |page| page.samples);
            let of = |reach: &Reach| rate(&uncorrected, reach.entries);
            let fits = |reach: &Reach| spaces.iter().all(|space| space.len() <= entries(reach));
            OfSize {
                pages: *pages,
                first: reaches.iter().map(of).collect(),
                all_fit: reaches.iter().map(fits).collect(),
                resampled: vec![Vec::new(); reaches.len()],
                reaches,
                spaces,
                once: once(tallies, weighted),
            }
        };
        let sizes = folded.iter().map(size).collect();
        Self { sizes, grouping, draws: Draws::new(1), done: 0 }
    }

    /// Draws one more resample. Returns true if there are enough.
    pub(super) fn go_on(&mut self) -> bool {
        let Self { sizes, grouping, draws, done } = self;
        for OfSize { spaces, reaches, resampled, .. } in sizes {
            if reaches.is_empty() || spaces.is_empty() {
                continue;
            }
            let drawn = popularities(spaces, grouping, |page| poisson(page, draws));
            for (reach, rates) in reaches.iter().zip(resampled) {
                rates.push(rate(&drawn, reach.entries));
            }
        }
        *done += 1;
        *done >= RESAMPLES
    }

    /// Returns the part that is done, 0 to 1.
    pub(super) fn progress(&self) -> f64 {
        float(self.done as u64) / float(RESAMPLES as u64)
    }

    pub(super) fn finish(self) -> Vec<SurveyEstimate> {
        self.sizes.into_iter().flat_map(OfSize::finish).collect()
    }
}

impl OfSize {
    fn finish(self) -> Vec<SurveyEstimate> {
        let Self { pages, reaches, spaces, first, all_fit, resampled, once } = self;
        if spaces.is_empty() {
            return Vec::new();
        }
        let columns = reaches.into_iter().zip(first).zip(all_fit).zip(resampled);
        let estimate =
            |(((reach, first), all_fit), mut rates): (((Reach, f64), bool), Vec<f64>)| {
                rates.sort_unstable_by(f64::total_cmp);
                let n = rates.len().max(1);
                let mean = rates.iter().sum::<f64>() / float(n as u64);
                let at = |at: usize| rates.get(at.min(n - 1)).copied().unwrap_or(first);
                let correction = (mean - first).max(0.0);
                let doubt = DOUBT * correction;
                let [lowest, highest] = [at(OUTSIDE), at(n - 1 - OUTSIDE.min(n - 1))];
                let low = (2.0 * first - highest - doubt).min(lowest);
                let high = 2.0 * first - lowest + doubt;
                // If all pages fit, all resamples hit always. The weight of pages without a sample is about the
                // weight of pages with one sample (I. J. Good, Biometrika 40, 1953).
                let low = if all_fit { low.min(1.0 - once) } else { low };
                let hit_rate = rounded(first - correction);
                SurveyEstimate {
                    pages,
                    level: reach.level,
                    arrays: reach.names,
                    entries: reach.entries,
                    hit_rate,
                    low: rounded(low).min(hit_rate),
                    high: rounded(high).max(hit_rate),
                    uncorrected: rounded(first),
                    all_fit,
                }
            };
        columns.map(estimate).collect()
    }
}

fn entries(reach: &Reach) -> usize {
    usize::try_from(reach.entries).unwrap_or(usize::MAX)
}

/// Returns a share rounded to six digits. Further digits are random.
pub(super) fn rounded(share: f64) -> f64 {
    // An empty sum is −0; adding 0 makes it 0.
    (share.clamp(0.0, 1.0) * 1e6).round() / 1e6 + 0.0
}

/// Returns the share of all weight that is on pages with a single sample.
pub(super) fn once(tallies: &[(PageKey, PageTally)], weighted: bool) -> f64 {
    let weight = |tally: &PageTally| float(tally.weight(weighted));
    let all: f64 = tallies.iter().map(|(_, tally)| weight(tally)).sum();
    let once = tallies.iter().filter(|(_, tally)| tally.samples == 1);
    let once: f64 = once.map(|(_, tally)| weight(tally)).sum();
    if all > 0.0 { once / all } else { 0.0 }
}

fn spaces(tallies: &[(PageKey, PageTally)], weighted: bool) -> Vec<Vec<Page>> {
    let mut spaces: std::collections::BTreeMap<u32, Vec<Page>> = std::collections::BTreeMap::new();
    for ((_, pid), tally) in tallies {
        let (samples, each) = tally.equal_samples(weighted);
        spaces.entry(*pid).or_default().push(Page { samples, each, none: exp(-samples) });
    }
    spaces.into_values().collect()
}

/// Returns the popularity of each address space. `samples` gives the number of samples of a page.
fn popularities(
    spaces: &[Vec<Page>],
    grouping: &mut Grouping,
    mut samples: impl FnMut(&Page) -> f64,
) -> Vec<Popularity> {
    let popularity = |space: &Vec<Page>| {
        for page in space {
            grouping.push(page.each * samples(page));
        }
        grouping.finish()
    };
    spaces.iter().map(popularity).collect()
}

/// Returns the hit rate over all address spaces, each of which has the whole array.
fn rate(popularities: &[Popularity], entries: u32) -> f64 {
    let weight: f64 = popularities.iter().map(|space| space.weight).sum();
    if weight <= 0.0 {
        return 1.0;
    }
    let hits = popularities.iter().map(|space| space.weight * space.hit_rate(entries));
    hits.sum::<f64>() / weight
}

/// Draws the number of samples of a page in a resample.
fn poisson(page: &Page, draws: &mut Draws) -> f64 {
    let mean = page.samples;
    if mean > MANY {
        // The sum of twelve uniform numbers is nearly normal, with variance 1.
        let normal: f64 = (0..12).map(|_| draws.unit()).sum::<f64>() - 6.0;
        let deviation = mean.sqrt();
        return (mean + normal * deviation + 0.5).floor().max(0.0);
    }
    let (mut left, mut chance, mut n) = (draws.unit(), page.none, 0.0);
    while left > chance && n < 1000.0 {
        left -= chance;
        n += 1.0;
        chance *= mean / n;
    }
    n
}
