//! The huge pages that the verdict is about: the fewest of the simulated ones that save enough.
//!
//! The points of the curve may be far apart, so whole rows compete with them, and picks that save nothing are left out.

use std::collections::BTreeSet;

use super::HugePoint;
use super::advisor::Advisor;
use super::groups::MAX_ALONE;

/// The verdict has the fewest huge pages that save this part of the largest saving, in percent.
pub(super) const ENOUGH: u128 = 95;
/// The most sets of huge pages that are simulated before one saves enough.
pub(super) const MOST_CHOICES: u64 = 3;

impl Advisor {
    /// Returns the ranges of the verdict by rising address: the fewest, without those of which simulations show that they
    /// save too little.
    pub(super) fn ranges_of_verdict(&self) -> Vec<u64> {
        let is_enough = |point: &&HugePoint| self.is_enough(point);
        let n = self.points.iter().find(is_enough).map_or(0, |point| point.huge_pages as usize);
        let chosen = &self.chosen[..n.min(self.chosen.len())];
        let all: BTreeSet<u64> = chosen.iter().copied().collect();
        let counted = |ranges: &[u64]| self.counted(ranges, self.setup.os.frames);
        let may_do = |ranges: &Vec<u64>| {
            ranges.len() < all.len()
                && counted(ranges).is_none_or(|(point, _)| self.is_enough(&point))
        };
        // The saving and the ranges of each row that was simulated by itself, the best first.
        let ranges = (0..self.rows.len().min(MAX_ALONE)).map(|at| self.ranges_of(&[at]));
        let alone = ranges.filter_map(|ranges| Some((self.saved(&counted(&ranges)?.0), ranges)));
        let mut alone: Vec<(u128, Vec<u64>)> = alone.collect();
        alone.sort_by_key(|(saved, _)| std::cmp::Reverse(*saved));
        let mut rows = BTreeSet::new();
        let mut saved = 0;
        for (of, ranges) in &alone {
            if saved * 100 < self.most_saved() * ENOUGH {
                saved += of;
                rows.extend(ranges);
            }
        }
        let rows = (saved * 100 >= self.most_saved() * ENOUGH).then_some(rows);
        let useless = alone.iter().filter(|(saved, _)| *saved == 0);
        let useless: BTreeSet<u64> = useless.flat_map(|(_, ranges)| ranges).copied().collect();
        let useful = all.difference(&useless).copied().collect();
        let fewer = rows.into_iter().chain([useful]).map(|set| set.into_iter().collect());
        let fewest = fewer.filter(may_do).min_by_key(Vec::len);
        fewest.unwrap_or_else(|| all.into_iter().collect())
    }

    fn is_enough(&self, point: &HugePoint) -> bool {
        self.saved(point) * 100 >= self.most_saved() * ENOUGH
    }

    fn most_saved(&self) -> u128 {
        self.points.iter().map(|point| self.saved(point)).max().unwrap_or(0)
    }

    /// Returns the cycles that a run saves; 0 if it takes more.
    fn saved(&self, point: &HugePoint) -> u128 {
        let none = self.points.first().copied().unwrap_or_default();
        let all = |point: &HugePoint| u128::from(point.l2_cycles) + u128::from(point.miss_cycles());
        all(&none).saturating_sub(all(point))
    }
}
