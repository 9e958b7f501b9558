//! Reads `struct perf_event_attr` (Linux 6.12, `include/uapi/linux/perf_event.h`), which says what an event
//! is and which fields its samples have. The struct grows from version to version; missing fields are 0.

use crate::import::perf::events::{Nature, Pace};

use super::bytes::{u32_at, u64_at};

/// Bits of `sample_type`.
pub(super) mod field {
    pub(in super::super) const IP: u32 = 0;
    pub(in super::super) const TID: u32 = 1;
    pub(in super::super) const TIME: u32 = 2;
    pub(in super::super) const ADDR: u32 = 3;
    pub(in super::super) const READ: u32 = 4;
    pub(in super::super) const CALLCHAIN: u32 = 5;
    pub(in super::super) const ID: u32 = 6;
    pub(in super::super) const CPU: u32 = 7;
    pub(in super::super) const PERIOD: u32 = 8;
    pub(in super::super) const STREAM_ID: u32 = 9;
    pub(in super::super) const RAW: u32 = 10;
    pub(in super::super) const BRANCH_STACK: u32 = 11;
    pub(in super::super) const REGS_USER: u32 = 12;
    pub(in super::super) const STACK_USER: u32 = 13;
    pub(in super::super) const WEIGHT: u32 = 14;
    pub(in super::super) const DATA_SRC: u32 = 15;
    pub(in super::super) const IDENTIFIER: u32 = 16;
    pub(in super::super) const TRANSACTION: u32 = 17;
    pub(in super::super) const REGS_INTR: u32 = 18;
    pub(in super::super) const PHYS_ADDR: u32 = 19;
    pub(in super::super) const CGROUP: u32 = 21;
    pub(in super::super) const DATA_PAGE_SIZE: u32 = 22;
    pub(in super::super) const CODE_PAGE_SIZE: u32 = 23;
    pub(in super::super) const WEIGHT_STRUCT: u32 = 24;
}

const TYPE_HARDWARE: u32 = 0;
const TYPE_SOFTWARE: u32 = 1;
const TYPE_TRACEPOINT: u32 = 2;
const TYPE_BREAKPOINT: u32 = 5;

/// An event of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attr {
    kind: u32,
    config: u64,
    /// A period, or a number of samples per second.
    pace: u64,
    pub(super) sample_type: u64,
    pub(super) read_format: u64,
    flags: u64,
    config1: u64,
    pub(super) branches: u64,
    pub(super) regs_user: u64,
    pub(super) regs_intr: u64,
}

impl Attr {
    /// An unknown event, whose samples have no fields.
    pub(super) const NONE: Self = Self {
        kind: 0,
        config: 0,
        pace: 0,
        sample_type: 0,
        read_format: 0,
        flags: 0,
        config1: 0,
        branches: 0,
        regs_user: 0,
        regs_intr: 0,
    };

    /// Reads the fields that are there.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let size = usize::try_from(u32_at(bytes, 4)).unwrap_or(0);
        // The first version wrote 0 as its size.
        let size = if size == 0 { 64 } else { size };
        let bytes = &bytes[..bytes.len().min(size)];
        Self {
            kind: u32_at(bytes, 0),
            config: u64_at(bytes, 8),
            pace: u64_at(bytes, 16),
            sample_type: u64_at(bytes, 24),
            read_format: u64_at(bytes, 32),
            flags: u64_at(bytes, 40),
            config1: u64_at(bytes, 56),
            branches: u64_at(bytes, 72),
            regs_user: u64_at(bytes, 80),
            regs_intr: u64_at(bytes, 96),
        }
    }

    pub(super) fn has(&self, field: u32) -> bool {
        self.sample_type >> field & 1 == 1
    }

    /// Returns whether other records also end with the time and other fields of a sample.
    pub(super) fn sample_id_all(&self) -> bool {
        self.flags >> 18 & 1 == 1
    }

    pub(super) fn is_tracepoint(&self) -> bool {
        self.kind == TYPE_TRACEPOINT
    }

    pub(super) fn pace(&self) -> Pace {
        if self.flags >> 10 & 1 == 1 { Pace::Frequency(self.pace) } else { Pace::Every(self.pace) }
    }

    /// Returns what the event samples, according to the numbers of its attr. The name of the event may be more
    /// precise.
    pub(super) fn nature(&self) -> Nature {
        const FAULTS: [u64; 3] = [2, 5, 6];
        // Cycles, instructions, bus cycles and reference cycles; for software events, the two clocks.
        const EXECUTION: [u64; 4] = [0, 1, 6, 9];
        match self.kind {
            TYPE_SOFTWARE if FAULTS.contains(&self.config) => Nature::Faults,
            TYPE_HARDWARE if EXECUTION.contains(&self.config) => Nature::Execution,
            TYPE_SOFTWARE if self.config < 2 => Nature::Execution,
            TYPE_HARDWARE | TYPE_SOFTWARE | TYPE_TRACEPOINT | TYPE_BREAKPOINT => Nature::Other,
            // For an event with a data source, the first extension is the lowest recorded latency: `ldlat`.
            _ if self.has(field::DATA_SRC) && self.config1 != 0 => Nature::Slow,
            _ => Nature::Other,
        }
    }

    /// Makes a name for an event without one.
    pub(super) fn name(&self) -> String {
        let known: &[&str] = match self.kind {
            TYPE_HARDWARE => &[
                "cycles",
                "instructions",
                "cache-references",
                "cache-misses",
                "branches",
                "branch-misses",
                "bus-cycles",
                "stalled-cycles-frontend",
                "stalled-cycles-backend",
                "ref-cycles",
            ],
            TYPE_SOFTWARE => &[
                "cpu-clock",
                "task-clock",
                "page-faults",
                "context-switches",
                "cpu-migrations",
                "minor-faults",
                "major-faults",
                "alignment-faults",
                "emulation-faults",
                "dummy",
                "bpf-output",
                "cgroup-switches",
            ],
            TYPE_BREAKPOINT => return format!("mem:{:#x}", self.config1),
            _ => &[],
        };
        let name = usize::try_from(self.config).ok().and_then(|config| known.get(config));
        name.map_or_else(
            || format!("event type {} config {:#x}", self.kind, self.config),
            |name| (*name).to_owned(),
        )
    }
}
