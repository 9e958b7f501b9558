//! Decompresses gzip, bzip2, xz, zstd and zip while the file is read, also one inside another. The first
//! bytes decide the format, never the file name. Output is passed on in pieces of at most 64 KiB, so that a
//! small chunk of input cannot take much memory.

mod bzip2;
mod gzip;
mod xz;
mod zip;
mod zstd;

pub(super) use zstd::Zstd;

use pagewalk_base::error::{Error, ErrorCode, Place, Result};

use super::flow::{Flow, Stop};
use bzip2::Bzip2;
use gzip::Gzip;
use xz::Xz;
use zip::Zip;

/// The endings of compressed files that are read, without a dot.
pub const ENDINGS: [&str; 5] = ["gz", "bz2", "xz", "zst", "zip"];

/// The largest number of decompressed bytes that are passed on at once.
const PIECE: usize = 64 << 10;

/// The largest memory in bytes for earlier output. `xz -9` needs 64 MiB, `zstd --long` 128 MiB.
const MAX_WINDOW: u64 = 128 << 20;

/// The largest number of compressions inside one another.
const MAX_DEPTH: u32 = 2;

/// The number of compressed bytes that a decoder takes at once. The output before damage depends on how the
/// bytes are divided, so blocks always begin at multiples of this.
const BLOCK: usize = 1 << 10;

/// The largest number of compressed bytes without output, such as an endless row of empty members.
const MAX_IDLE: u64 = 64 << 20;

/// Takes decompressed bytes.
type Output<'a> = dyn FnMut(&[u8]) -> Flow + 'a;

/// Returns the endings in words: `.gz, .bz2, .xz, .zst or .zip`.
pub(super) fn endings() -> String {
    let [all @ .., last] = ENDINGS;
    let all = all.map(|ending| format!(".{ending}"));
    format!("{} or .{last}", all.join(", "))
}

/// A stream of bytes that may be compressed.
#[derive(Debug)]
pub(super) struct Unpacker {
    state: State,
    depth: u32,
}

#[derive(Debug)]
enum State {
    /// Fewer bytes than a magic number has.
    Undecided(Vec<u8>),
    Plain,
    Packed(Box<Packed>),
}

/// A compressed stream and its contents.
#[derive(Debug)]
struct Packed {
    decoder: Decoder,
    inner: Unpacker,
    /// The bytes of a block that is not full yet.
    held: Vec<u8>,
    /// The number of compressed bytes taken, and that number at the last output.
    taken: u64,
    taken_at_output: u64,
}

#[derive(Debug)]
enum Decoder {
    Gzip(Gzip),
    Bzip2(Bzip2),
    Xz(Xz),
    Zstd(Zstd),
    Zip(Box<Zip>),
}

impl Unpacker {
    pub(super) fn new() -> Self {
        Self::within(0)
    }

    fn within(depth: u32) -> Self {
        Self { state: State::Undecided(Vec::new()), depth }
    }

    /// Returns the compression formats of the stream, the outermost first.
    pub(super) fn names(&self) -> Vec<&'static str> {
        match &self.state {
            State::Packed(packed) => [vec![packed.decoder.name()], packed.inner.names()].concat(),
            State::Undecided(_) | State::Plain => Vec::new(),
        }
    }

    /// Takes the next bytes and passes on their decompressed contents.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Output) -> Flow {
        match &mut self.state {
            State::Plain => out(bytes),
            State::Packed(packed) => packed.push(bytes, out),
            State::Undecided(head) => {
                head.extend_from_slice(bytes);
                if Format::may_follow(head) {
                    return Ok(());
                }
                let head = std::mem::take(head);
                self.decide(&head)?;
                self.push(&head, out)
            }
        }
    }

    /// Decompresses what waits for more bytes, as if there were none. The beginning of a file can end
    /// anywhere.
    pub(super) fn flush(&mut self, out: &mut Output) -> Flow {
        if let State::Packed(packed) = &mut self.state {
            packed.flush(out)?;
            packed.inner.flush(out)?;
        }
        Ok(())
    }

    /// Ends the stream.
    pub(super) fn finish(&mut self, out: &mut Output) -> Flow {
        match &mut self.state {
            State::Plain => Ok(()),
            State::Packed(packed) => packed.finish(out),
            State::Undecided(head) => {
                let head = std::mem::take(head);
                self.state = State::Plain;
                out(&head)
            }
        }
    }

    fn decide(&mut self, head: &[u8]) -> Result<()> {
        let Some(format) = Format::of(head) else {
            self.state = State::Plain;
            return Ok(());
        };
        if self.depth == MAX_DEPTH {
            let message =
                "the file is compressed more than twice: decompress it once before the import";
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        let decoder = match format {
            Format::Gzip => Decoder::Gzip(Gzip::new()),
            Format::Bzip2 => Decoder::Bzip2(Bzip2::new()),
            Format::Xz => Decoder::Xz(Xz::new()),
            Format::Zip => Decoder::Zip(Box::new(Zip::new())),
            Format::Zstd => Decoder::Zstd(Zstd::new()),
        };
        let inner = Self::within(self.depth + 1);
        let packed = Packed { decoder, inner, held: Vec::new(), taken: 0, taken_at_output: 0 };
        self.state = State::Packed(Box::new(packed));
        Ok(())
    }
}

impl Packed {
    fn push(&mut self, bytes: &[u8], out: &mut Output) -> Flow {
        let mut rest = bytes;
        while !rest.is_empty() {
            let missing = BLOCK - self.held.len();
            let (now, later) = rest.split_at(rest.len().min(missing));
            rest = later;
            if now.len() == BLOCK {
                self.unpack(now, out)?;
                continue;
            }
            self.held.extend_from_slice(now);
            if now.len() == missing {
                self.unpack_held(out)?;
            }
        }
        Ok(())
    }

    fn unpack_held(&mut self, out: &mut Output) -> Flow {
        let mut held = std::mem::take(&mut self.held);
        self.unpack(&held, out)?;
        held.clear();
        self.held = held;
        Ok(())
    }

    /// Decompresses a block, or the last bytes of the file.
    fn unpack(&mut self, block: &[u8], out: &mut Output) -> Flow {
        let mut gave = false;
        let inner = &mut self.inner;
        let mut hand_on = |unpacked: &[u8]| {
            gave = true;
            inner.push(unpacked, out)
        };
        match &mut self.decoder {
            Decoder::Gzip(gzip) => gzip.push(block, self.taken, &mut hand_on)?,
            Decoder::Bzip2(bzip2) => bzip2.push(block, self.taken, &mut hand_on)?,
            Decoder::Xz(xz) => xz.push(block, self.taken, &mut hand_on)?,
            Decoder::Zip(zip) => zip.push(block, self.taken, &mut hand_on)?,
            Decoder::Zstd(zstd) => zstd.push(block, self.taken, &mut hand_on)?,
        }
        self.taken += block.len() as u64;
        if gave {
            self.taken_at_output = self.taken;
        } else if self.taken - self.taken_at_output > MAX_IDLE {
            let why = "64 MiB of it decompress to nothing";
            return Err(damaged(self.decoder.name(), self.taken, why).into());
        }
        Ok(())
    }

    /// Passes on what waits for more bytes. Returns whether the data may end here.
    fn flush(&mut self, out: &mut Output) -> Result<bool, Stop> {
        self.unpack_held(out)?;
        let inner = &mut self.inner;
        let mut hand_on = |unpacked: &[u8]| inner.push(unpacked, out);
        Ok(match &mut self.decoder {
            Decoder::Gzip(gzip) => gzip.finish(self.taken)?,
            Decoder::Bzip2(bzip2) => bzip2.is_whole(),
            Decoder::Zip(zip) => zip.is_whole(),
            Decoder::Xz(xz) => xz.finish(&mut hand_on)?,
            Decoder::Zstd(zstd) => zstd.is_whole(),
        })
    }

    fn finish(&mut self, out: &mut Output) -> Flow {
        if !self.flush(out)? {
            return Err(Stop::CutOff(truncated(self.decoder.name(), self.taken)));
        }
        self.inner.finish(out)
    }
}

impl Decoder {
    fn name(&self) -> &'static str {
        match self {
            Self::Gzip(_) => "gzip",
            Self::Bzip2(_) => "bzip2",
            Self::Xz(_) => "xz",
            Self::Zip(_) => "zip",
            Self::Zstd(_) => "zstd",
        }
    }
}

/// The compression formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Zip,
}

impl Format {
    /// The first bytes of each format. A skippable frame of zstd may have any low half byte.
    const MAGIC: [(Self, &[u8]); 7] = [
        (Self::Gzip, &[0x1f, 0x8b, 0x08]),
        (Self::Xz, &xz::MAGIC),
        (Self::Bzip2, &bzip2::MAGIC),
        (Self::Zip, &zip::MAGIC),
        (Self::Zip, b"PK\x05\x06"),
        (Self::Zstd, &zstd::MAGIC),
        (Self::Zstd, &zstd::SKIPPABLE),
    ];

    fn of(head: &[u8]) -> Option<Self> {
        let starts = |magic: &[u8]| magic.len() <= head.len() && matches(magic, head);
        Self::MAGIC.iter().find(|(_, magic)| starts(magic)).map(|(format, _)| *format)
    }

    /// Returns whether `head` is the beginning of a magic number, which more bytes may complete.
    fn may_follow(head: &[u8]) -> bool {
        Self::MAGIC.iter().any(|(_, magic)| head.len() < magic.len() && matches(magic, head))
    }
}

/// Returns whether both agree up to the end of the shorter one.
fn matches(magic: &[u8], head: &[u8]) -> bool {
    let skippable = *magic == zstd::SKIPPABLE;
    let both = magic.iter().zip(head).enumerate();
    both.into_iter().all(|(at, (a, b))| if skippable && at == 0 { *a == b & 0xf0 } else { a == b })
}

/// The error of compressed data that end too early, after `taken` bytes.
fn truncated(format: &str, taken: u64) -> Error {
    let command = if format == "zip" { "unzip -p".to_owned() } else { format!("{format} -dc") };
    let message = format!(
        "the {format} data end here, but are incomplete: the file was cut off; copy it again, or decompress its beginning with `{command} FILE > trace.txt` and import that"
    );
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(taken))
}

/// The error of invalid compressed data near byte `at`.
fn damaged(format: &str, at: u64, why: &str) -> Error {
    let message =
        format!("the {format} data are damaged ({why}): copy the file again, or compress it again");
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at))
}

/// The error of compressed data that need too much memory.
fn window_too_large(format: &str, at: u64, remedy: &str) -> Error {
    let message = format!(
        "decompressing the {format} data would need more than {} MiB of memory: {remedy}",
        MAX_WINDOW >> 20
    );
    Error::new(ErrorCode::TooLarge, message).at(Place::Byte(at))
}
