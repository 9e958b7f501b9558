//! Reads the markers of drmemtrace that describe the whole trace: filters, the page size of the machine, and
//! physical addresses.

use crate::import::tally::{Reason, Tally};
use pagewalk_base::trace::Completeness;

/// Bits of the file type (`offline_file_type_t` in `common/trace_entry.h`).
const INSTRUCTIONS_ONLY: u64 = 0x04;
const FETCHES_FILTERED: u64 = 0x80;
const DATA_FILTERED: u64 = 0x100;

pub(super) const MARKERS: Reason = Reason::normal("markers and other records without an access");
pub(super) const PHYSICAL: Reason = Reason::normal("physical addresses");
pub(super) const NO_PHYSICAL: Reason = Reason::normal("unknown physical addresses");

#[derive(Debug, Default)]
pub(super) struct Markers {
    file_type: u64,
    /// The page size in bytes; 0 if the trace does not state it.
    page_size: u64,
    /// A physical address whose virtual address comes next.
    physical: Option<u64>,
    told_physical: bool,
}

impl Markers {
    /// Notes what the recording left out. Each piece of a file repeats this marker.
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
                "The recorder left out {filtered} that hit in a small filter cache, so the simulation counts too few hits: record without -L0I_filter and -L0D_filter"
            ));
        }
        if has(INSTRUCTIONS_ONLY) {
            tally.note(
                "The recording has only instructions, without the loads and stores of the program"
                    .to_owned(),
            );
        }
    }

    pub(super) fn page_size(&mut self, bytes: u64, tally: &mut Tally) {
        if self.page_size != 0 && bytes != self.page_size {
            tally.note("The trace states several page sizes of the recorded machine: a run uses the last one".to_owned());
        }
        if bytes != self.page_size && bytes != 4096 {
            tally.note(format!(
                "The recorded machine had pages of {bytes} bytes. A run with other pages has other walks"
            ));
        }
        self.page_size = bytes;
    }

    /// Returns the page size in bytes; 0 if the trace does not state it.
    pub(super) fn bytes_of_pages(&self) -> u64 {
        self.page_size
    }

    pub(super) fn physical(&mut self, address: u64) {
        self.physical = Some(address);
    }

    /// Reads the virtual address of the previous physical address.
    pub(super) fn virtual_of_physical(&mut self, address: u64, tally: &mut Tally) {
        let Some(physical) = self.physical.take() else { return };
        if !self.told_physical {
            self.told_physical = true;
            tally.note(format!(
                "The trace has physical addresses, the first {physical:#x} for {address:#x}. The simulation does not use them: it assigns its own frames"
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
