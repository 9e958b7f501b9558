//! Numbers as text, with separators or units of a thousand.

/// Writes a number with commas: `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Reads a count: `1000000`, `1,000,000`, `20k`, `1.5M`, `1G` or `1e6`, with units of 1000.
pub fn parse_count(text: &str) -> Option<u64> {
    let plain = text.trim().replace(',', "");
    let unit = plain.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(plain.len());
    let (number, unit) = plain.split_at(unit);
    let zeros: u32 = match unit {
        "" => 0,
        "k" | "K" => 3,
        "m" | "M" => 6,
        "g" | "G" => 9,
        other => other.strip_prefix(['e', 'E'])?.parse().ok().filter(|zeros| *zeros < 20)?,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let scale = zeros.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits = format!("{whole}{fraction}");
    if whole.is_empty() || number.ends_with('.') {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(scale)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_units() {
        for (text, n) in [
            ("0", Some(0)),
            ("1,000,000", Some(1_000_000)),
            ("20k", Some(20_000)),
            ("1.5M", Some(1_500_000)),
            ("2G", Some(2_000_000_000)),
            ("1e6", Some(1_000_000)),
            ("2.5E1", Some(25)),
            ("18446744073709551615", Some(u64::MAX)),
            ("1e20", None),
            ("99G0", None),
            ("1.5", None),
            ("1.", None),
            (".5k", None),
            ("-1", None),
            ("k", None),
            ("", None),
            ("1e-3", None),
            ("1e+3", Some(1000)),
            ("1T", None),
        ] {
            assert_eq!(parse_count(text), n, "{text}");
        }
    }

    #[test]
    fn thousands_are_grouped() {
        let texts = [0, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }
}
