//! xz: any number of streams and blocks, with every check that `xz` writes.

use std::io::ErrorKind;

use lzma_rust2::{Action, Status, XzStream};

use super::{MAX_WINDOW, Output, PIECE, damaged, truncated, window_too_large};
use crate::error::{Error, ErrorCode, Place};
use crate::import::delivery::{Flow, Stop};

const NAME: &str = "xz";

pub(super) struct Xz {
    stream: Box<XzStream>,
    piece: Box<[u8]>,
}

impl Xz {
    pub(super) fn new() -> Self {
        // The decoder's own tables need less than the 1 MiB that is added; in KiB.
        let limit = u32::try_from((MAX_WINDOW >> 10) + 1024).unwrap_or(u32::MAX);
        Self {
            stream: Box::new(XzStream::new_mem_limit(true, limit)),
            piece: vec![0; PIECE].into(),
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Output) -> Flow {
        let mut rest = bytes;
        loop {
            let (taken, given, _) = self.step(rest, Action::Run, out)?;
            rest = &rest[taken..];
            if rest.is_empty() && given < PIECE {
                return Ok(());
            }
            if taken == 0 && given == 0 {
                return Err(damaged(NAME, self.stream.total_in(), "no valid data").into());
            }
        }
    }

    /// Ends the data; `false` if they should go on.
    pub(super) fn finish(&mut self, out: &mut Output) -> Result<bool, Stop> {
        loop {
            let (_, given, status) = self.step(&[], Action::Finish, out)?;
            if status == Status::StreamEnd {
                return Ok(true);
            }
            if given == 0 {
                return Ok(false);
            }
        }
    }

    /// One call of the decoder: bytes taken, bytes given, status.
    fn step(
        &mut self,
        input: &[u8],
        action: Action,
        out: &mut Output,
    ) -> Result<(usize, usize, Status), Stop> {
        let given_before = self.stream.total_out();
        let result = self.stream.process(input, &mut self.piece, action);
        // What came out before an error goes on too. It is at most a piece.
        let given = usize::try_from(self.stream.total_out() - given_before).unwrap_or(0);
        if given > 0 {
            out(&self.piece[..given])?;
        }
        let result = result.map_err(|error| explain(&error, self.stream.total_in()))?;
        Ok((result.bytes_consumed, given, result.status))
    }
}

fn explain(error: &std::io::Error, at: u64) -> Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => truncated(NAME, at),
        ErrorKind::OutOfMemory => window_too_large(NAME, at, "pack it again with `xz -9` or less"),
        // Chains of filters that `xz` writes only when asked to.
        _ if error.to_string().contains("not supported") => {
            let message = format!(
                "the xz data use an option that Pagewalk does not read ({error}): pack the trace again with plain `xz`"
            );
            Error::new(ErrorCode::Unsupported, message).at(Place::Byte(at))
        }
        _ => damaged(NAME, at, &error.to_string()),
    }
}

impl std::fmt::Debug for Xz {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Xz").field("taken", &self.stream.total_in()).finish_non_exhaustive()
    }
}
