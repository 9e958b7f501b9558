//! Answer lines that a mail program wrapped: their parts are one line again.

use std::borrow::Cow;

use super::line::{CHECKSUM, MARK, MAX_BYTES};
use super::packed::is_letter;
use super::read_line;

/// Returns the lines of a text that are not empty, with their numbers. A wrapped answer line has the number of its first
/// part.
pub(super) fn lines(text: &str) -> Vec<(u64, Cow<'_, str>)> {
    let all: Vec<(u64, &str)> = (1..).zip(text.lines()).collect();
    let mut found = Vec::new();
    let mut rest = &all[..];
    while let Some((&(number, line), next)) = rest.split_first() {
        rest = next;
        if line.trim().is_empty() {
            continue;
        }
        if let Some((whole, parts)) = whole(line, next) {
            rest = &next[parts..];
            found.push((number, whole.into()));
        } else {
            found.push((number, line.into()));
        }
    }
    found
}

/// Returns a line with the parts after it, and the number of these; `None` if they are no answer line together.
fn whole(line: &str, next: &[(u64, &str)]) -> Option<(String, usize)> {
    let (start, mark) = line.match_indices(MARK).last()?;
    if read_line(line).is_ok() {
        return None;
    }
    let start = start + mark.len();
    let mut whole = line.trim_end().to_owned();
    for (parts, (_, part)) in (1..).zip(next) {
        // Mail programs mark what they quote.
        let part = part.trim_start_matches(['>', ' ']).trim_end();
        let is_part = part.bytes().next().is_some_and(|first| is_letter(first) || first == b'.');
        if !is_part || part.contains(MARK) || whole.len() > 2 * MAX_BYTES {
            return None;
        }
        whole.push_str(part);
        let answers = &whole[start..];
        if answers.find('.').is_some_and(|end| answers.len() > end + CHECKSUM) {
            return read_line(&whole).is_ok().then_some((whole, parts));
        }
    }
    None
}
