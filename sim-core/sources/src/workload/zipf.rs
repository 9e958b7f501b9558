//! Zipf's law: rank k of n has a probability proportional to 1 / k^s.
//!
//! The method is rejection-inversion (W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates
//! from monotone discrete distributions", ACM TOMACS 6(3), 1996). It needs no table and about one random
//! number per rank.

use libm::{exp, expm1, log, log1p};

use super::random::Draws;

/// Generates ranks 1..=n.
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    n: f64,
    exponent: f64,
    integral_first: f64,
    integral_last: f64,
    shortcut: f64,
}

impl Zipf {
    /// Makes a generator; `n` is 1 to 2⁴⁸, `exponent` 0 to 8.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^48")]
    pub(super) fn new(n: u64, exponent: f64) -> Self {
        let n = n as f64;
        Self {
            n,
            exponent,
            integral_first: integral(1.5, exponent) - 1.0,
            integral_last: integral(n + 0.5, exponent),
            shortcut: 2.0 - inverse(integral(2.5, exponent) - weight(2.0, exponent), exponent),
        }
    }

    /// Returns the next rank, from 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "1 to n, which is at most 2^48"
    )]
    pub(super) fn rank(&self, draws: &mut Draws) -> u64 {
        loop {
            let u = self.integral_last + draws.unit() * (self.integral_first - self.integral_last);
            let x = inverse(u, self.exponent);
            let k = (x + 0.5).floor().clamp(1.0, self.n);
            let near = k - x <= self.shortcut;
            if near || u >= integral(k + 0.5, self.exponent) - weight(k, self.exponent) {
                return k as u64;
            }
        }
    }
}

/// Computes x^-s.
fn weight(x: f64, s: f64) -> f64 {
    exp(-s * log(x))
}

/// Computes the integral of x^-s, which is zero at x = 1.
fn integral(x: f64, s: f64) -> f64 {
    let log = log(x);
    expm1_over((1.0 - s) * log) * log
}

fn inverse(y: f64, s: f64) -> f64 {
    // Rounding may give a number below -1, which has no logarithm.
    let t = (y * (1.0 - s)).max(-1.0);
    exp(log1p_over(t) * y)
}

/// Computes ln(1 + x) / x, which is 1 at 0.
fn log1p_over(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { log1p(x) / x }
}

/// Computes (e^x - 1) / x, which is 1 at 0.
fn expm1_over(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { expm1(x) / x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_at_zero_are_one() {
        for x in [-1e-300, -1e-17, 0.0, 1e-17, 1e-300] {
            assert_eq!((log1p_over(x), expm1_over(x)), (1.0, 1.0), "{x}");
        }
    }

    /// Each rank's share is 1 / (k^s · H) within 5 standard deviations.
    #[test]
    fn ranks_follow_the_law() {
        for exponent in [0.0, 0.5, 0.99, 1.0, 1.5, 3.0] {
            let n = 50;
            let zipf = Zipf::new(n, exponent);
            let mut draws = Draws::new(1);
            let mut counts = vec![0u32; 51];
            let samples = 200_000;
            for _ in 0..samples {
                counts[usize::try_from(zipf.rank(&mut draws)).unwrap()] += 1;
            }
            let weights: Vec<f64> = (1..=50).map(|k| f64::from(k).powf(-exponent)).collect();
            let total: f64 = weights.iter().sum();
            for (k, weight) in weights.iter().enumerate() {
                let share = weight / total;
                let expected = share * f64::from(samples);
                let deviation = (expected * (1.0 - share)).sqrt();
                let seen = f64::from(counts[k + 1]);
                assert!(
                    (seen - expected).abs() < 5.0 * deviation + 1.0,
                    "exponent {exponent}, rank {}: {seen} of {expected}",
                    k + 1
                );
            }
        }
    }

    #[test]
    fn one_rank_is_always_the_first() {
        let zipf = Zipf::new(1, 0.99);
        let mut draws = Draws::new(3);
        assert!((0..100).all(|_| zipf.rank(&mut draws) == 1));
    }

    /// The same bits wherever this is compiled; the numbers were written down from a native run.
    #[test]
    fn the_first_ranks_are_these() {
        let zipf = Zipf::new(1 << 20, 0.99);
        let mut draws = Draws::new(1);
        let ranks: Vec<u64> = (0..8).map(|_| zipf.rank(&mut draws)).collect();
        expect_test::expect!["[22227, 81, 36, 16173, 490819, 15, 10, 78]"]
            .assert_eq(&format!("{ranks:?}"));
    }
}
