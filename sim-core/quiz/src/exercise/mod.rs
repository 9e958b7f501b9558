//! Exercises: questions about a trace on a machine, as a file. Each student gets accesses of their own.
//!
//! ```text
//! file ─▶ Exercise ─▶ Replay ─▶ questions of a student ─▶ an answer line ─▶ verdicts
//! ```

mod base64url;
mod choose;
mod grading;
mod line;
mod setup;

use pagewalk::config::parse_json;
use pagewalk::machine::operations::cores::Cores;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::hash::hash;
use pagewalk_base::json::read_tree;
use serde::Deserialize;
use serde_json::Value;

use crate::ask::Ask;
use crate::question::check_choices;
pub use choose::Asked;
pub use grading::{GradedAnswer, Grading, QuestionCounts, Report, Student, UnreadLine};
pub use line::{Answers, Given, Labelled, read_line, write_line};
use setup::TraceOf;

/// The version of the file that this program reads.
const VERSION: u32 = 1;
/// The most questions that a student gets.
const MAX_QUESTIONS: u32 = 100;

/// An exercise.
#[derive(Clone, Debug)]
pub struct Exercise {
    file: File,
    /// The file as JSON with sorted keys and without spaces.
    canonical: String,
}

/// The contents of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The word `exercise`.
    #[serde(rename = "pagewalk")]
    _pagewalk: String,
    #[serde(rename = "version")]
    _version: u32,
    title: String,
    /// The id of a CPU model.
    cpu: String,
    /// A JSON merge patch to the machine of the model.
    #[serde(default)]
    machine: Value,
    /// The mapping: what `--pages` takes, or an object. Missing = the mapping of the model.
    os: Option<Value>,
    #[serde(default)]
    cores: Cores,
    trace: TraceOf,
    questions: Vec<Question>,
    /// Whether the site shows hints.
    #[serde(rename = "hints")]
    _hints: Option<bool>,
    /// The number of answers that a student may give to a question.
    attempts: Option<u32>,
    /// The number of choices of a question. Missing = numbers are typed.
    choices: Option<u32>,
    /// The panels that the site does not show.
    #[serde(rename = "locked")]
    _locked: Option<Vec<String>>,
}

/// A question of the file: at one access, or at `n` accesses of a kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    ask: Ask,
    at: Option<u32>,
    among: Option<Among>,
    n: Option<u32>,
}

/// The accesses that a question is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Among {
    Accesses,
    Walks,
    Hits,
    /// Page faults, whether the operating system serves them or not, and other exceptions.
    Faults,
}

impl Exercise {
    /// Reads an exercise, and checks everything that does not need its trace.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong, or `unsupported` for a newer version.
    pub fn parse(json: &str) -> Result<Self> {
        let tree: Value = parse_json(json)?;
        let word = tree.get("pagewalk").and_then(Value::as_str);
        if word != Some("exercise") {
            let message = "this is no exercise: its field `pagewalk` must be \"exercise\"";
            return Err(Error::config("pagewalk", message));
        }
        if let Some(version) = tree.get("version").and_then(Value::as_u64)
            && version != u64::from(VERSION)
        {
            let message = format!(
                "version {version} of exercises: this program reads version {VERSION}, a newer one may read it"
            );
            return Err(
                Error::new(ErrorCode::Unsupported, message).at(Place::Field("version".into()))
            );
        }
        let file: File = read_tree(&tree)?;
        let exercise = Self { file, canonical: tree.to_string() };
        exercise.check()?;
        Ok(exercise)
    }

    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// Returns the first 12 hexadecimal digits of the SHA-256 of the exercise. Spaces and the order of fields do not
    /// change it.
    pub fn digest(&self) -> String {
        hash(&self.canonical).chars().take(12).collect()
    }

    /// Returns the number of questions in the file.
    pub fn n_questions(&self) -> usize {
        self.file.questions.len()
    }

    fn check(&self) -> Result<()> {
        let File { attempts, choices, questions, .. } = &self.file;
        if let Some(n) = choices {
            check_choices(*n)?;
        }
        if *attempts == Some(0) {
            return Err(Error::config("attempts", "0 attempts: must be at least 1"));
        }
        let mut n_asked = 0_u32;
        for (at, question) in questions.iter().enumerate() {
            let n = question.check().map_err(|error| error.within(&format!("questions[{at}]")))?;
            n_asked = n_asked.saturating_add(n);
        }
        if !(1..=MAX_QUESTIONS).contains(&n_asked) {
            let message =
                format!("{n_asked} questions for a student: must be 1 to {MAX_QUESTIONS}");
            return Err(Error::config("questions", message));
        }
        Ok(())
    }
}

impl Question {
    /// Returns the number of accesses that the question is asked at.
    fn check(&self) -> Result<u32> {
        match (self.at, self.among, self.n) {
            (Some(_), None, None) => Ok(1),
            (Some(_), None, Some(_)) => {
                Err(Error::config("n", "a question at one access has no number: remove n"))
            }
            (None, Some(_), Some(0)) => Err(Error::config("n", "0 accesses: must be at least 1")),
            (None, Some(_), n) => Ok(n.unwrap_or(1)),
            (..) => Err(Error::config(
                "",
                "give either `at`, the number of an access, or `among`: accesses, walks, hits or faults",
            )),
        }
    }
}
