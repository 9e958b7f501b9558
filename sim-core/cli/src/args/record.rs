//! Arguments of `record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::count;

#[derive(Args)]
pub(crate) struct RecordArgs {
    /// The file to write, in Pagewalk's own format; .gz or .xz at the end compresses it. By default the name of the
    /// program with .pagewalk
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The tool that sees the accesses
    #[arg(long, value_name = "TOOL", value_enum, default_value_t = RecordWith::Lackey)]
    pub(crate) with: RecordWith,
    /// End the program after this number of accesses
    #[arg(short = 'n', long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
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
    /// perf: samples of memory accesses with what the processor measured; without its counters, page faults
    Perf,
    /// DynamoRIO's drmemtrace: every fetch, load and store of the largest thread
    Drmemtrace,
}
