//! Streams a trace file through the importer, with a progress bar on a terminal.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use pagewalk_base::error::{Error, Place};
use pagewalk_sources::import::{ImportOptions, ImportReport, Importer, Sink, Warning};

use crate::args::FormatArgs;
use crate::beside::Beside;
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
        let mut beside = Beside::read(self.format, sink)?;
        let progress = progress_bar(bytes);
        let report = pump(reader, bytes, importer, &mut beside, &progress);
        progress.finish_and_clear();
        let about_process = beside.warnings();
        let report = report.map(|mut report| {
            report.warnings.extend(about_process.into_iter().map(Warning::from));
            report
        });
        report.map_err(|error| match error {
            Failure::Read(error) => io_error(&PathBuf::from(&name), &error),
            Failure::Shorter { read, expected } => anyhow!(
                "{name}: it had {} bytes at the beginning and {} at the end: another program shortened it while it was read. Import it again once it is complete",
                grouped(expected),
                grouped(read)
            ),
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
    /// The file became shorter while it was read.
    Shorter {
        read: u64,
        expected: u64,
    },
    Import(Error),
}

/// Reads everything. `expected` is the size of a file before it is read.
fn pump(
    mut reader: impl Read,
    expected: Option<u64>,
    mut importer: Importer,
    sink: &mut impl Sink,
    progress: &ProgressBar,
) -> Result<ImportReport, Failure> {
    let mut piece = vec![0; PIECE];
    let mut read = 0;
    while !importer.is_full() {
        let n = match reader.read(&mut piece) {
            Ok(0) => match expected.filter(|expected| read < *expected) {
                Some(expected) => return Err(Failure::Shorter { read, expected }),
                None => break,
            },
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Read(error)),
        };
        read += n as u64;
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

#[cfg(test)]
mod tests {
    use super::*;
    use pagewalk_base::trace::Access;

    #[test]
    fn a_file_that_becomes_shorter_while_it_is_read_is_an_error() {
        let text = b"I  04001000,3\nI  04001003,3\n";
        for (expected, is_shorter) in [(28, false), (27, false), (29, true)] {
            let importer = Importer::new(ImportOptions::default()).expect("no option is wrong");
            let mut accesses: Vec<Access> = Vec::new();
            let progress = ProgressBar::hidden();
            let done = pump(&text[..], Some(expected), importer, &mut accesses, &progress);
            assert_eq!(matches!(done, Err(Failure::Shorter { read: 28, .. })), is_shorter);
        }
    }
}
