//! What the samples of a recording amount to: which events they are of, what was measured, and
//! so how much of the program's accesses the trace holds.

use std::collections::BTreeMap;

use crate::import::report::{MeasuredPages, MeasuredTlb, SampledEvent, Sampling};
use crate::trace::{Access, Completeness, Kind};

use super::data_src::DataSrc;

/// Events that are told apart; a recording has a handful.
const MAX_EVENTS: usize = 1000;

/// What an event samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// Page faults: the first touch of each page.
    Faults,
    /// Accesses that took at least some cycles.
    Slow,
    /// Anything else.
    Other,
}

impl Nature {
    /// By the name that perf gives the event.
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
        } else {
            Self::Other
        }
    }
}

/// How an event decides which of its occurrences it samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pace {
    #[default]
    Unknown,
    /// Every n-th occurrence.
    Every(u64),
    /// So many a second, about.
    Frequency(u64),
}

/// An event of the recording.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) nature: Nature,
    pub(super) pace: Pace,
    samples: u64,
    accesses: u64,
}

impl Event {
    /// Whether it is one of the tracepoints `exceptions:page_fault_*`.
    pub(super) fn is_page_fault(&self) -> bool {
        self.name.contains("page_fault_")
    }
}

/// One sample, as both forms of a recording have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) event: usize,
    pub(super) access: Access,
    /// Nanoseconds.
    pub(super) time: Option<u64>,
    pub(super) data_src: Option<DataSrc>,
    /// Bytes of the page that the processor used; 0 where it is not known.
    pub(super) page_size: u64,
    pub(super) mode: Mode,
    /// What the sample says if its event is a tracepoint of page faults.
    pub(super) fault: Option<Fault>,
}

/// A page fault, as `exceptions:page_fault_*` tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) address: u64,
    /// The instruction that faulted.
    pub(super) ip: u64,
    pub(super) error_code: u64,
}

/// Who made the access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    User,
    Kernel,
    /// A virtual machine's user or kernel, whose addresses are its own.
    Guest,
}

/// All that is counted of samples.
#[derive(Debug, Default)]
pub(super) struct Samples {
    events: Vec<Event>,
    pub(super) lost: u64,
    kernel: u64,
    guest: u64,
    kernel_addresses: u64,
    /// Samples whose access has no known kind.
    pub(super) unknown_kind: u64,
    tlb: MeasuredTlb,
    pages: BTreeMap<u64, u64>,
    last: Option<Sample>,
}

/// Set in the process number of a guest's samples: their addresses are of another space.
const GUEST_PID: u32 = 1 << 31;

impl Samples {
    /// The number of the event called `name`; a new one is made by `new`.
    pub(super) fn event(&mut self, name: &[u8]) -> usize {
        let known = self.events.iter().position(|event| event.name.as_bytes() == name);
        known.unwrap_or_else(|| {
            let name_text = String::from_utf8_lossy(name).into_owned();
            self.add(name_text, Nature::of_name(name), Pace::Unknown)
        })
    }

    /// Adds an event. Those beyond all reason are taken for the last one.
    pub(super) fn add(&mut self, name: String, nature: Nature, pace: Pace) -> usize {
        if self.events.len() < MAX_EVENTS {
            self.events.push(Event { name, nature, pace, samples: 0, accesses: 0 });
        }
        self.events.len() - 1
    }

    pub(super) fn get(&mut self, event: usize) -> Option<&mut Event> {
        self.events.get_mut(event)
    }

    /// Counts a sample of an event, whether it has an access or not.
    pub(super) fn count(&mut self, event: usize, period: Option<u64>) {
        let Some(event) = self.events.get_mut(event) else { return };
        event.samples += 1;
        // A printed period is the number of occurrences since the last sample.
        event.pace = match (event.pace, period) {
            (Pace::Unknown, Some(period)) if event.samples == 1 => Pace::Every(period),
            (Pace::Every(before), Some(period)) if before != period => Pace::Frequency(0),
            (pace, _) => pace,
        };
    }

    /// Whether the sample tells once more of the access of the sample before: Arm's SPE gives one
    /// operation as a sample of each event that it was.
    pub(super) fn repeats(&mut self, sample: &Sample) -> bool {
        let same = |last: &Sample| {
            last.event != sample.event
                && last.time == sample.time
                && last.access.address == sample.access.address
                && last.access.ip == sample.access.ip
                && (last.access.pid, last.access.tid) == (sample.access.pid, sample.access.tid)
        };
        if sample.time.is_some()
            && sample.data_src.is_some()
            && self.last.as_ref().is_some_and(same)
        {
            return true;
        }
        self.last = Some(*sample);
        false
    }

    /// Counts a sample's access; gives it as the trace has it.
    pub(super) fn access(&mut self, sample: &Sample) -> Access {
        if let Some(event) = self.events.get_mut(sample.event) {
            event.accesses += 1;
        }
        if let Some(source) = sample.data_src {
            source.count_tlb(&mut self.tlb);
        }
        if sample.page_size > 0 {
            *self.pages.entry(sample.page_size).or_default() += 1;
        }
        let mut access = sample.access;
        self.kernel_addresses += access.address >> 63;
        match sample.mode {
            Mode::User => {}
            Mode::Kernel => self.kernel += 1,
            Mode::Guest => {
                self.guest += 1;
                access.pid |= GUEST_PID;
            }
        }
        access
    }

    /// The kind of an access by its event's name, for want of anything better.
    pub(super) fn kind_by_event(&self, event: usize) -> Option<Kind> {
        let name = self.events.get(event)?.name.to_ascii_lowercase();
        if name.contains("store") {
            Some(Kind::Store)
        } else if name.contains("load") {
            Some(Kind::Load)
        } else {
            None
        }
    }

    /// How much of the program's accesses the samples are: decided by the events that gave accesses,
    /// by all where none did.
    pub(super) fn completeness(&self) -> Completeness {
        let any = self.events.iter().any(|event| event.accesses > 0);
        let mut found = None;
        for event in self.events.iter().filter(|event| event.accesses > 0 || !any) {
            let this = match (event.nature, event.pace) {
                (Nature::Faults, Pace::Unknown | Pace::Every(1)) => Completeness::FirstTouches,
                (Nature::Slow, _) => Completeness::LatencyFiltered,
                _ => Completeness::Sampled,
            };
            found = match found {
                None => Some(this),
                Some(before) if before == this => found,
                // Loads above a latency beside all stores: what is missing most decides.
                Some(Completeness::LatencyFiltered) => found,
                Some(_) if this == Completeness::LatencyFiltered => Some(this),
                Some(_) => Some(Completeness::Sampled),
            };
        }
        found.unwrap_or(Completeness::Sampled)
    }

    pub(super) fn report(&self) -> Sampling {
        let event = |event: &Event| SampledEvent {
            name: event.name.clone(),
            period: match event.pace {
                Pace::Every(period) => Some(period),
                Pace::Unknown | Pace::Frequency(_) => None,
            },
            frequency: match event.pace {
                Pace::Frequency(hertz) if hertz > 0 => Some(hertz),
                _ => None,
            },
            samples: event.samples,
            accesses: event.accesses,
        };
        let page = |(&bytes, &accesses): (&u64, &u64)| MeasuredPages { bytes, accesses };
        Sampling {
            events: self.events.iter().map(event).collect(),
            lost: self.lost,
            kernel: self.kernel,
            guest: self.guest,
            kernel_addresses: self.kernel_addresses,
            unknown_kind: self.unknown_kind,
            tlb: self.tlb,
            page_sizes: self.pages.iter().map(page).collect(),
        }
    }
}
