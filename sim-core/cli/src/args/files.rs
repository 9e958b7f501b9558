//! Arguments of the commands about a file: `import`, `samples`, `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::size_pages;
use super::{FormatArgs, SizePages};
use crate::sheet::ResultArgs;

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// The trace file; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct SamplesArgs {
    /// The recording: perf.data, or the output of perf script; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Estimate the hit rates of this CPU model or variant (such as intel-skylake:smt-on); `pagewalk cpus`
    /// lists them
    #[arg(short, long, value_name = "ID")]
    pub(crate) cpu: Option<String>,
    /// The page size for popularity and estimates, 4K or larger; by default 4K and 2M, or the sizes of the
    /// CPU; or recorded: the size that most samples measured
    #[arg(long, value_name = "SIZE", value_parser = size_pages)]
    pub(crate) pages: Option<SizePages>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// The trace file; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// The format to write: pagewalk keeps everything; csv keeps everything except memory maps and samples
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) to: ConvertFormat,
    /// The file to write; .gz or .xz at the end compresses it; - writes to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertFormat {
    Lackey,
    Csv,
    Dinero,
    Champsim,
    /// Pagewalk's own compact format, which includes the report of the import
    Pagewalk,
}
