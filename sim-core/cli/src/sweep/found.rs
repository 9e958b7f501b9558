//! Finds the rows in a results file. A run may have been killed in the middle of a row, so only whole lines
//! count.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use anyhow::anyhow;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::input::io_error;

/// The beginning of every row, also of one that was not written completely.
pub(crate) const ROW: &[u8] = br#"{"row":"#;

/// The fields of a row that a sweep reads; the rest of the row is only copied.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) row: u32,
    pub(super) rows: u32,
    pub(super) sweep: String,
    pub(super) trace: HeadTrace,
    pub(super) error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct HeadTrace {
    pub(super) name: String,
    pub(super) hash: String,
}

/// The position of a row in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: u64,
    /// The length in bytes, with the line break.
    pub(super) len: u64,
    pub(super) is_error: bool,
}

/// Passes every row of a file to `each`, with its line number from 1. Returns the length of the whole lines
/// in bytes.
///
/// # Errors
/// Errors of the file, and a line that is not a row. They name the file.
pub(super) fn rows(
    file: &File,
    path: &Path,
    mut each: impl FnMut(u64, Head, Place) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut number, mut start) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let len = read.map_err(|error: io::Error| io_error(path, &error))? as u64;
        number += 1;
        let no_row = || {
            anyhow!("{}: line {number} is not a row of a sweep: give another file", path.display())
        };
        if line.last() != Some(&b'\n') {
            let n = line.len().min(ROW.len());
            return if line[..n] == ROW[..n] { Ok(start) } else { Err(no_row()) };
        }
        let head: Head = serde_json::from_slice(&line).map_err(|_| no_row())?;
        let place = Place { start, len, is_error: head.error.is_some() };
        each(number, head, place)?;
        start += len;
    }
}
