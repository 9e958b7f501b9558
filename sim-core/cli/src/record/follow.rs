//! Imports what lackey writes about a program while the program runs.

use std::process::{Child, ExitStatus};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_sources::import::{ImportOptions, Importer, Sink as _};

use super::lackey::Traced;
use super::maps::{Under, Watch};
use super::pages::Pages;
use super::part::Part;
use super::preload;
use super::source::Files;
use super::stop::Stop;
use super::tools::Recorded;
use crate::convert::All;
use crate::progress::{recording_bar, show_packed};

/// The time to wait for the next piece before the memory map and the program are looked at.
const WAIT: Duration = Duration::from_millis(10);
/// After its end, a program may leave children that keep the pipe open. Nothing of theirs is waited for.
const REST: Duration = Duration::from_millis(200);

/// Why a trace has no access after a signal.
const STOPPED: &str =
    "nothing was recorded: the recording was stopped before the program accessed memory";

/// Imports what the program accesses, until it ends or the limit is reached.
pub(super) fn follow(
    mut traced: Traced,
    part: Part,
    stop: &mut Stop,
    files: &mut Files,
) -> anyhow::Result<Recorded> {
    let options = ImportOptions {
        format: Some("lackey".to_owned()),
        limit: part.limit,
        max_bytes: u64::MAX,
        select: part.selection(),
        ..ImportOptions::default()
    };
    let mut importer = Importer::new(options)?;
    let mut all = All::default();
    let ended = pump(&mut traced, &mut importer, stop, files, &mut all)?;
    // A program that replaced itself by another one runs on without lackey.
    let status = wait(&mut traced.child, ended, stop)?;
    let is_full = importer.is_full();
    let mut report = importer.finish(&mut all).map_err(|error| match error.code {
        ErrorCode::BadTrace | ErrorCode::UnknownFormat if stop.has_ended(status) => {
            anyhow!(STOPPED)
        }
        _ => nothing_recorded(error, status),
    })?;
    if traced.preload.is_none() {
        report.warnings.push(preload::MISSING.into());
    }
    Ok((report, all, if is_full { ExitStatus::default() } else { status }))
}

/// Imports until the pipe is closed or the limit is reached. Returns the status of the program if it has ended.
fn pump(
    traced: &mut Traced,
    importer: &mut Importer,
    stop: &mut Stop,
    files: &mut Files,
    all: &mut All,
) -> anyhow::Result<Option<ExitStatus>> {
    let mut watch = Watch::new(traced.child.id(), Under::Valgrind);
    let pages = Pages::new(traced.child.id());
    let progress = recording_bar();
    let mut status = None;
    loop {
        stop.take(&mut traced.child);
        let piece = traced.pieces.recv_timeout(if status.is_some() { REST } else { WAIT });
        // The map comes before the accesses that use it.
        for mapping in files.with_globals(watch.look()) {
            all.mapping(mapping)?;
        }
        match piece {
            Ok(piece) => {
                if let Err(error) = importer.push(&piece, all) {
                    let _ = traced.child.kill();
                    return Err(error.into());
                }
                show_packed(&progress, all);
                if importer.is_full() {
                    let _ = traced.child.kill();
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) if status.is_none() => {
                status = ended(&mut traced.child)?;
            }
            Err(_) => break,
        }
    }
    progress.finish_and_clear();
    pages.finish(all)?;
    Ok(status)
}

fn ended(child: &mut Child) -> anyhow::Result<Option<ExitStatus>> {
    child.try_wait().context("valgrind cannot be waited for")
}

/// Waits for the end of a program, unless it has ended, and passes signals on to it.
fn wait(
    child: &mut Child,
    known: Option<ExitStatus>,
    stop: &mut Stop,
) -> anyhow::Result<ExitStatus> {
    let mut status = known;
    loop {
        if let Some(status) = status {
            return Ok(status);
        }
        stop.take(child);
        status = ended(child)?;
        if status.is_none() {
            thread::sleep(WAIT);
        }
    }
}

/// Words why a trace has no access.
fn nothing_recorded(error: Error, status: ExitStatus) -> anyhow::Error {
    match error.code {
        ErrorCode::BadTrace => anyhow!(
            "nothing was recorded: valgrind could not run the program ({status}), and says why above"
        ),
        ErrorCode::BadConfig => {
            anyhow!("nothing was recorded: {}: give --skip a smaller number", error.message)
        }
        _ => error.into(),
    }
}
