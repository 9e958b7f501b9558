//! The arguments, and usage errors on one line.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use pagewalk::addr::{PageSize, parse_hex};
use pagewalk::import::{Bound, Every, Selection};
use pagewalk::os::OsConfig;
use pagewalk::samples::Mode;
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

/// Which page uses count.
#[derive(Args)]
pub(crate) struct UsesArgs {
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size that all memory is taken to be mapped with: 4K, 2M or 1G
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    /// The kinds of access that count, others are left out: fetch,load,store
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub(crate) kinds: Option<Vec<Kind>>,
    /// Ends after so many accesses of the trace
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
}

#[derive(Args)]
pub(crate) struct CurveArgs {
    #[command(flatten)]
    pub(crate) uses: UsesArgs,
    /// Sets: the curve is then by ways; without, arrays are fully associative
    #[arg(long, value_name = "N")]
    pub(crate) sets: Option<u32>,
    /// The misses of every array of 1 to 2048 sets and 1 to 16 ways
    #[arg(long, conflicts_with = "sets")]
    pub(crate) surface: bool,
    /// The walks with second levels of every size, behind the first level of this CPU model
    #[arg(long, value_name = "ID", conflicts_with = "surface")]
    pub(crate) cpu: Option<String>,
    /// The same behind the first level of a machine as JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["surface", "cpu"])]
    pub(crate) machine: Option<PathBuf>,
    /// One array in full: its misses by cause, and the fewest that any replacement can have
    #[arg(long, value_name = "N", conflicts_with_all = ["sets", "surface", "cpu", "machine"])]
    pub(crate) entries: Option<u32>,
    /// The ways of --entries; without, it is fully associative
    #[arg(long, value_name = "N", requires = "entries")]
    pub(crate) ways: Option<u32>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PhasesArgs {
    #[command(flatten)]
    pub(crate) uses: UsesArgs,
    /// Accesses of the window, and of the intervals that are compared
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count, allow_negative_numbers = true)]
    pub(crate) window: u64,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct HugeArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size of all memory that is not picked; 4K without it
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    /// The size of the huge pages: 2M, 1G, or what contiguous entries of Arm map, such as 64K; 2M without it
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) huge: Option<PageSize>,
    /// Huge pages at most
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) most: u32,
    /// Ends after so many accesses of the trace
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
    /// The file to write
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

#[derive(Args)]
pub(crate) struct CpusArgs {
    /// The model to show, or a variant such as intel-skylake:smt-on; without it all are listed
    pub(crate) id: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct StatArgs {
    /// What perf stat printed, as text, with -x or with -j; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Whose processor was measured, where neither the events nor --cpu tell
    #[arg(long, value_name = "VENDOR", value_enum)]
    pub(crate) vendor: Option<Vendor>,
    /// The CPU model that was measured, or one to set beside it; `pagewalk cpus` lists them
    #[arg(long, value_name = "ID", conflicts_with = "machine")]
    pub(crate) cpu: Option<String>,
    /// A machine as JSON to set beside it
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
    /// A trace of what was measured, to simulate
    #[arg(long, value_name = "FILE", conflicts_with = "workload")]
    pub(crate) trace: Option<PathBuf>,
    /// A workload to simulate instead of a trace; `pagewalk gen --list` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) workload: Option<String>,
    /// A parameter of --workload, such as bytes=1G; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param, requires = "workload")]
    pub(crate) params: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// What all memory is mapped with, as for `pagewalk run`
    #[arg(long, value_name = "PAGES", value_parser = shorthand, conflicts_with = "os")]
    pub(crate) pages: Option<OsConfig>,
    /// How memory is mapped, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl StatArgs {
    pub(crate) fn is_stdin(&self) -> bool {
        self.file.as_os_str() == "-"
    }

    /// The run to set beside the counters, if there is one.
    ///
    /// # Errors
    /// A trace needs a machine, and a machine that is no CPU model a trace.
    pub(crate) fn run(&self) -> anyhow::Result<Option<RunArgs>> {
        let has_accesses = self.trace.is_some() || self.workload.is_some();
        let has_machine = self.cpu.is_some() || self.machine.is_some();
        match (has_accesses, has_machine) {
            (true, false) => {
                anyhow::bail!("--trace and --workload need a machine: give --cpu or --machine")
            }
            (false, _) if self.machine.is_some() => {
                anyhow::bail!(
                    "--machine: there is nothing to simulate on it: give --trace or --workload"
                )
            }
            (false, _) => return Ok(None),
            (true, true) => {}
        }
        if self.is_stdin() && self.trace.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            anyhow::bail!(
                "--trace -: standard input is what perf stat printed: give one of them as a file"
            );
        }
        Ok(Some(RunArgs {
            machine: MachineArgs { cpu: self.cpu.clone(), machine: self.machine.clone() },
            accesses: AccessArgs {
                source: SourceArgs { trace: self.trace.clone(), workload: self.workload.clone() },
                params: self.params.clone(),
                format: self.format.clone(),
            },
            pages: self.pages.clone(),
            os: self.os.clone(),
            virt: VirtArgs { virt: self.virt.virt, host_pages: self.virt.host_pages.clone() },
            cores: None,
            skip: 0,
            warmup: 0,
            limit: None,
            json: false,
        }))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vendor {
    Intel,
    Amd,
    Arm,
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

#[derive(Args, Clone)]
pub(crate) struct FormatArgs {
    /// The format of the trace, where its content does not tell: lackey, csv, csv-hex, csv-decimal, champsim,
    /// champsim-cloudsuite, drmemtrace, drmemtrace-view, memtrace, pinatrace, din,
    /// execlog, perf-data, perf-script,
    /// perf-script-addr, perf-script-ip, perf-mem or pagewalk
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Only accesses of this process; may be given several times
    #[arg(long = "pid", value_name = "PID", value_delimiter = ',', value_parser = process)]
    pub(crate) pids: Vec<u32>,
    /// Only accesses of this thread; may be given several times
    #[arg(long = "tid", value_name = "TID", value_delimiter = ',', value_parser = process)]
    pub(crate) tids: Vec<u32>,
    /// Only samples of this event of a recording, by its name or as #1 by its number; may be given several times
    #[arg(long = "event", value_name = "EVENT")]
    pub(crate) events: Vec<String>,
    /// Only samples of a recording where the user, kernel or guest ran
    #[arg(long = "mode", value_name = "MODE", value_delimiter = ',', value_parser = mode)]
    pub(crate) modes: Vec<Mode>,
    /// Begins at an access of the file, counted from 0, or at a time of a recording after its first, such as 1.5s or 20ms
    #[arg(long, value_name = "PLACE", value_parser = bound)]
    pub(crate) from: Option<Bound>,
    /// Ends before an access of the file or at a time, as --from
    #[arg(long, value_name = "PLACE", value_parser = bound)]
    pub(crate) until: Option<Bound>,
    /// Keeps the first N accesses of every M
    #[arg(long, value_name = "N:M", value_parser = every)]
    pub(crate) every: Option<Every>,
}

impl FormatArgs {
    /// What of the file is wanted.
    pub(crate) fn selection(&self) -> Selection {
        Selection {
            pids: self.pids.clone(),
            tids: self.tids.clone(),
            events: self.events.clone(),
            modes: self.modes.clone(),
            from: self.from,
            to: self.until,
            every: self.every,
        }
    }

    /// Whether nothing is said of how to read a file.
    pub(crate) fn is_plain(&self) -> bool {
        self.format.is_none() && self.selection().is_all()
    }
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

fn process(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "a process or thread is a number, such as 1234")
}

fn mode(text: &str) -> Result<Mode, &'static str> {
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == text);
    found.ok_or("a mode is user, kernel or guest")
}

/// `1000000`, `1.5s`, `20ms`, `7us`, `9ns`.
fn bound(text: &str) -> Result<Bound, &'static str> {
    const WRONG: &str = "a place is the number of an access, such as 1000000, or a time, such as 1.5s, 20ms, 7us or 9ns";
    if let Ok(number) = text.parse() {
        return Ok(Bound::Access(number));
    }
    let units = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)];
    let found = units.iter().find_map(|(unit, digits)| Some((text.strip_suffix(unit)?, *digits)));
    let (number, digits) = found.ok_or(WRONG)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.len() > digits {
        return Err(WRONG);
    }
    // The fraction is filled up with zeros, so that all of it is a whole number.
    format!("{whole}{fraction:0<digits$}").parse().map(Bound::Time).map_err(|_| WRONG)
}

fn every(text: &str) -> Result<Every, &'static str> {
    const WRONG: &str =
        "it is written N:M, such as 100000:1000000 for the first 100000 of every million";
    let (keep, of) = text.split_once(':').ok_or(WRONG)?;
    let (keep, of) = (keep.parse().map_err(|_| WRONG)?, of.parse().map_err(|_| WRONG)?);
    Ok(Every { keep, of })
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
