//! The arguments, by families of commands, and usage errors on one line.

mod accesses;
mod analysis;
mod catalog;
mod files;
mod machine;
mod simulation;
mod stat;
mod sweep;
mod value;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::output::one_line;
pub(crate) use accesses::{AccessArgs, FormatArgs, SourceArgs};
pub(crate) use analysis::{CurveArgs, HugeArgs, PhasesArgs, UsesArgs};
pub(crate) use catalog::{CpusArgs, ExperimentArgs, GenArgs, TextFormatArg};
pub(crate) use files::{ConvertArgs, ConvertFormat, ImportArgs, SamplesArgs};
pub(crate) use machine::{CoresBy, MachineArgs, VirtArgs};
pub(crate) use simulation::{ExplainArgs, RunArgs};
pub(crate) use stat::{StatArgs, Vendor};
pub(crate) use sweep::{Shard, SweepArgs};

/// Simulate TLBs and page walks.
#[derive(Parser)]
#[command(name = "pagewalk", version, arg_required_else_help = false)]
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
    Run(RunArgs),
    /// Show the references of one cold page walk
    Explain(ExplainArgs),
    /// Count the misses of LRU arrays of every size in one pass
    Curve(CurveArgs),
    /// Show the working set over time, and where the program's phases begin
    Phases(PhasesArgs),
    /// Find the memory where huge pages save the most walk cycles
    Huge(HugeArgs),
    /// Show what a trace file is, what it contains, and what it does not record
    Import(ImportArgs),
    /// Summarise the samples of a recording: measured TLB levels, footprint, huge pages
    Samples(SamplesArgs),
    /// Convert a trace of any format to lackey, CSV, din or Pagewalk's own format
    Convert(ConvertArgs),
    /// Show what perf stat counted, next to a simulation
    Stat(StatArgs),
    /// Run every combination of some configuration values, and write a row for each
    Sweep(SweepArgs),
    /// Write a generated trace, or list the workloads
    Gen(GenArgs),
    /// Simulate a published experiment, or list the experiments
    Experiment(ExperimentArgs),
    /// List the CPU models, or show the numbers of one with their sources
    Cpus(CpusArgs),
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
    let what = kept.collect::<Vec<_>>().join("; ");
    let cli = Cli::command();
    let help = match word.and_then(|word| cli.find_subcommand(word)) {
        Some(command) => format!("{} --help", command.get_name()),
        None => "help".to_owned(),
    };
    anyhow::anyhow!("{what} (see `pagewalk {help}`)")
}
