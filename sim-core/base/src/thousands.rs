//! Numbers as sentences have them.

/// `1234567` as `1,234,567`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let texts = [0, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }
}
