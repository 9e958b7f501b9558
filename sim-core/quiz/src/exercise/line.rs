//! Answer lines: what a student hands in, as one line of text.
//!
//! ```text
//! Ada Lovelace; PW1.q1ZKy8xLV7JSUk… .1f2e3d4c; 2026-11-26
//! └─ label ───┘     └ Base64 ─────┘  └ checksum
//! ```
//!
//! The Base64 text is the deflated JSON of [`Answers`]. The checksum is the start of the SHA-256 of that text.

use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::hash::hash;
use serde::{Deserialize, Serialize};

use super::Exercise;
use super::name::one_spelling;
use super::packed::{Unpackable, is_letter, pack, unpack};

pub(super) const MARK: &str = "PW1.";
/// The digits of the checksum.
pub(super) const CHECKSUM: usize = 8;
/// The longest Base64 text, and the longest JSON, in bytes.
pub(super) const MAX_BYTES: usize = 64 << 10;

/// The answers of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// The digest of the exercise: 12 hexadecimal digits.
    pub exercise: String,
    pub name: String,
    /// The version of the program that made the line.
    pub program: String,
    /// The last answer to each question, in the order of the student's questions.
    pub answers: Vec<GivenAnswer>,
}

/// The answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct GivenAnswer {
    pub given: String,
    /// The number of answers until this one.
    #[serde(default)]
    pub tries: u32,
    /// The seconds until the answer.
    #[serde(default)]
    pub seconds: u32,
    /// Whether the student was sure. Missing if the student did not say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sure: Option<bool>,
}

/// Answers, and the text around them in their line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    pub label: String,
    pub answers: Answers,
}

impl Exercise {
    /// Returns the line that a student hands in.
    ///
    /// # Errors
    /// `bad-config` if there is not one answer to each question; `too-large` if the line would be too long to read.
    pub fn line(&self, name: &str, answers: &[GivenAnswer]) -> Result<String> {
        self.check_count(answers)?;
        write_line(&Answers {
            exercise: self.digest(),
            name: one_spelling(name),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            answers: answers.to_vec(),
        })
    }

    pub(super) fn check_count(&self, answers: &[GivenAnswer]) -> Result<()> {
        let (n, of) = (answers.len(), self.file.n_asked());
        if u32::try_from(n) == Ok(of) {
            return Ok(());
        }
        Err(Error::config("answers", format!("there are {n} answers to {of} questions")))
    }
}

/// Writes answers as a line, without a line break.
///
/// # Errors
/// `too-large` if [`read_line`] would not read the line.
pub fn write_line(answers: &Answers) -> Result<String> {
    let json = serde_json::to_vec(answers).expect("answers are JSON");
    let text = pack(&json);
    if json.len().max(text.len()) > MAX_BYTES {
        let message = format!(
            "the answers have {} bytes, and a line holds {MAX_BYTES}: shorten the longest answer",
            json.len()
        );
        return Err(Error::new(ErrorCode::TooLarge, message));
    }
    Ok(format!("{MARK}{text}.{}", checksum(&text)))
}

fn checksum(text: &str) -> String {
    hash(text).chars().take(CHECKSUM).collect()
}

/// Reads a line with answers. The label is the text around them. Other text may have the mark of answers, too: the first
/// mark with whole answers counts.
///
/// # Errors
/// `unknown-format` if the line has no answers, `too-large`, or `bad-trace` if the line is cut or damaged. If the line
/// has several marks, the error is that of the first.
pub fn read_line(line: &str) -> Result<Labelled> {
    let mut problem = None;
    for (at, mark) in line.match_indices(MARK) {
        match read_at(&line[..at], &line[at + mark.len()..]) {
            Ok(read) => return Ok(read),
            Err(error) => problem = problem.or(Some(error)),
        }
    }
    let message = "this line has no answers: they begin with PW1.";
    Err(problem.unwrap_or_else(|| Error::new(ErrorCode::UnknownFormat, message)))
}

/// Reads the answers in the texts before and after a mark.
fn read_at(before: &str, rest: &str) -> Result<Labelled> {
    let end = rest.bytes().position(|letter| !is_letter(letter)).unwrap_or(rest.len());
    let (text, rest) = rest.split_at(end);
    if text.len() > MAX_BYTES {
        return Err(too_long());
    }
    let sum = rest.strip_prefix('.').unwrap_or_default();
    let n_digits = sum.bytes().take(CHECKSUM).take_while(u8::is_ascii_hexdigit).count();
    if n_digits < CHECKSUM {
        return Err(damaged("the line is cut: its end with the checksum is missing"));
    }
    let (sum, after) = sum.split_at(CHECKSUM);
    if !sum.eq_ignore_ascii_case(&checksum(text)) {
        return Err(damaged("the line is damaged: its checksum does not fit"));
    }
    Ok(Labelled { label: label(before, after), answers: decode(text)? })
}

fn damaged(message: &str) -> Error {
    Error::new(ErrorCode::BadTrace, format!("{message}; ask the student for the whole line"))
}

fn too_long() -> Error {
    Error::new(ErrorCode::TooLarge, "the answers of this line are too long")
}

/// Joins the texts around the answers, without the separators of a table.
fn label(before: &str, after: &str) -> String {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '|');
    let parts = [before, after].map(|part| part.trim_matches(is_separator));
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn decode(text: &str) -> Result<Answers> {
    let json = unpack(text, MAX_BYTES).map_err(|why| match why {
        Unpackable::Damaged => damaged("the line cannot be unpacked"),
        Unpackable::TooLong => too_long(),
    })?;
    serde_json::from_slice(&json)
        .map_err(|error| damaged(&format!("the line has no answers of Pagewalk ({error})")))
}
