//! Errors. The command line, the browser and the tests see the same form: a code, a sentence, a place and a remedy.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of error that a caller distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ErrorCode {
    /// A machine or operating-system configuration is not valid.
    BadConfig,
    /// A trace of a known format cannot be read.
    BadTrace,
    /// The bytes are of no known format.
    UnknownFormat,
    /// The input is valid, but Pagewalk does not support it.
    Unsupported,
    /// The input holds perf stat counters, which are not accesses.
    Counters,
    /// The input is the memory map of a process, which says more about a trace and holds no accesses.
    MemoryMap,
    /// Something is larger than a stated limit or than the memory.
    TooLarge,
    /// The user asked to stop.
    Cancelled,
}

/// Where in the input an error is.
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

/// An error: its kind, its place in the input, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "CoreError"))]
pub struct Error {
    pub code: ErrorCode,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub at: Option<Place>,
    /// A setting with which the user can solve the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub remedy: Option<Remedy>,
}

/// A setting with which the user can solve a problem. The command line shows it as options, and the browser as
/// fields of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Remedy {
    pub set: RemedySetting,
    /// The values to choose from; empty for any value.
    pub to: Vec<String>,
    /// The condition under which the setting helps. The text continues "if": "the addresses are hexadecimal".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub when: Option<String>,
}

/// A setting that a remedy names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum RemedySetting {
    /// The format of a trace.
    Format,
    /// The access before which the import stops.
    Until,
}

impl Remedy {
    /// Makes the remedy to choose one of the formats `ids`, or any format if `ids` is empty.
    pub fn format(ids: &[&str]) -> Self {
        let to = ids.iter().map(|id| (*id).to_owned()).collect();
        Self { set: RemedySetting::Format, to, when: None }
    }

    /// Makes the remedy to stop before access `number`.
    pub fn until(number: u64) -> Self {
        Self { set: RemedySetting::Until, to: vec![number.to_string()], when: None }
    }

    /// Sets the condition under which the setting helps. The text continues "if".
    #[must_use]
    pub fn when(self, condition: &str) -> Self {
        Self { when: Some(condition.to_owned()), ..self }
    }

    /// Appends the remedy to a sentence, in the words of the command line.
    pub fn after(&self, sentence: &str) -> String {
        let to = |option: &str| -> Vec<String> {
            self.to.iter().map(|to| format!("{option} {to}")).collect()
        };
        let act = match self.set {
            RemedySetting::Format if self.to.is_empty() => "give it with --format".to_owned(),
            RemedySetting::Format => format!("import with {}", to("--format").join(" or ")),
            RemedySetting::Until => {
                let sentence = sentence.trim_end_matches('.');
                let options = to("--until").join(" or ");
                return format!("{sentence}. To import the accesses before it, add {options}");
            }
        };
        match &self.when {
            Some(when) => format!("{}. If {when}, {act}", sentence.trim_end_matches('.')),
            None => format!("{sentence}: {act}"),
        }
    }
}

impl Error {
    /// Makes an error without a place and a remedy. `message` says what is wrong and what to do.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), at: None, remedy: None }
    }

    /// Makes an error in the field `field` of a configuration.
    pub fn config(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadConfig, message).at(Place::Field(field.into()))
    }

    /// Makes an error in line `line` of a trace.
    pub fn trace_line(line: u64, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadTrace, message).at(Place::Line(line))
    }

    /// Sets the place of the error.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.at = Some(place);
        self
    }

    /// Sets the remedy of the error.
    #[must_use]
    pub fn remedy(self, remedy: Remedy) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    /// Returns the message with its remedy, in the words of the command line.
    pub fn sentence(&self) -> String {
        self.remedy
            .as_ref()
            .map_or_else(|| self.message.clone(), |remedy| remedy.after(&self.message))
    }

    /// Puts `prefix` before the path of the field. An outer part does so when it passes on the error of an inner
    /// part.
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
            Some(place) => write!(f, "{place}: {}", self.sentence()),
            None => f.write_str(&self.sentence()),
        }
    }
}

/// Adds the errors of a part to `found`, with `part` before the paths of their fields.
pub fn add_within(found: &mut Vec<Error>, part: &str, errors: Vec<Error>) {
    for error in errors {
        found.push(error.within(part));
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
