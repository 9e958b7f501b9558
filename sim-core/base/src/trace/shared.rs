//! A trace that two threads pack. Both read all accesses. The helper encodes three of four chunks, and the other thread does
//! all the rest: it counts pages, writes runs, and encodes the fourth chunk.
//!
//! ```text
//! part   u32 number of the chunk   u32 accesses   u32 bytes   flags: 1 = plain, 2 = instruction pointers   the bytes
//! ```

use super::codec::{Encoded, Encoder};
use super::{Access, CHUNK};
use crate::error::{Error, ErrorCode, Result};
use crate::narrow::small;

/// The bytes of a part before those of its accesses.
const HEAD: usize = 13;
const PLAIN: u8 = 1;
const IPS: u8 = 2;

/// Returns whether the helper encodes a chunk. The encoder takes about half of the time of an import.
pub(super) fn is_helped(chunk: usize) -> bool {
    chunk % 4 != 3
}

/// Encodes the chunks of the helper.
pub struct HelpingEncoder {
    encoder: Encoder,
    chunk: usize,
    n_in_chunk: u32,
    parts: Vec<u8>,
}

impl Default for HelpingEncoder {
    fn default() -> Self {
        Self { encoder: Encoder::new(), chunk: 0, n_in_chunk: 0, parts: Vec::new() }
    }
}

impl HelpingEncoder {
    /// Adds accesses in their order.
    #[inline(never)]
    pub fn push_all(&mut self, mut accesses: &[Access]) {
        while !accesses.is_empty() {
            let room = (CHUNK - self.n_in_chunk) as usize;
            let (now, later) = accesses.split_at(room.min(accesses.len()));
            accesses = later;
            if is_helped(self.chunk) {
                for access in now {
                    self.encoder.push(access);
                }
            }
            self.n_in_chunk += small(now.len());
            if self.n_in_chunk == CHUNK {
                self.seal();
            }
        }
    }

    fn seal(&mut self) {
        if is_helped(self.chunk) {
            let Encoded { bytes, is_plain, has_ips } = self.encoder.finish();
            for number in [small(self.chunk), self.n_in_chunk, small(bytes.len())] {
                self.parts.extend(number.to_le_bytes());
            }
            self.parts.push(if is_plain { PLAIN } else { 0 } | if has_ips { IPS } else { 0 });
            self.parts.extend_from_slice(&bytes);
        }
        self.chunk += 1;
        self.n_in_chunk = 0;
    }

    /// Returns the parts of all chunks, for [`super::TraceBuilder::add_parts`].
    pub fn finish(mut self) -> Vec<u8> {
        if self.n_in_chunk > 0 {
            self.seal();
        }
        self.parts
    }
}

/// The parts that have arrived from a helper.
#[derive(Default)]
pub(super) struct Parts {
    chunks: Vec<Part>,
    /// The beginning of the next part.
    rest: Vec<u8>,
}

struct Part {
    chunk: u32,
    n: u32,
    encoded: Encoded,
}

impl Parts {
    /// Adds the next bytes of the parts; returns the bytes of accesses in them.
    pub(super) fn add(&mut self, bytes: &[u8]) -> usize {
        self.rest.extend_from_slice(bytes);
        let (mut at, mut added) = (0, 0);
        while let Some((part, size)) = self.rest.get(at..).and_then(read) {
            added += part.encoded.bytes.len();
            self.chunks.push(part);
            at += size;
        }
        self.rest.drain(..at);
        added
    }

    /// Returns the encoded chunks in their order. `wanted` has their numbers and those of their accesses.
    ///
    /// # Errors
    /// `bad-trace` if the helper has sent others.
    pub(super) fn chunks(self, wanted: impl Iterator<Item = (usize, u32)>) -> Result<Vec<Encoded>> {
        let given = self.chunks.iter().map(|part| (part.chunk as usize, part.n));
        if !given.eq(wanted) {
            return Err(Error::new(
                ErrorCode::BadTrace,
                "the second worker has packed other accesses: pack the trace with one worker",
            ));
        }
        Ok(self.chunks.into_iter().map(|part| part.encoded).collect())
    }
}

/// Reads a part, if it is whole; returns its bytes, too.
fn read(bytes: &[u8]) -> Option<(Part, usize)> {
    let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
    let (numbers, flags) = head.as_chunks::<4>();
    let [chunk, n, size] = *numbers else { return None };
    let [flags] = *flags else { return None };
    let size = u32::from_le_bytes(size) as usize;
    let encoded = Encoded {
        bytes: rest.get(..size)?.into(),
        is_plain: flags & PLAIN != 0,
        has_ips: flags & IPS != 0,
    };
    let (chunk, n) = (u32::from_le_bytes(chunk), u32::from_le_bytes(n));
    Some((Part { chunk, n, encoded }, HEAD + size))
}
