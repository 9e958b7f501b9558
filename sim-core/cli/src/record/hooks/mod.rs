//! Records a program that `pagewalk cc` compiled. Its runtime writes each access into memory that is shared with this
//! process, and waits when that is full.
//!
//! ```text
//! hooks of thread 1 ─▶ ring ─┐
//! hooks of thread 2 ─▶ ring ─┴▶ ordered by the times in them ─▶ trace in memory
//! ```

mod calls;
mod order;
mod ring;
mod shared;
mod taken;

pub(crate) use shared::Window;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use memchr::memmem;
use pagewalk_base::trace::{Completeness, MAX_DEPTH, MAX_NODES};
use pagewalk_sources::import::ImportReport;
use rustix::process::{Pid, Signal, kill_process};

use super::lackey::found;
use super::maps::{Under, Watch};
use super::pages::Pages;
use super::part::Part;
use super::recording::{REPLACED, STOPPED};
use super::source::Files;
use super::stop::Stop;
use crate::cc::MARK;
use crate::convert::All;
use crate::import::COMPILED_ONLY;
use crate::progress::recording_bar;
use crate::table::grouped;
use order::Order;
use shared::{Facts, Shared};
use taken::Taken;

/// The time to wait for the program when it has written nothing.
const WAIT: Duration = Duration::from_micros(200);
/// A script may end before a program that it left behind has begun.
const UNCLAIMED: Duration = Duration::from_secs(1);

/// What is said about a program in a container.
const ELSEWHERE: &str = "the program runs in another PID namespace, such as that of a container, so its process cannot be followed: run `pagewalk record` inside of it";

/// Returns whether `pagewalk cc` compiled a program.
///
/// # Errors
/// Another version did.
pub(super) fn compiled(program: &[OsString]) -> anyhow::Result<bool> {
    let Some(path) = program.first().and_then(|name| found(name)) else { return Ok(false) };
    let Ok(mut file) = File::open(&path) else { return Ok(false) };
    let mut magic = [0; 4];
    if file.read_exact(&mut magic).is_err() || &magic != b"\x7fELF" {
        return Ok(false);
    }
    let same = MARK.trim_end_matches(|c: char| c.is_ascii_digit());
    let Some(version) = after(&mut file, same.as_bytes())? else { return Ok(false) };
    let own = &MARK.as_bytes()[same.len()..];
    if version != own {
        bail!(
            "{}: another version of Pagewalk compiled it: compile it again with `pagewalk cc`",
            path.display()
        );
    }
    Ok(true)
}

/// Returns the digits after a text in a file.
fn after(file: &mut File, text: &[u8]) -> io::Result<Option<Vec<u8>>> {
    const PIECE: usize = 1 << 20;
    const DIGITS: usize = 8;
    let finder = memmem::Finder::new(text);
    let mut bytes = Vec::new();
    loop {
        let n = file.take(PIECE as u64).read_to_end(&mut bytes)?;
        let known = bytes.len();
        let found = finder.find(&bytes).filter(|at| n == 0 || at + text.len() + DIGITS <= known);
        if let Some(at) = found {
            let rest = bytes[at + text.len()..].iter();
            return Ok(Some(rest.take_while(|byte| byte.is_ascii_digit()).copied().collect()));
        }
        if n == 0 {
            return Ok(None);
        }
        bytes.drain(..known.saturating_sub(text.len() + DIGITS));
    }
}

/// Runs a program, and takes its accesses until it ends or the limit is reached.
pub(super) fn follow(
    program: &[OsString],
    part: Part,
    stop: &mut Stop,
    files: &mut Files,
) -> anyhow::Result<(ImportReport, All, ExitStatus)> {
    let shared = Shared::create(part.window).context("no memory can be shared with the program")?;
    let mut child = start(program, &shared)?;
    let mut taken = Taken::new(part.skip, part.limit);
    let attended = attend(program, &mut child, &shared, stop, files, &mut taken);
    if attended.is_err() || taken.is_full() {
        end(&mut child, &shared);
    }
    let Attended { status, is_replaced, is_another, lost } = attended?;
    taken.count_blocks()?;
    let status = if taken.is_full() { ExitStatus::default() } else { status };
    let facts = shared.facts()?;
    let mut report =
        report(&Facts { lost: facts.lost.saturating_add(lost), ..facts }, part, &taken)?;
    if is_replaced {
        report.part = true;
        report.warnings.push(REPLACED.into());
    } else if is_another && stop.is_asked() && !taken.is_full() {
        report.part = true;
        report.warnings.push(STOPPED.into());
    }
    Ok((report, taken.all, status))
}

/// The process that writes: the program, or one that the program started.
struct Recorded {
    pid: u32,
    watch: Watch,
    pages: Pages,
}

impl Recorded {
    fn new(pid: u32) -> Self {
        Self { pid, watch: Watch::new(pid, Under::Nothing), pages: Pages::new(pid) }
    }

    /// Takes what has changed in the memory of the process.
    fn look(&mut self, files: &mut Files, taken: &mut Taken) -> anyhow::Result<()> {
        for mapping in files.with_globals(self.watch.look()) {
            taken.mapping(mapping)?;
        }
        Ok(())
    }
}

/// How a recording ended.
struct Attended {
    status: ExitStatus,
    /// Whether the recorded process ran another program by then.
    is_replaced: bool,
    /// Whether the recorded process is another one than the program, so that `status` does not say how it ended.
    is_another: bool,
    /// Accesses that were never written.
    lost: u64,
}

/// Takes what a program writes until it ends. A recorded process that it leaves behind is followed to its end.
fn attend(
    program: &[OsString],
    child: &mut Child,
    shared: &Shared,
    stop: &mut Stop,
    files: &mut Files,
    taken: &mut Taken,
) -> anyhow::Result<Attended> {
    let progress = recording_bar();
    let mut order = Order::default();
    let mut recorded: Option<Recorded> = None;
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut is_over = false;
    loop {
        let left_behind = recorded.as_ref().map(|of| of.pid).filter(|pid| *pid != child.id());
        let running = if ended.is_some() { left_behind } else { Some(child.id()) };
        if let Some(pid) = running {
            stop.pass_to(pid);
        }
        if ended.is_none() {
            let status = child.try_wait().context("the program cannot be waited for")?;
            ended = status.map(|status| (status, Instant::now()));
        }
        if recorded.is_none() {
            recorded = shared.process()?.map(Recorded::new);
        }
        if recorded.is_none() && shared.is_elsewhere()? {
            bail!(ELSEWHERE);
        }
        if let Some(of) = &mut recorded {
            of.look(files, taken)?;
        }
        let before = taken.entries;
        order.round(shared, is_over, taken)?;
        taken.show(&progress);
        if is_over || taken.is_full() {
            progress.finish_and_clear();
            let Some(Recorded { pid, watch, pages }) = recorded else { bail!(unclaimed(program)) };
            pages.finish(&mut taken.all)?;
            let is_replaced =
                watch.holds(Shared::NAME) == Some(false) || !watch.may_hold(Shared::NAME);
            let status = ended.map(|(status, _)| status).unwrap_or_default();
            let is_another = pid != child.id();
            return Ok(Attended { status, is_replaced, is_another, lost: order.lost() });
        }
        if taken.entries == before {
            is_over = match (&recorded, ended) {
                (_, None) => false,
                (None, Some((_, at))) => at.elapsed() > UNCLAIMED,
                (Some(of), Some(_)) => {
                    of.pid == child.id() || of.watch.holds(Shared::NAME) != Some(true)
                }
            };
            if !is_over {
                thread::sleep(WAIT);
            }
        }
    }
}

/// Ends a program, and the one that it runs if that is the recorded one.
fn end(child: &mut Child, shared: &Shared) {
    let recorded = shared.process().ok().flatten().filter(|pid| *pid != child.id());
    let recorded = recorded.and_then(|pid| i32::try_from(pid).ok());
    // Both fail only if there is nothing to end.
    let _ = recorded.and_then(Pid::from_raw).map(|pid| kill_process(pid, Signal::KILL));
    let _ = child.kill();
    let _ = child.wait();
}

fn start(program: &[OsString], shared: &Shared) -> anyhow::Result<Child> {
    let [name, arguments @ ..] = program else { bail!("give the program to record") };
    let path = Path::new(name);
    if found(name).is_none() {
        bail!("{}: there is no such program", path.display());
    }
    let mut command = Command::new(name);
    command.args(arguments).env("PAGEWALK_RING", shared.number());
    command.spawn().map_err(|error| anyhow!("{}: it cannot be started: {error}", path.display()))
}

fn unclaimed(program: &[OsString]) -> String {
    let name = program.first().map(|name| Path::new(name).display().to_string());
    format!(
        "nothing was recorded: no part of {} was compiled with `pagewalk cc`: compile it so, or leave out --with cc",
        name.unwrap_or_default()
    )
}

fn report(facts: &Facts, part: Part, taken: &Taken) -> anyhow::Result<ImportReport> {
    if taken.accesses() == 0 && taken.skipped > 0 {
        bail!(
            "nothing was recorded: the program made only {}: give --skip a smaller number",
            counted(taken.skipped, "access", "accesses")
        );
    }
    if taken.accesses() == 0 && !taken.is_full() {
        bail!(if facts.later {
            "nothing was recorded: the program includes pagewalk.h and never calls pagewalk_start(): call it before the part to record"
        } else {
            "nothing was recorded: the program accesses no memory in code that `pagewalk cc` compiled"
        });
    }
    let mut warnings = vec![COMPILED_ONLY.to_owned()];
    if facts.forks > 0 {
        let n = counted(facts.forks.into(), "forked process is", "forked processes are");
        warnings.push(format!("{n} not recorded, only the process that forked"));
    }
    if facts.lost > 0 {
        warnings.push(format!(
            "{} missing: signal handlers made them while the recording was busy, or threads while {} others ran",
            counted(facts.lost, "access is", "accesses are"),
            shared::RINGS
        ));
    }
    if taken.calls.n_cut() > 0 {
        warnings.push(format!(
            "Functions deeper than {MAX_DEPTH} calls, or beyond {} call paths, count for their callers",
            grouped(MAX_NODES as u64)
        ));
    }
    Ok(ImportReport {
        format: "pagewalk cc".to_owned(),
        completeness: Completeness::Complete,
        part: part.window.is_some()
            || taken.skipped > 0
            || facts.later
            || facts.lost > 0
            || taken.is_full(),
        records: taken.entries,
        accesses: taken.accesses(),
        warnings: warnings.into_iter().map(Into::into).collect(),
        ..ImportReport::default()
    })
}

fn counted(n: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { several })
}
