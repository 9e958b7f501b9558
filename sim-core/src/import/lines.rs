//! Cuts chunks of text into blocks of whole lines. Only the line that the end
//! of a chunk splits is copied.

use crate::error::Result;

use super::tally::{Tally, line_too_long};

/// Longest line of a trace in bytes, without its end; a longer one is no trace.
pub(super) const MAX_LINE: usize = 4096;

/// The unfinished line at the end of the last chunk.
#[derive(Debug, Default)]
pub(super) struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    /// Gives `block` the lines that `bytes` completes, each with its newline.
    pub(super) fn push(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        mut block: impl FnMut(&[u8], &mut Tally) -> Result<()>,
    ) -> Result<()> {
        if !self.rest.is_empty() {
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                return self.keep(bytes, tally);
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
        self.keep(&bytes[whole..], tally)
    }

    /// The last line, if it had no newline.
    pub(super) fn finish(self) -> Vec<u8> {
        self.rest
    }

    fn keep(&mut self, bytes: &[u8], tally: &Tally) -> Result<()> {
        // A line may have two bytes more: a carriage return and a newline.
        if self.rest.len() + bytes.len() > MAX_LINE + 2 {
            return Err(line_too_long(tally.lines + 1));
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }
}

/// The first line of `block` without its end, and the lines after it.
pub(super) fn first_line(block: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr::memchr(b'\n', block) {
        Some(end) => (&block[..end], &block[end + 1..]),
        None => (block, &[][..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}
