//! The arguments, and usage errors on one line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use pagewalk::addr::{PageSize, parse_hex};

use crate::output::one_line;

/// Simulates TLBs and page walks.
#[derive(Parser)]
#[command(name = "pagewalk", version, arg_required_else_help = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Runs a trace on a machine and counts hits, misses, walks and cycles
    Run(RunArgs),
    /// Shows the references of one cold page walk
    Explain(ExplainArgs),
    /// Tells what a trace file is, what it holds, and what it cannot tell
    Import(ImportArgs),
    /// Lists the CPU models, or shows the numbers of one with their sources
    Cpus(CpusArgs),
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// The trace; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// The page size that all memory is mapped with: 4K, 2M or 1G
    #[arg(long, value_name = "SIZE", value_parser = page_size, conflicts_with = "os")]
    pub(crate) pages: Option<PageSize>,
    /// How memory is mapped, as JSON: {"default": "4K", "regions": [...]}
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Accesses at the beginning that are not simulated
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) skip: u64,
    /// Accesses after those skipped that change the machine but are not counted
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) warmup: u64,
    /// Ends the run after so many counted accesses
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// The virtual address, in hexadecimal
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) va: u64,
    /// The page size that it is mapped with: 4K, 2M or 1G
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Leaves out the paging-structure caches
    #[arg(long)]
    pub(crate) no_walk_caches: bool,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// The trace; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CpusArgs {
    /// The model to show; without it all are listed
    pub(crate) id: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The machine: a model, or a file.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct MachineArgs {
    /// A CPU model; `pagewalk cpus` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) cpu: Option<String>,
    /// A machine as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct FormatArgs {
    /// The format of the trace, where its content does not tell: lackey, csv, csv-hex or csv-decimal
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
}

#[derive(Args)]
pub(crate) struct VirtArgs {
    /// How memory is virtualised
    #[arg(long, value_name = "MODE", value_enum, default_value = "native")]
    pub(crate) virt: Virt,
    /// The page size of the host; for --virt ept
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) host_pages: Option<PageSize>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Virt {
    /// It is not
    Native,
    /// Nested page tables (not simulated yet)
    Ept,
    /// Shadow page tables (not simulated yet)
    Shadow,
}

fn page_size(text: &str) -> Result<PageSize, &'static str> {
    PageSize::parse(text).ok_or("a page size is a power of two such as 4K, 2M or 1G")
}

fn address(text: &str) -> Result<u64, &'static str> {
    parse_hex(text)
        .ok_or("an address is hexadecimal and has at most 64 bits, such as 0x7f3a1c2b5e48")
}

fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a number of accesses is written in digits, such as 1000000")
}

/// What clap says in several paragraphs, as one line.
pub(crate) fn usage_error(error: &clap::Error) -> anyhow::Error {
    let text = error.to_string();
    let kept = text
        .trim_start_matches("error: ")
        .split("\n\n")
        .filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more information"))
        .map(one_line)
        .filter(|part| !part.is_empty());
    let what = kept.collect::<Vec<_>>().join("; ");
    anyhow::anyhow!("{what} (`pagewalk help` shows what there is)")
}
