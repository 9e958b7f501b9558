//! Cuts chunks of text into blocks of whole lines. Only the line that the end
//! of a chunk splits is copied.

use pagewalk_base::error::{Error, Result};

use super::delivery::Flow;
use super::tally::Tally;

/// Longest line of a trace in bytes, without its end; a longer one is no trace.
pub(super) const MAX_LINE: usize = 4096;

/// The unfinished line at the end of the last chunk.
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
    /// Lines of at most `max` bytes.
    pub(super) fn up_to(max: usize) -> Self {
        Self { rest: Vec::new(), max }
    }

    /// Gives `block` the lines that `bytes` completes, each with its newline.
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

    /// The last line, if it had no newline.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rest)
    }

    fn keep(&mut self, bytes: &[u8], tally: &Tally) -> Result<()> {
        // A line may have two bytes more: a carriage return and a newline.
        if self.rest.len() + bytes.len() > self.max + 2 {
            return Err(too_long(tally.lines + 1, self.max));
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }
}

/// # Errors
/// `bad-trace` if `line`, which is number `number`, is longer than lines of traces are.
#[inline]
pub(super) fn check_length(line: &[u8], number: u64) -> Result<()> {
    check_length_of(line, number, MAX_LINE)
}

/// As [`check_length`], for texts whose lines may have `max` bytes.
#[inline]
pub(super) fn check_length_of(line: &[u8], number: u64, max: usize) -> Result<()> {
    if line.len() > max { Err(too_long(number, max)) } else { Ok(()) }
}

fn too_long(number: u64, max: usize) -> Error {
    let message = format!(
        "longer than {max} bytes: this is no trace in text form, which has a short line for each access"
    );
    Error::trace_line(number, message)
}

/// Counts and reads each line of `block`, without its end; lines may have `max` bytes.
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

/// The first line of `block` without its end, and the lines after it.
pub(super) fn first_line(block: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr::memchr(b'\n', block) {
        Some(end) => (&block[..end], &block[end + 1..]),
        None => (block, &[][..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}
