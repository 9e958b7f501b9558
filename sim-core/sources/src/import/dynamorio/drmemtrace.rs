//! Reads the binary files of DynamoRIO's drmemtrace (`clients/drcachesim/common/trace_entry.h` at commit
//! 05e316505). Records are little-endian and have 12 bytes, or 8 if the program had 32-bit addresses.
//!
//! ```text
//! type u16 · size u16 · address u64 (or u32)
//! ```
//!
//! A data access belongs to the instruction before it. The file in a `.zip` is split into pieces, and each
//! piece repeats thread and time.

use std::collections::BTreeMap;

use super::markers::{self, MARKERS, Markers};
use crate::import::delivery::Delivery;
use crate::import::flow::Flow;
use crate::import::parser::Facts;
use crate::import::records::RecordParser;
use crate::import::tally::{Reason, Tally};
use crate::import::{RecordedSizes, Sink};
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::{Access, Kind};

/// The types of records that are used.
const READ: u16 = 0;
const WRITE: u16 = 1;
const BUNDLE: u16 = 17;
const THREAD: u16 = 22;
const PID: u16 = 24;
const HEADER: u16 = 25;
const MARKER: u16 = 28;
const NO_FETCH: u16 = 29;
const MAYBE_FETCH: u16 = 30;
const ENCODING: u16 = 47;
/// Types above this one are newer than this reader.
const LAST_KNOWN: u16 = 49;
const LAST_PLAUSIBLE: u16 = 63;

/// Kinds of markers, which are stored in place of the size.
const CPU: u16 = 3;
const FILE_TYPE: u16 = 9;
const PHYSICAL: u16 = 15;
const NO_PHYSICAL: u16 = 16;
const VIRTUAL: u16 = 17;
const PAGE_SIZE: u16 = 18;

const RIGHT_FILE: &str =
    "choose a file from the folder trace/, not from raw/, whose files drraw2trace converts";

/// Reads a drmemtrace file.
#[derive(Debug)]
pub(in crate::import) struct Drmemtrace {
    /// The size of a record in bytes.
    size: usize,
    markers: Markers,
    tid: u32,
    cpu: u32,
    pids: BTreeMap<u32, u32>,
    /// The address and length of the instruction that data accesses belong to.
    pc: Option<(u64, u16)>,
    /// The address of the last fetch that was delivered.
    fetched: Option<u64>,
}

impl Drmemtrace {
    /// Returns whether the file begins with the header of the format.
    pub(in crate::import) fn fits(head: &[u8]) -> bool {
        Self::sniff(head).is_some()
    }

    /// Makes a parser for a file that begins with `head`.
    ///
    /// # Errors
    /// `bad-trace` if the file does not begin with the header of the format.
    pub(in crate::import) fn of(head: &[u8]) -> Result<Self> {
        Self::sniff(head).ok_or_else(|| {
            let message = format!("the file does not begin with the header of drmemtrace (the bytes 19 00): {RIGHT_FILE}");
            Error::new(ErrorCode::BadTrace, message).at(Place::Byte(0))
        })
    }

    fn sniff(head: &[u8]) -> Option<Self> {
        // The header has a version in place of the address, so its upper half is 0. With 32-bit addresses,
        // the next record begins there, and its type is not 0.
        let size = if head.get(8..12).is_some_and(|half| half != [0; 4]) { 8 } else { 12 };
        let mut records = head.chunks_exact(size).take(1000);
        let is_type = |record: &[u8]| u16::from_le_bytes([record[0], record[1]]) <= LAST_PLAUSIBLE;
        (head.starts_with(&[0x19, 0]) && head.len() >= size && records.all(is_type))
            .then(|| Self::new(size))
    }

    fn new(size: usize) -> Self {
        Self {
            size,
            markers: Markers::default(),
            tid: 0,
            cpu: 0,
            pids: BTreeMap::new(),
            pc: None,
            fetched: None,
        }
    }

    pub(in crate::import) fn page_size(&self) -> u64 {
        self.markers.bytes_of_pages()
    }

    fn access(&self, kind: Kind, address: u64, size: u16) -> Access {
        let pid = self.pids.get(&self.tid).copied().unwrap_or(0);
        let pc = self.pc.map(|(pc, _)| pc).filter(|pc| Some(*pc) != self.fetched);
        let ip = if kind.is_fetch() { None } else { pc };
        Access { pid, tid: self.tid, cpu: self.cpu, ip, ..Access::new(kind, address, size.into()) }
    }

    fn fetch<S: Sink>(&mut self, pc: u64, size: u16, out: &mut Delivery<'_, S>) -> Flow {
        self.pc = Some((pc, size));
        self.fetched = Some(pc);
        out.access(self.access(Kind::Fetch, pc, size))
    }

    /// Reads several instructions after the last one, which are given by their lengths.
    fn bundle<S: Sink>(
        &mut self,
        n: u16,
        lengths: &[u8],
        at: u64,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        for length in lengths.iter().take(n.into()) {
            let Some((pc, size)) = self.pc else {
                let message = "a bundle of instructions has no address, because no instruction comes before it: the beginning of the file is missing; record it again";
                return Err(Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at)).into());
            };
            self.fetch(pc.wrapping_add(size.into()), (*length).into(), out)?;
        }
        Ok(())
    }

    /// Reads a marker. Returns the reason under which it is counted.
    fn marker(&mut self, kind: u16, value: u64, tally: &mut Tally) -> Reason {
        match kind {
            // The processor is -1 if it is unknown.
            CPU => self.cpu = u32::try_from(value).unwrap_or(0),
            FILE_TYPE => self.markers.file_type(value, tally),
            PAGE_SIZE => self.markers.page_size(value, tally),
            PHYSICAL => {
                self.markers.physical(value);
                return markers::PHYSICAL;
            }
            VIRTUAL => self.markers.virtual_of_physical(value, tally),
            NO_PHYSICAL => return markers::NO_PHYSICAL,
            _ => {}
        }
        MARKERS
    }
}

/// Returns the low half of a number, because the high half can hold the identifier of a workload.
fn low(value: u64) -> u32 {
    u32::try_from(value & 0xffff_ffff).unwrap_or(0)
}

impl RecordParser for Drmemtrace {
    fn size(&self) -> usize {
        self.size
    }

    fn record<S: Sink>(
        &mut self,
        record: &[u8],
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        const UNKNOWN: Reason = Reason {
            name: "records of unknown types",
            warning: Some([
                "record has an unknown type and was skipped",
                "records have unknown types and were skipped",
            ]),
        };
        let (head, bytes) = record.split_at(4);
        let kind = u16::from_le_bytes([head[0], head[1]]);
        let size = u16::from_le_bytes([head[2], head[3]]);
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let value = u64::from_le_bytes(wide);
        match kind {
            READ => out.access(self.access(Kind::Load, value, size))?,
            WRITE => out.access(self.access(Kind::Store, value, size))?,
            2..=9 | 27 | 32..=46 => out.access(self.access(Kind::Prefetch, value, size))?,
            10..=16 | 31 | 48 | 49 => self.fetch(value, size, out)?,
            // A repetition of the same instruction, such as an iteration of `rep movs`, is not fetched again.
            MAYBE_FETCH if self.pc.is_none_or(|(pc, _)| pc != value) => {
                self.fetch(value, size, out)?;
            }
            BUNDLE => self.bundle(size, bytes, at, out)?,
            _ => {
                let mut reason = MARKERS;
                match kind {
                    NO_FETCH | MAYBE_FETCH => self.pc = Some((value, size)),
                    THREAD => {
                        self.tid = low(value);
                        self.pc = None;
                    }
                    PID => {
                        self.pids.insert(self.tid, low(value));
                    }
                    MARKER => {
                        reason = self.marker(size, value, tally);
                        if size == PAGE_SIZE {
                            out.recorded_pages(RecordedSizes::All(value))?;
                        }
                    }
                    ENCODING | HEADER | 0..=LAST_KNOWN => {}
                    _ => reason = UNKNOWN,
                }
                let text = || format!("type {kind}");
                return Ok(tally.skip_at(reason, Place::Byte(at), record.len() as u64, text)?);
            }
        }
        tally.records += 1;
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts { completeness: self.markers.completeness(), remedy: RIGHT_FILE }
    }
}
