//! What the model of independent references says of a machine's TLB, from the popularity of the
//! pages that samples show; and how sure that is, by the bootstrap.
//!
//! A resample has each sample as often as chance will: a number from Poisson's distribution of mean 1, so
//! that a page of c samples gets one of mean c (A. Hanley, B. `MacGibbon`, "Creating non-parametric
//! bootstrap samples using Poisson frequencies", Comput. Methods Programs Biomed. 83, 2006). What
//! resampling does to an estimate is what sampling did to it. Few samples show too few pages, so that
//! the hit rate comes out too high; resamples show still fewer, and by as much it is corrected, interval
//! and all (the basic bootstrap: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993,
//! chapters 10 and 13). Where resamples miss more, it is because a few samples have most of the weight:
//! then nothing is corrected, and the interval goes down to where resamples do.

use serde::Serialize;

use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::float::exp;
use pagewalk_base::trace::Kind;
use pagewalk_sources::workload::random::Draws;

use super::arrays::{Reach, reaches};
use super::irm::{Grouping, Popularity};
use super::pages::{PageKey, PageTally, float};

/// Resamples of an estimate.
pub(super) const RESAMPLES: usize = 200;
/// The number of sorted resamples cut off at either end, so that 95 % remain.
const OUTSIDE: usize = RESAMPLES / 40;
/// The correction is an estimate too: as wide a part of it is added to the interval at both ends.
const DOUBT: f64 = 0.2;
/// Above this mean, Poisson's distribution is as good as the normal one.
const MANY: f64 = 64.0;

/// The estimated hit rate of an array of a machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyEstimate {
    /// All memory is taken to be mapped with pages of this size.
    pub pages: PageSize,
    pub level: u8,
    /// The arrays that hold such pages.
    pub arrays: Vec<String>,
    pub entries: u32,
    /// The share of accesses that hit in this level or the one before, 0 to 1, corrected for what
    /// too few samples do.
    pub hit_rate: f64,
    /// With 95 % confidence, as far as the model holds.
    pub low: f64,
    pub high: f64,
    /// Before the correction.
    pub uncorrected: f64,
    /// All pages that samples show fit: what more samples would show is not known.
    pub all_fit: bool,
}

/// Estimates in the making.
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
    /// By process.
    spaces: Vec<Vec<Page>>,
    first: Vec<f64>,
    all_fit: Vec<bool>,
    /// For each array, what resamples gave.
    resampled: Vec<Vec<f64>>,
    /// The share of all weight that is on pages of a single sample.
    once: f64,
}

/// A page as samples of one weight.
#[derive(Clone, Copy, Debug)]
struct Page {
    samples: f64,
    each: f64,
    /// The chance that a resample has none of them.
    none: f64,
}

impl Estimator {
    /// `folded` gives the pages of each size, as each process sees them.
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

    /// Draws one more resample; true if there are enough.
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

    /// The part that is done, 0 to 1.
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
                // Where all fit, no resample can tell; of what samples show once, there is as much that
                // none shows (I. J. Good, Biometrika 40, 1953).
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

/// A share with six digits: more of them would be those of chance.
pub(super) fn rounded(share: f64) -> f64 {
    // The sum of nothing is −0.
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

/// Returns the popularities of all address spaces, with as many samples of each page as `samples` says.
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

/// Returns the hit rate of all, each with an array of its own.
fn rate(popularities: &[Popularity], entries: u32) -> f64 {
    let weight: f64 = popularities.iter().map(|space| space.weight).sum();
    if weight <= 0.0 {
        return 1.0;
    }
    let hits = popularities.iter().map(|space| space.weight * space.hit_rate(entries));
    hits.sum::<f64>() / weight
}

/// Returns how many of a page's samples a resample has.
fn poisson(page: &Page, draws: &mut Draws) -> f64 {
    let mean = page.samples;
    if mean > MANY {
        // Twelve even numbers add up to nearly a normal one of variance 1.
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
