//! Splits chunks of text into blocks of whole lines. Only a line that continues in the next chunk is copied.

use pagewalk_base::error::{Error, Result};

use super::flow::Flow;
use super::tally::Tally;

/// The longest line of a trace in bytes, without its end. A longer line means that the file is not a trace.
pub(super) const MAX_LINE: usize = 4096;

/// Keeps the unfinished line at the end of the last chunk.
#[derive(Debug)]
pub(super) struct Lines {
    rest: Vec<u8>,
    max: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self::up_to(MAX_LINE)
    }
}

impl Lines {
    /// Makes a splitter for lines of at most `max` bytes.
    pub(super) fn up_to(max: usize) -> Self {
        Self { rest: Vec::new(), max }
    }

    /// Passes the lines that `bytes` completes to `block`, each with its newline.
    pub(super) fn push(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        mut block: impl FnMut(&[u8], &mut Tally) -> Flow,
    ) -> Flow {
        if !self.rest.is_empty() {
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                return Ok(self.keep(bytes, tally)?);
            };
            let (head, tail) = bytes.split_at(end + 1);
            self.keep(head, tally)?;
            block(&self.rest, tally)?;
            self.rest.clear();
            bytes = tail;
        }
        let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        if whole > 0 {
            block(&bytes[..whole], tally)?;
        }
        Ok(self.keep(&bytes[whole..], tally)?)
    }

    /// Returns the last line, if it had no newline.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rest)
    }

    fn keep(&mut self, bytes: &[u8], tally: &Tally) -> Result<()> {
        // A carriage return and a newline are two more bytes.
        if self.rest.len() + bytes.len() > self.max + 2 {
            return Err(too_long(tally.lines + 1, self.max, self.rest.iter().chain(bytes)));
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }
}

/// Checks the length of line `number`.
///
/// # Errors
/// `bad-trace` if the line is longer than a line of a trace may be.
#[inline]
pub(super) fn check_length(line: &[u8], number: u64) -> Result<()> {
    check_length_of(line, number, MAX_LINE)
}

/// Like [`check_length`], for texts whose lines may have `max` bytes.
#[inline]
pub(super) fn check_length_of(line: &[u8], number: u64, max: usize) -> Result<()> {
    if line.len() > max { Err(too_long(number, max, line.iter())) } else { Ok(()) }
}

/// `line` has at least the first `max` bytes of the line.
fn too_long<'a>(number: u64, max: usize, line: impl Iterator<Item = &'a u8>) -> Error {
    if line.take(max).any(|byte| *byte == 0) {
        let message = format!(
            "the line has NUL bytes and is longer than {max} bytes: a part of the file was not written, or it is not text"
        );
        return Error::trace_line(number, message);
    }
    let message = format!(
        "the line is longer than {max} bytes, but a text trace has a short line for each access: check that this is a trace"
    );
    Error::trace_line(number, message)
}

/// Counts and reads each line of `block`, without its end. Lines may have `max` bytes.
#[inline(always)]
pub(super) fn each_line(
    mut block: &[u8],
    max: usize,
    tally: &mut Tally,
    mut read: impl FnMut(&[u8], &mut Tally) -> Flow,
) -> Flow {
    while !block.is_empty() {
        let (line, rest) = first_line(block);
        block = rest;
        tally.lines += 1;
        check_length_of(line, tally.lines, max)?;
        read(line, tally)?;
    }
    Ok(())
}

/// Returns the first line of `block` without its end, and the lines after it.
pub(super) fn first_line(block: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr::memchr(b'\n', block) {
        Some(end) => (&block[..end], &block[end + 1..]),
        None => (block, &[][..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

/// Returns the first lines, without blanks around them. They identify many formats.
pub(super) fn first_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = head;
    let next = move || {
        let (line, after) = first_line(rest);
        let is_there = !rest.is_empty();
        rest = after;
        is_there.then(|| line.trim_ascii())
    };
    std::iter::from_fn(next).take(50)
}
