//! What drmemtrace's markers say of the whole trace: that it is filtered, the page size of the
//! machine, physical addresses.

use crate::import::tally::{Reason, Tally};
use pagewalk_base::trace::Completeness;

/// Bits of the file type (`offline_file_type_t` in `common/trace_entry.h`).
const INSTRUCTIONS_ONLY: u64 = 0x04;
const FETCHES_FILTERED: u64 = 0x80;
const DATA_FILTERED: u64 = 0x100;

pub(super) const MARKERS: Reason = Reason::normal("markers and other records without an access");
pub(super) const PHYSICAL: Reason = Reason::normal("physical addresses");
pub(super) const NO_PHYSICAL: Reason = Reason::normal("physical addresses that are not known");

#[derive(Debug, Default)]
pub(super) struct Markers {
    file_type: u64,
    /// Bytes; 0 = not told.
    page_size: u64,
    /// A physical address whose virtual one comes next.
    physical: Option<u64>,
    told_physical: bool,
}

impl Markers {
    /// What the recording left out; pieces of a file say it again.
    pub(super) fn file_type(&mut self, value: u64, tally: &mut Tally) {
        let new = value & !self.file_type;
        self.file_type |= value;
        let has = |bit| new & bit != 0;
        let filtered = match (has(FETCHES_FILTERED), has(DATA_FILTERED)) {
            (true, true) => "fetches and data accesses",
            (true, false) => "fetches",
            (false, true) => "data accesses",
            (false, false) => "",
        };
        if !filtered.is_empty() {
            tally.note(format!(
                "The recording left out {filtered} that hit a small cache in front of it, so hits of the simulation are too few: record without -L0I_filter and -L0D_filter"
            ));
        }
        if has(INSTRUCTIONS_ONLY) {
            tally.note(
                "The recording has instructions only: no load and no store of the program is in it"
                    .to_owned(),
            );
        }
    }

    pub(super) fn page_size(&mut self, bytes: u64, tally: &mut Tally) {
        if bytes != self.page_size && bytes != 4096 {
            tally.note(format!(
                "The machine of the recording had pages of {bytes} bytes: choose that page size for the run"
            ));
        }
        self.page_size = bytes;
    }

    pub(super) fn physical(&mut self, address: u64) {
        self.physical = Some(address);
    }

    /// The virtual address that the physical one before it belongs to.
    pub(super) fn virtual_of_physical(&mut self, address: u64, tally: &mut Tally) {
        let Some(physical) = self.physical.take() else { return };
        if !self.told_physical {
            self.told_physical = true;
            tally.note(format!(
                "It gives physical addresses, the first {physical:#x} for {address:#x}: the simulation gives pages frames of its own and does not use them"
            ));
        }
    }

    pub(super) fn completeness(&self) -> Completeness {
        if self.file_type & (FETCHES_FILTERED | DATA_FILTERED) == 0 {
            Completeness::Complete
        } else {
            Completeness::Sampled
        }
    }
}
