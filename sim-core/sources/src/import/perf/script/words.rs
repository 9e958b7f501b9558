//! Splits lines into words, and recognises words by their form.

use crate::import::digits::{decimal, hex_16};

/// Returns the first word of `text` and where it ends.
pub(super) fn first(text: &[u8]) -> Option<(&[u8], usize)> {
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let word = &text[start..];
    let end = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
    Some((&word[..end], start + end))
}

/// Returns the last word of `text` and where it starts.
pub(super) fn last(text: &[u8]) -> Option<(&[u8], usize)> {
    let text = text.trim_ascii_end();
    let start = text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    (start < text.len()).then_some((&text[start..], start))
}

/// Returns every word of `text`, with where it ends.
pub(super) fn all(text: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (word, end) = first(&text[from..])?;
        from += end;
        Some((word, from))
    })
}

/// Reads an address without `0x`, as perf prints it.
#[inline]
pub(super) fn address(word: &[u8]) -> Option<u64> {
    hex_16(word)
}

pub(super) fn is_decimal(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Reads `2019.862551:` in nanoseconds. The fraction may have four to nine digits.
pub(super) fn time(word: &[u8]) -> Option<u64> {
    let number = word.strip_suffix(b":")?;
    let dot = memchr::memchr(b'.', number)?;
    let (seconds, fraction) = (&number[..dot], &number[dot + 1..]);
    if !is_decimal(seconds) || !is_decimal(fraction) || !(4..=9).contains(&fraction.len()) {
        return None;
    }
    let scale = 10u64.pow(9 - u32::try_from(fraction.len()).ok()?);
    let seconds = decimal(seconds).ok()?.checked_mul(1_000_000_000)?;
    seconds.checked_add(decimal(fraction).ok()?.checked_mul(scale)?)
}

/// Reads the process and thread in `9398/9398`, `9398` or `-1/0`. A single number is the thread, and it also
/// serves as the process.
pub(super) fn process(word: &[u8]) -> Option<(u32, u32)> {
    let number = |text: &[u8]| match text {
        b"-1" => Some(u32::MAX),
        _ => u32::try_from(decimal(text).ok()?).ok(),
    };
    match memchr::memchr(b'/', word) {
        Some(slash) => Some((number(&word[..slash])?, number(&word[slash + 1..])?)),
        None => number(word).map(|tid| (tid, tid)),
    }
}

/// Reads `4K`, `2M`, `1024M`, `1G` or `N/A` (0), in bytes.
pub(in crate::import::perf) fn page_size(word: &[u8]) -> Option<u64> {
    if word == b"N/A" {
        return Some(0);
    }
    let (unit, digits) = word.split_last()?;
    let shift = match unit {
        b'K' => 10,
        b'M' => 20,
        b'G' => 30,
        _ => return None,
    };
    let n = decimal(digits).ok().filter(|n| *n < 1 << 20)?;
    Some(n << shift)
}
