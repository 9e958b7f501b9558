//! Arguments of `exercise`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use pagewalk_quiz::exercise::Keep;

use super::examples;
use crate::sheet::ResultArgs;

#[derive(Args)]
#[command(arg_required_else_help = false)]
pub(crate) struct ExerciseArgs {
    #[command(subcommand)]
    pub(crate) act: ExerciseAct,
}

#[derive(Subcommand)]
pub(crate) enum ExerciseAct {
    /// Check an exercise, and show the questions of students with their answers
    #[command(after_help = examples::EXERCISE_MAKE)]
    Make(MakeArgs),
    /// Grade lines of answers, and count the mistakes of each question
    #[command(after_help = examples::EXERCISE_GRADE)]
    Grade(GradeArgs),
}

#[derive(Args)]
pub(crate) struct MakeArgs {
    /// The exercise: a JSON file, or a link to it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A student whose questions are shown: the name chooses the accesses. May be repeated
    #[arg(long = "for", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// A file with the name of a student on each line; - is standard input
    #[arg(long = "names", value_name = "FILE")]
    pub(crate) names_file: Option<PathBuf>,
    /// Print the part of the link after # that opens the exercise on the site
    #[arg(long, conflicts_with_all = ["names", "names_file", "json", "csv"])]
    pub(crate) link: bool,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct GradeArgs {
    /// The exercise: a JSON file, or a link to it
    #[arg(value_name = "EXERCISE")]
    pub(crate) file: PathBuf,
    /// Files with one answer line of a student on each line, such as a table of a learning platform; - is standard
    /// input
    #[arg(value_name = "ANSWERS", required = true)]
    pub(crate) answers: Vec<PathBuf>,
    /// The lines that count if a student has several
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) keep: KeepBy,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum KeepBy {
    All,
    /// The line with the most right answers
    Best,
    Last,
}

impl From<KeepBy> for Keep {
    fn from(by: KeepBy) -> Self {
        match by {
            KeepBy::All => Self::All,
            KeepBy::Best => Self::Best,
            KeepBy::Last => Self::Last,
        }
    }
}
