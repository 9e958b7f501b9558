//! The trace that the page shows: the file as it is, or packed if a page cannot read it.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use pagewalk_base::error::ErrorCode;
use pagewalk_sources::import::{ImportOptions, ImportReport, peek};

use crate::args::FormatArgs;
use crate::convert::save;
use crate::input::{self, Input};
use crate::packing::is_stdout as is_stdin;

/// The largest file that is served as it is. A tab holds it besides the trace.
const MOST: u64 = 500_000_000;
/// The bytes of a file that are checked before the page opens.
const BEGINNING: u64 = 1 << 20;
/// The number of accesses that a page imports.
const LIMIT: u64 = 100_000_000;

pub(crate) enum Shown {
    File(PathBuf),
    Packed { name: String, bytes: Arc<[u8]> },
}

/// A reader of the whole trace, and its size.
pub(super) struct Whole {
    pub(super) reader: Box<dyn Read + Send>,
    pub(super) size: u64,
}

impl Shown {
    /// # Errors
    /// The file cannot be read, or its beginning is no trace. If it has to be packed: errors of its import.
    pub(crate) fn of(file: &Path) -> anyhow::Result<Self> {
        let is_whole = !is_stdin(file) && {
            let meta = input::open(file)?.metadata();
            meta.is_ok_and(|meta| meta.is_file() && meta.len() <= MOST)
        };
        if is_whole {
            check(file)?;
            return Ok(Self::File(absolute(file)?));
        }
        let input = Input { path: file, format: &FormatArgs::default(), limit: LIMIT };
        let mut bytes = Vec::new();
        let _report: ImportReport = save(&input, &mut bytes)?;
        let name = if is_stdin(file) { input.name() } else { name_of(file) };
        Ok(Self::Packed { name, bytes: bytes.into() })
    }

    /// The name of the trace on the page.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) => name_of(path),
            Self::Packed { name, .. } => name.clone(),
        }
    }

    /// Opens the file again for each page, which then shows what it holds now.
    ///
    /// # Errors
    /// It is gone, or cannot be read any more.
    pub(super) fn read(&self) -> anyhow::Result<Whole> {
        match self {
            Self::File(path) => {
                let file = input::open(path)?;
                let size = size(&file).map_err(|error| input::io_error(path, &error))?;
                Ok(Whole { reader: Box::new(file.take(size)), size })
            }
            Self::Packed { bytes, .. } => Ok(Whole {
                reader: Box::new(Cursor::new(Arc::clone(bytes))),
                size: bytes.len() as u64,
            }),
        }
    }
}

/// Checks the beginning of a file. The page can show counters, and asks how a list of addresses is read.
fn check(path: &Path) -> anyhow::Result<()> {
    let mut beginning = Vec::new();
    let read = input::open(path)?.take(BEGINNING + 1).read_to_end(&mut beginning);
    read.map_err(|error| input::io_error(path, &error))?;
    let is_whole = beginning.len() as u64 <= BEGINNING;
    let options = ImportOptions { name: name_of(path), ..ImportOptions::default() };
    let peek = peek(options, &beginning, is_whole)?;
    match peek.problem {
        Some(problem) if problem.code != ErrorCode::Counters && peek.list.is_none() => {
            Err(anyhow::Error::new(problem).context(path.display().to_string()))
        }
        _ => Ok(()),
    }
}

fn size(file: &File) -> io::Result<u64> {
    file.metadata().map(|meta| meta.len())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
