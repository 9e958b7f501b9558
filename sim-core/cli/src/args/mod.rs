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

/// Simulates TLBs and page walks.
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
    /// Runs a trace on a machine and counts hits, misses, walks and cycles
    Run(RunArgs),
    /// Shows the references of one cold page walk
    Explain(ExplainArgs),
    /// Counts the misses of LRU arrays of every size at once
    Curve(CurveArgs),
    /// Tells how many pages a program works with over time, and where its phases begin
    Phases(PhasesArgs),
    /// Tells which parts of memory, made huge pages, leave the fewest cycles of page walks
    Huge(HugeArgs),
    /// Tells what a trace file is, what it holds, and what it cannot tell
    Import(ImportArgs),
    /// Tells what the samples of a recording say of its program: measured TLB levels, footprint, huge pages
    Samples(SamplesArgs),
    /// Writes a trace of any format as lackey, CSV or din, or in Pagewalk's own form
    Convert(ConvertArgs),
    /// Tells what perf stat counted, and sets a simulation beside it
    Stat(StatArgs),
    /// Runs every combination of some values of a configuration, and writes a row for each
    Sweep(SweepArgs),
    /// Writes a generated trace, or lists the workloads that can be generated
    Gen(GenArgs),
    /// Simulates a published experiment, or lists those there are
    Experiment(ExperimentArgs),
    /// Lists the CPU models, or shows the numbers of one with their sources
    Cpus(CpusArgs),
}

/// What clap says in several paragraphs, as one line, and which help tells more. `word` is what
/// stands in the place of the command.
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
    anyhow::anyhow!("{what} (`pagewalk {help}` shows what there is)")
}
