//! Arguments of the commands about a file: `import`, `samples`, `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pagewalk_base::addr::PageSize;

use super::FormatArgs;
use super::value::page_size;

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
pub(crate) struct SamplesArgs {
    /// The recording, perf.data or the text of perf script; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Estimates hit rates of this CPU model, or of a variant such as intel-skylake:smt-on; `pagewalk cpus` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) cpu: Option<String>,
    /// The page size of popularity and estimates, 4K or larger; without it, 4K and 2M or what the CPU has
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// The trace; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// The format to write: pagewalk keeps everything, csv all but memory maps and samples
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) to: ConvertFormat,
    /// The file to write; .gz or .xz behind it packs; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertFormat {
    Lackey,
    Csv,
    Dinero,
    /// The compact form in which Pagewalk keeps traces, with the report of their import
    Pagewalk,
}
