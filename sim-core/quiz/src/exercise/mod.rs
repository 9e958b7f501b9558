//! Exercises: questions about a trace on a machine, as a file. Each student gets accesses of their own.
//!
//! ```text
//! file ─▶ Exercise ─▶ Replay ─▶ questions of a student ─▶ an answer line ─▶ verdicts
//! ```

mod packed;
mod setup;
mod file;
mod view;
mod link;
mod name;
mod choose;
mod line;
mod wrapped;
mod grading;

use pagewalk::config::parse_json;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::hash::hash;
use pagewalk_base::json::read_tree;
use serde_json::Value;

pub use choose::{Asked, Asker, Solved};
use file::File;
pub use file::{Among, MAX_QUESTIONS, Panel, Question};
pub use grading::{GradedAnswer, Grading, Keep, QuestionCounts, Report, Student, UnreadLine};
pub use line::{Answers, GivenAnswer, Labelled, read_line, write_line};
pub use link::{MAX_LINK, MAX_TEXT, read_link};
pub use name::one_spelling;
pub use setup::{MAX_ACCESSES, TraceOf, WorkloadOf};
pub use view::ExerciseView;

/// The version of the file that this program reads.
const VERSION: u32 = 1;

/// An exercise.
#[derive(Clone, Debug)]
pub struct Exercise {
    file: File,
    /// The file as JSON with sorted keys and without spaces.
    canonical: String,
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
        file.check()?;
        Ok(Self { file, canonical: tree.to_string() })
    }

    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// Returns the first 12 hexadecimal digits of the SHA-256 of the exercise. Spaces and the order of fields do not
    /// change it.
    pub fn digest(&self) -> String {
        hash(&self.canonical).chars().take(12).collect()
    }
}
