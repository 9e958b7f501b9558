//! One recording from the start of the program to the file.

use std::fs;
use std::io::{self, BufWriter};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::Trace;
use pagewalk_sources::import::{ImportReport, Warning};
use pagewalk_sources::process::PageFrames;

use super::hooks;
use super::part::{Part, counted};
use super::script::Script;
use super::source::{Files, describe};
use super::stop::Stop;
use super::tools::Recorded;
use super::{drmemtrace, follow, lackey, tools};
use crate::args::{RecordArgs, RecordWith};
use crate::convert::write_saved;
use crate::open::{Shown, Site, serve};
use crate::output;
use crate::packing::{Packing, is_stdout};
use crate::progress::rate;
use crate::table::grouped;
use crate::whole::{WholeFile, folder, hold_signals, why_not};

/// The warning about a signal.
pub(super) const STOPPED: &str =
    "The recording was stopped before the program ended: the trace has the accesses until then";
/// The warning about a program that went on as another one.
pub(super) const REPLACED: &str = "The program replaced itself by another one, which is not recorded: record that program instead";

pub(crate) fn record(args: &RecordArgs) -> anyhow::Result<ExitCode> {
    let with = tool(args)?;
    let out = out(args)?;
    let packing = Packing::of(&out)?;
    check_writable(&out)?;
    let site = args.open.then(Site::new).transpose()?;
    let mut stop = Stop::new().context("signals cannot be taken")?;
    hold_signals();
    let begun = Instant::now();
    let mut files = Files::default();
    let (mut report, all, status) = take(args, with, folder(&out), &mut stop, &mut files)?;
    let took = begun.elapsed();
    let (mut trace, samples) = all.finish(report.completeness)?;
    describe(&mut trace, files);
    trace.drop_unused_mappings();
    write_frames(args, &trace)?;
    let bytes = write(&out, packing, trace, samples, &mut report)
        .map_err(|error| anyhow!("{}: cannot write it: {}", out.display(), why_not(&error)))?;
    say(&out, &report, took, bytes);
    if let Some(site) = site {
        serve(site, Some(Shown::of(&out)?), 0, true)?;
    }
    Ok(exit_code(status))
}

/// Runs the program, and takes the part of its accesses that the arguments ask for.
fn take(
    args: &RecordArgs,
    with: RecordWith,
    beside: &Path,
    stop: &mut Stop,
    files: &mut Files,
) -> anyhow::Result<Recorded> {
    let part = Part::of(args);
    let script = (with == RecordWith::Lackey).then(|| Script::of(&args.program)).flatten();
    let program = script.as_ref().map_or(&args.program, |script| &script.program);
    let (mut report, all, status) = match with {
        RecordWith::Lackey => follow::follow(lackey::start(program)?, part, stop, files)?,
        RecordWith::Cc => hooks::follow(program, part, stop, files)?,
        RecordWith::Perf => tools::perf(program, beside, part, stop)?,
        RecordWith::Drmemtrace => drmemtrace::drmemtrace(program, beside, part, stop)?,
    };
    let of_script = script.map(|script| script.words(&args.program));
    report.warnings.extend(of_script.into_iter().chain(part.left_out(with)).map(Into::into));
    if let Some(why) = end(stop, part, with, &report, status) {
        report.part = true;
        report.warnings.retain(|warning| !warning.is_about_end());
        report.warnings.push(why.into());
    }
    Ok((report, all, status))
}

/// Says what a recording has, and its warnings.
fn say(out: &Path, report: &ImportReport, took: Duration, bytes: u64) {
    let accesses = report.accesses;
    #[expect(clippy::cast_precision_loss, reason = "a rate and a mean for people")]
    let (per_second, per_access) =
        (accesses as f64 / took.as_secs_f64(), bytes as f64 / accesses.max(1) as f64);
    let warnings = report.warnings.iter().map(|warning| format!("Warning: {warning}\n"));
    output::aside(format!(
        "{}: {} in {:.1} s ({}), {} bytes, {per_access:.2} per access\n{}",
        out.display(),
        counted(accesses),
        took.as_secs_f64(),
        rate(per_second),
        grouped(bytes),
        warnings.collect::<String>()
    ));
}

/// Says why a recording ended before its program, if it did.
fn end(
    stop: &Stop,
    part: Part,
    with: RecordWith,
    report: &ImportReport,
    status: ExitStatus,
) -> Option<String> {
    if stop.has_ended(status) {
        return Some(STOPPED.to_owned());
    }
    if report.part && report.accesses >= part.limit {
        return Some(part.reached(with));
    }
    // The importer has seen no end of a program that ended by itself.
    let is_replaced = with == RecordWith::Lackey
        && status.code().is_some()
        && report.warnings.iter().any(Warning::is_about_end);
    is_replaced.then(|| REPLACED.to_owned())
}

/// The tool that was asked for, or the one that the program needs.
fn tool(args: &RecordArgs) -> anyhow::Result<RecordWith> {
    let is_compiled = hooks::compiled(&args.program)?;
    Ok(args.with.unwrap_or(if is_compiled { RecordWith::Cc } else { RecordWith::Lackey }))
}

/// The file to write.
fn out(args: &RecordArgs) -> anyhow::Result<PathBuf> {
    let out = match (&args.out, args.program.first()) {
        (Some(out), _) => out.clone(),
        (None, Some(program)) => {
            let name = Path::new(program).file_name();
            let mut name = name.context("name the file with --out")?.to_owned();
            name.push(".pagewalk");
            name.into()
        }
        (None, None) => bail!("give the program to record"),
    };
    if is_stdout(&out) {
        bail!("--out -: standard output belongs to the program: give a file");
    }
    Ok(out)
}

/// Checks before the program runs that its trace can be written.
fn check_writable(out: &Path) -> anyhow::Result<()> {
    if out.is_dir() {
        let file = out.join("my-program.pagewalk");
        bail!("{} is a folder: name a file, such as {}", out.display(), file.display());
    }
    if out.exists() && !out.is_file() {
        return Ok(());
    }
    let tried = WholeFile::without_name(folder(out)).map(drop);
    tried.map_err(|error| anyhow!("{}: cannot write it: {}", out.display(), why_not(&error)))
}

/// Writes the trace. Returns the size of its file.
fn write(
    out: &Path,
    packing: Packing,
    trace: Trace,
    samples: Samples,
    report: &mut ImportReport,
) -> io::Result<u64> {
    let mut file = WholeFile::create(out)?;
    packing.pack(&mut file, |packed| {
        write_saved(trace, samples, report, &mut BufWriter::new(packed))
    })?;
    let bytes = file.len()?;
    file.keep()?;
    Ok(bytes)
}

/// Writes the frames as text, if that is asked for.
fn write_frames(args: &RecordArgs, trace: &Trace) -> anyhow::Result<()> {
    let Some(path) = &args.pagemap else { return Ok(()) };
    if trace.frames().is_empty() {
        output::aside(format!("{}: there are no frames to write\n", path.display()));
        return Ok(());
    }
    let frames = PageFrames { runs: trace.frames().to_vec(), ..PageFrames::default() };
    fs::write(path, frames.text())
        .map_err(|error| anyhow!("{}: cannot write it: {}", path.display(), why_not(&error)))
}

/// The exit code of the program; 128 and the number of the signal that ended it, as a shell has it.
fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
