//! The events of a recording: the meaning of their names, and the number of samples of each.

use crate::import::report::SampleOf;
use pagewalk_base::trace::{Completeness, Kind};

/// What an event samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// Page faults, that is, the first touch of each page.
    Faults,
    /// Accesses that took at least a given number of cycles.
    Slow,
    /// Time or instructions, so that code is sampled as often as it runs.
    Execution,
    /// Anything else.
    Other,
}

impl Nature {
    /// Returns the nature of an event from the name that perf gives it.
    pub(super) fn of_name(name: &[u8]) -> Self {
        let lower = name.to_ascii_lowercase();
        let has = |part: &[u8]| memchr::memmem::find(&lower, part).is_some();
        if has(b"page-fault")
            || has(b"page_fault")
            || lower.starts_with(b"faults")
            || lower.starts_with(b"minor-faults")
            || lower.starts_with(b"major-faults")
        {
            Self::Faults
        } else if has(b"mem-loads") || has(b"ldlat=") || has(b"load_latency") {
            Self::Slow
        } else if counts_execution(&lower) {
            Self::Execution
        } else {
            Self::Other
        }
    }
}

/// Names of events that count execution; the last two are prefixes.
const COUNTED: [&[u8]; 10] = [
    b"",
    b"cycles",
    b"cpu-cycles",
    b"ref-cycles",
    b"bus-cycles",
    b"instructions",
    b"cpu-clock",
    b"task-clock",
    b"cpu_clk_unhalted",
    b"inst_retired",
];

/// Returns whether an event counts cycles, time or instructions, by its name in lower case. An event without
/// a name counts cycles, the default of `perf record`.
fn counts_execution(name: &[u8]) -> bool {
    // `cpu_core/cycles/P` and `cycles:pp` count cycles.
    let name =
        name.split(|byte| *byte == b'/').find(|part| !part.starts_with(b"cpu")).unwrap_or(name);
    let name = name.split(|byte| *byte == b':').next().unwrap_or(name);
    COUNTED.contains(&name) || COUNTED.iter().skip(8).any(|start| name.starts_with(start))
}

/// How an event chooses the occurrences that it samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pace {
    #[default]
    Unknown,
    /// Every n-th occurrence.
    Every(u64),
    /// About this number of samples per second.
    Frequency(u64),
}

/// An event of the recording.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) nature: Nature,
    pub(super) pace: Pace,
    /// The kind of its accesses, from its name.
    pub(super) kind: Option<Kind>,
    /// Whether it is one of the tracepoints `exceptions:page_fault_*`.
    pub(super) is_page_fault: bool,
    /// Whether it is the tracepoint `tlb:tlb_flush`.
    pub(super) is_flush: bool,
    pub(super) samples: u64,
    pub(super) accesses: u64,
    /// The number of samples for which the processor reported the level of the TLB.
    pub(super) measured: u64,
    pub(super) faults: u64,
}

impl Event {
    pub(super) fn new(name: String, nature: Nature, pace: Pace) -> Self {
        let mut event = Self {
            name: String::new(),
            nature,
            pace,
            kind: None,
            is_page_fault: false,
            is_flush: false,
            samples: 0,
            accesses: 0,
            measured: 0,
            faults: 0,
        };
        event.rename(name);
        event
    }

    pub(super) fn rename(&mut self, name: String) {
        let lower = name.to_ascii_lowercase();
        self.kind = if lower.contains("store") {
            Some(Kind::Store)
        } else if lower.contains("load") {
            Some(Kind::Load)
        } else {
            None
        };
        self.is_page_fault = name.contains("page_fault_");
        self.is_flush = is_flush(&name);
        self.name = name;
    }

    /// Returns how complete its samples are, compared with what it counts.
    pub(super) fn completeness(&self) -> Completeness {
        match (self.nature, self.pace) {
            (Nature::Faults, Pace::Unknown | Pace::Every(1)) => Completeness::FirstTouches,
            (Nature::Slow, _) => Completeness::LatencyFiltered,
            _ => Completeness::Sampled,
        }
    }

    pub(super) fn of(&self) -> SampleOf {
        match self.nature {
            _ if self.is_flush => SampleOf::Flushes,
            Nature::Faults => SampleOf::Faults,
            _ if self.nature == Nature::Slow || self.measured > 0 => SampleOf::Accesses,
            Nature::Execution => SampleOf::Execution,
            _ if self.accesses > 0 => SampleOf::Accesses,
            _ => SampleOf::Other,
        }
    }

    /// Returns whether any of its samples has an address.
    pub(super) fn has_address(&self) -> bool {
        self.accesses + self.faults > 0
    }
}

/// Returns whether an event is the tracepoint `tlb:tlb_flush`, with any modifier. A text may leave out its
/// group.
fn is_flush(name: &str) -> bool {
    let name = name.strip_prefix("tlb:").unwrap_or(name);
    name.split([':', '/']).next() == Some("tlb_flush")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flushes_are_recognised_by_the_name_without_its_modifier() {
        for name in ["tlb:tlb_flush", "tlb_flush", "tlb:tlb_flush:k", "tlb:tlb_flush/period=1/"] {
            assert!(is_flush(name), "{name}");
        }
        for name in ["ls_tlb_flush", "tlb_flush.dtlb_thread", "cpu/tlb_flush/", "tlb:tlb_flushed"] {
            assert!(!is_flush(name), "{name}");
        }
    }
}
