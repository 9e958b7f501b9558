//! What lines of every form have in common.

use super::number::{Style, number};
use super::{Metric, State};

/// `<not counted>` and `<not supported>`, at the beginning of a text, and what is behind it.
pub(super) fn state(text: &str) -> Option<(State, &str)> {
    let known = [("<not counted>", State::NotCounted), ("<not supported>", State::NotSupported)];
    known.into_iter().find_map(|(words, state)| Some((state, text.strip_prefix(words)?)))
}

/// A number and what it is of: `7.234 M/sec`, `0.41% of all dTLB cache accesses`.
pub(super) fn metric(text: &str) -> Option<Metric> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-'));
    let (value, unit) = text.split_at(end?);
    let value = number(value, Style::Fraction)?;
    let unit = unit.split_whitespace().collect::<Vec<_>>().join(" ");
    (!unit.is_empty()).then_some(Metric { value, unit })
}

/// Longest line in bytes that perf may have written.
const MAX_LINE: usize = 4096;

/// The lines of a text that are not blank, with their numbers; of one that is too long its beginning,
/// which nothing can be made of.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let line = line.trim();
        let beginning = || line.char_indices().nth(80).map_or(line.len(), |(at, _)| at);
        let end = if line.len() > MAX_LINE { beginning() } else { line.len() };
        (!line.is_empty()).then(|| (number, &line[..end]))
    })
}

/// Whether a word may be the name of an event.
pub(super) fn is_event(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '{');
    starts && word.chars().all(|c| c.is_ascii_graphic() && c != '<' && c != '>')
}

/// The beginning of a line, as it may be shown.
pub(super) fn excerpt(line: &str) -> String {
    const MAX_CHARS: usize = 60;
    let clean = line.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = clean.clone().take(MAX_CHARS).collect();
    if clean.count() > MAX_CHARS {
        shown.push('…');
    }
    shown
}
