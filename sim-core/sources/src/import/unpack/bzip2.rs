//! Decompresses bzip2: any number of streams, as `bzip2 -d` accepts them.

use bzip2::{Decompress, Status};

use super::{Output, PIECE, damaged};
use crate::import::flow::{Flow, Stop};
use pagewalk_base::error::Error;

const NAME: &str = "bzip2";

/// The first bytes of a stream. The fourth byte is its block size, `1` to `9`.
pub(super) const MAGIC: [u8; 3] = *b"BZh";

pub(super) struct Bzip2 {
    /// `None` between streams.
    stream: Option<Decompress>,
    /// The position of the stream in the compressed data.
    start: u64,
    piece: Box<[u8]>,
}

impl Bzip2 {
    pub(super) fn new() -> Self {
        Self { stream: None, start: 0, piece: vec![0; PIECE].into() }
    }

    /// Returns whether the data may end here.
    pub(super) fn is_whole(&self) -> bool {
        self.stream.is_none()
    }

    /// Takes `bytes`, which begin at byte `start` of the compressed data.
    pub(super) fn push(&mut self, bytes: &[u8], start: u64, out: &mut Output) -> Flow {
        let mut rest = bytes;
        loop {
            if self.stream.is_none() {
                if rest.is_empty() {
                    return Ok(());
                }
                self.start = start + (bytes.len() - rest.len()) as u64;
            }
            let (taken, given) = self.step(rest, out)?;
            rest = &rest[taken..];
            if rest.is_empty() && given < PIECE {
                return Ok(());
            }
            if taken == 0 && given == 0 && self.stream.is_some() {
                return Err(self.damaged("no valid data").into());
            }
        }
    }

    fn damaged(&self, why: &str) -> Error {
        damaged(NAME, self.start, why)
    }

    /// Calls the decoder once. Returns the number of bytes that it took and that it gave.
    fn step(&mut self, input: &[u8], out: &mut Output) -> Result<(usize, usize), Stop> {
        let stream = self.stream.get_or_insert_with(|| Decompress::new(false));
        let (taken_before, given_before) = (stream.total_in(), stream.total_out());
        let status = stream.decompress(input, &mut self.piece);
        // Both numbers are at most the length of a slice.
        let taken = usize::try_from(stream.total_in() - taken_before).unwrap_or(0);
        let given = usize::try_from(stream.total_out() - given_before).unwrap_or(0);
        // The output that precedes an error is passed on.
        if given > 0 {
            out(&self.piece[..given])?;
        }
        match status.map_err(|error| self.damaged(explain(error)))? {
            Status::StreamEnd => self.stream = None,
            Status::MemNeeded => {
                return Err(self.damaged("blocks that need too much memory").into());
            }
            Status::Ok | Status::FlushOk | Status::RunOk | Status::FinishOk => {}
        }
        Ok((taken, given))
    }
}

fn explain(error: bzip2::Error) -> &'static str {
    match error {
        bzip2::Error::DataMagic => "other data follow",
        _ => "a block of the stream that begins there, or its checksum, is wrong",
    }
}

impl std::fmt::Debug for Bzip2 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bzip2").field("is_whole", &self.is_whole()).finish_non_exhaustive()
    }
}
