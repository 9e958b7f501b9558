//! Reads the text that drmemtrace's view tool prints (`clients/drcachesim/tools/view.cpp`, `-tool view`):
//!
//! ```text
//! Output format:
//! <--record#-> <--instr#->: <Wrkld.Tid> <record details>
//!            7           0: W0.T872901 <marker: W0.T872901 on core 11>
//!            8           1: W0.T872901 ifetch       2 byte(s) @ 0x00007f87dae8f9a0 8b 07
//!            9           1: W0.T872901 read         4 byte(s) @ 0x00007f8578000b70 by PC 0x00007f87dae8f9a0
//! ```
//!
//! The bytes and the disassembly of an instruction may follow it, also on a second line.

use super::markers::{MARKERS, Markers, NO_PHYSICAL, PHYSICAL};
use crate::import::delivery::Delivery;
use crate::import::digits::{NoNumber, decimal, hex, strip_0x};
use crate::import::flow::Flow;
use crate::import::lines::{MAX_LINE, each_line};
use crate::import::parser::{Facts, LineParser};
use crate::import::tally::{Reason, Tally};
use crate::import::{RecordedSizes, Sink};
use pagewalk_base::trace::{Access, Kind};

const FRAME: Reason = Reason::normal("lines around the records");
const NO_FETCH: Reason = Reason::normal("instructions that were not fetched again");
const DISASSEMBLY: Reason = Reason::normal("second lines of an instruction");
const FLUSH: Reason = Reason::normal("cache flushes");

/// Reads the text of the view tool.
#[derive(Debug, Default)]
pub(in crate::import) struct View {
    markers: Markers,
    cpu: u32,
    fetched: Option<u64>,
}

/// A line with a record: its thread, and the text after it.
struct Record<'a> {
    tid: u32,
    details: &'a [u8],
}

impl View {
    pub(in crate::import) fn page_size(&self) -> u64 {
        self.markers.bytes_of_pages()
    }

    /// Returns whether only this tool prints such a line.
    pub(in crate::import) fn recognises(line: &[u8]) -> bool {
        line.starts_with(b"<--record#->")
            || record(line).is_some_and(|record| {
                record.details.starts_with(b"<marker: ")
                    || memchr::memmem::find(record.details, b" byte(s) @ 0x").is_some()
            })
    }

    /// Reads a marker. Returns the reason under which it is counted.
    fn marker(&mut self, text: &[u8], tally: &mut Tally) -> Reason {
        let value_after = |start: &[u8]| {
            let value = text.strip_prefix(start)?.strip_suffix(b">")?;
            if strip_0x(value).is_some() { hex(value).ok() } else { decimal(value).ok() }
        };
        if let Some(value) = value_after(b"<marker: filetype ") {
            self.markers.file_type(value, tally);
        } else if let Some(value) = value_after(b"<marker: page size ") {
            self.markers.page_size(value, tally);
        } else if let Some(value) =
            value_after(b"<marker: physical address for following virtual: ")
        {
            self.markers.physical(value);
            return PHYSICAL;
        } else if let Some(value) = value_after(b"<marker: virtual address for prior physical: ") {
            self.markers.virtual_of_physical(value, tally);
        } else if text.starts_with(b"<marker: physical address not available") {
            return NO_PHYSICAL;
        } else if let Some(at) = memchr::memmem::find(text, b" on core ") {
            let cpu = text[at + 9..].strip_suffix(b">").and_then(|cpu| decimal(cpu).ok());
            self.cpu = cpu.and_then(|cpu| u32::try_from(cpu).ok()).unwrap_or(0);
        }
        MARKERS
    }

    /// Reads the text after the thread.
    fn access(&mut self, Record { tid, details }: &Record) -> Result<Access, Reason> {
        let mut words = details.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut word = || words.next().ok_or(Reason::MALFORMED);
        let name = word()?;
        let kind = match name {
            b"ifetch" => Kind::Fetch,
            b"read" => Kind::Load,
            b"write" => Kind::Store,
            b"iflush" | b"dflush" => return Err(FLUSH),
            _ if name.starts_with(b"pref") => Kind::Prefetch,
            _ if name.iter().all(u8::is_ascii_hexdigit) => return Err(DISASSEMBLY),
            _ => return Err(Reason::MALFORMED),
        };
        let size = decimal(word()?).ok().and_then(|size| u32::try_from(size).ok());
        let size = size.ok_or(Reason::MALFORMED)?;
        if (word()?, word()?) != (b"byte(s)", b"@") {
            return Err(Reason::MALFORMED);
        }
        let address = address(word()?)?;
        if kind.is_fetch() && details.ends_with(b"non-fetched instruction") {
            return Err(NO_FETCH);
        }
        let mut ip = None;
        if kind.is_fetch() {
            self.fetched = Some(address);
        } else if words.next() == Some(b"by") && words.next() == Some(b"PC") {
            let pc = words.next().ok_or(Reason::MALFORMED).and_then(self::address)?;
            ip = Some(pc).filter(|pc| Some(*pc) != self.fetched);
        }
        Ok(Access { tid: *tid, cpu: self.cpu, ip, ..Access::new(kind, address, size) })
    }
}

/// Splits `8 1: W0.T872901 details`, or `8 1: T872901 details` of older versions.
fn record(line: &[u8]) -> Option<Record<'_>> {
    let (number, rest) = word(line)?;
    let (instruction, rest) = word(rest)?;
    let (thread, details) = word(rest)?;
    let is_number = |word: &[u8]| decimal(word).is_ok();
    let is_record = is_number(number) && is_number(instruction.strip_suffix(b":")?);
    let tid = &thread[memchr::memrchr(b'T', thread)? + 1..];
    let tid = u32::try_from(decimal(tid).ok()?).ok()?;
    is_record.then_some(Record { tid, details })
}

/// Returns the first word and the text after it.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim_ascii()))
}

fn address(text: &[u8]) -> Result<u64, Reason> {
    let digits = strip_0x(text).ok_or(Reason::MALFORMED)?;
    hex(digits).map_err(|no_number| match no_number {
        NoNumber::TooWide => Reason::TOO_WIDE,
        NoNumber::Malformed => Reason::MALFORMED,
    })
}

/// Returns whether a line is a heading, a rule between threads, or a summary at the end.
fn is_frame(line: &[u8]) -> bool {
    line.starts_with(b"Output format:")
        || line.starts_with(b"<--record#->")
        || line.iter().all(|byte| matches!(byte, b'-' | b'='))
        || line.ends_with(b"results:")
        || line.ends_with(b": total instructions")
}

impl LineParser for View {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| {
            let line = line.trim_ascii();
            let read = match record(line) {
                None if line.is_empty() => Err(Reason::BLANK),
                None if is_frame(line) => Err(FRAME),
                None => Err(Reason::MALFORMED),
                Some(record) if record.details.starts_with(b"<") => {
                    let before = self.page_size();
                    let reason = self.marker(record.details, tally);
                    if self.page_size() != before {
                        out.recorded_pages(RecordedSizes::All(self.page_size()))?;
                    }
                    Err(reason)
                }
                Some(record) => self.access(&record),
            };
            match read {
                Ok(access) => {
                    out.access(access)?;
                    tally.records += 1;
                }
                Err(reason) => tally.skip(reason, line)?,
            }
            Ok(())
        })
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: self.markers.completeness(),
            remedy: "print it with `drrun -t drmemtrace -tool view -indir FOLDER`",
        }
    }
}
