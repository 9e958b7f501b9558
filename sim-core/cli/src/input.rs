//! Streams a trace file through the importer, with a progress bar on a terminal.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use pagewalk_base::error::{Error, Place};
use pagewalk_sources::import::{ImportOptions, ImportReport, Importer, Sink};

use crate::args::FormatArgs;
use crate::table::grouped;

/// The size in bytes of the pieces that are read and decompressed. It is small, because compressed data can
/// grow a thousandfold.
const PIECE: usize = 128 << 10;

/// A trace file to read.
pub(crate) struct Input<'a> {
    pub(crate) path: &'a Path,
    pub(crate) format: &'a FormatArgs,
    /// The largest number of accesses to read.
    pub(crate) limit: u64,
}

impl Input<'_> {
    /// Sends every access of the trace to `sink`. Errors name the file.
    pub(crate) fn stream(&self, sink: &mut impl Sink) -> anyhow::Result<ImportReport> {
        let name = self.name();
        let (reader, bytes): (Box<dyn Read>, _) = if self.is_stdin() {
            (Box::new(io::stdin().lock()), None)
        } else {
            let file = open(self.path)?;
            let meta = file.metadata().ok().filter(std::fs::Metadata::is_file);
            (Box::new(file), meta.map(|meta| meta.len()))
        };
        let options = ImportOptions {
            name: name.clone(),
            format: self.format.format.clone(),
            limit: self.limit,
            select: self.format.selection(),
            ..ImportOptions::default()
        };
        // Errors in the options, not in the file: an unknown format, or an impossible selection.
        let importer = Importer::new(options).map_err(|error| blame_option(&error))?;
        let progress = progress_bar(bytes);
        let report = pump(reader, importer, sink, &progress);
        progress.finish_and_clear();
        report.map_err(|error| match error {
            Failure::Read(error) => io_error(&PathBuf::from(&name), &error),
            Failure::Import(Error { at: Some(Place::Field(_)), message, .. }) => {
                anyhow!("{name}: {message}")
            }
            Failure::Import(error) => anyhow::Error::new(error).context(name),
        })
    }

    /// The name of the trace in errors and titles.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// Names the option that caused an error.
fn blame_option(error: &Error) -> anyhow::Error {
    let option = match &error.at {
        Some(Place::Field(field)) => match field.rsplit('.').next().unwrap_or_default() {
            // `pagewalk convert` has an option --to of its own, so the end of the selection is called
            // --until.
            "to" => "until".to_owned(),
            last => last.to_owned(),
        },
        _ => "format".to_owned(),
    };
    anyhow!("--{option}: {}", error.message)
}

enum Failure {
    Read(io::Error),
    Import(Error),
}

fn pump(
    mut reader: impl Read,
    mut importer: Importer,
    sink: &mut impl Sink,
    progress: &ProgressBar,
) -> Result<ImportReport, Failure> {
    let mut piece = vec![0; PIECE];
    while !importer.is_full() {
        let n = match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Read(error)),
        };
        importer.push(&piece[..n], sink).map_err(Failure::Import)?;
        progress.inc(n as u64);
        if !progress.is_hidden() {
            progress.set_message(format!("{} accesses", grouped(importer.accesses())));
        }
    }
    importer.finish(sink).map_err(Failure::Import)
}

/// Indicatif hides the bar if stderr is not a terminal.
fn progress_bar(bytes: Option<u64>) -> ProgressBar {
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {msg} {eta} left",
        ),
        None => (ProgressBar::no_length(), "{spinner} {bytes} {bytes_per_sec} {msg}"),
    };
    let style = ProgressStyle::with_template(template).expect("the templates are valid");
    bar.with_style(style)
}

/// Opens a file to read. Errors name the file.
pub(crate) fn open(path: &Path) -> anyhow::Result<File> {
    let file = File::open(path).map_err(|error| io_error(path, &error))?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        bail!("{}: this is a directory: give a file", path.display());
    }
    Ok(file)
}

/// Words an error of the operating system: with the name of the file, without the error's number.
pub(crate) fn io_error(path: &Path, error: &io::Error) -> anyhow::Error {
    let what = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "you have no permission to read it".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    };
    anyhow!("{}: {what}", path.display())
}
