//! The results file: rows are appended when they are done, and sorted when the sweep is complete.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use pagewalk_experiments::sweep::{Columns, RowTrace, Sweep};

use super::found::{Place, rows};
use crate::args::Shard;
use crate::input::io_error;
use crate::whole::{WholeFile, why_not};

pub(super) struct Results {
    path: PathBuf,
    file: File,
    /// The position of each row, if the row is in the file.
    places: Vec<Option<Place>>,
    /// For each trace, the hash of the contents that its rows were simulated with.
    hashes: BTreeMap<usize, String>,
    end: u64,
}

impl Results {
    /// Opens the file and reads the rows that it already holds.
    ///
    /// # Errors
    /// Errors of the file, and rows that are not of this part of this sweep.
    pub(super) fn open(path: &Path, sweep: &Sweep, shard: Shard) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| unwritten(path, &error))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            // Some file systems have no locks; then the file is not locked.
            bail!(
                "{}: another run writes this file: wait for its end, or give another --out",
                path.display()
            );
        }
        let mut places: Vec<Option<Place>> = vec![None; sweep.n_rows() as usize];
        let mut hashes = BTreeMap::new();
        let name = path.display();
        let again = "give another --out, or delete the file to start again";
        let end = rows(&file, path, |line, head, place| {
            if head.sweep != sweep.id() {
                bail!(
                    "{name}: line {line} is of another sweep, or of an earlier version of this one: {again}"
                );
            }
            let place_of = places.get_mut(head.row as usize).filter(|_| shard.has(head.row));
            let Some(row) = place_of else {
                let Shard { part, of } = shard;
                bail!(
                    "{name}: line {line}: row {} does not belong to part {part}/{of}: {again}",
                    head.row
                );
            };
            if row.replace(place).is_some() {
                bail!("{name}: line {line}: row {} is repeated: {again}", head.row);
            }
            let trace = sweep.trace_of(head.row);
            if hashes.entry(trace).or_insert_with(|| head.trace.hash.clone()) != &head.trace.hash {
                bail!(
                    "{name}: line {line}: the row is of a different trace {}: {again}",
                    head.trace.name
                );
            }
            Ok(())
        })?;
        // An incomplete row may follow the last line break.
        file.set_len(end).map_err(|error| unwritten(path, &error))?;
        Ok(Self { path: path.to_owned(), file, places, hashes, end })
    }

    pub(super) fn has(&self, row: u32) -> bool {
        self.places[row as usize].is_some()
    }

    pub(super) fn n_there(&self) -> usize {
        self.places.iter().flatten().count()
    }

    pub(super) fn n_errors(&self) -> usize {
        self.places.iter().flatten().filter(|place| place.is_error).count()
    }

    /// Checks that a trace is the one that its rows were simulated with.
    ///
    /// # Errors
    /// If the contents differ.
    pub(super) fn check_trace(&self, number: usize, trace: &RowTrace) -> anyhow::Result<()> {
        if self.hashes.get(&number).is_none_or(|known| *known == trace.hash) {
            return Ok(());
        }
        Err(anyhow!(
            "{}: {} has changed since its rows were simulated: give another --out, or delete the file to start again",
            self.path.display(),
            trace.name
        ))
    }

    /// Appends a finished row immediately.
    ///
    /// # Errors
    /// Errors of the file.
    pub(super) fn add(&mut self, row: u32, mut line: String, is_error: bool) -> anyhow::Result<()> {
        line.push('\n');
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(line.as_bytes()));
        written.map_err(|error| unwritten(&self.path, &error))?;
        let len = line.len() as u64;
        self.places[row as usize] = Some(Place { start: self.end, len, is_error });
        self.end += len;
        Ok(())
    }

    /// Sorts the rows, and writes a CSV file next to them if `with_csv` is set. Returns the path of the CSV
    /// file.
    ///
    /// # Errors
    /// Errors of the files.
    pub(super) fn finish(self, with_csv: bool) -> anyhow::Result<Option<PathBuf>> {
        let places: Vec<(usize, Place)> =
            self.places.iter().flatten().map(|place| (0, *place)).collect();
        write(&mut [(self.path.clone(), self.file)], &places, &self.path, with_csv)
    }
}

/// Writes rows, each from a source, and a CSV file next to them if `with_csv` is set. Returns the path of the
/// CSV file.
///
/// # Errors
/// Errors of the files.
pub(super) fn write(
    sources: &mut [(PathBuf, File)],
    places: &[(usize, Place)],
    out: &Path,
    with_csv: bool,
) -> anyhow::Result<Option<PathBuf>> {
    let create = |path: &Path| {
        let file = WholeFile::create_next_to(path).map_err(|error| unwritten(path, &error))?;
        anyhow::Ok(BufWriter::with_capacity(1 << 16, file))
    };
    let csv = with_csv.then(|| out.with_extension("csv"));
    let mut lines = create(out)?;
    let mut table = csv.as_deref().map(create).transpose()?;
    let mut columns = Columns::default();
    let mut line = Vec::new();
    for (source, place) in places {
        let (path, file) = &mut sources[*source];
        line.resize(usize::try_from(place.len)?, 0);
        let read = file.seek(SeekFrom::Start(place.start)).and_then(|_| file.read_exact(&mut line));
        read.map_err(|error| io_error(path, &error))?;
        lines.write_all(&line).map_err(|error| unwritten(out, &error))?;
        if let (Some(table), Some(csv)) = (&mut table, &csv) {
            let row = columns.row(&line)?;
            table.write_all(row.as_bytes()).map_err(|error| unwritten(csv, &error))?;
        }
    }
    keep(lines).map_err(|error| unwritten(out, &error))?;
    if let (Some(table), Some(csv)) = (table, &csv) {
        keep(table).map_err(|error| unwritten(csv, &error))?;
    }
    Ok(csv)
}

fn keep(out: BufWriter<WholeFile>) -> io::Result<()> {
    out.into_inner().map_err(io::IntoInnerError::into_error)?.keep()
}

fn unwritten(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{}: cannot write it: {}", path.display(), why_not(error))
}
