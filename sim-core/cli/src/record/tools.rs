//! Recordings by perf and by DynamoRIO: the tool writes its own file, which is imported after the program has ended.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use pagewalk_sources::import::ImportReport;

use super::lackey::found;
use super::stop::Stop;
use crate::args::FormatArgs;
use crate::convert::All;
use crate::input::Input;

/// The time between two looks at the program.
const WAIT: Duration = Duration::from_millis(20);
/// How much a kernel may forbid before perf cannot sample a program of its user (`kernel.perf_event_paranoid`).
const PARANOID: i32 = 2;

/// What a finished recording is: its report, its trace, and how the program ended.
pub(super) type Recorded = (ImportReport, All, ExitStatus);

/// What perf records on a machine, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Recipe {
    words: &'static [&'static str],
    /// What the recording lacks, and what to do.
    note: Option<&'static str>,
    /// The words after `perf script` that print the samples, if the file does not hold them.
    print: &'static [&'static str],
}

const MEM: Recipe =
    Recipe { words: &["mem", "record", "-p", "--data-page-size"], note: None, print: &[] };
const SPE: Recipe = Recipe {
    words: &["mem", "record"],
    note: None,
    print: &["-F", "comm,pid,tid,cpu,time,event,addr,ip,sym,dso,data_src", "--show-mmap-events"],
};
const FAULTS: Recipe = Recipe {
    words: &["record", "-e", "page-faults", "-c", "1", "-d", "--data-page-size"],
    note: Some(
        "perf finds no counters of memory accesses here, so only page faults are recorded, the first touch of each page. Record on the machine itself instead of a virtual machine, or every access with --with lackey",
    ),
    print: &[],
};

/// Returns the recipe for a machine with these sources of events (`/sys/bus/event_source/devices`). `has_loads` says
/// whether the processor's own source has the event of loads.
fn recipe(sources: &BTreeSet<String>, has_loads: bool) -> Recipe {
    let has = |name: &str| sources.iter().any(|source| source.starts_with(name));
    if has("arm_spe") {
        SPE
    } else if has("ibs_op") || has_loads {
        MEM
    } else {
        FAULTS
    }
}

fn recipe_here() -> Recipe {
    let devices = Path::new("/sys/bus/event_source/devices");
    let entries = fs::read_dir(devices).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let loads = ["cpu", "cpu_core"].map(|cpu| devices.join(cpu).join("events/mem-loads"));
    recipe(&names.collect(), loads.iter().any(|path| path.exists()))
}

/// Records a program with perf. Its file is in `folder` for as long as it is needed.
///
/// # Errors
/// perf is missing or may not record, or there is no such program.
pub(super) fn perf(
    program: &[OsString],
    folder: &Path,
    limit: u64,
    stop: &mut Stop,
) -> anyhow::Result<Recorded> {
    const MISSING: &str = "perf is not installed: install it with `sudo apt-get install linux-perf`, or linux-tools of your kernel";
    let perf = found(OsStr::new("perf")).context(MISSING)?;
    check_program(program)?;
    let recipe = recipe_here();
    let folder = tempfile::tempdir_in(folder).context("cannot make a folder for perf")?;
    let file = folder.path().join("perf.data");
    let mut command = Command::new(&perf);
    command.args(recipe.words).arg("-q").arg("-o").arg(&file).arg("--").args(program);
    let status = wait(command, "perf", stop)?;
    if fs::metadata(&file).map_or(0, |meta| meta.len()) == 0 {
        bail!(forbidden(
            &fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default()
        ));
    }
    let file = match recipe.print {
        [] => file,
        words => {
            let text = folder.path().join("perf.txt");
            let out = fs::File::create(&text).context("cannot print the recording")?;
            let mut command = Command::new(&perf);
            command.arg("script").arg("-i").arg(&file).args(words).stdout(out);
            wait(command, "perf script", stop)?;
            text
        }
    };
    let (mut report, all) = import(&file, limit)?;
    report.warnings.extend(recipe.note.map(Into::into));
    Ok((report, all, status))
}

/// Words why perf recorded nothing. `level` is the text of `kernel.perf_event_paranoid`.
fn forbidden(level: &str) -> String {
    match level.trim().parse::<i32>() {
        Ok(level) if level > PARANOID => {
            "perf may not record: allow it with `sudo sysctl kernel.perf_event_paranoid=1`"
                .to_owned()
        }
        _ => {
            "nothing was recorded: perf could not record the program, and says why above".to_owned()
        }
    }
}

/// Records a program with DynamoRIO's drmemtrace.
///
/// # Errors
/// DynamoRIO is missing, or there is no such program.
pub(super) fn drmemtrace(
    program: &[OsString],
    folder: &Path,
    limit: u64,
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
    // The first folder is that of the program; others are of programs that it started.
    let mut folders = listed(folder.path());
    folders.retain(|path| path.is_dir());
    let Some(raw) = folders.first() else {
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
    let (mut report, all) = import(trace, limit)?;
    if traces.len() > 1 {
        let warning = format!(
            "DynamoRIO writes a file for each of {} threads: this trace is the thread with the largest",
            traces.len()
        );
        report.part = true;
        report.warnings.push(warning.into());
    }
    Ok((report, all, status))
}

/// The entries of a folder by name; none if there is no such folder.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn check_program(program: &[OsString]) -> anyhow::Result<()> {
    let [name, ..] = program else { bail!("give the program to record") };
    if found(name).is_none() {
        bail!("{}: there is no such program", Path::new(name).display());
    }
    Ok(())
}

/// Runs a tool to its end, and passes signals on to it.
fn wait(mut command: Command, name: &str, stop: &mut Stop) -> anyhow::Result<ExitStatus> {
    let mut child = command.spawn().with_context(|| format!("{name} cannot be started"))?;
    loop {
        stop.take(&mut child);
        let ended = child.try_wait().with_context(|| format!("{name} cannot be waited for"))?;
        if let Some(status) = ended {
            return Ok(status);
        }
        thread::sleep(WAIT);
    }
}

fn import(file: &Path, limit: u64) -> anyhow::Result<(ImportReport, All)> {
    let format = FormatArgs::default();
    let mut all = All::default();
    let report = Input { path: file, format: &format, limit }.stream(&mut all)?;
    Ok((report, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perf_records_what_the_processor_offers() {
        let of = |sources: &str, has_loads| {
            recipe(&sources.split_whitespace().map(str::to_owned).collect(), has_loads)
        };
        assert_eq!(of("breakpoint cpu software", true), MEM);
        assert_eq!(of("cpu ibs_fetch ibs_op software", false), MEM);
        assert_eq!(of("armv8_pmuv3_0 arm_spe_0", false), SPE);
        assert_eq!(of("breakpoint cpu software", false), FAULTS);
    }

    #[test]
    fn a_level_that_forbids_perf_names_the_command() {
        assert!(forbidden("3\n").contains("sysctl kernel.perf_event_paranoid=1"));
        for level in ["2\n", "-1", ""] {
            assert!(forbidden(level).ends_with("says why above"));
        }
    }
}
