//! Arguments of the commands about built-in content: `gen`, `experiment`, `cpus`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pagewalk_sources::export::ExportFormat;

use super::value::param;
use crate::sheet::ResultArgs;

#[derive(Args)]
pub(crate) struct GenArgs {
    /// The workload; --list lists them
    #[arg(required_unless_present = "list")]
    pub(crate) workload: Option<String>,
    /// A parameter, such as bytes=1G; more parameters may follow it; repeatable
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = param, conflicts_with = "list")]
    pub(crate) params: Vec<(String, String)>,
    /// More parameters after the first
    #[arg(value_name = "NAME=VALUE", value_parser = param, requires = "params", hide = true)]
    pub(crate) more_params: Vec<(String, String)>,
    /// The file to write; its ending names the format: .lackey, .txt (lackey), .csv, .din or .champsim. .gz or
    /// .xz after it compresses the file. - writes to standard output
    #[arg(
        short,
        long,
        value_name = "FILE",
        required_unless_present = "list",
        conflicts_with = "list"
    )]
    pub(crate) out: Option<PathBuf>,
    /// The format, if the file name does not say it
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "list")]
    pub(crate) format: Option<GenFormat>,
    /// List the workloads and their parameters, or the parameters of one workload
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the list as JSON
    #[arg(short, long, requires = "list")]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ExperimentArgs {
    /// The experiment; --list lists them
    #[arg(required_unless_present_any = ["list", "all"], conflicts_with_all = ["list", "all"])]
    pub(crate) id: Option<String>,
    /// List the experiments
    #[arg(long, conflicts_with = "all")]
    pub(crate) list: bool,
    /// Run all experiments, and print the verdict of the worst row of each
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The numbers of statements to check, such as 30 or O30, each with all its checks; none checks all
    #[arg(value_parser = oracle_number)]
    pub(crate) numbers: Vec<u32>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

fn oracle_number(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix(['O', 'o']).unwrap_or(text);
    digits.parse().map_err(|_| "give the number of a statement, such as 30 or O30".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GenFormat {
    Lackey,
    Csv,
    Dinero,
    Champsim,
}

impl From<GenFormat> for ExportFormat {
    fn from(format: GenFormat) -> Self {
        match format {
            GenFormat::Lackey => Self::Lackey,
            GenFormat::Csv => Self::Csv,
            GenFormat::Dinero => Self::Din,
            GenFormat::Champsim => Self::Champsim,
        }
    }
}

#[derive(Args)]
pub(crate) struct CpusArgs {
    /// The model to show, or a variant such as intel-skylake:smt-on; without it, list all models
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}
