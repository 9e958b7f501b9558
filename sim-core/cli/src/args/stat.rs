//! Arguments of `stat`, and the run that it sets beside the counters.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pagewalk::os::OsConfig;

use super::value::{param, shorthand};
use super::{AccessArgs, FormatArgs, MachineArgs, RunArgs, SourceArgs, VirtArgs};

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
