//! Counts of samples by TLB level, with their weight and latency.

use serde::Serialize;

use pagewalk_base::samples::{Kept, TlbLevel};

/// The weight of samples by the TLB level that had their translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Levels {
    /// Hits of level 1.
    pub l1: u64,
    /// Hits of level 2.
    pub l2: u64,
    /// Hits of level 1 or 2, if the processor does not distinguish them.
    pub no_walk: u64,
    pub walk: u64,
    /// Walks that found no page.
    pub fault: u64,
    /// Samples for which the processor reported no level.
    pub unknown: u64,
}

/// The counts of a group of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyCounts {
    pub samples: u64,
    /// The number of occurrences of the event that the samples represent. It is the number of samples if the
    /// recording has no periods.
    pub weight: u64,
    /// The weight at each level, in the unit of `weight`.
    pub levels: Levels,
    /// The mean latency of a sampled access in cycles, over the samples that have one, rounded.
    pub latency: Option<u64>,
}

/// Counts samples in both ways: each as one, and by their periods.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) samples: u64,
    weight: u64,
    /// For each level: the number of samples, and the sum of their periods.
    levels: [(u64, u64); TlbLevel::ALL.len()],
    /// The sum of latencies, and the number of samples that have one.
    latency: (u64, u64),
}

impl Tally {
    pub(super) fn add(&mut self, sample: &Kept) {
        let period = sample.period.unwrap_or(0);
        self.samples += 1;
        self.weight = self.weight.saturating_add(period);
        let level = &mut self.levels[sample.level as usize];
        *level = (level.0 + 1, level.1.saturating_add(period));
        if let Some(cycles) = sample.latency {
            self.latency = (self.latency.0 + u64::from(cycles), self.latency.1 + 1);
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.samples += other.samples;
        self.weight = self.weight.saturating_add(other.weight);
        for (mine, theirs) in self.levels.iter_mut().zip(&other.levels) {
            *mine = (mine.0 + theirs.0, mine.1.saturating_add(theirs.1));
        }
        self.latency = (self.latency.0 + other.latency.0, self.latency.1 + other.latency.1);
    }

    /// Returns the weight: the sum of periods if `weighted`, else the number of samples.
    pub(super) fn weight(&self, weighted: bool) -> u64 {
        if weighted { self.weight } else { self.samples }
    }

    pub(super) fn level(&self, level: TlbLevel, weighted: bool) -> u64 {
        let (samples, weight) = self.levels[level as usize];
        if weighted { weight } else { samples }
    }

    pub(super) fn counts(&self, weighted: bool) -> SurveyCounts {
        let of = |level| self.level(level, weighted);
        let (cycles, n) = self.latency;
        SurveyCounts {
            samples: self.samples,
            weight: self.weight(weighted),
            levels: Levels {
                l1: of(TlbLevel::L1),
                l2: of(TlbLevel::L2),
                no_walk: of(TlbLevel::NoWalk),
                walk: of(TlbLevel::Walk),
                fault: of(TlbLevel::Fault),
                unknown: of(TlbLevel::Unknown),
            },
            latency: (n > 0).then(|| (cycles + n / 2) / n.max(1)),
        }
    }
}
