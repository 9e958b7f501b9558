//! Arguments of `stat`, and the simulation to compare the counters with.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::{param, run_pages};
use super::{
    AccessArgs, CountBy, FormatArgs, MachineArgs, RunArgs, RunPages, SourceArgs, VirtArgs,
};
use crate::sheet::ResultArgs;

#[derive(Args)]
pub(crate) struct StatArgs {
    /// The output of perf stat: as text, with -x or with -j; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The vendor of the measured processor, if neither the events nor --cpu identify it
    #[arg(long, value_name = "VENDOR", value_enum)]
    pub(crate) vendor: Option<Vendor>,
    /// The CPU model that was measured, or one to simulate; `pagewalk cpus` lists them
    #[arg(short, long, value_name = "ID", conflicts_with = "machine")]
    pub(crate) cpu: Option<String>,
    /// A machine (JSON) to simulate
    #[arg(short, long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
    /// A trace of the measured program, to simulate
    #[arg(short, long, value_name = "FILE", conflicts_with = "workload")]
    pub(crate) trace: Option<PathBuf>,
    /// A workload to simulate instead of a trace; `pagewalk gen --list` lists the workloads
    #[arg(short, long, value_name = "ID")]
    pub(crate) workload: Option<String>,
    /// A parameter of --workload, such as bytes=1G; more parameters may follow it; repeatable
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = param, requires = "workload")]
    pub(crate) params: Vec<(String, String)>,
    /// More parameters after the first
    #[arg(value_name = "NAME=VALUE", value_parser = param, requires = "params", hide = true)]
    pub(crate) more_params: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// The page size or policy of all memory, as for `pagewalk run`
    #[arg(long, value_name = "PAGES", value_parser = run_pages, conflicts_with = "os")]
    pub(crate) pages: Option<RunPages>,
    /// How memory is mapped (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

impl StatArgs {
    pub(crate) fn is_stdin(&self) -> bool {
        self.file.as_os_str() == "-"
    }

    /// Returns the run to compare the counters with, or `None` if no accesses were given.
    ///
    /// # Errors
    /// A trace without a machine, or a machine file without a trace.
    pub(crate) fn run(&self) -> anyhow::Result<Option<RunArgs>> {
        let has_accesses = self.trace.is_some() || self.workload.is_some();
        let has_machine = self.cpu.is_some() || self.machine.is_some();
        match (has_accesses, has_machine) {
            (true, false) => {
                anyhow::bail!("--trace and --workload need a machine: give --cpu or --machine")
            }
            (false, _) if self.machine.is_some() => {
                anyhow::bail!("--machine: it has nothing to simulate: give --trace or --workload")
            }
            (false, _) => return Ok(None),
            (true, true) => {}
        }
        if self.is_stdin() && self.trace.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            anyhow::bail!("--trace -: both files are standard input: give one of them as a file");
        }
        Ok(Some(RunArgs {
            count: CountBy::Translations,
            by: None,
            folded: None,
            uncertainty: false,
            jobs: None,
            event_costs: None,
            _repeat: None,
            machine: MachineArgs { cpu: self.cpu.clone(), machine: self.machine.clone() },
            accesses: AccessArgs {
                source: SourceArgs { trace: self.trace.clone(), workload: self.workload.clone() },
                params: [&self.params[..], &self.more_params].concat(),
                format: self.format.clone(),
            },
            pages: self.pages.clone(),
            os: self.os.clone(),
            virt: VirtArgs { virt: self.virt.virt, host_pages: self.virt.host_pages.clone() },
            cores: None,
            skip: 0,
            warmup: 0,
            limit: None,
            result: self.result.clone(),
        }))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vendor {
    Intel,
    Amd,
    Arm,
}
