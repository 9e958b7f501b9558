//! What the parsers count beside accesses: lines, records and what they skip,
//! and the sentences that say so.

use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::thousands::grouped;

use super::report::Skipped;

/// Bytes without a single access that end an import: a packed file of a few MB
/// may hold gigabytes of blank lines.
const MAX_IDLE: u64 = 64 << 20;

/// Sentences beside those on what was skipped.
const MAX_NOTES: usize = 20;

/// Why a part of a file gave no access. Formats may have reasons of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// What was skipped, as the report lists it; no two reasons of a format share it.
    pub(super) name: &'static str,
    /// What a warning says of one such part and of several; `None` if they are normal.
    pub(super) warning: Option<[&'static str; 2]>,
}

impl Reason {
    pub(super) const BLANK: Self = Self::normal("blank lines");
    pub(super) const COMMENT: Self = Self::normal("comment lines");
    pub(super) const HEADER: Self = Self::normal("header line");
    pub(super) const VALGRIND: Self = Self::normal("valgrind messages");
    pub(super) const OTHER_TEXT: Self = Self {
        name: "other text",
        warning: Some([
            "line is neither an access nor valgrind's and was skipped",
            "lines are neither accesses nor valgrind's and were skipped",
        ]),
    };
    pub(super) const MALFORMED: Self = Self {
        name: "malformed lines",
        warning: Some(["malformed line was skipped", "malformed lines were skipped"]),
    };
    pub(super) const TOO_WIDE: Self = Self {
        name: "addresses over 64 bits",
        warning: Some([
            "line has an address over 64 bits and was skipped",
            "lines have an address over 64 bits and were skipped",
        ]),
    };

    /// A reason that needs no warning.
    pub(super) const fn normal(name: &'static str) -> Self {
        Self { name, warning: None }
    }
}

/// What was skipped for one reason.
#[derive(Clone, Debug)]
struct Skips {
    reason: Reason,
    count: u64,
    /// The first of them: its line or byte, and what it reads.
    first_at: Place,
    first_text: String,
}

/// Lines, records and skips of one trace.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Lines so far, the one being read included; 0 where there are none.
    pub(super) lines: u64,
    pub(super) records: u64,
    /// In the order in which the reasons came up.
    skips: Vec<Skips>,
    /// The number of the reason of the last skip.
    last: usize,
    /// Bytes skipped since the record `idle_since`.
    idle: u64,
    idle_since: u64,
    notes: Vec<String>,
}

impl Tally {
    /// Counts `line`, the one being read, as skipped.
    pub(super) fn skip(&mut self, reason: Reason, line: &[u8]) -> Result<()> {
        self.skip_at(reason, Place::Line(self.lines), line.len() as u64 + 1, || excerpt(line))
    }

    /// Counts a part of `bytes` bytes as skipped; `text` says what it reads.
    pub(super) fn skip_at(
        &mut self,
        reason: Reason,
        at: Place,
        bytes: u64,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.idle_since != self.records {
            self.idle_since = self.records;
            self.idle = 0;
        }
        self.idle = self.idle.saturating_add(bytes);
        if self.idle > MAX_IDLE {
            let message =
                "64 MiB of it without an access: this is no trace, or only its beginning is";
            return Err(Error::new(ErrorCode::BadTrace, message).at(at));
        }
        // Most often it is the reason of the skip before.
        let is_it = |skips: &Skips| {
            // The same text in the same place is not compared byte by byte.
            std::ptr::eq(skips.reason.name, reason.name) || skips.reason.name == reason.name
        };
        let known = match self.skips.get(self.last) {
            Some(skips) if is_it(skips) => Some(self.last),
            _ => self.skips.iter().position(is_it),
        };
        self.last = known.unwrap_or(self.skips.len());
        match self.skips.get_mut(self.last) {
            Some(skips) => skips.count += 1,
            None => {
                self.skips.push(Skips { reason, count: 1, first_at: at, first_text: text() });
            }
        }
        Ok(())
    }

    /// Adds a sentence to the report's warnings, which nobody reads twice or by the hundred.
    pub(super) fn note(&mut self, sentence: String) {
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&sentence) {
            self.notes.push(sentence);
        }
    }

    pub(super) fn skipped(&self) -> Vec<Skipped> {
        let skipped =
            |skips: &Skips| Skipped { reason: skips.reason.name.to_owned(), count: skips.count };
        self.skips.iter().map(skipped).collect()
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.notes.clone();
        for Skips { reason, count, first_at, first_text } in &self.skips {
            let Some([one, several]) = reason.warning else { continue };
            let (what, first) =
                if *count == 1 { (one, "it is") } else { (several, "the first is") };
            let count = grouped(*count);
            warnings.push(format!("{count} {what}; {first} {first_at}: `{first_text}`"));
        }
        warnings
    }

    /// The error of a file in which nothing is an access; `remedy` ends its sentence.
    pub(super) fn nothing_valid(&self, format: &str, remedy: &str) -> Error {
        let size = match self.lines {
            0 => String::new(),
            lines => format!(" of {}", counted(lines, "line", "lines")),
        };
        let message = format!("no access in this {format} trace{size}: {remedy}");
        match self.skips.iter().find(|skips| skips.reason.warning.is_some()) {
            Some(Skips { first_at: at, first_text, .. }) => {
                let this = if matches!(at, Place::Line(_)) { "this line reads" } else { "here is" };
                Error::new(ErrorCode::BadTrace, format!("{message}; {this} `{first_text}`"))
                    .at(at.clone())
            }
            None => Error::new(ErrorCode::BadTrace, message),
        }
    }
}

/// A number of things, such as `1 line` and `2,000 lines`.
pub(super) fn counted(n: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { several })
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
