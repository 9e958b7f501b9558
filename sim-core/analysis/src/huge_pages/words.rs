//! Numbers and intervals as text.

use pagewalk_base::thousands::grouped;
use serde::Serialize;

/// A number that is only known to lie between two others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Between {
    pub low: f64,
    pub high: f64,
}

impl Between {
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub(super) fn of(a: f64, b: f64) -> Self {
        Self::new(a.min(b), a.max(b))
    }

    /// Returns the smallest interval that has all these numbers; 0 if there are none.
    pub(super) fn around(numbers: impl IntoIterator<Item = f64>) -> Self {
        let hull = |all: Self, n: f64| Self::new(all.low.min(n), all.high.max(n));
        let mut numbers = numbers.into_iter();
        let first = numbers.next().map(|n| Self::new(n, n));
        first.map_or_else(Self::default, |first| numbers.fold(first, hull))
    }
}

/// Writes an interval of numbers: `2.7 to 3.8`.
pub fn span(Between { low, high }: Between) -> String {
    let [low, high] = [low, high].map(digits);
    if low == high { low } else { format!("{low} to {high}") }
}

/// Writes a share as percent: `3.1 to 12 %`.
pub fn percent_span(Between { low, high }: Between) -> String {
    format!("{} %", span(Between::new(100.0 * low, 100.0 * high)))
}

/// Writes a number with two digits, at most three of them after the point. A number below 100 is never rounded up to it.
pub(super) fn digits(number: f64) -> String {
    match number.abs() {
        size if (99.5..100.0).contains(&size) => format!("{:.1}", (number * 10.0).trunc() / 10.0),
        size if size >= 999.5 => {
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{}", grouped(whole(size)))
        }
        size if size >= 9.95 => format!("{number:.0}"),
        size if size < 0.0005 => "0".to_owned(),
        size if size < 0.0995 => format!("{number:.3}"),
        size if size < 0.995 => format!("{number:.2}"),
        _ => format!("{number:.1}"),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive; times and cycles"
)]
pub(super) fn whole(number: f64) -> u64 {
    number.round() as u64
}

#[expect(clippy::cast_precision_loss, reason = "times are shown with two digits")]
pub(super) fn number(n: u64) -> f64 {
    n as f64
}
