//! One recording from the start of the program to the file.

use std::fs;
use std::io::{self, BufWriter};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::error::ErrorCode;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{MAX_ACCESSES, Trace};
use pagewalk_sources::import::{ImportOptions, ImportReport, Importer, Sink as _};
use pagewalk_sources::process::PageFrames;

use super::hooks;
use super::lackey::{self, Traced};
use super::maps::{Under, Watch};
use super::pages::Pages;
use super::preload;
use super::source::{Files, describe};
use super::stop::Stop;
use super::{drmemtrace, tools};
use crate::args::{RecordArgs, RecordWith};
use crate::convert::{All, write_saved};
use crate::open::{Shown, Site, serve};
use crate::output;
use crate::packing::{Packing, is_stdout};
use crate::progress::{rate, recording_bar, show_packed};
use crate::table::grouped;
use crate::whole::{WholeFile, folder, hold_signals, why_not};

/// The time to wait for the next piece before the memory map and the program are looked at.
const WAIT: Duration = Duration::from_millis(10);
/// After its end, a program may leave children that keep the pipe open. Nothing of theirs is waited for.
const REST: Duration = Duration::from_millis(200);

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
    let limit = args.limit.unwrap_or(u64::MAX).min(MAX_ACCESSES.into());
    let mut files = Files::default();
    let beside = folder(&out).to_owned();
    let (mut report, all, status) = match with {
        RecordWith::Lackey => follow(lackey::start(&args.program)?, limit, &mut stop, &mut files)?,
        RecordWith::Cc => with_hooks(args, limit, &mut stop, &mut files)?,
        RecordWith::Perf => tools::perf(&args.program, &beside, limit, &mut stop)?,
        RecordWith::Drmemtrace => drmemtrace::drmemtrace(&args.program, &beside, limit, &mut stop)?,
    };
    let took = begun.elapsed();
    if stop.is_asked() {
        report.part = true;
        report.warnings.push("The recording was stopped before the program ended".into());
    } else if with == RecordWith::Lackey
        && report.part
        && status.code().is_some()
        && report.accesses < limit
    {
        report.warnings.push(REPLACED.into());
    }
    let (mut trace, samples) = all.finish(report.completeness)?;
    describe(&mut trace, files);
    trace.drop_unused_mappings();
    write_frames(args, &trace)?;
    let accesses = report.accesses;
    let bytes = write(&out, packing, trace, samples, &mut report)
        .map_err(|error| anyhow!("{}: cannot write it: {}", out.display(), why_not(&error)))?;
    #[expect(clippy::cast_precision_loss, reason = "a rate and a mean for people")]
    let (per_second, per_access) =
        (accesses as f64 / took.as_secs_f64(), bytes as f64 / accesses.max(1) as f64);
    let warnings = report.warnings.iter().map(|warning| format!("Warning: {warning}\n"));
    output::aside(format!(
        "{}: {} accesses in {:.1} s ({}), {} bytes, {per_access:.2} per access\n{}",
        out.display(),
        grouped(accesses),
        took.as_secs_f64(),
        rate(per_second),
        grouped(bytes),
        warnings.collect::<String>()
    ));
    if let Some(site) = site {
        serve(site, Some(Shown::of(&out)?), 0, true)?;
    }
    Ok(exit_code(status))
}

/// The tool that was asked for, or the one that the program needs.
fn tool(args: &RecordArgs) -> anyhow::Result<RecordWith> {
    let is_compiled = hooks::compiled(&args.program)?;
    let with = args.with.unwrap_or(if is_compiled { RecordWith::Cc } else { RecordWith::Lackey });
    if with == RecordWith::Lackey && args.window.is_some() {
        bail!("--window: only programs that `pagewalk cc` compiled have windows");
    }
    Ok(with)
}

fn with_hooks(
    args: &RecordArgs,
    limit: u64,
    stop: &mut Stop,
    files: &mut Files,
) -> anyhow::Result<(ImportReport, All, ExitStatus)> {
    let window = args.window.map(|(keep, of)| hooks::Window { keep, of });
    hooks::follow(&args.program, limit, window, stop, files)
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

/// Imports what the program accesses, until it ends or the limit is reached.
fn follow(
    mut traced: Traced,
    limit: u64,
    stop: &mut Stop,
    files: &mut Files,
) -> anyhow::Result<(ImportReport, All, ExitStatus)> {
    let options = ImportOptions {
        format: Some("lackey".to_owned()),
        limit,
        max_bytes: u64::MAX,
        ..ImportOptions::default()
    };
    let mut importer = Importer::new(options)?;
    let mut all = All::default();
    let mut watch = Watch::new(traced.child.id(), Under::Valgrind);
    let mut pages = Pages::new(traced.child.id());
    let progress = recording_bar();
    let mut status = None;
    loop {
        stop.take(&mut traced.child);
        let piece = traced.pieces.recv_timeout(if status.is_some() { REST } else { WAIT });
        // The map comes before the accesses that use it.
        for mapping in files.with_globals(watch.look()) {
            all.mapping(mapping)?;
        }
        pages.look();
        match piece {
            Ok(piece) => {
                if let Err(error) = importer.push(&piece, &mut all) {
                    let _ = traced.child.kill();
                    return Err(error.into());
                }
                show_packed(&progress, &all);
                if importer.is_full() {
                    let _ = traced.child.kill();
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) if status.is_none() => {
                status = traced.child.try_wait().context("valgrind cannot be waited for")?;
            }
            Err(_) => break,
        }
    }
    progress.finish_and_clear();
    pages.finish(&mut all)?;
    // A program that replaced itself by another one runs on without lackey.
    let status = loop {
        let ended = match status {
            None => traced.child.try_wait().context("valgrind cannot be waited for")?,
            ended => ended,
        };
        if let Some(ended) = ended {
            break ended;
        }
        stop.take(&mut traced.child);
        thread::sleep(WAIT);
    };
    let is_full = importer.is_full();
    let has_blocks = traced.preload.is_some();
    let mut report = importer.finish(&mut all).map_err(|error| match error.code {
        ErrorCode::BadTrace => anyhow!(
            "nothing was recorded: valgrind could not run the program ({status}), and says why above"
        ),
        _ => error.into(),
    })?;
    if !has_blocks {
        report.warnings.push(preload::MISSING.into());
    }
    Ok((report, all, if is_full { ExitStatus::default() } else { status }))
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
