//! Accesses of a loop that was written on the site's screen “Loop”, little-endian:
//!
//! ```text
//! "PWLOOP1\n"   u32 bytes of the head   the head, JSON   records to the end of the file
//!
//! record:  u32 address, low   u16 address, high   u16 size   u32 line of the code, bit 31: store
//! ```
//!
//! The head names arrays and lines of the code. An array is a region of its own, and each line a
//! page of code at [`line_address`]: so both have a name wherever addresses have one.

use serde::Deserialize;

use pagewalk_base::addr::Hex;
use pagewalk_base::error::{Error, ErrorCode, Place};
use pagewalk_base::json::parse_json;
use pagewalk_base::trace::{Access, Completeness, Kind, Mapping, RegionKind};

use super::Sink;
use super::delivery::{Delivery, Flow};
use super::parser::{Facts, Parser};
use super::records::{RecordParser, Recorded};
use super::tally::{Reason, Tally};

/// The first bytes of every such file.
pub(super) const MAGIC: &[u8] = b"PWLOOP1\n";

/// Bytes before the head's own.
const BEFORE: usize = MAGIC.len() + 4;
/// A head of more bytes is none.
const MAX_HEAD: usize = 1 << 20;
const RECORD: usize = 12;
const STORE: u32 = 1 << 31;
/// Addresses of programs are below; the site refuses others.
const USER: u64 = 1 << 47;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    arrays: Vec<Array>,
    /// Those that access memory, from 1.
    lines: Vec<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Array {
    name: String,
    start: Hex,
    end: Hex,
}

/// Where the code of a line is: a page for each, so that the line is plain from the address.
fn line_address(line: u32) -> u64 {
    0x40_0000 + (u64::from(line) << 12)
}

/// Reads the accesses of a loop.
#[derive(Debug)]
pub(super) struct Loops {
    /// The beginning of the file, until all of its head is there.
    head: Vec<u8>,
    records: Option<Recorded<Records>>,
}

impl Loops {
    pub(super) fn new() -> Self {
        Self { head: Vec::new(), records: None }
    }
}

fn bad(at: u64, message: impl Into<String>) -> Error {
    let message =
        format!("this is no loop of Pagewalk: {}. Run it again and save its trace", message.into());
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at))
}

/// Bytes of the head with all before it; `None` while too little is there to tell.
fn head_end(bytes: &[u8]) -> Result<Option<usize>, Error> {
    let Some(size) = bytes.get(MAGIC.len()..BEFORE) else { return Ok(None) };
    if !bytes.starts_with(MAGIC) {
        return Err(bad(0, "it does not begin with PWLOOP1"));
    }
    let size = size.iter().rev().fold(0, |size, byte| size << 8 | usize::from(*byte));
    if size > MAX_HEAD {
        let message = format!("its head says that it has {size} bytes, of at most {MAX_HEAD}");
        return Err(bad(MAGIC.len() as u64, message));
    }
    Ok(Some(BEFORE + size))
}

/// The memory map that a head tells.
fn map<S: Sink>(head: &[u8], out: &mut Delivery<'_, S>) -> Flow {
    let read = std::str::from_utf8(head)
        .map_err(|error| bad((BEFORE + error.valid_up_to()) as u64, "its head is no text"))?;
    let Head { arrays, lines } =
        parse_json(read).map_err(|error| bad(BEFORE as u64, format!("its head: {error}")))?;
    for Array { name, start, end } in arrays {
        if let Some(mapping) = Mapping::new(0, start.0..end.0, 0, false, name) {
            out.mapping(Mapping { kind: RegionKind::Heap, ..mapping })?;
        }
    }
    for line in lines {
        let start = line_address(line);
        let range = start..start + 0x1000;
        if let Some(mapping) = Mapping::new(0, range, 0, true, format!("line {line}")) {
            out.mapping(mapping)?;
        }
    }
    Ok(())
}

impl Parser for Loops {
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { head, records } = self;
        while records.is_none() {
            let wanted = head_end(head)?.unwrap_or(BEFORE);
            let (more, rest) = bytes.split_at(bytes.len().min(wanted - head.len()));
            head.extend_from_slice(more);
            bytes = rest;
            if head.len() < wanted {
                return Ok(());
            }
            if head_end(head)? == Some(head.len()) {
                map(&head[BEFORE..], out)?;
                *records = Some(Recorded::after(head.len() as u64, Records));
            }
        }
        match records {
            Some(records) => records.push(bytes, tally, out),
            None => Ok(()),
        }
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        match &mut self.records {
            Some(records) => records.finish(tally, out),
            None => Err(bad(self.head.len() as u64, "it ends within its head").into()),
        }
    }

    fn facts(&self) -> Facts {
        Records.facts()
    }
}

/// What follows the head.
#[derive(Debug)]
struct Records;

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
        let byte = |at: usize| u64::from(record.get(at).copied().unwrap_or(0));
        let word = |from: usize, n: usize| (0..n).rev().fold(0, |w, i| w << 8 | byte(from + i));
        let (address, size) = (word(0, 6), word(6, 2));
        let code = u32::try_from(word(8, 4)).unwrap_or(0);
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
        Facts {
            format: "loop",
            completeness: Completeness::Complete,
            remedy: "let the loop call load or store",
        }
    }
}
