//! What the parsers count beside accesses: lines, records and what they skip,
//! and the sentences that say so.

use crate::error::{Error, ErrorCode, Result};

use super::report::Skipped;

/// Text without a single access that ends an import: a packed file of a few MB
/// may hold gigabytes of blank lines.
const MAX_IDLE: u64 = 64 << 20;

/// Why a line gave no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Blank,
    Comment,
    Header,
    Valgrind,
    OtherText,
    Malformed,
    TooWide,
}

impl Reason {
    const ALL: [Self; 7] = [
        Self::Blank,
        Self::Comment,
        Self::Header,
        Self::Valgrind,
        Self::OtherText,
        Self::Malformed,
        Self::TooWide,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Blank => "blank lines",
            Self::Comment => "comment lines",
            Self::Header => "header line",
            Self::Valgrind => "valgrind messages",
            Self::OtherText => "other text",
            Self::Malformed => "malformed lines",
            Self::TooWide => "addresses over 64 bits",
        }
    }

    /// What a warning says of lines skipped for this reason; `None` if they are normal.
    fn warning(self, count: u64) -> Option<&'static str> {
        match (self, count) {
            (Self::Blank | Self::Comment | Self::Header | Self::Valgrind, _) => None,
            (Self::OtherText, 1) => {
                Some("line is neither an access nor valgrind's and was skipped")
            }
            (Self::OtherText, _) => {
                Some("lines are neither accesses nor valgrind's and were skipped")
            }
            (Self::Malformed, 1) => Some("malformed line was skipped"),
            (Self::Malformed, _) => Some("malformed lines were skipped"),
            (Self::TooWide, 1) => Some("line has an address over 64 bits and was skipped"),
            (Self::TooWide, _) => Some("lines have an address over 64 bits and were skipped"),
        }
    }
}

/// The skipped lines of one reason.
#[derive(Clone, Debug, Default)]
struct Skips {
    count: u64,
    first_line: u64,
    first_text: String,
}

/// Lines, records and skips of one text.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Lines so far, the one being read included.
    pub(super) lines: u64,
    pub(super) records: u64,
    skips: [Skips; Reason::ALL.len()],
    /// Bytes skipped since the record `idle_since`.
    idle: u64,
    idle_since: u64,
    notes: Vec<String>,
}

impl Tally {
    /// Counts `line`, the one being read, as skipped.
    pub(super) fn skip(&mut self, reason: Reason, line: &[u8]) -> Result<()> {
        let skips = &mut self.skips[reason as usize];
        if skips.count == 0 {
            skips.first_line = self.lines;
            skips.first_text = excerpt(line);
        }
        skips.count += 1;
        if self.idle_since != self.records {
            self.idle_since = self.records;
            self.idle = 0;
        }
        self.idle += line.len() as u64 + 1;
        if self.idle > MAX_IDLE {
            return Err(Error::trace_line(
                self.lines,
                "64 MiB of text without an access: this is no trace, or only its beginning is",
            ));
        }
        Ok(())
    }

    /// Adds a sentence to the report's warnings.
    pub(super) fn note(&mut self, sentence: String) {
        self.notes.push(sentence);
    }

    pub(super) fn skipped(&self) -> Vec<Skipped> {
        let counted = Reason::ALL.into_iter().zip(&self.skips).filter(|(_, skips)| skips.count > 0);
        counted
            .map(|(reason, skips)| Skipped { reason: reason.name().to_owned(), count: skips.count })
            .collect()
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.notes.clone();
        for (reason, skips) in Reason::ALL.into_iter().zip(&self.skips) {
            let Some(what) = reason.warning(skips.count).filter(|_| skips.count > 0) else {
                continue;
            };
            let Skips { count, first_line, first_text } = skips;
            let first = if *count == 1 { "it is" } else { "the first is" };
            warnings.push(format!("{count} {what}; {first} line {first_line}: `{first_text}`"));
        }
        warnings
    }

    /// The error of a text in which no line is an access; `remedy` ends its sentence.
    pub(super) fn nothing_valid(&self, format: &str, remedy: &str) -> Error {
        let lines = if self.lines == 1 { "line" } else { "lines" };
        let message =
            format!("no access in this {format} trace of {} {lines}: {remedy}", self.lines);
        let bad = [Reason::Malformed, Reason::TooWide, Reason::OtherText];
        let first = bad.iter().map(|reason| &self.skips[*reason as usize]).find(|s| s.count > 0);
        match first {
            Some(skips) => Error::trace_line(
                skips.first_line,
                format!("{message}; this line reads `{}`", skips.first_text),
            ),
            None => Error::new(ErrorCode::BadTrace, message),
        }
    }
}

/// The beginning of a line as it may be shown: control characters replaced, short.
pub(super) fn excerpt(line: &[u8]) -> String {
    const MAX_CHARS: usize = 40;
    // A character is at most 4 bytes, so this cut leaves enough of them.
    let head = &line[..line.len().min(4 * MAX_CHARS + 4)];
    let text = String::from_utf8_lossy(head);
    let clean = text.trim().chars().map(|c| if c.is_control() { '·' } else { c });
    let mut shown: String = clean.clone().take(MAX_CHARS).collect();
    if clean.count() > MAX_CHARS {
        shown.push('…');
    }
    shown
}
