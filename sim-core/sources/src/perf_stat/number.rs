//! Reads numbers as C's `printf` writes them, in any locale.

/// The kind of a number, which decides whether it can have marks between thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A count, `%'18.0f`, without decimals.
    Count,
    /// A number with a unit, `%'18.2f`; old versions print six decimals.
    Measure,
    /// A time, a share or a metric, which has no marks between thousands.
    Fraction,
}

/// Reads `1,234`, `1.234`, `1 234`, `1'234`, `12,34,567`; `1,234.50`, `1.234,50`; `0.41`, `0,41`.
///
/// A single mark with three digits after it separates thousands, unless the style has no such marks.
pub(super) fn number(text: &str, style: Style) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text),
    };
    let at = decimal_mark(digits, style);
    let (whole, decimals) = match at {
        Some(at) => (&digits[..at], &digits[at + 1..]),
        None => (digits, ""),
    };
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let plain = format!("{}.{decimals}0", ungrouped(whole)?);
    plain.parse::<f64>().ok().map(|value| sign * value)
}

/// Returns the position of the decimal mark, if there is one.
fn decimal_mark(text: &str, style: Style) -> Option<usize> {
    let last = text.rfind(['.', ','])?;
    let (before, after) = (&text[..last], &text[last + 1..]);
    if before.contains(&text[last..=last]) {
        // A mark that occurs more than once separates groups.
        return None;
    }
    let is_alone = !before.contains(|c: char| !c.is_ascii_digit());
    let is_group = after.len() == 3 && style != Style::Fraction && is_alone && before != "0";
    (!is_group || before.len() > 3).then_some(last)
}

/// Removes the marks between groups of thousands. In India, the higher groups have two digits.
fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split(is_group_mark);
    let first = groups.next()?.to_owned();
    let rest: Vec<&str> = groups.collect();
    let all_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let (last, between) = match rest.split_last() {
        None => return (!first.is_empty() && all_digits(&first)).then_some(first),
        Some((last, between)) => (last, between),
    };
    let fits = (1..=3).contains(&first.len())
        && last.len() == 3
        && between.iter().all(|group| matches!(group.len(), 2 | 3))
        && all_digits(&first)
        && rest.iter().all(|group| all_digits(group));
    fits.then(|| first + &rest.concat())
}

/// Returns whether a character separates thousands in some locale. The blank is not included, because it also
/// separates columns.
pub(super) fn is_group_mark(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{66c}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, style: Style, expected: impl Into<Option<f64>>) {
        assert_eq!(number(text, style), expected.into(), "{text} {style:?}");
    }

    #[test]
    fn thousands_of_every_locale_are_read() {
        for text in [
            "1234567",
            "1,234,567",
            "1.234.567",
            "1 234 567",
            "1\u{a0}234\u{a0}567",
            "1\u{202f}234\u{202f}567",
            "1'234'567",
            "1\u{2019}234\u{2019}567",
            "12,34,567",
        ] {
            check(text, Style::Count, 1_234_567.0);
        }
        check("1,234", Style::Count, 1234.0);
        check("1.234", Style::Count, 1234.0);
        check("0", Style::Count, 0.0);
    }

    #[test]
    fn decimals_of_every_locale_are_read() {
        for text in ["8,009.41", "8.009,41", "8 009,41", "8\u{202f}009,41", "8'009.41", "8009.41"] {
            check(text, Style::Measure, 8009.41);
        }
        check("2.26", Style::Measure, 2.26);
        check("0,276", Style::Measure, 0.276);
        check("1234.567", Style::Measure, 1234.567);
        check("27.364448741", Style::Fraction, 27.364_448_741);
        check("7.234", Style::Fraction, 7.234);
        check("10,74", Style::Fraction, 10.74);
        check("-0.5", Style::Fraction, -0.5);
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", ".", ",", "1,,234", "1.2.3", "1,23,4", "0x10", "1e5", "a", "-", "1 2"] {
            check(text, Style::Count, None);
        }
    }
}
