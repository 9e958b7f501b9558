//! `pagewalk record`: runs a program under valgrind's tool lackey, and imports the trace while the program runs.
//!
//! ```text
//! program under lackey ─▶ pipe ─▶ a thread that reads ─▶ importer ─▶ trace in memory ─▶ file
//!        └ /proc/PID/maps ───────────────────────────────────────────────┘
//! ```

#[cfg(unix)]
mod lackey;
#[cfg(unix)]
mod maps;
#[cfg(unix)]
mod recording;
#[cfg(unix)]
mod smaps;
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
