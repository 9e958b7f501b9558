//! What can go wrong, in the one shape that the command line, the browser and
//! the tests see: a code, a sentence with a remedy, and a place.

use std::fmt;

use serde::Serialize;

/// The kinds of failure that a caller tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ErrorCode {
    /// A machine or operating-system description is not valid.
    BadConfig,
    /// A trace cannot be read, though its format is known.
    BadTrace,
    /// The bytes are of no known format.
    UnknownFormat,
    /// Valid, but not something this program does.
    Unsupported,
    /// Counters of perf stat: they hold no accesses.
    Counters,
    /// Larger than a stated limit or the memory.
    TooLarge,
    /// The user asked to stop.
    Cancelled,
}

/// Where in the input the trouble is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Place {
    /// A line of a text, from 1.
    Line(u64),
    /// An offset in bytes, from 0.
    Byte(u64),
    /// A field of a JSON document, such as `l1[0].ways`.
    Field(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Field(field) => f.write_str(field),
        }
    }
}

/// A failure: what it is, what to do about it, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "CoreError"))]
pub struct Error {
    pub code: ErrorCode,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub at: Option<Place>,
}

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), at: None }
    }

    /// An error in the field `field` of a configuration.
    pub fn config(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadConfig, message).at(Place::Field(field.into()))
    }

    /// An error in line `line` of a trace.
    pub fn trace_line(line: u64, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadTrace, message).at(Place::Line(line))
    }

    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.at = Some(place);
        self
    }

    /// Puts `prefix` before the field that an inner part reported.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        self.at = match self.at {
            Some(Place::Field(field)) if field.is_empty() => Some(Place::Field(prefix.to_owned())),
            Some(Place::Field(field)) => Some(Place::Field(format!("{prefix}.{field}"))),
            None => Some(Place::Field(prefix.to_owned())),
            other => other,
        };
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Adds the errors of a part to those of the whole.
pub fn add_within(found: &mut Vec<Error>, part: &str, errors: Vec<Error>) {
    for error in errors {
        found.push(error.within(part));
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
