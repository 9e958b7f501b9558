//! Recordings by DynamoRIO's drmemtrace.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use super::lackey::found;
use super::part::Part;
use super::stop::Stop;
use super::tools::{Recorded, check_program, import, wait};

/// Records a program with DynamoRIO's drmemtrace.
///
/// # Errors
/// DynamoRIO is missing, or there is no such program.
pub(super) fn drmemtrace(
    program: &[OsString],
    folder: &Path,
    part: Part,
    stop: &mut Stop,
) -> anyhow::Result<Recorded> {
    const MISSING: &str = "DynamoRIO is not installed: unpack a release of https://dynamorio.org and put its bin64 into PATH, so that drrun is found";
    let drrun = found(OsStr::new("drrun")).context(MISSING)?;
    check_program(program)?;
    let folder = tempfile::tempdir_in(folder).context("cannot make a folder for DynamoRIO")?;
    let mut command = Command::new(&drrun);
    command.args(["-t", "drmemtrace", "-offline", "-outdir"]).arg(folder.path());
    command.arg("--").args(program);
    let status = wait(command, "drrun", stop)?;
    // The others are of processes that the program started.
    let all = Raw::all(folder.path(), program.first().map(OsString::as_os_str).unwrap_or_default());
    let [Raw { path: raw, name, pid }, others @ ..] = &all[..] else {
        bail!("nothing was recorded: DynamoRIO could not run the program, and says why above");
    };
    let mut command = Command::new(&drrun);
    command.args(["-t", "drmemtrace", "-tool", "basic_counts", "-indir"]).arg(raw);
    // Any analysis first converts the raw files. What it prints is not wanted.
    let null = || std::process::Stdio::null();
    command.stdout(null()).stderr(null());
    wait(command, "drrun", stop)?;
    let mut traces = listed(&raw.join("trace"));
    traces.retain(|path| path.to_string_lossy().contains(".trace"));
    traces.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).map_or(0, |meta| meta.len())));
    let Some(trace) = traces.first() else {
        bail!("nothing was recorded: DynamoRIO did not convert its raw files to a trace");
    };
    let (mut report, accesses) = import(trace, part)?;
    if !others.is_empty() {
        let warning = format!(
            "DynamoRIO recorded {} processes: this trace is the process {pid} of {name}",
            all.len()
        );
        report.warnings.push(warning.into());
    }
    if traces.len() > 1 {
        let warning = format!(
            "DynamoRIO writes a file for each of {} threads: this trace is the thread with the largest",
            traces.len()
        );
        report.part = true;
        report.warnings.push(warning.into());
    }
    Ok((report, accesses, status))
}

/// The entries of a folder by name; none if there is no such folder.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// What the name of a folder of raw files says: `drmemtrace.NAME.PID.NUMBER.dir`.
struct Raw {
    path: PathBuf,
    name: String,
    pid: u64,
}

impl Raw {
    fn of(path: PathBuf) -> Option<Self> {
        let text = path.file_name()?.to_str()?.strip_prefix("drmemtrace.")?.strip_suffix(".dir")?;
        let (text, _) = text.rsplit_once('.')?;
        let (name, pid) = text.rsplit_once('.')?;
        let (name, pid) = (name.to_owned(), pid.parse().ok()?);
        Some(Self { path, name, pid })
    }

    /// Returns the raw files in a folder, those of the program first, then by rising PID.
    fn all(folder: &Path, program: &OsStr) -> Vec<Self> {
        let program = Path::new(program).file_name().unwrap_or_default();
        let folders = listed(folder).into_iter().filter(|path| path.is_dir());
        let mut all: Vec<Self> = folders.filter_map(Self::of).collect();
        all.sort_by_key(|raw| (OsStr::new(&raw.name) != program, raw.pid));
        all
    }
}
