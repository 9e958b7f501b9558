//! The independent reference model: the page of each access is drawn at random, with the page's share of all
//! accesses as probability, independent of earlier accesses.
//!
//! An LRU array of C entries holds about the pages of the last T accesses. T, the characteristic time, is the
//! number of accesses in which C pages are expected to be used. So an access to a page of share p hits with
//! probability 1 − e^(−p·T) (H. Che, Y. Tung, Z. Wang, "Hierarchical Web caching systems: modeling, design and
//! experimental results", IEEE JSAC 20(7), 2002).

use libm::exp;

/// Weights with equal exponent and equal first bits of the mantissa form a group. They differ by less than 0.4
/// %.
const MANTISSA_BITS: u32 = 8;
/// The number of groups, for weights from 1 to 2⁶⁴.
const N_GROUPS: usize = 65 << MANTISSA_BITS;

/// The distribution of the accesses of one address space over its pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Popularity {
    groups: Vec<Group>,
    /// The weight of all accesses.
    pub(super) weight: f64,
}

/// A group of pages with nearly equal shares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Group {
    /// The average share of a page.
    share: f64,
    pages: f64,
}

/// Computes popularities from weights. It reuses its table for the next popularity.
#[derive(Debug)]
pub(super) struct Grouping {
    /// For each group: the sum of its weights, and their number.
    sums: Vec<(f64, f64)>,
    used: Vec<usize>,
}

impl Default for Grouping {
    fn default() -> Self {
        Self { sums: vec![(0.0, 0.0); N_GROUPS], used: Vec::new() }
    }
}

impl Grouping {
    /// Adds a page. A weight below 1 is ignored.
    #[inline]
    pub(super) fn push(&mut self, weight: f64) {
        if weight < 1.0 {
            return;
        }
        let first = 1.0f64.to_bits() >> (52 - MANTISSA_BITS);
        let group = (weight.to_bits() >> (52 - MANTISSA_BITS)) - first;
        let group = usize::try_from(group).unwrap_or(N_GROUPS).min(N_GROUPS - 1);
        let sum = &mut self.sums[group];
        if sum.1 == 0.0 {
            self.used.push(group);
        }
        *sum = (sum.0 + weight, sum.1 + 1.0);
    }

    /// Returns the popularity of the pages that were added since the last call.
    pub(super) fn finish(&mut self) -> Popularity {
        self.used.sort_unstable();
        let weight: f64 = self.used.iter().map(|group| self.sums[*group].0).sum();
        let sums = &mut self.sums;
        let groups = self.used.drain(..).map(|group| {
            let (sum, pages) = std::mem::take(&mut sums[group]);
            Group { share: sum / pages / weight, pages }
        });
        Popularity { groups: groups.collect(), weight }
    }
}

impl Popularity {
    /// Returns the share of accesses that hit a fully associative LRU array of `entries`; 1 if it holds all
    /// pages.
    pub(super) fn hit_rate(&self, entries: u32) -> f64 {
        let Some(time) = self.characteristic_time(entries) else { return 1.0 };
        let hits = |group: &Group| group.share * group.pages * (1.0 - exp(-group.share * time));
        self.groups.iter().map(hits).sum()
    }

    /// Returns the number of accesses in which `entries` pages are expected to be used; `None` if there are not
    /// more pages than that.
    fn characteristic_time(&self, entries: u32) -> Option<f64> {
        let entries = f64::from(entries);
        if self.groups.iter().map(|group| group.pages).sum::<f64>() <= entries {
            return None;
        }
        // The number of used pages is a concave function of the time, so Newton's steps approach the root from
        // below. The start is `entries` accesses, which use at most that many pages.
        let mut time = entries;
        for _ in 0..200 {
            let (mut used, mut slope) = (0.0, 0.0);
            for Group { share, pages } in &self.groups {
                let unused = exp(-share * time);
                used += pages * (1.0 - unused);
                slope += pages * share * unused;
            }
            let step = (entries - used) / slope;
            // Floating-point numbers cannot represent the difference to all pages any more.
            if !step.is_finite() {
                return None;
            }
            time += step;
            if step.abs() <= 1e-9 * time {
                break;
            }
        }
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use pagewalk_analysis::curve::{CurveBuilder, CurveOptions};
    use pagewalk_base::trace::{Access, Kind};
    use pagewalk_sources::workload::random::Draws;

    /// Returns weights in proportion to 1/k^s for `n` pages, rounded, the least 100.
    fn zipf(n: u32, s: f64) -> Vec<f64> {
        let weight = |k: u32| (100.0 * (f64::from(n) / f64::from(k)).powf(s)).round();
        (1..=n).map(weight).collect()
    }

    fn popularity(weights: &[f64]) -> Popularity {
        let mut grouping = Grouping::default();
        for weight in weights {
            grouping.push(*weight);
        }
        grouping.finish()
    }

    /// Returns the hit rates of LRU arrays of these sizes on `n` independent accesses, after `n` accesses of
    /// warm-up.
    fn simulated(weights: &[f64], sizes: &[u32], n: u32) -> Vec<f64> {
        let mut sum = 0.0;
        let sums: Vec<f64> = weights
            .iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        let mut draws = Draws::new(7);
        let mut curve = CurveBuilder::new(CurveOptions::default()).unwrap();
        let mut warm = None;
        for at in 0..2 * n {
            if at == n {
                warm = Some(curve.finish());
            }
            let at_sum = draws.unit() * sum;
            let page = sums.partition_point(|sum| *sum <= at_sum).min(weights.len() - 1);
            curve.push(&Access::new(Kind::Load, (page as u64) << 12, 1));
        }
        let (warm, all) = (warm.unwrap().misses, curve.finish().misses);
        let misses = |curve: &[(u32, u64)], size: u32| {
            let at = curve.iter().find(|(of, _)| *of == size).or(curve.last());
            f64::from(u32::try_from(at.unwrap().1).unwrap())
        };
        let hits = |size: &u32| 1.0 - (misses(&all, *size) - misses(&warm, *size)) / f64::from(n);
        sizes.iter().map(hits).collect()
    }

    /// Compares the model with a simulation of fully associative LRU arrays by stack distances.
    #[test]
    fn independent_accesses_hit_as_the_model_says() {
        let sizes = [16, 64, 256, 1024];
        for (n, s) in [(500, 1.2), (2000, 0.0), (2000, 0.6), (5000, 0.9), (5000, 1.1)] {
            let weights = zipf(n, s);
            let simulated = simulated(&weights, &sizes, 150_000);
            let popularity = popularity(&weights);
            for (size, simulated) in sizes.iter().zip(simulated) {
                let model = popularity.hit_rate(*size);
                assert!(
                    (model - simulated).abs() < 0.006,
                    "{n} pages, exponent {s}, {size} entries: {model:.4}, simulated {simulated:.4}"
                );
            }
        }
    }

    /// Compares the time from groups and Newton's method with the time from single pages and bisection.
    #[test]
    fn the_time_is_that_of_the_slow_way() {
        cases(700).check(|u| {
            let weights: Vec<f64> = (0..u.int_in_range(1..=60)?)
                .map(|_| Ok(f64::from(u.int_in_range(1..=200u32)?)))
                .collect::<Result<_, cases::Error>>()?;
            let entries = u.int_in_range(1..=70u32)?;
            let all: f64 = weights.iter().sum();
            let slow = if weights.len() <= entries as usize {
                1.0
            } else {
                let used = |time: f64| -> f64 {
                    weights.iter().map(|weight| 1.0 - (-weight / all * time).exp()).sum()
                };
                let (mut low, mut high) = (0.0, 1e9);
                for _ in 0..200 {
                    let middle = f64::midpoint(low, high);
                    let half = if used(middle) < f64::from(entries) { &mut low } else { &mut high };
                    *half = middle;
                }
                weights.iter().map(|w| w / all * (1.0 - (-w / all * low).exp())).sum()
            };
            let fast = popularity(&weights).hit_rate(entries);
            assert!((fast - slow).abs() < 1e-6, "{fast} {slow} {entries} {weights:?}");
            Ok(())
        });
    }

    #[test]
    fn weights_of_many_digits_are_grouped() {
        let weights: Vec<f64> = (1..=20_000u32).map(|n| 1e9 / f64::from(n)).collect();
        let grouped = popularity(&weights);
        assert!(grouped.groups.len() < 4000, "{}", grouped.groups.len());
        let share: f64 = grouped.groups.iter().map(|group| group.share * group.pages).sum();
        assert!((share - 1.0).abs() < 1e-9);
        assert!((grouped.weight - weights.iter().sum::<f64>()).abs() < 1.0);
    }
}
