//! Arguments of the commands about what the program brings along: `gen`, `experiment`, `cpus`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::param;

#[derive(Args)]
pub(crate) struct GenArgs {
    /// The workload; --list tells which there are
    #[arg(required_unless_present = "list")]
    pub(crate) workload: Option<String>,
    /// A parameter, such as bytes=1G; more may follow it, or the option may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param, conflicts_with = "list")]
    pub(crate) params: Vec<(String, String)>,
    /// Those that follow the first
    #[arg(value_name = "NAME=VALUE", value_parser = param, requires = "params", hide = true)]
    pub(crate) more_params: Vec<(String, String)>,
    /// The file to write: .csv, else lackey; .gz or .xz behind it packs; - is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "list", conflicts_with = "list")]
    pub(crate) out: Option<PathBuf>,
    /// The format, where the name of the file does not say it
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "list")]
    pub(crate) format: Option<TextFormatArg>,
    /// Lists the workloads and their parameters, or those of one
    #[arg(long)]
    pub(crate) list: bool,
    /// Prints the list as JSON
    #[arg(long, requires = "list")]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ExperimentArgs {
    /// The experiment; --list tells which there are
    #[arg(required_unless_present_any = ["list", "all"], conflicts_with_all = ["list", "all"])]
    pub(crate) id: Option<String>,
    /// Lists the experiments
    #[arg(long, conflicts_with = "all")]
    pub(crate) list: bool,
    /// Runs all experiments and prints the verdict of the worst row of each
    #[arg(long)]
    pub(crate) all: bool,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextFormatArg {
    Lackey,
    Csv,
}

#[derive(Args)]
pub(crate) struct CpusArgs {
    /// The model to show, or a variant such as intel-skylake:smt-on; without it all are listed
    pub(crate) id: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}
