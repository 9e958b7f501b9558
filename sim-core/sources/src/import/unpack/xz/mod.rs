//! Decompresses xz (The .xz File Format 1.2.1): any number of streams and blocks, chains of filters, and
//! every check that `xz` writes.
//!
//! ```text
//! stream  header, 12 bytes · block … · index · footer, 12 bytes · [zeros, four at a time] · stream …
//! block   header · LZMA2 chunk … · 00 · padding to four bytes · check
//! index   00 · number of blocks · sizes of each … · padding to four bytes · CRC-32
//! ```
//!
//! LZMA2 and the filters are from `lzma_rust2`, but not the streams: its `XzStream` rejects a block with two
//! filters before LZMA2, and does not say in which part the damage is.

mod block;
mod check;
mod header;
mod index;

use std::fmt;

use super::{MAX_WINDOW, Output, PIECE, damaged, window_too_large};
use crate::import::flow::{Flow, Stop};
use block::{Block, Progress};
use check::Check;
use header::{BlockHeader, Wrong, checked, header_size};
use index::{Index, Step};
use pagewalk_base::error::{Error, ErrorCode, Place};

const NAME: &str = "xz";

/// The first bytes of a stream.
pub(super) const MAGIC: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];
/// The size in bytes of the header of a stream, and of its footer.
const HEADER: usize = 12;

pub(super) struct Xz {
    state: State,
    /// The part that is being collected: at most a chunk of LZMA2 data, 64 KiB.
    part: Vec<u8>,
    /// The flags of the stream.
    flags: [u8; 2],
    index: Index,
    piece: Box<[u8]>,
}

enum State {
    StreamHeader,
    /// At the header of a block, or at the index.
    Between,
    Data(Box<Block>),
    /// After the data: padding and check.
    Check(Box<Block>),
    Index,
    Footer,
    /// After a stream: four zeros, or the beginning of another stream.
    Padding,
}

impl Xz {
    pub(super) fn new() -> Self {
        Self {
            state: State::StreamHeader,
            part: Vec::with_capacity(HEADER),
            flags: [0; 2],
            index: Index::default(),
            piece: vec![0; PIECE].into(),
        }
    }

    /// Takes `bytes`, which begin at byte `start` of the compressed data.
    pub(super) fn push(&mut self, bytes: &[u8], start: u64, out: &mut Output) -> Flow {
        let mut rest = bytes;
        loop {
            // The position of the part that is being collected.
            let at = start + (bytes.len() - rest.len()) as u64 - self.part.len() as u64;
            if !self.gather(&mut rest) {
                return Ok(());
            }
            let keeps = self.take(at, out)?;
            if !keeps {
                self.part.clear();
            }
        }
    }

    /// Ends the data, and passes on what there is of a chunk. Returns whether the data may end here.
    pub(super) fn finish(&mut self, out: &mut Output) -> Result<bool, Stop> {
        if let State::Data(block) = &mut self.state
            && !self.part.is_empty()
        {
            block.push(&self.part, true, &mut self.piece, out)?;
        }
        Ok(matches!(self.state, State::Padding) && self.part.is_empty())
    }

    /// Adds bytes to the part until it has the size that its beginning states. Returns whether it has.
    fn gather(&mut self, rest: &mut &[u8]) -> bool {
        loop {
            let wanted = self.wanted();
            if self.part.len() >= wanted {
                return true;
            }
            let (now, later) = rest.split_at(rest.len().min(wanted - self.part.len()));
            if now.is_empty() {
                return false;
            }
            self.part.extend_from_slice(now);
            *rest = later;
        }
    }

    fn wanted(&self) -> usize {
        match &self.state {
            State::StreamHeader | State::Footer => HEADER,
            State::Between => match self.part.first() {
                None | Some(0) => 1,
                Some(first) => header_size(*first),
            },
            State::Data(_) => Block::chunk_size(&self.part),
            State::Check(block) => block.padding() + block.check_len(),
            State::Index => 1,
            State::Padding => 4,
        }
    }

    /// Takes a complete part, which begins at `at`. Returns whether the next part begins with it.
    fn take(&mut self, at: u64, out: &mut Output) -> Result<bool, Stop> {
        let wrong = |why: &str| Stop::Failed(damaged(NAME, at, why));
        match std::mem::replace(&mut self.state, State::Between) {
            State::StreamHeader => self.begin_stream(at)?,
            State::Between if self.part == [0] => {
                self.index.begin();
                self.state = State::Index;
            }
            State::Between => self.state = State::Data(self.begin_block(at)?),
            State::Data(mut block) => match block.push(&self.part, false, &mut self.piece, out)? {
                Progress::More => self.state = State::Data(block),
                Progress::End => {
                    let (size, unpacked) = block.sizes();
                    self.index.expect(size, unpacked);
                    self.state = State::Check(block);
                }
                Progress::Wrong => return Err(wrong("the LZMA2 data are invalid")),
            },
            State::Check(block) => {
                let (padding, check) = self.part.split_at(block.padding());
                if padding.iter().any(|byte| *byte != 0) {
                    return Err(wrong("the padding there is missing"));
                }
                block.end(check).map_err(wrong)?;
            }
            State::Index => {
                let byte = self.part.first().copied().unwrap_or_default();
                self.state = match self.index.push(byte) {
                    Step::More => State::Index,
                    Step::End => State::Footer,
                    Step::Wrong => return Err(wrong("its index is wrong")),
                };
            }
            State::Footer => {
                if !self.is_footer() {
                    return Err(wrong("the end of the stream is wrong"));
                }
                self.state = State::Padding;
            }
            State::Padding if self.part == [0; 4] => self.state = State::Padding,
            State::Padding if MAGIC.starts_with(&self.part) => {
                self.state = State::StreamHeader;
                return Ok(true);
            }
            State::Padding => return Err(wrong("other data follow")),
        }
        Ok(false)
    }

    fn begin_stream(&mut self, at: u64) -> Result<(), Error> {
        let wrong = |why| damaged(NAME, at, why);
        let content = self.part.strip_prefix(&MAGIC).ok_or_else(|| wrong("other data follow"))?;
        let flags = checked(content).ok_or_else(|| wrong("the checksum of the header is wrong"))?;
        self.flags = flags.try_into().unwrap_or_default();
        if self.flags[0] != 0 || Check::of(self.flags[1]).is_none() {
            let [first, second] = self.flags;
            return Err(unsupported(at, &format!("stream flags {first:#04x} {second:#04x}")));
        }
        self.index = Index::default();
        Ok(())
    }

    fn begin_block(&self, at: u64) -> Result<Box<Block>, Error> {
        let header = BlockHeader::parse(&self.part).map_err(|wrong| match wrong {
            Wrong::Damaged(why) => damaged(NAME, at, why),
            Wrong::Unsupported(what) => unsupported(at, &what),
        })?;
        if header.window > MAX_WINDOW {
            return Err(window_too_large(NAME, at, "compress it again with `xz -9` or less"));
        }
        let check = Check::of(self.flags[1]).unwrap_or(Check::None);
        Ok(Box::new(Block::new(header, self.part.len(), check)))
    }

    /// Returns whether the part is the footer of this stream: CRC-32, size of the index, flags and `YZ`.
    fn is_footer(&self) -> bool {
        let [crc @ .., a, b, c, d, first, second, b'Y', b'Z'] = self.part.as_slice() else {
            return false;
        };
        let size = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
        crc == header::crc32(&self.part[4..10])
            && [*first, *second] == self.flags
            && 4 * (size + 1) == self.index.size()
    }
}

fn unsupported(at: u64, what: &str) -> Error {
    let message = format!(
        "the xz data use {what}, which Pagewalk does not read: compress the trace again with plain `xz`"
    );
    Error::new(ErrorCode::Unsupported, message).at(Place::Byte(at))
}

impl fmt::Debug for Xz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xz").field("part", &self.part.len()).finish_non_exhaustive()
    }
}
