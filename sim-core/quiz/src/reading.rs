//! Reads the numbers that people type. No text is copied, so a long one needs no memory.

/// Characters that may be between digits.
fn is_filler(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | '_')
}

/// Returns the text after `0x`, and whether it had one.
fn without_prefix(text: &str) -> (&str, bool) {
    let text = text.trim_matches(is_filler);
    let rest = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    (rest.unwrap_or(text), rest.is_some())
}

/// Reads a number. `0x` before it makes it hexadecimal; otherwise it has this base.
pub(crate) fn number(text: &str, base: u32) -> Option<u64> {
    let (digits, is_hexadecimal) = without_prefix(text);
    read(digits, if is_hexadecimal { 16 } else { base })
}

/// Reads the digits of a number in this base, also those after `0x`.
pub(crate) fn digits_in(text: &str, base: u32) -> Option<u64> {
    read(without_prefix(text).0, base)
}

fn read(digits: &str, base: u32) -> Option<u64> {
    let mut value = None;
    for letter in digits.chars().filter(|letter| !is_filler(*letter)) {
        let digit = u64::from(letter.to_digit(base)?);
        value = Some(value.unwrap_or(0_u64).checked_mul(base.into())?.checked_add(digit)?);
    }
    value
}

/// Returns whether a typed text is a word. Case and outer spaces do not matter.
pub(crate) fn is_word(text: &str, word: &str) -> bool {
    text.trim().eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (text, decimal, hexadecimal) in [
            ("12", Some(12), Some(0x12)),
            ("0012", Some(12), Some(0x12)),
            (" 1,234 ", Some(1234), Some(0x1234)),
            ("1 234", Some(1234), Some(0x1234)),
            ("0x1F", Some(31), Some(31)),
            ("0X 1f", Some(31), Some(31)),
            ("1f", None, Some(31)),
            ("0xffff_ffff_ffff_ffff", Some(u64::MAX), Some(u64::MAX)),
            ("18446744073709551615", Some(u64::MAX), None),
            ("18446744073709551616", None, None),
            ("0x", None, None),
            ("", None, None),
            (" , ", None, None),
            ("-1", None, None),
            ("set 3", None, None),
            ("１２", None, None),
        ] {
            assert_eq!((number(text, 10), number(text, 16)), (decimal, hexadecimal), "{text}");
        }
        assert_eq!(digits_in("0x852", 10), Some(852));
        assert_eq!(digits_in("11", 2), Some(3));
    }
}
