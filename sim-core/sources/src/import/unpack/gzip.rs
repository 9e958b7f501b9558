//! Decompresses gzip (RFC 1952): any number of members, and zero bytes after the last one, as `gzip -d`
//! accepts them.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::{Output, PIECE, damaged};
use crate::import::delivery::{Flow, Stop};
use pagewalk_base::error::Error;

const NAME: &str = "gzip";
const MAGIC: [u8; 2] = [0x1f, 0x8b];
const FOLLOWS: &str = "other data follow";

/// Bits of the flags in the header.
const FLAG_CRC: u8 = 1 << 1;
const FLAG_EXTRA: u8 = 1 << 2;
const FLAG_NAME: u8 = 1 << 3;
const FLAG_COMMENT: u8 = 1 << 4;

pub(super) struct Gzip {
    state: State,
    /// The bytes of a part of fixed size that is not complete yet.
    part: Vec<u8>,
    /// The position of the member's deflate data.
    data_start: u64,
    /// The flags of the header whose parts are still to be read.
    flags: u8,
    deflate: Decompress,
    crc: Crc,
    piece: Box<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a member.
    Between,
    /// The ten bytes at the beginning of every member.
    Header,
    /// The parts of the header that `flags` announces.
    Options,
    ExtraLength,
    Extra(u16),
    Text,
    HeaderCrc,
    Data,
    /// A checksum and a length, four bytes each.
    Trailer,
    /// After a member: only zeros.
    Padding,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Self {
            state: State::Between,
            part: Vec::with_capacity(10),
            data_start: 0,
            flags: 0,
            deflate: Decompress::new(false),
            crc: Crc::new(),
            piece: vec![0; PIECE].into(),
        }
    }

    /// Returns whether the data may end here.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.state, State::Between | State::Padding)
    }

    /// Takes `bytes`, which begin at byte `start` of the compressed data.
    pub(super) fn push(&mut self, bytes: &[u8], start: u64, out: &mut Output) -> Flow {
        let mut rest = bytes;
        while !rest.is_empty() {
            // The position of the part that is being collected.
            let at = start + (bytes.len() - rest.len()) as u64 - self.part.len() as u64;
            match self.state {
                State::Between => {
                    self.state = if rest[0] == 0 { State::Padding } else { State::Header };
                }
                State::Padding => {
                    if let Some(zeros) = rest.iter().position(|byte| *byte != 0) {
                        let at = at + zeros as u64;
                        return Err(damaged(NAME, at, FOLLOWS).into());
                    }
                    rest = &[];
                }
                State::Header => {
                    if let Some(header) = self.take::<10>(&mut rest) {
                        self.begin(header).map_err(|why| damaged(NAME, at, why))?;
                    } else if !MAGIC.starts_with(&self.part[..self.part.len().min(2)]) {
                        return Err(damaged(NAME, at, FOLLOWS).into());
                    }
                }
                State::Options => {
                    self.state = self.next_option();
                    self.data_start = at;
                }
                State::ExtraLength => {
                    if let Some(length) = self.take::<2>(&mut rest) {
                        self.state = State::Extra(u16::from_le_bytes(length));
                    }
                }
                State::Extra(left) => {
                    let n = rest.len().min(left.into());
                    rest = &rest[n..];
                    // `n` is at most `left`.
                    let left = left - u16::try_from(n).unwrap_or(left);
                    self.state = if left == 0 { State::Options } else { State::Extra(left) };
                }
                State::Text => match memchr::memchr(0, rest) {
                    Some(end) => {
                        rest = &rest[end + 1..];
                        self.state = State::Options;
                    }
                    None => rest = &[],
                },
                State::HeaderCrc => {
                    if self.take::<2>(&mut rest).is_some() {
                        self.state = State::Options;
                    }
                }
                State::Data => rest = self.inflate(rest, out)?,
                State::Trailer => {
                    if let Some(trailer) = self.take::<8>(&mut rest) {
                        self.check(trailer, at)?;
                        self.state = State::Between;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the next `N` bytes when all of them are there.
    fn take<const N: usize>(&mut self, rest: &mut &[u8]) -> Option<[u8; N]> {
        let (now, later) = rest.split_at(rest.len().min(N - self.part.len()));
        self.part.extend_from_slice(now);
        *rest = later;
        let whole = self.part.first_chunk::<N>().copied()?;
        self.part.clear();
        Some(whole)
    }

    fn begin(&mut self, header: [u8; 10]) -> Result<(), &'static str> {
        let [magic_1, magic_2, method, flags, ..] = header;
        if [magic_1, magic_2] != MAGIC {
            return Err(FOLLOWS);
        }
        if method != 8 || flags & 0xe0 != 0 {
            return Err("a header that gzip does not write");
        }
        self.flags = flags;
        self.state = State::Options;
        Ok(())
    }

    /// The optional parts come in this order.
    fn next_option(&mut self) -> State {
        let options = [
            (FLAG_EXTRA, State::ExtraLength),
            (FLAG_NAME, State::Text),
            (FLAG_COMMENT, State::Text),
            (FLAG_CRC, State::HeaderCrc),
        ];
        for (flag, state) in options {
            if self.flags & flag != 0 {
                self.flags &= !flag;
                return state;
            }
        }
        self.deflate.reset(false);
        self.crc.reset();
        State::Data
    }

    /// Decompresses some of `rest`, and returns the remainder.
    fn inflate<'a>(&mut self, rest: &'a [u8], out: &mut Output) -> Result<&'a [u8], Stop> {
        let (taken_before, given_before) = (self.deflate.total_in(), self.deflate.total_out());
        let status = self.deflate.decompress(rest, &mut self.piece, FlushDecompress::None);
        // Both numbers are at most the length of a slice.
        let taken = usize::try_from(self.deflate.total_in() - taken_before).unwrap_or(0);
        let given = usize::try_from(self.deflate.total_out() - given_before).unwrap_or(0);
        // Output from before an error is passed on.
        if given > 0 {
            self.crc.update(&self.piece[..given]);
            out(&self.piece[..given])?;
        }
        match status {
            Ok(Status::StreamEnd) => self.state = State::Trailer,
            Ok(_) if taken > 0 || given > 0 => {}
            _ => {
                let why = "the deflate data that begin here are invalid";
                return Err(damaged(NAME, self.data_start, why).into());
            }
        }
        Ok(&rest[taken..])
    }

    fn check(&self, trailer: [u8; 8], at: u64) -> Result<(), Error> {
        let made = u64::from(self.crc.sum()) | u64::from(self.crc.amount()) << 32;
        if u64::from_le_bytes(trailer) == made {
            Ok(())
        } else {
            Err(damaged(NAME, at, "the checksum is wrong"))
        }
    }
}

impl std::fmt::Debug for Gzip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gzip").field("state", &self.state).finish_non_exhaustive()
    }
}
