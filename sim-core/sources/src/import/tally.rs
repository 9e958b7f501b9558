//! Counts lines, records and skipped parts, and words the warnings about them.

use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::thousands::grouped;

use super::report::{Skipped, Warning, counted};

/// The number of bytes without a single access that ends an import: a small compressed file can hold
/// gigabytes of blank lines.
const MAX_IDLE: u64 = 64 << 20;

/// The largest number of remarks, in addition to those about skipped parts.
const MAX_NOTES: usize = 20;

/// The reason why a part of a file gave no access. Formats can have reasons of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// What was skipped, as the report lists it. The reasons of a format have different names.
    pub(super) name: &'static str,
    /// The warning about one such part and about several; `None` if they are normal.
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
            "line is neither an access nor a message of valgrind and was skipped",
            "lines are neither accesses nor messages of valgrind and were skipped",
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

    /// Makes a reason that needs no warning.
    pub(super) const fn normal(name: &'static str) -> Self {
        Self { name, warning: None }
    }
}

/// The parts that were skipped for one reason.
#[derive(Clone, Debug)]
struct Skips {
    reason: Reason,
    count: u64,
    /// The line or byte of the first skipped part, and its text.
    first_at: Place,
    first_text: String,
}

/// Counts the lines, records and skipped parts of one trace.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The number of lines until now, including the current one; 0 for formats without lines.
    pub(super) lines: u64,
    pub(super) records: u64,
    /// The skipped parts of each reason, in the order in which the reasons occurred.
    skips: Vec<Skips>,
    /// The index of the reason of the last skip.
    last: usize,
    /// The number of bytes that were skipped since the record `idle_since`.
    idle: u64,
    idle_since: u64,
    notes: Vec<Warning>,
}

impl Tally {
    /// Counts the current line, `line`, as skipped.
    pub(super) fn skip(&mut self, reason: Reason, line: &[u8]) -> Result<()> {
        self.skip_at(reason, Place::Line(self.lines), line.len() as u64 + 1, || excerpt(line))
    }

    /// Counts a part of `bytes` bytes as skipped. `text` returns its contents.
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
                "there was no access in 64 MiB: this is not a trace, or only its beginning is";
            return Err(Error::new(ErrorCode::BadTrace, message).at(at));
        }
        // The reason is usually that of the previous skip.
        let is_it = |skips: &Skips| {
            // If both names are the same static string, there is no need to compare the bytes.
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

    /// Adds a remark to the report's warnings, unless it is already there or there are too many.
    pub(super) fn note(&mut self, warning: impl Into<Warning>) {
        let sentence = warning.into();
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&sentence) {
            self.notes.push(sentence);
        }
    }

    pub(super) fn skipped(&self) -> Vec<Skipped> {
        let skipped =
            |skips: &Skips| Skipped { reason: skips.reason.name.to_owned(), count: skips.count };
        self.skips.iter().map(skipped).collect()
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.notes.clone();
        for Skips { reason, count, first_at, first_text } in &self.skips {
            let Some([one, several]) = reason.warning else { continue };
            let (what, first) =
                if *count == 1 { (one, "it is") } else { (several, "the first is") };
            let count = grouped(*count);
            warnings.push(format!("{count} {what}; {first} {first_at}: `{first_text}`").into());
        }
        warnings
    }

    /// Makes the error of a file without a single access. `remedy` ends its sentence.
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

/// Returns the beginning of a line for a message: shortened, with control characters replaced.
pub(super) fn excerpt(line: &[u8]) -> String {
    const MAX_CHARS: usize = 40;
    // A character has at most 4 bytes, so this cut leaves enough of them.
    let head = &line[..line.len().min(4 * MAX_CHARS + 4)];
    let text = String::from_utf8_lossy(head);
    let clean = text.trim().chars().map(|c| if c.is_control() { '·' } else { c });
    let mut shown: String = clean.clone().take(MAX_CHARS).collect();
    if clean.count() > MAX_CHARS {
        shown.push('…');
    }
    shown
}
