//! `pagewalk exercise`: checks an exercise, shows the questions of students, and grades lines of answers.

mod grade;
mod make;

use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use pagewalk_base::error::Result;
use pagewalk_quiz::Ask;
use pagewalk_quiz::exercise::{Exercise, read_link};

use crate::args::{ExerciseAct, ExerciseArgs};
use crate::input::{io_error, open};
use crate::output;
use crate::setup::read_text;

/// The largest file of answers or names, in bytes.
const MAX_BYTES: u64 = 64 << 20;

pub(crate) fn exercise(args: &ExerciseArgs) -> anyhow::Result<()> {
    match &args.act {
        ExerciseAct::Make(args) => make::make(args),
        ExerciseAct::Grade(args) => grade::grade(args),
    }
}

/// An exercise, and the name of its source for errors.
struct Source {
    exercise: Exercise,
    name: String,
}

impl Source {
    /// Reads an exercise from a file, or from a link that stands in its place.
    fn read(file: &Path) -> anyhow::Result<Self> {
        let link = file.to_str().map_or(Ok(None), read_link);
        let (name, text) = match link.context("the link")? {
            Some(text) => ("the link".to_owned(), text),
            None => (file.display().to_string(), read_text(file)?),
        };
        let exercise = Exercise::parse(&text).with_context(|| name.clone())?;
        Ok(Self { exercise, name })
    }

    /// Names the source in an error of its exercise.
    fn named<T>(&self, result: Result<T>) -> anyhow::Result<T> {
        result.with_context(|| self.name.clone())
    }
}

/// Reads a file, or standard input for `-`.
fn read_bytes(file: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == "-" {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(|error| io_error(file, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{}: the file is larger than {} MB", file.display(), MAX_BYTES >> 20);
    }
    Ok(bytes)
}

/// Says what a question asks for.
fn words(ask: &Ask) -> String {
    let words = match ask {
        Ask::Outcome => "hit, miss or fault".to_owned(),
        Ask::Set { of } => format!("set of {of}"),
        Ask::Way { of } => format!("way of {of}"),
        Ask::Victim { of } => format!("victim of {of}"),
        Ask::Field { of } => of.clone(),
        Ask::References => "references of the walk".to_owned(),
        Ask::EntryAddress { level } => format!("address of the entry of level {level}"),
        Ask::PageSize => "page size".to_owned(),
        Ask::FaultCode => "error code of the page fault".to_owned(),
        Ask::Physical => "physical address".to_owned(),
        Ask::Cycles => "cycles".to_owned(),
        Ask::Number { of } => match of.split_once(':') {
            Some((of, array)) => format!("{of} of {array} until here"),
            None => format!("{of} until here"),
        },
    };
    output::one_line(&words)
}
