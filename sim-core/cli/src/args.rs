//! The arguments, and usage errors on one line.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use pagewalk::addr::{PageSize, parse_hex};
use pagewalk::os::OsConfig;
use pagewalk::trace::Kind;

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
    /// Counts the misses of LRU arrays of every size at once
    Curve(CurveArgs),
    /// Tells what a trace file is, what it holds, and what it cannot tell
    Import(ImportArgs),
    /// Writes a trace of any format as lackey, CSV or din
    Convert(ConvertArgs),
    /// Writes a generated trace, or lists the workloads that can be generated
    Gen(GenArgs),
    /// Simulates a published experiment, or lists those there are
    Experiment(ExperimentArgs),
    /// Lists the CPU models, or shows the numbers of one with their sources
    Cpus(CpusArgs),
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// What all memory is mapped with: a page size such as 4K, 2M or 1G, or a policy: thp, thp-madvise, thp-never,
    /// hugetlb-2M, hugetlb-1G, hugetext, hugetext-1 (text of files), hugetext-2 (code made at run time)
    #[arg(long, value_name = "PAGES", value_parser = shorthand, conflicts_with = "os")]
    pub(crate) pages: Option<OsConfig>,
    /// How memory is mapped, as JSON: {"default": "4K", "regions": [...]}
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Gives each thread, or each processor that the trace names, a core: TLBs and walk caches of its own
    #[arg(long, value_name = "BY", value_enum)]
    pub(crate) cores: Option<CoresBy>,
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

/// The accesses, and how to read them.
#[derive(Args)]
pub(crate) struct AccessArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// A parameter of --workload, such as bytes=1G; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param)]
    pub(crate) params: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl AccessArgs {
    /// Whether the accesses can be read only once.
    pub(crate) fn is_stdin(&self) -> bool {
        self.source.trace.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }
}

/// The accesses: a file, or a workload.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SourceArgs {
    /// The trace; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// A workload to generate instead of a trace; `pagewalk gen --list` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) workload: Option<String>,
}

#[derive(Args)]
pub(crate) struct GenArgs {
    /// The workload; --list tells which there are
    #[arg(required_unless_present = "list")]
    pub(crate) workload: Option<String>,
    /// A parameter, such as bytes=1G; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param, conflicts_with = "list")]
    pub(crate) params: Vec<(String, String)>,
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
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    pub(crate) id: Option<String>,
    /// Lists the experiments
    #[arg(long)]
    pub(crate) list: bool,
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
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// The virtual address, in hexadecimal
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) va: u64,
    /// What it is mapped with: a page size such as 4K, 2M or 1G, or a policy: thp, hugetlb-2M, hugetlb-1G
    #[arg(long, value_name = "PAGES", value_parser = shorthand)]
    pub(crate) pages: Option<OsConfig>,
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
pub(crate) struct CurveArgs {
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size that all memory is taken to be mapped with: 4K, 2M or 1G
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    /// The kinds of access that count, others are left out: fetch,load,store
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub(crate) kinds: Option<Vec<Kind>>,
    /// Sets: the curve is then by ways; without, arrays are fully associative
    #[arg(long, value_name = "N")]
    pub(crate) sets: Option<u32>,
    /// Ends the curve after so many accesses of the trace
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
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
pub(crate) struct ConvertArgs {
    /// The trace; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// The format to write; only csv keeps everything but operations
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) to: ConvertFormat,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertFormat {
    Lackey,
    Csv,
    Dinero,
}

#[derive(Args)]
pub(crate) struct CpusArgs {
    /// The model to show, or a variant such as intel-skylake:smt-on; without it all are listed
    pub(crate) id: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The machine: a model, or a file.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct MachineArgs {
    /// A CPU model, or a variant such as intel-skylake:smt-on; `pagewalk cpus` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) cpu: Option<String>,
    /// A machine as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct FormatArgs {
    /// The format of the trace, where its content does not tell: lackey, csv, csv-hex, csv-decimal, champsim,
    /// champsim-cloudsuite, drmemtrace, drmemtrace-view, memtrace, pinatrace, din,
    /// execlog, perf-data, perf-script,
    /// perf-script-addr or perf-script-ip
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
}

#[derive(Args)]
pub(crate) struct VirtArgs {
    /// How memory is virtualised; native where neither this nor a file of the mapping says so
    #[arg(long, value_name = "MODE", value_enum)]
    pub(crate) virt: Option<Virt>,
    /// What the host maps the guest's memory with, for --virt ept (4K without it) and shadow: a page size or a policy
    #[arg(long, value_name = "PAGES", value_parser = shorthand)]
    pub(crate) host_pages: Option<OsConfig>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoresBy {
    /// Each thread
    Tid,
    /// Each processor
    Cpu,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Virt {
    /// It is not
    Native,
    /// Nested page tables: the guest's are mapped by the host's
    Ept,
    /// One page table, which the host keeps in step with the guest's
    Shadow,
}

impl From<Virt> for pagewalk::os::Virt {
    fn from(virt: Virt) -> Self {
        match virt {
            Virt::Native => Self::Native,
            Virt::Ept => Self::Ept,
            Virt::Shadow => Self::Shadow,
        }
    }
}

fn page_size(text: &str) -> Result<PageSize, &'static str> {
    PageSize::parse(text).ok_or("a page size is a power of two such as 4K, 2M or 1G")
}

fn shorthand(text: &str) -> Result<OsConfig, &'static str> {
    OsConfig::shorthand(text).ok_or(
        "it is neither a page size, a power of two such as 4K, 2M or 1G, nor one of \
         thp, thp-always, thp-madvise, thp-never, hugetlb-SIZE, hugetext, hugetext-1, hugetext-2, hugetext-3",
    )
}

fn param(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("a parameter is written NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn address(text: &str) -> Result<u64, &'static str> {
    parse_hex(text)
        .ok_or("an address is hexadecimal and has at most 64 bits, such as 0x7f3a1c2b5e48")
}

fn kind(text: &str) -> Result<Kind, &'static str> {
    let found = Kind::SERVED.into_iter().find(|kind| kind.name() == text);
    found.ok_or("a kind is fetch, load or store")
}

fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a number of accesses is written in digits, such as 1000000")
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
