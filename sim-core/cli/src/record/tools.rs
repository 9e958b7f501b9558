//! Recordings by perf, and what they share with those by DynamoRIO: the tool writes its own file, which is imported after
//! the program has ended.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use pagewalk_sources::import::ImportReport;

use super::lackey::{check, found};
use super::part::Part;
use super::stop::Stop;
use crate::args::FormatArgs;
use crate::convert::All;
use crate::input::Input;

/// The time between two looks at the program.
const WAIT: Duration = Duration::from_millis(20);
/// What a kernel may forbid (`kernel.perf_event_paranoid`) before perf cannot sample a program of its user.
const PARANOID: i32 = 2;
/// What it may forbid before perf cannot record physical addresses.
const PARANOID_OF_PHYSICAL: i32 = 1;

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
const MEM_WITHOUT_PHYSICAL: Recipe = Recipe {
    words: &["mem", "record", "--data-page-size"],
    note: Some(
        "the samples have no physical addresses: allow them with `sudo sysctl kernel.perf_event_paranoid=1`",
    ),
    print: &[],
};
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
/// whether the processor's own source has the event of loads, `may_see_physical` whether the kernel shows this user
/// physical addresses.
fn recipe(sources: &BTreeSet<String>, has_loads: bool, may_see_physical: bool) -> Recipe {
    let has = |name: &str| sources.iter().any(|source| source.starts_with(name));
    if has("arm_spe") {
        SPE
    } else if has("ibs_op") || has_loads {
        if may_see_physical { MEM } else { MEM_WITHOUT_PHYSICAL }
    } else {
        FAULTS
    }
}

fn recipe_here() -> Recipe {
    let devices = Path::new("/sys/bus/event_source/devices");
    let entries = fs::read_dir(devices).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let loads = ["cpu", "cpu_core"].map(|cpu| devices.join(cpu).join("events/mem-loads"));
    let may_see_physical = rustix::process::geteuid().is_root()
        || paranoid().is_none_or(|it| it <= PARANOID_OF_PHYSICAL);
    recipe(&names.collect(), loads.iter().any(|path| path.exists()), may_see_physical)
}

/// Returns `kernel.perf_event_paranoid`, if the kernel has it.
fn paranoid() -> Option<i32> {
    let text = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}

/// Records a program with perf. Its file is in `folder` for as long as it is needed.
///
/// # Errors
/// perf is missing or may not record, or there is no such program.
pub(super) fn perf(
    program: &[OsString],
    folder: &Path,
    part: Part,
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
    let status = wait_with(command, "perf", |perf| stop.take_for_tool(perf))?;
    if fs::metadata(&file).map_or(0, |meta| meta.len()) == 0 {
        bail!(forbidden(paranoid()));
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
    let (mut report, all) = import(&file, part)?;
    report.warnings.extend(recipe.note.map(Into::into));
    Ok((report, all, status))
}

/// Words why perf recorded nothing. `level` is `kernel.perf_event_paranoid`.
fn forbidden(level: Option<i32>) -> &'static str {
    match level {
        Some(level) if level > PARANOID => {
            "perf may not record: allow it with `sudo sysctl kernel.perf_event_paranoid=1`"
        }
        Some(level) if level > PARANOID_OF_PHYSICAL => {
            "nothing was recorded: perf says why above. If the kernel forbids it, allow it with `sudo sysctl kernel.perf_event_paranoid=1`"
        }
        _ => "nothing was recorded: perf could not record the program, and says why above",
    }
}

pub(super) fn check_program(program: &[OsString]) -> anyhow::Result<()> {
    let [name, ..] = program else { bail!("give the program to record") };
    check(name)
}

/// Runs a tool to its end, and passes signals on to it.
pub(super) fn wait(command: Command, name: &str, stop: &mut Stop) -> anyhow::Result<ExitStatus> {
    wait_with(command, name, |child| stop.take(child))
}

/// Runs a tool to its end, and calls `take` with it from time to time.
fn wait_with(
    mut command: Command,
    name: &str,
    mut take: impl FnMut(&mut Child),
) -> anyhow::Result<ExitStatus> {
    let mut child = command.spawn().with_context(|| format!("{name} cannot be started"))?;
    loop {
        take(&mut child);
        let ended = child.try_wait().with_context(|| format!("{name} cannot be waited for"))?;
        if let Some(status) = ended {
            return Ok(status);
        }
        thread::sleep(WAIT);
    }
}

pub(super) fn import(file: &Path, part: Part) -> anyhow::Result<(ImportReport, All)> {
    let select = part.selection();
    let format = FormatArgs { from: select.from, every: select.every, ..FormatArgs::default() };
    let mut all = All::default();
    let report = Input { path: file, format: &format, limit: part.limit }.stream(&mut all)?;
    Ok((report, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perf_records_what_the_processor_offers() {
        let of = |sources: &str, has_loads| {
            recipe(&sources.split_whitespace().map(str::to_owned).collect(), has_loads, true)
        };
        assert_eq!(of("breakpoint cpu software", true), MEM);
        assert_eq!(of("cpu ibs_fetch ibs_op software", false), MEM);
        assert_eq!(of("armv8_pmuv3_0 arm_spe_0", false), SPE);
        assert_eq!(of("breakpoint cpu software", false), FAULTS);
        let sources = BTreeSet::from(["ibs_op".to_owned()]);
        assert_eq!(recipe(&sources, false, false), MEM_WITHOUT_PHYSICAL);
    }

    #[test]
    fn a_level_that_forbids_perf_names_the_command() {
        for level in [3, 2] {
            assert!(forbidden(Some(level)).contains("sysctl kernel.perf_event_paranoid=1"));
        }
        for level in [Some(1), Some(-1), None] {
            assert!(forbidden(level).ends_with("says why above"));
        }
    }
}
