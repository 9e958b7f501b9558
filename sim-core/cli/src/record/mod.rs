//! `pagewalk record`: runs a program, and takes its accesses while it runs. A program that `pagewalk cc` compiled writes
//! them by itself; any other program runs under valgrind's tool lackey.
//!
//! ```text
//! program under lackey ─▶ pipe ─▶ a thread that reads ─▶ importer ─▶ trace in memory ─▶ file
//! program with hooks ───▶ shared memory ────────────────────────────────┤
//!        └ /proc/PID/maps ──────────────────────────────────────────────┘
//! ```

#[cfg(unix)]
mod drmemtrace;
#[cfg(unix)]
mod follow;
#[cfg(unix)]
mod hooks;
#[cfg(unix)]
mod lackey;
#[cfg(unix)]
mod maps;
#[cfg(unix)]
mod pages;
#[cfg(unix)]
mod part;
#[cfg(unix)]
mod preload;
#[cfg(unix)]
mod processor_time;
#[cfg(unix)]
mod recording;
#[cfg(unix)]
mod script;
#[cfg(unix)]
mod source;
#[cfg(unix)]
mod stop;
#[cfg(unix)]
mod tools;

#[cfg(unix)]
pub(crate) use recording::record;

#[cfg(not(unix))]
pub(crate) fn record(_args: &crate::args::RecordArgs) -> anyhow::Result<std::process::ExitCode> {
    anyhow::bail!(
        "record needs valgrind, which does not run on this system: record on Linux, and import the file here"
    )
}
