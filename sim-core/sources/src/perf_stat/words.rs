//! Reads the parts of lines that all forms share.

use super::number::{Style, number};
use super::{Metric, State};

/// Reads `<not counted>` or `<not supported>` at the beginning of a text, and returns the text after it.
pub(super) fn state(text: &str) -> Option<(State, &str)> {
    let known = [("<not counted>", State::NotCounted), ("<not supported>", State::NotSupported)];
    known.into_iter().find_map(|(words, state)| Some((state, text.strip_prefix(words)?)))
}

/// Reads a number and its unit: `7.234 M/sec`, `0.41% of all dTLB cache accesses`.
pub(super) fn metric(text: &str) -> Option<Metric> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-'));
    let (value, unit) = text.split_at(end?);
    let value = number(value, Style::Fraction)?;
    let unit = unit.split_whitespace().collect::<Vec<_>>().join(" ");
    (!unit.is_empty()).then_some(Metric { value, unit })
}

/// The longest line in bytes that perf can have written.
const MAX_LINE: usize = 4096;

/// Returns the lines of a text that are not blank, with their numbers. A line that is too long is cut, and
/// then cannot be read.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let line = line.trim();
        let beginning = || line.char_indices().nth(80).map_or(line.len(), |(at, _)| at);
        let end = if line.len() > MAX_LINE { beginning() } else { line.len() };
        (!line.is_empty()).then(|| (number, &line[..end]))
    })
}

/// Returns whether a word can be the name of an event.
pub(super) fn is_event(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '{');
    starts && word.chars().all(|c| c.is_ascii_graphic() && c != '<' && c != '>')
}

/// Returns the beginning of a line for a message.
pub(super) fn excerpt(line: &str) -> String {
    const MAX_CHARS: usize = 60;
    let clean = line.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = clean.clone().take(MAX_CHARS).collect();
    if clean.count() > MAX_CHARS {
        shown.push('…');
    }
    shown
}
