//! Arguments of `record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::{count, window};

#[derive(Args)]
pub(crate) struct RecordArgs {
    /// The file to write, in Pagewalk's own format; .gz or .xz at the end compresses it. By default the name of the
    /// program with .pagewalk
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The tool that sees the accesses. By default cc if `pagewalk cc` compiled the program, else lackey
    #[arg(long, value_name = "TOOL", value_enum)]
    pub(crate) with: Option<RecordWith>,
    /// End the program when this number of accesses is kept
    #[arg(short = 'n', long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Leave out this number of first accesses, for example those of the program's start; --limit counts from there
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) skip: Option<u64>,
    /// Keep the first N of every M accesses; with cc, of every M accesses of a thread, before --skip counts
    #[arg(long, value_name = "N/M", value_parser = window)]
    pub(crate) window: Option<(u64, u64)>,
    /// Also write the frames of the pages in the text form that --pagemap of other commands reads
    #[arg(long, value_name = "FILE")]
    pub(crate) pagemap: Option<PathBuf>,
    /// Open the trace in the browser afterwards, as `pagewalk open` does
    #[arg(long)]
    pub(crate) open: bool,
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) program: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordWith {
    /// valgrind's tool lackey: every fetch, load and store of one process
    Lackey,
    /// the hooks of a program that `pagewalk cc` compiled: its own loads and stores, many times as fast
    Cc,
    /// perf: samples of memory accesses with what the processor measured; without its counters, page faults
    Perf,
    /// DynamoRIO's drmemtrace: every fetch, load and store of the largest thread
    Drmemtrace,
}
