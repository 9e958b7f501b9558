//! Reads the accesses of a JavaScript program that was written on the screen “Code” of the site. The file is little-endian:
//!
//! ```text
//! "PWLOOP1\n"   u32 bytes of the head   the head, JSON   records to the end of the file
//!
//! access:  u32 address, low   u16 address, high   u16 size   u32 line of the code, bit 31: store
//! array:   u32 bytes of a text   u32 0   u32 0xffffffff; then the text, JSON, in as many records as it fills
//! ```
//!
//! The head names the lines of the code, and arrays that are known before the program runs. A record names an array that
//! the program makes. Each array is a region, and each line has a page of code at [`line_address`]. So the views of
//! addresses show the names of arrays and lines.

use serde::Deserialize;

use pagewalk_base::addr::Hex;
use pagewalk_base::error::{Error, ErrorCode, Place};
use pagewalk_base::json::parse_json;
use pagewalk_base::trace::{Access, Completeness, Kind, Mapping, Places, RegionKind, SourcePlace};

use super::Sink;
use super::delivery::Delivery;
use super::flow::Flow;
use super::framed_head::FramedHead;
use super::parser::{Facts, Parser};
use super::records::{RecordParser, Recorded};
use super::tally::{Reason, Tally};

/// The first bytes of every such file.
pub(super) const MAGIC: &[u8] = b"PWLOOP1\n";

/// The largest head in bytes.
const MAX_HEAD: usize = 1 << 20;
const RECORD: usize = 12;
const STORE: u32 = 1 << 31;
/// Stands for the line in the record of an array.
const ARRAY: u32 = u32::MAX;
/// The largest text of an array in bytes.
const MAX_ARRAY: usize = 1 << 12;
/// Addresses of programs are below this one; the site accepts no others.
const USER: u64 = 1 << 47;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    arrays: Vec<Array>,
    /// The lines that access memory, counted from 1.
    lines: Vec<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Array {
    name: String,
    start: Hex,
    end: Hex,
}

impl Array {
    fn map<S: Sink>(self, out: &mut Delivery<'_, S>) -> Flow {
        match Mapping::new(0, self.start.0..self.end.0, 0, false, self.name) {
            Some(mapping) => out.mapping(Mapping { kind: RegionKind::Heap, ..mapping }),
            None => Ok(()),
        }
    }
}

/// Returns the address of the code of a line. Each line has its own page, so the address identifies the line.
fn line_address(line: u32) -> u64 {
    0x40_0000 + (u64::from(line) << 12)
}

/// Reads the accesses of a loop.
#[derive(Debug)]
pub(super) struct Loops {
    head: FramedHead,
    records: Option<Recorded<Records>>,
}

impl Loops {
    pub(super) fn new() -> Self {
        let bad = |at, message| bad(at, message);
        Self { head: FramedHead::new(MAGIC, MAX_HEAD, bad), records: None }
    }
}

fn bad(at: u64, message: impl Into<String>) -> Error {
    let message = format!(
        "this is not a valid file of a program on the screen Code: {}. Run the program again there and save its trace",
        message.into()
    );
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at))
}

/// Delivers the memory map that a head describes.
fn map<S: Sink>(head: &FramedHead, out: &mut Delivery<'_, S>) -> Flow {
    let read = std::str::from_utf8(head.text()).map_err(|error| {
        bad((head.start() + error.valid_up_to()) as u64, "its head is not UTF-8")
    })?;
    let Head { arrays, lines } =
        parse_json(read).map_err(|error| bad(head.start() as u64, format!("its head: {error}")))?;
    for array in arrays {
        array.map(out)?;
    }
    let mut places = Places::default();
    for line in lines {
        places.add(line_address(line), &SourcePlace { line, ..SourcePlace::default() });
        let start = line_address(line);
        let range = start..start + 0x1000;
        if let Some(mapping) = Mapping::new(0, range, 0, true, format!("line {line}")) {
            out.mapping(mapping)?;
        }
    }
    out.places(places)
}

impl Parser for Loops {
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { head, records } = self;
        if records.is_none() && head.take(&mut bytes)? {
            map(head, out)?;
            *records = Some(Recorded::after(head.len() as u64, Records::default()));
        }
        match records {
            Some(records) => records.push(bytes, tally, out),
            None => Ok(()),
        }
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        match &mut self.records {
            Some(records) => {
                records.parser.array.finish()?;
                records.finish(tally, out)
            }
            None => Err(bad(self.head.len() as u64, "it ends inside its head").into()),
        }
    }

    fn facts(&self) -> Facts {
        Records::default().facts()
    }
}

/// The text of an array, in the records after the one that announces it.
#[derive(Debug, Default)]
struct ArrayText {
    bytes: Vec<u8>,
    /// The bytes that are still to come.
    left: usize,
    /// Where its record is in the file.
    at: u64,
}

impl ArrayText {
    fn begin(&mut self, size: u64, at: u64) -> Result<(), Error> {
        let fits = usize::try_from(size).ok().filter(|size| (1..=MAX_ARRAY).contains(size));
        let message = || format!("an array has a text of {size} bytes, not of 1 to {MAX_ARRAY}");
        self.left = fits.ok_or_else(|| bad(at, message()))?;
        self.at = at;
        self.bytes.clear();
        Ok(())
    }

    /// Takes a part of the text. Returns the array if the text is complete.
    fn take(&mut self, part: &[u8]) -> Result<Option<Array>, Error> {
        let part = part.get(..self.left).unwrap_or(part);
        self.bytes.extend_from_slice(part);
        self.left -= part.len();
        if self.left > 0 {
            return Ok(None);
        }
        let text = std::str::from_utf8(&self.bytes)
            .map_err(|_| bad(self.at, "the description of an array is not UTF-8"))?;
        let array = parse_json(text).map_err(|error| bad(self.at, format!("an array: {error}")))?;
        Ok(Some(array))
    }

    fn finish(&self) -> Result<(), Error> {
        if self.left == 0 { Ok(()) } else { Err(bad(self.at, "it ends inside an array")) }
    }
}

/// Reads the records after the head.
#[derive(Debug, Default)]
struct Records {
    array: ArrayText,
}

impl RecordParser for Records {
    fn size(&self) -> usize {
        RECORD
    }

    #[inline]
    fn record<S: Sink>(
        &mut self,
        record: &[u8],
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        const TOO_HIGH: Reason = Reason {
            name: "addresses over 47 bits",
            warning: Some([
                "record has an address over 47 bits and was skipped",
                "records have an address over 47 bits and were skipped",
            ]),
        };
        if self.array.left > 0 {
            return match self.array.take(record)? {
                Some(array) => array.map(out),
                None => Ok(()),
            };
        }
        let byte = |at: usize| u64::from(record.get(at).copied().unwrap_or(0));
        let word = |from: usize, n: usize| (0..n).rev().fold(0, |w, i| w << 8 | byte(from + i));
        let (address, size) = (word(0, 6), word(6, 2));
        let code = u32::try_from(word(8, 4)).unwrap_or(0);
        if code == ARRAY {
            return Ok(self.array.begin(word(0, 4), at)?);
        }
        if address >= USER {
            let text = || format!("{address:#x}");
            return Ok(tally.skip_at(TOO_HIGH, Place::Byte(at), RECORD as u64, text)?);
        }
        let kind = if code & STORE == 0 { Kind::Load } else { Kind::Store };
        let line = code & !STORE;
        let ip = (line > 0).then(|| line_address(line));
        let size = u32::try_from(size).unwrap_or(0);
        out.access(Access { ip, ..Access::new(kind, address, size) })?;
        tally.records += 1;
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts { completeness: Completeness::Complete, remedy: "call load or store in the loop" }
    }
}
