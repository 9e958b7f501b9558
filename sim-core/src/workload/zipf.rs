//! Zipf's law: rank k of n comes with probability proportional to 1 / k^s.
//!
//! Rejection-inversion (W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates
//! from monotone discrete distributions", ACM TOMACS 6(3), 1996): no table, about one draw
//! for each number. Logarithm and exponential are made of the four basic operations, which
//! give the same bits on every machine; those of the standard library need not.

use std::f64::consts::{LN_2, SQRT_2};

use super::random::Draws;

/// A source of ranks 1..=n.
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    n: f64,
    exponent: f64,
    integral_first: f64,
    integral_last: f64,
    shortcut: f64,
}

impl Zipf {
    /// `n` is 1 to 2⁴⁸, `exponent` 0 to 8.
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

    /// The next rank, from 1.
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

/// x^-s.
fn weight(x: f64, s: f64) -> f64 {
    exp(-s * ln(x))
}

/// The integral of x^-s, zero at x = 1.
fn integral(x: f64, s: f64) -> f64 {
    let log = ln(x);
    exp_m1_over((1.0 - s) * log) * log
}

fn inverse(y: f64, s: f64) -> f64 {
    // Rounding may lead below -1, where there is no logarithm.
    let t = (y * (1.0 - s)).max(-1.0);
    exp(ln_1p_over(t) * y)
}

/// ln(1 + x) / x, also at and near 0.
fn ln_1p_over(x: f64) -> f64 {
    if x.abs() > 1e-4 { ln(1.0 + x) / x } else { 1.0 - x * (0.5 - x * (1.0 / 3.0 - x * 0.25)) }
}

/// (e^x - 1) / x, also at and near 0.
fn exp_m1_over(x: f64) -> f64 {
    if x.abs() > 1e-4 {
        (exp(x) - 1.0) / x
    } else {
        1.0 + x * 0.5 * (1.0 + x / 3.0 * (1.0 + x * 0.25))
    }
}

/// The natural logarithm: x = 2^k · m with m near 1, and the series of artanh for m.
fn ln(x: f64) -> f64 {
    if x <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let bits = x.to_bits();
    let raw = u32::try_from(bits >> 52).expect("twelve bits");
    let mut power = f64::from(raw) - 1023.0;
    let mut m = f64::from_bits(bits & (u64::MAX >> 12) | 1023 << 52);
    if m > SQRT_2 {
        m *= 0.5;
        power += 1.0;
    }
    let t = (m - 1.0) / (m + 1.0);
    let square = t * t;
    let mut sum = 0.0;
    for odd in (0..12).rev().map(|i| f64::from(2 * i + 1)) {
        sum = sum * square + 1.0 / odd;
    }
    power * LN_2 + 2.0 * t * sum
}

/// e^x: x = k · ln 2 + r with r near 0, and Taylor's series for r.
fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    if x > 700.0 {
        return f64::INFINITY;
    }
    let k = (x / LN_2 + 0.5).floor();
    let r = x - k * LN_2;
    let mut sum = 1.0;
    for n in (1..=16).rev() {
        sum = 1.0 + sum * r / f64::from(n);
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "13 to 2033: |x| is at most 700"
    )]
    let power = (k + 1023.0) as u64;
    sum * f64::from_bits(power << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_exponential_are_those_of_the_library() {
        for x in [1e-300, 1e-9, 0.1, 0.5, 1.0, 1.2, 1.5, 2.0, 10.0, 12345.678, 1e300] {
            assert!((ln(x) - x.ln()).abs() <= 4e-15 * x.ln().abs().max(1.0), "ln {x}");
        }
        for x in [-600.0, -20.0, -1.0, -1e-3, 0.0, 1e-9, 0.3, 1.0, 5.5, 100.0, 600.0] {
            assert!((exp(x) - x.exp()).abs() <= 2e-13 * x.exp(), "exp {x}");
        }
        for x in [-1e-4, -1e-7, 1e-12, 1e-5, 0.99e-4, 1.01e-4, 0.5] {
            assert!((ln_1p_over(x) - x.ln_1p() / x).abs() < 1e-11, "{x}");
            assert!((exp_m1_over(x) - x.exp_m1() / x).abs() < 1e-11, "{x}");
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
