//! What the site needs of an exercise to show it: its machine, its trace and its rules.

use pagewalk::config::MachineConfig;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;
use pagewalk_base::error::Result;
use serde::Serialize;

use super::Exercise;
use super::file::{Panel, Question};
use super::setup::TraceOf;

/// An exercise that was read and checked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ExerciseView {
    /// The first 12 hexadecimal digits of the SHA-256 of the exercise.
    pub digest: String,
    pub title: String,
    /// The id of the CPU model.
    pub cpu: String,
    /// The machine of the model with the changes of the exercise.
    pub machine: MachineConfig,
    pub os: OsConfig,
    /// What has a core of its own. Missing = all accesses run on one core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<Cores>,
    pub trace: TraceOf,
    pub questions: Vec<Question>,
    /// The number of questions that a student gets.
    pub asked: u32,
    /// Whether hints are shown.
    pub hints: bool,
    /// The number of answers that a student may give to a question. Missing = any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// The number of choices of a question. Missing = numbers are typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<u32>,
    /// The panels that are hidden.
    pub locked: Vec<Panel>,
}

impl Exercise {
    /// Returns what the site shows.
    ///
    /// # Errors
    /// `bad-config` at the field of the machine or of the mapping that is wrong.
    pub fn view(&self) -> Result<ExerciseView> {
        let (machine, os) = self.setup()?;
        let file = self.file.clone();
        Ok(ExerciseView {
            digest: self.digest(),
            title: file.title,
            cpu: file.cpu,
            machine,
            os,
            cores: Some(file.cores).filter(|cores| *cores != Cores::One),
            trace: file.trace,
            asked: self.file.n_asked(),
            questions: file.questions,
            hints: file.hints.unwrap_or(true),
            attempts: file.attempts,
            choices: file.choices,
            locked: file.locked,
        })
    }
}
