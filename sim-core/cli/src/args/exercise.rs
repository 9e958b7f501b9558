//! Arguments of `exercise`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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
    /// Check an exercise, and show the questions of a student with their answers
    #[command(after_help = examples::EXERCISE_MAKE)]
    Make(MakeArgs),
    /// Grade lines of answers, and count the mistakes of each question
    #[command(after_help = examples::EXERCISE_GRADE)]
    Grade(GradeArgs),
}

#[derive(Args)]
pub(crate) struct MakeArgs {
    /// The exercise (JSON)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The student whose questions are shown: the name chooses the accesses
    #[arg(long = "for", value_name = "NAME", default_value = "")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct GradeArgs {
    /// The exercise (JSON)
    #[arg(value_name = "EXERCISE")]
    pub(crate) file: PathBuf,
    /// Files with one answer line of a student on each line, such as a table of a learning platform; - is standard
    /// input
    #[arg(value_name = "ANSWERS", required = true)]
    pub(crate) answers: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}
