//! Logarithm and exponential, made of the four basic operations: they give the same bits on every
//! machine, and those of the standard library need not.

use std::f64::consts::{LN_2, SQRT_2};

/// The natural logarithm: x = 2^k · m with m near 1, and the series of artanh for m.
pub fn ln(x: f64) -> f64 {
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
pub fn exp(x: f64) -> f64 {
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
    }
}
