//! Where the accesses come from, and how a file is read.

use std::path::PathBuf;

use clap::Args;
use pagewalk_base::samples::Mode;
use pagewalk_sources::import::{Bound, Every, Selection};

use super::value::{bound, every, mode, param, process, thread};

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

#[derive(Args, Clone, Default)]
pub(crate) struct FormatArgs {
    /// The format of the trace, where its content does not tell: lackey, csv, csv-hex, csv-decimal, champsim,
    /// champsim-cloudsuite, drmemtrace, drmemtrace-view, memtrace, pinatrace, din,
    /// execlog, perf-data, perf-script,
    /// perf-script-addr, perf-script-ip, perf-script-phys, perf-mem, pagewalk or loop
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Only accesses of this process, or with guest:PID of the virtual machine that it ran; may be given several
    /// times
    #[arg(long = "pid", value_name = "PID", value_delimiter = ',', value_parser = process)]
    pub(crate) pids: Vec<u32>,
    /// Only accesses of this thread; may be given several times
    #[arg(long = "tid", value_name = "TID", value_delimiter = ',', value_parser = thread)]
    pub(crate) tids: Vec<u32>,
    /// Only samples of this event of a recording, by its name or as #1 by its number; may be given several times
    #[arg(long = "event", value_name = "EVENT")]
    pub(crate) events: Vec<String>,
    /// Only samples of a recording where the user, kernel or guest ran
    #[arg(long = "mode", value_name = "MODE", value_delimiter = ',', value_parser = mode)]
    pub(crate) modes: Vec<Mode>,
    /// Begins at an access, counted from 0 among those of the processes, threads, events and modes asked for, or at
    /// a time of a recording after its first, such as 1.5s or 20ms
    #[arg(long, value_name = "PLACE", value_parser = bound)]
    pub(crate) from: Option<Bound>,
    /// Ends before an access or at a time, as --from
    #[arg(long, value_name = "PLACE", value_parser = bound)]
    pub(crate) until: Option<Bound>,
    /// Keeps the first N accesses of every M, counted from --from
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
