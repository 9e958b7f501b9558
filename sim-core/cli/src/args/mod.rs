//! The arguments, by families of commands, and usage errors on one line.

mod accesses;
mod analysis;
mod catalog;
mod cc;
mod examples;
mod exercise;
mod files;
mod machine;
mod measure;
mod open;
mod record;
mod shell;
mod simulation;
mod stat;
mod sweep;
mod value;

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::output::one_line;
pub(crate) use accesses::{AccessArgs, FormatArgs, SourceArgs};
pub(crate) use analysis::{CurveArgs, HugeArgs, PhasesArgs, SizePages, UsesArgs};
pub(crate) use catalog::{CpusArgs, ExperimentArgs, GenArgs, GenFormat, VerifyArgs};
pub(crate) use cc::CcArgs;
pub(crate) use exercise::{ExerciseAct, ExerciseArgs, GradeArgs, MakeArgs};
pub(crate) use files::{ConvertArgs, ConvertFormat, ImportArgs, SamplesArgs};
pub(crate) use machine::{CoresBy, MachineArgs, VirtArgs};
pub(crate) use measure::MeasureArgs;
pub(crate) use open::OpenArgs;
pub(crate) use record::{RecordArgs, RecordWith};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use simulation::{BreakdownBy, CountBy, ExplainArgs, FoldedCount, RunArgs, RunPages};
pub(crate) use stat::{StatArgs, Vendor};
pub(crate) use sweep::{Shard, SweepArgs};

/// Simulate TLBs and page walks.
#[derive(Parser)]
#[command(name = "pagewalk", version = crate::about::version(), arg_required_else_help = false)]
pub(crate) struct Cli {
    /// Print the licences of the libraries in this program
    #[arg(long = "licenses")]
    _licenses: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a trace on a machine and count hits, misses, walks and cycles
    #[command(after_help = examples::RUN)]
    Run(RunArgs),
    /// Show the references of one cold page walk
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Count the misses of LRU arrays of every size in one pass
    #[command(after_help = examples::CURVE)]
    Curve(CurveArgs),
    /// Show the working set over time, and where the program's phases begin
    #[command(after_help = examples::PHASES)]
    Phases(PhasesArgs),
    /// Find the memory where huge pages save the most walk cycles
    #[command(after_help = examples::HUGE)]
    Huge(HugeArgs),
    /// Run a program, and record its memory accesses
    #[command(after_help = examples::RECORD)]
    Record(RecordArgs),
    /// Compile C with gcc or clang, so that record sees each access of the program
    #[command(after_help = examples::CC)]
    Cc(CcArgs),
    /// Compile C++ in the same way
    #[command(name = "c++", after_help = examples::CXX)]
    Cxx(CcArgs),
    /// Open a trace in the browser: serves the site and the trace to this user alone, until Ctrl-C
    #[command(after_help = examples::OPEN)]
    Open(OpenArgs),
    /// Show what a trace file is, what it contains, and what it does not record
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),
    /// Summarise the samples of a recording: measured TLB levels, footprint, huge pages
    #[command(after_help = examples::SAMPLES)]
    Samples(SamplesArgs),
    /// Convert a trace of any format to lackey, CSV, din or Pagewalk's own format
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Show what perf stat counted, next to a simulation
    #[command(after_help = examples::STAT)]
    Stat(StatArgs),
    /// Measure the TLBs of this computer, and find the CPU model that fits
    #[command(after_help = examples::MEASURE)]
    Measure(MeasureArgs),
    /// Run every combination of some configuration values, and write a row for each
    #[command(after_help = examples::SWEEP)]
    Sweep(SweepArgs),
    /// Write a generated trace, or list the workloads
    #[command(after_help = examples::GEN)]
    Gen(GenArgs),
    /// Simulate a published experiment, or list the experiments
    #[command(after_help = examples::EXPERIMENT)]
    Experiment(ExperimentArgs),
    /// Check the simulator against rules of manuals, printed answers and closed forms; transcriptions of the
    /// models' numbers and our own expectations are counted apart
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    /// Check an exercise, or grade the answers of students
    #[command(after_help = examples::EXERCISE)]
    Exercise(ExerciseArgs),
    /// List the CPU models, or show the numbers of one with their sources
    #[command(after_help = examples::CPUS)]
    Cpus(CpusArgs),
    /// Print the completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
    /// Print the version, and the commit that the program was built from if it is known
    #[command(after_help = examples::VERSION)]
    Version,
}

/// Returns what the user probably wants, if clap does not know it.
fn hint(error: &clap::Error) -> Option<String> {
    let value = |kind| match error.get(kind) {
        Some(ContextValue::String(one)) => one.clone(),
        Some(ContextValue::Strings(all)) => all.join(" "),
        _ => String::new(),
    };
    let wrong = value(ContextKind::InvalidArg);
    match error.kind() {
        ErrorKind::UnknownArgument if Path::new(&wrong).is_file() => {
            Some(format!("a trace is given as `-t {wrong}`"))
        }
        ErrorKind::MissingRequiredArgument if wrong.contains("--cpu") => {
            Some("`-c native` is the model of this machine".to_owned())
        }
        _ => None,
    }
}

/// Puts the paragraphs of clap's message on one line, and names the help to read. `word` is the first
/// argument, where a command is expected.
pub(crate) fn usage_error(error: &clap::Error, word: Option<&str>) -> anyhow::Error {
    let text = error.to_string();
    let kept = text
        .trim_start_matches("error: ")
        .split("\n\n")
        .filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more information"))
        .map(one_line)
        .filter(|part| !part.is_empty());
    let mut what = kept.collect::<Vec<_>>().join("; ");
    if let Some(hint) = hint(error) {
        what.push_str("; ");
        what.push_str(&hint);
    }
    let cli = Cli::command();
    let help = match word.and_then(|word| cli.find_subcommand(word)) {
        Some(command) => format!("{} --help", command.get_name()),
        None => "help".to_owned(),
    };
    anyhow::anyhow!("{what} (see `pagewalk {help}`)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_command_and_every_command_has_one() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let mut lines = help.lines();
            assert_eq!(lines.next(), Some("Examples:"), "{}", command.get_name());
            for line in lines {
                let start = format!("  pagewalk {}", command.get_name());
                assert!(line.starts_with(&start), "{line}");
                let is_repeat = line.contains("--repeat");
                let parsed = Cli::try_parse_from(line.split_whitespace());
                assert!(is_repeat || parsed.is_ok(), "{line}: {}", parsed.err().unwrap());
            }
        }
    }
}
