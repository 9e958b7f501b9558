//! Decompresses zstd (RFC 8878): any number of frames, including skippable ones. The decoder needs whole
//! blocks, so the parts of a frame are collected here, each at most 128 KiB.

use std::io::Read;

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{MAX_WINDOW, Output, PIECE, damaged, window_too_large};
use crate::import::flow::{Flow, Stop};
use pagewalk_base::error::{Error, ErrorCode, Place};

const NAME: &str = "zstd";

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The first bytes of a frame without data. The low half of the first byte may have any value.
pub(super) const SKIPPABLE: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];

/// The largest block in bytes, compressed or decompressed (RFC 8878, 3.1.1.2.3).
const MAX_BLOCK: usize = 128 << 10;

pub(in crate::import) struct Zstd {
    state: State,
    /// The part that is being collected.
    part: Vec<u8>,
    frame: Box<FrameDecoder>,
    piece: Box<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the beginning of a frame, or at the end of the data.
    Between,
    /// The data of a skippable frame.
    Skip(u32),
    /// At the beginning of a block of the frame.
    Block { checksum: bool },
}

impl Zstd {
    pub(in crate::import) fn new() -> Self {
        Self {
            state: State::Between,
            part: Vec::new(),
            frame: Box::default(),
            piece: vec![0; PIECE].into(),
        }
    }

    /// Returns whether the data may end here.
    pub(in crate::import) fn is_whole(&self) -> bool {
        self.state == State::Between && self.part.is_empty()
    }

    /// Takes `bytes`, which begin at byte `start` of the compressed data.
    pub(in crate::import) fn push(&mut self, bytes: &[u8], start: u64, out: &mut Output) -> Flow {
        let mut rest = bytes;
        loop {
            if let State::Skip(left) = self.state {
                let n = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                rest = &rest[n..];
                // `n` is at most `left`.
                let left = left - u32::try_from(n).unwrap_or(left);
                self.state = if left == 0 { State::Between } else { State::Skip(left) };
                if left > 0 {
                    return Ok(());
                }
            }
            // The position of the part. In perf.data, stretches of compressed data do not follow each other.
            let end = start + (bytes.len() - rest.len()) as u64;
            let at = end.saturating_sub(self.part.len() as u64);
            let wanted = self.wanted(at)?;
            let n = rest.len().min(wanted.saturating_sub(self.part.len()));
            self.part.extend_from_slice(&rest[..n]);
            rest = &rest[n..];
            if self.part.len() < wanted {
                return Ok(());
            }
            // Now that more of the part is known, it may turn out to be longer.
            if self.wanted(at)? == wanted {
                self.decode(at, out)?;
                self.part.clear();
            }
        }
    }

    /// Returns the size of the part in bytes, if its beginning states it.
    fn wanted(&self, at: u64) -> Result<usize, Error> {
        let part = &self.part;
        match self.state {
            State::Skip(_) => Ok(0),
            State::Between => match part.first_chunk::<5>() {
                Some([a, magic @ .., _]) if is_skippable(*a, magic) => Ok(8),
                Some([a, b, c, d, descriptor]) if [*a, *b, *c, *d] == MAGIC => {
                    Ok(header_size(*descriptor))
                }
                Some(_) => Err(damaged(NAME, at, "other data follow")),
                None => Ok(5),
            },
            State::Block { checksum } => {
                let Some(header) = part.first_chunk::<3>() else { return Ok(3) };
                let block = BlockHeader::new(*header);
                if block.size > MAX_BLOCK {
                    return Err(damaged(NAME, at, "a block that is too long"));
                }
                Ok(3 + block.size + if checksum && block.last { 4 } else { 0 })
            }
        }
    }

    /// Decodes the part, which is complete.
    fn decode(&mut self, at: u64, out: &mut Output) -> Flow {
        match self.state {
            State::Between if is_skippable_part(&self.part) => {
                let size = self.part.get(4..8).and_then(|size| size.try_into().ok());
                self.state = State::Skip(size.map_or(0, u32::from_le_bytes));
                Ok(())
            }
            State::Between => {
                let checksum = self.part.get(4).is_some_and(|descriptor| descriptor & 4 != 0);
                // A new decoder, because resetting one reserves the window that the frame claims to need.
                *self.frame = FrameDecoder::new();
                self.frame.set_max_window_size(MAX_WINDOW);
                self.frame.reset(&self.part[..]).map_err(|error| explain(&error, at))?;
                self.state = State::Block { checksum };
                Ok(())
            }
            State::Block { .. } => {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame
                    .decode_blocks(&self.part[..], one)
                    .map_err(|error| explain(&error, at))?;
                self.hand_on(at, out)?;
                if self.frame.is_finished() {
                    let (stated, made) =
                        (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum());
                    if stated.is_some() && stated != made {
                        return Err(damaged(NAME, at, "the checksum is wrong").into());
                    }
                    self.state = State::Between;
                }
                Ok(())
            }
            State::Skip(_) => Ok(()),
        }
    }

    fn hand_on(&mut self, at: u64, out: &mut Output) -> Result<(), Stop> {
        while self.frame.can_collect() > 0 {
            let n =
                self.frame.read(&mut self.piece).map_err(|e| damaged(NAME, at, &e.to_string()))?;
            if n == 0 {
                break;
            }
            out(&self.piece[..n])?;
        }
        Ok(())
    }
}

fn is_skippable(first: u8, rest: &[u8]) -> bool {
    first & 0xf0 == SKIPPABLE[0] && rest == &SKIPPABLE[1..]
}

fn is_skippable_part(part: &[u8]) -> bool {
    part.first_chunk::<4>().is_some_and(|[a, rest @ ..]| is_skippable(*a, rest))
}

/// Returns the size in bytes of a frame header with its magic number (RFC 8878, 3.1.1.1).
fn header_size(descriptor: u8) -> usize {
    let single_segment = descriptor & 0x20 != 0;
    let window = usize::from(!single_segment);
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => usize::from(single_segment),
        flag => 1 << flag,
    };
    5 + window + dictionary + content_size
}

/// The three bytes before a block.
struct BlockHeader {
    last: bool,
    /// The number of bytes that follow.
    size: usize,
}

impl BlockHeader {
    fn new([a, b, c]: [u8; 3]) -> Self {
        let bits = usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16;
        // A run-length block states the length of its output, and has one byte of data.
        let is_run = bits >> 1 & 3 == 1;
        Self { last: bits & 1 == 1, size: if is_run { 1 } else { bits >> 3 } }
    }
}

fn explain(error: &FrameDecoderError, at: u64) -> Error {
    match error {
        FrameDecoderError::WindowSizeTooBig { .. } => {
            window_too_large(NAME, at, "compress it again with `zstd --long=27` or less")
        }
        FrameDecoderError::DictNotProvided { .. } => {
            let message = "the zstd data need a dictionary that is not in the file: compress the trace again without one";
            Error::new(ErrorCode::Unsupported, message).at(Place::Byte(at))
        }
        other => damaged(NAME, at, &other.to_string()),
    }
}

impl std::fmt::Debug for Zstd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zstd").field("state", &self.state).finish_non_exhaustive()
    }
}
