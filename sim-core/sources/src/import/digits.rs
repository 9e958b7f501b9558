//! Reads hexadecimal and decimal numbers without UTF-8 checks.

/// The value of each hexadecimal digit; `NO_DIGIT` for every other byte.
static HEX: [u8; 256] = hex_table();
const NO_DIGIT: u8 = 0xff;

const fn hex_table() -> [u8; 256] {
    let mut table = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        let digits = b"0123456789abcdef";
        table[digits[value as usize] as usize] = value;
        table[digits[value as usize].to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    table
}

/// Returns the value of a hexadecimal digit.
#[inline]
pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    let value = HEX[usize::from(byte)];
    (value != NO_DIGIT).then_some(value)
}

/// Reads eight lower-case hexadecimal digits at once, because lackey writes at least eight. Returns `None` if
/// a byte is not such a digit.
#[inline]
pub(super) fn hex_8(text: [u8; 8]) -> Option<u64> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let text = u64::from_le_bytes(text);
    // Bit 6 is set in letters (0x61..) and clear in digits (0x30..). The low bits of letters count from 1.
    let letters = text >> 6 & ONES;
    let values = ((text & (0x0f * ONES)) + 9 * letters) & (0x0f * ONES);
    let above_9 = (values + 6 * ONES) >> 4 & ONES;
    // Only lower-case digits give the same bytes when they are written again.
    if values + 0x30 * ONES + 0x27 * above_9 != text {
        return None;
    }
    // Byte 0 is the highest digit: combine digits to pairs, pairs to fours, and fours to the number.
    let pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs << 8 | pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some((fours << 16 | fours >> 32) & 0xffff_ffff)
}

/// Reads one to sixteen hexadecimal digits and nothing else.
#[inline]
pub(super) fn hex_16(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let (mut sum, mut digits) = (0, digits);
    while let Some((eight, rest)) = digits.split_first_chunk() {
        let Some(value) = hex_8(*eight) else { break };
        sum = sum << 32 | value;
        digits = rest;
    }
    let push = |sum, byte: &u8| Some(sum << 4 | u64::from(hex_digit(*byte)?));
    digits.iter().try_fold(sum, push)
}

/// The reason why a field is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoNumber {
    /// The field is empty or has a character that is not a digit.
    Malformed,
    /// The number is too large.
    TooWide,
}

/// Reads a hexadecimal number, with or without `0x`.
pub(super) fn hex(text: &[u8]) -> Result<u64, NoNumber> {
    number::<16>(strip_0x(text).unwrap_or(text))
}

/// Reads a decimal number.
pub(super) fn decimal(text: &[u8]) -> Result<u64, NoNumber> {
    number::<10>(text)
}

/// Returns the digits after `0x`, if it is there.
pub(super) fn strip_0x(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))
}

fn number<const BASE: u64>(digits: &[u8]) -> Result<u64, NoNumber> {
    if digits.is_empty() {
        return Err(NoNumber::Malformed);
    }
    // This number of digits always fits. Checking each product would need 128 bits in WebAssembly.
    let always = if BASE == 16 { 16 } else { 19 };
    let (mut sum, mut fits) = (0u64, true);
    for (n, byte) in digits.iter().enumerate() {
        let digit = u64::from(HEX[usize::from(*byte)]);
        if digit >= BASE {
            return Err(NoNumber::Malformed);
        }
        fits = fits && (n < always || sum <= (u64::MAX - digit) / BASE);
        sum = sum.wrapping_mul(BASE).wrapping_add(digit);
    }
    if fits { Ok(sum) } else { Err(NoNumber::TooWide) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_digits_at_once_are_what_one_after_another_are() {
        for byte in 0..=255 {
            for at in 0..8 {
                let mut text = *b"0a9f18ce";
                text[at] = byte;
                let slow = hex(&text).ok().filter(|_| !text.iter().any(u8::is_ascii_uppercase));
                let slow = slow.filter(|_| text[1] != b'x');
                assert_eq!(hex_8(text), slow, "{text:?}");
            }
        }
    }

    #[test]
    fn sixteen_digits_are_what_one_after_another_are() {
        let long = ["ffffffffffffffff", "00000000000000001", "0123456789abcDEF", "89abcdef012345"];
        let short = ["", "0", "aF9", "0x1", "g", "12 ", "89abcdef", "89abcdef ", "89abcdefg"];
        for text in short.into_iter().chain(long) {
            let slow = hex(text.as_bytes()).ok().filter(|_| (1..=16).contains(&text.len()));
            let slow = slow.filter(|_| strip_0x(text.as_bytes()).is_none());
            assert_eq!(hex_16(text.as_bytes()), slow, "{text}");
        }
    }

    #[test]
    fn leading_zeros_do_not_make_a_number_too_wide() {
        assert_eq!(hex(b"0x00000000ffffffffffffffff"), Ok(u64::MAX));
        assert_eq!(hex(b"10000000000000000"), Err(NoNumber::TooWide));
        assert_eq!(decimal(b"18446744073709551615"), Ok(u64::MAX));
        assert_eq!(decimal(b"0000018446744073709551615"), Ok(u64::MAX));
        assert_eq!(decimal(b"18446744073709551616"), Err(NoNumber::TooWide));
        assert_eq!(decimal(b"184467440737095516150"), Err(NoNumber::TooWide));
        assert_eq!(decimal(b"1f"), Err(NoNumber::Malformed));
        assert_eq!(hex(b"0x"), Err(NoNumber::Malformed));
        assert_eq!(hex(b""), Err(NoNumber::Malformed));
    }
}
