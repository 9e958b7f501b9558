//! Decompresses zip (APPNOTE 6.3.10) from its beginning: each file has a header of its own, so the list at
//! the end is not needed.
//!
//! ```text
//! PK 03 04 · header · name · extra · data · [descriptor: sizes, where the header has none] · …
//! PK 01 02 · the list of the files, and PK 05 06, its end
//! ```
//!
//! A trace may be split into files `chunk.0000`, `chunk.0001`, …, which are joined. Any other zip must hold
//! exactly one file.
//!
//! The crate `rc-zip` is not used: its `EntryFsm` cannot read a file whose sizes follow the data, unless the list
//! at the end was read before.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::{Output, PIECE, damaged};
use crate::import::directory::DIRECTORY;
use crate::import::flow::{Flow, Stop};
use crate::import::tally::excerpt;
use pagewalk_base::error::{Error, ErrorCode, Place};

const NAME: &str = "zip";

/// The first bytes of the header of a file.
pub(super) const MAGIC: [u8; 4] = *b"PK\x03\x04";
/// The mark before sizes that follow the data; it may be missing.
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";

/// The size in bytes of a header without its name and extra fields.
const HEADER: usize = 30;

/// Flags: the data are encrypted; sizes and checksum follow the data.
const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 1 << 3;

pub(super) struct Zip {
    state: State,
    /// The part that is being collected: at most a header with its name and extra fields.
    part: Vec<u8>,
    file: File,
    /// The position of the data of the file.
    data_start: u64,
    /// The name of the first file that is not a directory.
    first: Option<Vec<u8>>,
    deflate: Decompress,
    crc: Crc,
    piece: Box<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Header,
    /// Uncompressed data, with the number of bytes that remain.
    Stored(u64),
    Deflated,
    Descriptor,
    /// The list at the end: all files were read.
    List,
}

/// The contents of the header of a file.
#[derive(Clone, Copy, Debug, Default)]
struct File {
    crc: u32,
    packed: u64,
    size: u64,
    sizes_follow: bool,
    /// Whether sizes have eight bytes.
    is_64: bool,
    /// Whether the file is read but not passed on.
    is_left_out: bool,
}

impl Zip {
    pub(super) fn new() -> Self {
        Self {
            state: State::Header,
            part: Vec::with_capacity(HEADER),
            file: File::default(),
            data_start: 0,
            first: None,
            deflate: Decompress::new(false),
            crc: Crc::new(),
            piece: vec![0; PIECE].into(),
        }
    }

    /// Returns whether the data may end here.
    pub(super) fn is_whole(&self) -> bool {
        self.state == State::List
    }

    /// Takes `bytes`, which begin at byte `start` of the compressed data.
    pub(super) fn push(&mut self, bytes: &[u8], start: u64, out: &mut Output) -> Flow {
        let mut rest = bytes;
        loop {
            // The position of the part that is being collected.
            let at = start + (bytes.len() - rest.len()) as u64 - self.part.len() as u64;
            match self.state {
                State::List => return Ok(()),
                State::Stored(0) => self.end_file()?,
                _ if rest.is_empty() => return Ok(()),
                State::Stored(left) => {
                    let n = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    let (now, later) = rest.split_at(n);
                    self.hand_on(now, out)?;
                    rest = later;
                    self.state = State::Stored(left - n as u64);
                }
                State::Deflated => rest = self.inflate(rest, out)?,
                State::Header => {
                    if self.gather(&mut rest, Self::header_size) {
                        self.begin(at)?;
                        self.data_start = at + self.part.len() as u64;
                        self.part.clear();
                    }
                }
                State::Descriptor => {
                    if self.gather(&mut rest, Self::descriptor_size) {
                        self.take_descriptor();
                        self.part.clear();
                        self.end_file()?;
                    }
                }
            }
        }
    }

    /// Adds bytes to the part until it has the size that its beginning states. Returns whether it has.
    fn gather(&mut self, rest: &mut &[u8], size: fn(&Self) -> usize) -> bool {
        loop {
            let wanted = size(self);
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

    /// Four bytes show whether it is the header of a file at all.
    fn header_size(&self) -> usize {
        if self.part.len() < 4 || !self.part.starts_with(&MAGIC) {
            return 4;
        }
        if self.part.len() < HEADER {
            return HEADER;
        }
        HEADER + usize::from(self.half(26)) + usize::from(self.half(28))
    }

    fn descriptor_size(&self) -> usize {
        let sizes = if self.file.is_64 { 20 } else { 12 };
        let mark = if self.part.starts_with(&DESCRIPTOR) { 4 } else { 0 };
        if self.part.len() < 4 { 4 } else { sizes + mark }
    }

    /// Returns numbers of the part, or 0 beyond its end.
    fn half(&self, at: usize) -> u16 {
        let bytes = self.part.get(at..at + 2).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u16::from_le_bytes)
    }

    fn word(&self, at: usize) -> u32 {
        u32::from(self.half(at)) | u32::from(self.half(at + 2)) << 16
    }

    fn long(&self, at: usize) -> u64 {
        u64::from(self.word(at)) | u64::from(self.word(at + 4)) << 32
    }

    /// Reads the header in the part, or the beginning of the list.
    fn begin(&mut self, at: u64) -> Result<(), Error> {
        if !self.part.starts_with(&MAGIC) {
            let is_list = [*b"PK\x01\x02", *b"PK\x05\x06", *b"PK\x06\x06", *b"PK\x06\x08"]
                .iter()
                .any(|mark| self.part.starts_with(mark));
            if !is_list {
                return Err(damaged(NAME, at, "other data follow"));
            }
            if self.first.is_none() {
                let message = "the zip file is empty: put the trace into it";
                return Err(Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at)));
            }
            self.state = State::List;
            return Ok(());
        }
        let (flags, method) = (self.half(6), self.half(8));
        let name_end = HEADER + usize::from(self.half(26));
        let name = self.part.get(HEADER..name_end).unwrap_or_default().to_vec();
        self.file = File {
            crc: self.word(14),
            packed: self.word(18).into(),
            size: self.word(22).into(),
            sizes_follow: flags & SIZES_FOLLOW != 0,
            is_64: false,
            is_left_out: is_noise(&name),
        };
        self.read_extra(name_end);
        if flags & ENCRYPTED != 0 {
            return Err(unsupported(
                at,
                &name,
                "is encrypted: unzip it with its password and import the result",
            ));
        }
        match method {
            0 if self.file.sizes_follow => {
                return Err(unsupported(
                    at,
                    &name,
                    "is stored without its size: unzip it and import the result",
                ));
            }
            0 => self.state = State::Stored(self.file.packed),
            8 => {
                self.deflate.reset(false);
                self.state = State::Deflated;
            }
            _ => {
                return Err(unsupported(
                    at,
                    &name,
                    "is not compressed with deflate: unzip it and import the result, or compress the trace as .xz or .zst",
                ));
            }
        }
        self.crc.reset();
        self.enter(name, at)
    }

    /// Reads sizes of eight bytes, if those of the header are full (APPNOTE 4.5.3).
    fn read_extra(&mut self, mut at: usize) {
        const ZIP64: u16 = 1;
        let full = u64::from(u32::MAX);
        while at + 4 <= self.part.len() {
            let (id, length) = (self.half(at), usize::from(self.half(at + 2)));
            if id == ZIP64 {
                self.file.is_64 = true;
                let mut field = at + 4;
                if self.file.size == full {
                    self.file.size = self.long(field);
                    field += 8;
                }
                if self.file.packed == full {
                    self.file.packed = self.long(field);
                }
            }
            at += 4 + length;
        }
    }

    /// Records the file. A second file is an error, unless it is the next piece of a trace.
    fn enter(&mut self, name: Vec<u8>, at: u64) -> Result<(), Error> {
        if self.file.is_left_out {
            return Ok(());
        }
        match &self.first {
            None => self.first = Some(name),
            Some(first) if is_chunk(first) && is_chunk(&name) => {}
            Some(first) if is_of_recording(first, &name) => {
                let message = format!(
                    "the zip file holds a directory of perf record --threads, whose files cannot be read separately: {DIRECTORY}"
                );
                return Err(Error::new(ErrorCode::Unsupported, message).at(Place::Byte(at)));
            }
            Some(first) => {
                let message = format!(
                    "the zip file holds several files, such as `{}` and `{}`: unzip it and import one of them",
                    excerpt(first),
                    excerpt(&name)
                );
                return Err(Error::new(ErrorCode::Unsupported, message).at(Place::Byte(at)));
            }
        }
        Ok(())
    }

    fn hand_on(&mut self, unpacked: &[u8], out: &mut Output) -> Flow {
        self.crc.update(unpacked);
        if self.file.is_left_out { Ok(()) } else { out(unpacked) }
    }

    /// Decompresses some of `rest`, and returns the remainder.
    fn inflate<'a>(&mut self, rest: &'a [u8], out: &mut Output) -> Result<&'a [u8], Stop> {
        let (taken_before, given_before) = (self.deflate.total_in(), self.deflate.total_out());
        let status = self.deflate.decompress(rest, &mut self.piece, FlushDecompress::None);
        // Both numbers are at most the length of a slice.
        let taken = usize::try_from(self.deflate.total_in() - taken_before).unwrap_or(0);
        let given = usize::try_from(self.deflate.total_out() - given_before).unwrap_or(0);
        // The output that precedes an error is passed on.
        if given > 0 {
            self.crc.update(&self.piece[..given]);
            if !self.file.is_left_out {
                out(&self.piece[..given])?;
            }
        }
        match status {
            Ok(Status::StreamEnd) if self.file.sizes_follow => self.state = State::Descriptor,
            Ok(Status::StreamEnd) => self.end_file()?,
            Ok(_) if taken > 0 || given > 0 => {}
            _ => {
                let why = "the deflate data that begin here are invalid";
                return Err(damaged(NAME, self.data_start, why).into());
            }
        }
        Ok(&rest[taken..])
    }

    /// Reads the descriptor in the part.
    fn take_descriptor(&mut self) {
        let mark = if self.part.starts_with(&DESCRIPTOR) { 4 } else { 0 };
        self.file.crc = self.word(mark);
        self.file.size =
            if self.file.is_64 { self.long(mark + 12) } else { self.word(mark + 8).into() };
    }

    /// Ends a file, which must have the announced length and checksum.
    fn end_file(&mut self) -> Result<(), Error> {
        self.state = State::Header;
        let is_size = self.file.size & 0xffff_ffff == u64::from(self.crc.amount());
        if is_size && self.file.crc == self.crc.sum() {
            Ok(())
        } else {
            let why = "the checksum of the data that begin here is wrong";
            Err(damaged(NAME, self.data_start, why))
        }
    }
}

/// Returns whether two files belong to one directory of `perf record --threads`: `data` or `data.7`, in any
/// folder.
fn is_of_recording(one: &[u8], other: &[u8]) -> bool {
    let is_its = |name: &[u8]| {
        let rest = base_name(name).strip_prefix(b"data");
        let number = rest.and_then(|rest| rest.strip_prefix(b"."));
        rest == Some(b"")
            || number
                .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    let folder = |name: &[u8]| name.len() - base_name(name).len();
    is_its(one) && is_its(other) && one[..folder(one)] == other[..folder(other)]
}

/// Returns whether a file is a piece of a trace: `chunk.0007`, in any folder.
fn is_chunk(name: &[u8]) -> bool {
    let digits = base_name(name).strip_prefix(b"chunk.").unwrap_or_default();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Returns whether a file is a folder, or one of those that macOS adds.
fn is_noise(name: &[u8]) -> bool {
    name.ends_with(b"/") || name.starts_with(b"__MACOSX/") || base_name(name) == b".DS_Store"
}

fn base_name(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'/').next().unwrap_or(name)
}

fn unsupported(at: u64, name: &[u8], what: &str) -> Error {
    let message = format!("the file `{}` in the zip file {what}", excerpt(name));
    Error::new(ErrorCode::Unsupported, message).at(Place::Byte(at))
}

impl std::fmt::Debug for Zip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zip").field("state", &self.state).finish_non_exhaustive()
    }
}
