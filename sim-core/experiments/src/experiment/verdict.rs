//! The one rule that gives verdicts: compares a simulated number with a claim. `docs/oracles.md` states the rule.

use serde::{Deserialize, Serialize};

/// The result of a comparison, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Verdict {
    Agrees,
    /// The claim's own error is as large as its number, so that it decides nothing.
    Undecided,
    Differs,
}

/// How a number changes between two cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Direction {
    Rises,
    Falls,
    Unchanged,
}

/// What a simulated number is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// A number, and the largest difference that agrees with it.
    Number { value: f64, error: f64 },
    /// The change from another simulated number.
    Change { from: f64, direction: Direction },
}

/// The largest relative change that is written as 0 %.
const UNCHANGED: f64 = 0.005;

/// The largest relative difference that arithmetic with `f64` causes.
const ARITHMETIC: f64 = 1e-9;

/// How many standard errors of independent draws a share may differ by. Hits depend a little on the draws before, so
/// that they spread somewhat more, and some hundred shares are compared.
const STANDARD_ERRORS: f64 = 4.0;

/// Returns the largest difference that agrees with a share of so many draws. It is the same for hits and misses. A
/// share of 0 or 1 leaves nothing to chance, so it must be exact.
pub(super) fn sampling(share: f64, draws: f64) -> f64 {
    STANDARD_ERRORS * (share * (1.0 - share) / draws).sqrt()
}

/// Returns whether a machine that always hits or always misses would agree with a share between 0 and 1.
pub(super) fn decides_nothing(share: f64, error: f64) -> bool {
    error > 0.0 && (share <= error || 1.0 - share <= error)
}

/// Compares a simulated number with a claim.
pub fn judge(simulated: f64, claim: Claim) -> Verdict {
    let agrees = match claim {
        Claim::Number { value, error } => {
            (simulated - value).abs() <= error + ARITHMETIC * value.abs()
        }
        Claim::Change { from, direction } => {
            let change = simulated - from;
            let most = UNCHANGED * from.abs();
            match direction {
                Direction::Rises => change > most,
                Direction::Falls => change < -most,
                Direction::Unchanged => change.abs() <= most,
            }
        }
    };
    match claim {
        _ if !agrees => Verdict::Differs,
        Claim::Number { value, error } if value != 0.0 && error >= value.abs() => {
            Verdict::Undecided
        }
        _ => Verdict::Agrees,
    }
}

/// Returns the difference of a simulated number from the number of a claim, or from the number that it changes
/// from, as a share of that number. A share of 0 has no meaning.
pub fn deviation(simulated: f64, claim: Claim) -> Option<f64> {
    let (Claim::Number { value: base, .. } | Claim::Change { from: base, .. }) = claim;
    (base != 0.0).then(|| (simulated - base) / base.abs())
}

/// Returns the rounding error of the number at the beginning of a text: half a unit of its last printed digit.
/// Returns `None` if the text begins with no number.
pub(super) fn rounding(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && !"., -".contains(c));
    let number =
        text.get(..end.unwrap_or(text.len()))?.split(' ').next()?.trim_end_matches(['.', ',']);
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some(0.5 * 10f64.powi(-i32::try_from(decimals).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64, error: f64) -> Claim {
        Claim::Number { value, error }
    }

    #[test]
    fn a_number_agrees_within_the_error_of_the_claim() {
        for (simulated, claim, verdict) in [
            (0.9583, number(1.017, 0.244), Verdict::Agrees),
            (0.77, number(1.017, 0.244), Verdict::Differs),
            (1.608, number(0.638, 0.139), Verdict::Differs),
            (24.0, number(24.0, 0.0), Verdict::Agrees),
            (24.000_001, number(24.0, 0.0), Verdict::Differs),
            (0.0, number(0.0, 0.001), Verdict::Agrees),
            (f64::NAN, number(1.0, 1e9), Verdict::Differs),
        ] {
            assert_eq!(judge(simulated, claim), verdict, "{simulated} {claim:?}");
        }
    }

    #[test]
    fn a_claim_with_an_error_like_its_number_decides_nothing() {
        assert_eq!(judge(31.9, number(18.7, 83.0)), Verdict::Undecided);
        assert_eq!(judge(102.0, number(18.7, 83.0)), Verdict::Differs);
    }

    #[test]
    fn a_direction_is_that_of_the_simulated_change() {
        let change = |from, direction| Claim::Change { from, direction };
        for (simulated, claim, verdict) in [
            (2.0, change(1.0, Direction::Rises), Verdict::Agrees),
            (1.004, change(1.0, Direction::Rises), Verdict::Differs),
            (0.1, change(0.0, Direction::Rises), Verdict::Agrees),
            (2.0, change(1.0, Direction::Falls), Verdict::Differs),
            (0.0, change(1.0, Direction::Falls), Verdict::Agrees),
            (0.0, change(0.0, Direction::Falls), Verdict::Differs),
            (1.004, change(1.0, Direction::Unchanged), Verdict::Agrees),
            (0.66, change(1.0, Direction::Unchanged), Verdict::Differs),
        ] {
            assert_eq!(judge(simulated, claim), verdict, "{simulated} {claim:?}");
        }
    }

    /// A rate of 0.994 does not agree with a machine that always misses, and 0.006 not with one that always hits.
    #[test]
    fn a_share_of_draws_agrees_within_four_standard_errors() {
        for (share, draws, simulated, verdict) in [
            (0.25, 40_000.0, 0.2586, Verdict::Agrees),
            (0.25, 40_000.0, 0.2587, Verdict::Differs),
            (0.994, 40_000.0, 1.0, Verdict::Differs),
            (0.006, 40_000.0, 0.0, Verdict::Differs),
            (0.0, 40_000.0, 0.0, Verdict::Agrees),
            (0.0, 40_000.0, 1.0 / 40_000.0, Verdict::Differs),
            (1.0, 40_000.0, 1.0 - 1.0 / 40_000.0, Verdict::Differs),
        ] {
            let claim = number(share, sampling(share, draws));
            assert_eq!(judge(simulated, claim), verdict, "{simulated} {claim:?}");
        }
    }

    #[test]
    fn a_share_near_0_or_1_decides_nothing() {
        for (share, draws, decides) in [
            (0.0, 40_000.0, true),
            (1.0, 40_000.0, true),
            (0.0003, 40_000.0, false),
            (0.0006, 40_000.0, true),
            (0.9997, 40_000.0, false),
            (0.9994, 40_000.0, true),
        ] {
            assert_eq!(!decides_nothing(share, sampling(share, draws)), decides, "{share}");
        }
    }

    #[test]
    fn a_deviation_is_a_share_of_the_other_number() {
        assert_eq!(deviation(3.0, number(2.0, 0.1)), Some(0.5));
        assert_eq!(deviation(1.0, number(0.0, 0.1)), None);
        let change = Claim::Change { from: 4.0, direction: Direction::Falls };
        assert_eq!(deviation(3.0, change), Some(-0.25));
    }

    #[test]
    fn printed_digits_have_a_rounding_error() {
        let found =
            ["3.61 (76 s to 45 s)", "24", "16,384", "1.5", "−1", "about 4", ""].map(rounding);
        assert_eq!(found, [Some(0.005), Some(0.5), Some(0.5), Some(0.05), None, None, None]);
    }
}
