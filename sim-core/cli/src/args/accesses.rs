//! Arguments that say where the accesses come from and how a file is read.

use std::path::PathBuf;

use clap::Args;
use pagewalk_base::samples::Mode;
use pagewalk_sources::import::{Bound, Every, Selection, formats};

use super::value::{bound, every, mode, param, process, thread};

/// Describes `--format` with the ids of all formats.
fn format_help() -> String {
    let ids: Vec<_> = formats().map(|format| format.id).collect();
    format!("The format of the trace, if Pagewalk does not recognise it: {}", ids.join(", "))
}

/// The source of the accesses, and how its file is read.
#[derive(Args)]
pub(crate) struct AccessArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// A parameter of --workload, such as bytes=1G; more parameters may follow it; repeatable
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = param, num_args = 1..)]
    pub(crate) params: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl AccessArgs {
    /// Returns whether the accesses come from standard input, which can be read only once.
    pub(crate) fn is_stdin(&self) -> bool {
        self.source.trace.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }
}

/// The source of the accesses: a file or a workload.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SourceArgs {
    /// The trace file; - reads standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Simulate a generated workload instead of a trace; `pagewalk gen --list` lists the workloads
    #[arg(short, long, value_name = "ID")]
    pub(crate) workload: Option<String>,
}

#[derive(Args, Clone, Default)]
pub(crate) struct FormatArgs {
    #[arg(long, value_name = "FORMAT", help = format_help())]
    pub(crate) format: Option<String>,
    /// Keep only accesses of this process; guest:PID keeps those of the virtual machine that the process ran;
    /// repeatable
    #[arg(long = "pid", value_name = "PID", value_delimiter = ',', value_parser = process)]
    pub(crate) pids: Vec<u32>,
    /// Keep only accesses of this thread; repeatable
    #[arg(long = "tid", value_name = "TID", value_delimiter = ',', value_parser = thread)]
    pub(crate) tids: Vec<u32>,
    /// Keep only samples of this event of a recording, given by name or by number (#1); repeatable
    #[arg(long = "event", value_name = "EVENT")]
    pub(crate) events: Vec<String>,
    /// Keep only samples of a recording taken in this mode: user, kernel or guest
    #[arg(long = "mode", value_name = "MODE", value_delimiter = ',', value_parser = mode)]
    pub(crate) modes: Vec<Mode>,
    /// Start at this access, or at this time after the recording's first (1.5s, 20ms). Accesses are counted
    /// from 0 after the selection by process, thread, event and mode
    #[arg(long, value_name = "PLACE", value_parser = bound)]
    pub(crate) from: Option<Bound>,
    /// Stop before this access or time, written as for --from
    #[arg(long, value_name = "PLACE", value_parser = bound)]
    pub(crate) until: Option<Bound>,
    /// Keep the first N accesses of every M, counted from --from
    #[arg(long, value_name = "N:M", value_parser = every)]
    pub(crate) every: Option<Every>,
    /// A copy of /proc/PID/maps of the recorded process: it names the regions of memory
    #[arg(long, value_name = "FILE", conflicts_with = "smaps")]
    pub(crate) maps: Option<PathBuf>,
    /// A copy of /proc/PID/smaps of the recorded process: it names the regions, and says which have huge pages
    #[arg(long, value_name = "FILE")]
    pub(crate) smaps: Option<PathBuf>,
    /// Where the pages of that process were in physical memory: a copy of /proc/PID/pagemap, with --maps or --smaps, or the
    /// text form of docs/command-line.md
    #[arg(long, value_name = "FILE")]
    pub(crate) pagemap: Option<PathBuf>,
}

impl FormatArgs {
    /// Returns the part of the file that the arguments select.
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

    /// Returns whether the arguments leave the format and the selection open.
    pub(crate) fn is_plain(&self) -> bool {
        let is_alone = self.maps.is_none() && self.smaps.is_none() && self.pagemap.is_none();
        self.format.is_none() && self.selection().is_all() && is_alone
    }
}
