//! Reads traces of ChampSim (`inc/trace_instruction.h` at commit 2ff25011). A trace has one little-endian
//! record for each instruction and no header.
//!
//! ```text
//!             ip  is_branch  taken  dst_reg  src_reg      stores        loads         asid
//! 64 bytes:   0   8          9      10 (2)   12 (4)       16 (2 × u64)  32 (4 × u64)
//! 96 bytes:   0   8          9      10 (4)   14 (4)       24 (4 × u64)  56 (4 × u64)  88 (2)
//! ```
//!
//! An address of 0 is an unused slot. There are no sizes, threads or times. Records of 96 bytes are those of
//! the `CloudSuite` traces; the first byte of `asid` is the process.

use std::ops::Range;

use pagewalk_base::addr::AddressBits;
use pagewalk_base::trace::{Access, Completeness, Kind};

use super::Sink;
use super::delivery::Delivery;
use super::detect::HEAD;
use super::flow::Flow;
use super::parser::Facts;
use super::records::RecordParser;
use super::tally::{Reason, Tally};
use pagewalk_base::error::Place;

/// The layout of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// 64 bytes.
    Usual,
    /// 96 bytes.
    CloudSuite,
}

impl Layout {
    const ALL: [Self; 2] = [Self::Usual, Self::CloudSuite];

    fn size(self) -> usize {
        match self {
            Self::Usual => 64,
            Self::CloudSuite => 96,
        }
    }

    pub(crate) fn loads(self) -> Range<usize> {
        match self {
            Self::Usual => 32..64,
            Self::CloudSuite => 56..88,
        }
    }

    pub(crate) fn stores(self) -> Range<usize> {
        match self {
            Self::Usual => 16..32,
            Self::CloudSuite => 24..56,
        }
    }
}

/// The address bits that x86 translates with five levels.
const FIVE_LEVELS: u8 = 57;

/// After this number of records, an incomplete last record means that the file was cut off.
const SURE: usize = 16;

/// Reads a ChampSim trace.
#[derive(Debug)]
pub(super) struct ChampSim {
    layout: Layout,
}

impl ChampSim {
    pub(super) fn new(layout: Layout) -> Self {
        Self { layout }
    }

    /// Returns the layout of the records, if the bytes can be records at all: the format has no magic number.
    pub(super) fn sniff(head: &[u8]) -> Option<Layout> {
        let is_whole = head.len() < HEAD;
        Layout::ALL.into_iter().find(|layout| {
            let records = head.chunks_exact(layout.size());
            let n = records.len();
            let has_rest = is_whole && !records.remainder().is_empty();
            let with_ip = records.clone().filter(|record| looks_like_address(word(record, 0)));
            n > 0
                && (n >= SURE || !has_rest)
                && records.clone().all(is_plausible)
                // A record of the other layout has an unused slot here in most instructions.
                && 10 * with_ip.count() >= 9 * n
        })
    }

    /// Returns the layout for a file that the user calls a ChampSim trace: the usual one, unless many records
    /// look like the other one.
    pub(super) fn layout_of(head: &[u8]) -> Layout {
        let sure = head.len() >= SURE * Layout::CloudSuite.size();
        Self::sniff(head).filter(|_| sure).unwrap_or(Layout::Usual)
    }
}

/// Returns whether both flags are 0 or 1, and only a branch is taken.
fn is_plausible(record: &[u8]) -> bool {
    matches!(record, [_, _, _, _, _, _, _, _, branch, taken, ..] if *branch <= 1 && taken <= branch)
}

/// Returns whether a number can be the address of an instruction: not 0, and canonical with five levels.
fn looks_like_address(ip: u64) -> bool {
    ip != 0 && AddressBits::of(ip).signed <= FIVE_LEVELS
}

/// Returns the eight bytes at `at`, or 0 beyond the end.
#[inline]
fn word(record: &[u8], at: usize) -> u64 {
    record.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl RecordParser for ChampSim {
    fn size(&self) -> usize {
        self.layout.size()
    }

    #[inline]
    fn record<S: Sink>(
        &mut self,
        record: &[u8],
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        const NO_RECORD: Reason = Reason {
            name: "malformed records",
            warning: Some([
                "record has flags that are neither 0 nor 1 and was skipped",
                "records have flags that are neither 0 nor 1 and were skipped",
            ]),
        };
        if record[8] > 1 || record[9] > 1 {
            let text = || format!("flags {} and {}", record[8], record[9]);
            return Ok(tally.skip_at(NO_RECORD, Place::Byte(at), record.len() as u64, text)?);
        }
        let pid = if self.layout == Layout::CloudSuite { u32::from(record[88]) } else { 0 };
        let access = |kind, address| Access { pid, ..Access::new(kind, address, 0) };
        out.access(access(Kind::Fetch, word(record, 0)))?;
        tally.records += 1;
        let loads = (Kind::Load, self.layout.loads());
        let stores = (Kind::Store, self.layout.stores());
        for (kind, places) in [loads, stores] {
            for at in places.step_by(8) {
                let address = word(record, at);
                if address != 0 {
                    out.access(access(kind, address))?;
                }
            }
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: Completeness::Complete,
            remedy: "check that it is a ChampSim trace, and that its records have the right size: 64 bytes (champsim) or 96 (champsim-cloudsuite)",
        }
    }
}
