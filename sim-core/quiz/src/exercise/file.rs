//! The contents of an exercise file, and the checks that need neither its machine nor its trace.

use pagewalk::machine::operations::cores::Cores;
use pagewalk_base::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::setup::TraceOf;
use crate::ask::Ask;
use crate::question::check_choices;

/// The most questions that a student gets.
pub const MAX_QUESTIONS: u32 = 100;

/// The contents of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The word `exercise`.
    #[serde(rename = "pagewalk")]
    _pagewalk: String,
    #[serde(rename = "version")]
    _version: u32,
    pub(super) title: String,
    /// The id of a CPU model.
    pub(super) cpu: String,
    /// A JSON merge patch to the machine of the model.
    #[serde(default)]
    pub(super) machine: Value,
    /// The mapping: what `--pages` takes, or an object. Missing = the mapping of the model.
    pub(super) os: Option<Value>,
    #[serde(default)]
    pub(super) cores: Cores,
    pub(super) trace: TraceOf,
    pub(super) questions: Vec<Question>,
    /// Whether the site shows hints. Missing = it does.
    pub(super) hints: Option<bool>,
    /// The number of answers that a student may give to a question. Missing = any number.
    pub(super) attempts: Option<u32>,
    /// The number of choices of a question. Missing = numbers are typed.
    pub(super) choices: Option<u32>,
    /// The panels that the site does not show.
    #[serde(default)]
    pub(super) locked: Vec<Panel>,
}

/// A question of the file: at one access, or at `n` accesses of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    any(test, feature = "ts"),
    derive(ts_rs::TS),
    ts(export, rename = "ExerciseQuestion", optional_fields)
)]
pub struct Question {
    pub ask: Ask,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub among: Option<Among>,
    /// The number of accesses; missing = 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
}

/// The accesses that a question is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Among {
    Accesses,
    Walks,
    Hits,
    /// Page faults, whether the operating system serves them or not, and other exceptions.
    Faults,
}

/// A panel of the site that an exercise can hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Panel {
    Address,
    Walk,
    Tlb,
    Totals,
    Timeline,
}

impl File {
    pub(super) fn check(&self) -> Result<()> {
        if let Some(n) = self.choices {
            check_choices(n)?;
        }
        if self.attempts == Some(0) {
            return Err(Error::config("attempts", "0 attempts: must be at least 1"));
        }
        for (at, question) in self.questions.iter().enumerate() {
            question.check().map_err(|error| error.within(&format!("questions[{at}]")))?;
        }
        let n_asked = self.n_asked();
        if !(1..=MAX_QUESTIONS).contains(&n_asked) {
            let message =
                format!("{n_asked} questions for a student: must be 1 to {MAX_QUESTIONS}");
            return Err(Error::config("questions", message));
        }
        Ok(())
    }

    /// Returns the number of questions that a student gets.
    pub(super) fn n_asked(&self) -> u32 {
        self.questions.iter().fold(0, |sum, question| sum.saturating_add(question.n.unwrap_or(1)))
    }
}

impl Question {
    fn check(&self) -> Result<()> {
        match (self.at, self.among, self.n) {
            (Some(_), None, Some(_)) => {
                Err(Error::config("n", "a question at one access has no number: remove n"))
            }
            (None, Some(_), Some(0)) => Err(Error::config("n", "0 accesses: must be at least 1")),
            (Some(_), None, None) | (None, Some(_), _) => Ok(()),
            (..) => Err(Error::config(
                "",
                "give either `at`, the number of an access, or `among`: accesses, walks, hits or faults",
            )),
        }
    }
}
