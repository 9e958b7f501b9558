//! Collects the samples of a recording: what was measured, and how complete the trace therefore is.

use std::collections::BTreeMap;

use crate::import::census::GUEST_PID;
use crate::import::delivery::Delivery;
use crate::import::flow::Flow;
use crate::import::report::{MeasuredPages, MeasuredTlb, SampledEvent, Sampling, counted};
use crate::import::select::Origin;
use crate::import::tally::{Reason, Tally};
use crate::import::{RecordedSizes, Sink};
use pagewalk_base::samples::{Mode, Name, Sample as Recorded, TlbLevel};
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::{Access, CallTreeBuilder, Completeness, Kind, MAX_DEPTH, MAX_NODES};

use super::data_src::{Source, count_tlb};
use super::events::{Event, Nature, Pace};
use super::flush::{Flush, Flushes};

/// The largest number of events that are counted separately; a recording has a handful.
const MAX_EVENTS: usize = 1000;

/// Samples that only have an instruction pointer.
pub(super) const NO_ADDRESS: Reason = Reason {
    name: "samples without a data address",
    warning: Some([
        "sample has no data address: it cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was",
        "samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was",
    ]),
};
pub(super) const REPEAT: Reason =
    Reason::normal("samples that repeat the previous access for another event");

/// One sample, in the form that is common to all recordings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) event: usize,
    pub(super) access: Access,
    /// The time in nanoseconds.
    pub(super) time: Option<u64>,
    pub(super) source: Option<Source>,
    /// The size in bytes of the page that the processor used; 0 if it is unknown.
    pub(super) page_size: u64,
    /// The page size of the instruction in bytes; 0 if it is unknown.
    pub(super) code_page: u64,
    /// The latency in cycles; 0 if it is unknown.
    pub(super) latency: u32,
    /// The physical address of the data; 0 if it is unknown.
    pub(super) physical: u64,
    /// The number of occurrences of the event; 0 if it is unknown.
    pub(super) period: u64,
    pub(super) mode: Mode,
    /// The fields of the tracepoint of a page fault. Such a sample has no data address of its own.
    pub(super) fault: Option<Fault>,
    /// Whether its address is that of its own instruction, such as that of a page fault of a fetch.
    pub(super) is_fetch: bool,
    /// The fields of the tracepoint of a flush, and its position in the file.
    pub(super) flush: Option<(Flush, u64)>,
    /// The node of its call chain in the tree of calls; 0 if it has none.
    pub(super) call: u32,
}

impl Sample {
    /// Returns the process, thread and time of the sample. `name` is the name of its event.
    fn origin<'a>(&self, name: &'a str) -> Origin<'a> {
        Origin {
            pid: self.pid(),
            tid: self.access.tid,
            time: self.time,
            mode: self.mode,
            event: Some((self.event, name)),
        }
    }

    /// Marks an access of unknown kind as a fetch if its address is that of its own instruction. Returns whether it
    /// is.
    pub(super) fn mark_fetch(&mut self) -> bool {
        let Access { address, ip, .. } = self.access;
        let is_kind_known = self.source.is_some_and(|source| source.kind.is_some());
        self.is_fetch = address != 0 && ip == Some(address) && !is_kind_known;
        if self.is_fetch {
            self.access.kind = Kind::Fetch;
        }
        self.is_fetch
    }

    /// Returns the number of the process in the trace.
    fn pid(&self) -> u32 {
        self.access.pid | if self.mode == Mode::Guest { GUEST_PID } else { 0 }
    }

    /// Returns what distinguishes the sample from others of the same time: event, time, address, instruction,
    /// process and thread.
    fn identity(&self) -> Identity {
        let Access { address, ip, pid, tid, .. } = self.access;
        Identity { event: self.event, time: self.time, address, ip, pid, tid }
    }
}

/// The fields that [`Samples::repeats`] compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    event: usize,
    time: Option<u64>,
    address: u64,
    ip: Option<u64>,
    pid: u32,
    tid: u32,
}

/// A page fault that `exceptions:page_fault_*` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) address: u64,
    /// The address of the instruction that faulted.
    pub(super) ip: u64,
    pub(super) error_code: u64,
}

/// Everything that is counted about samples.
#[derive(Debug, Default)]
pub(super) struct Samples {
    events: Vec<Event>,
    /// The index of the event that was named last.
    named: usize,
    pub(super) lost: Losses,
    kernel: u64,
    guest: u64,
    kernel_addresses: u64,
    /// The number of samples whose access has no known kind.
    pub(super) unknown_kind: u64,
    flushes: Flushes,
    levels_only: u64,
    tlb: MeasuredTlb,
    /// The number of accesses for each page size.
    pages: PageSizes,
    /// The call chains of all samples.
    pub(super) calls: CallTreeBuilder,
    last: Option<Identity>,
}

/// What a recording says about its losses. The kernel reports each lost record when there is room again, and since
/// Linux 6.0 perf writes the number of lost samples of each event at the end as well.
#[derive(Debug, Default)]
pub(super) struct Losses {
    records: u64,
    samples: u64,
}

impl Losses {
    pub(super) fn add_records(&mut self, n: u64) {
        self.records = self.records.saturating_add(n);
    }

    pub(super) fn add_samples(&mut self, n: u64) {
        self.samples = self.samples.saturating_add(n);
    }

    /// Returns the larger of both numbers, because they count the same losses.
    fn total(&self) -> u64 {
        self.records.max(self.samples)
    }
}

/// The number of accesses for each page size.
#[derive(Debug)]
struct PageSizes {
    /// Indexed by log2 of the size.
    powers: [u64; 64],
    /// Sizes that are not powers of two, in a damaged file.
    others: BTreeMap<u64, u64>,
}

impl Default for PageSizes {
    fn default() -> Self {
        Self { powers: [0; 64], others: BTreeMap::new() }
    }
}

impl PageSizes {
    #[inline]
    fn count(&mut self, bytes: u64) {
        if bytes.is_power_of_two() {
            self.powers[bytes.trailing_zeros() as usize] += 1;
        } else if bytes > 0 {
            *self.others.entry(bytes).or_default() += 1;
        }
    }

    /// Returns the page sizes in ascending order.
    fn report(&self) -> Vec<MeasuredPages> {
        let mut all = self.others.clone();
        all.extend(
            (0..).zip(self.powers).map(|(shift, n)| (1 << shift, n)).filter(|(_, n)| *n > 0),
        );
        all.into_iter().map(|(bytes, accesses)| MeasuredPages { bytes, accesses }).collect()
    }
}

impl Samples {
    /// Returns the index of the event `name`, and adds the event if it is new.
    pub(super) fn event(&mut self, name: &[u8]) -> usize {
        let is_it = |event: &Event| event.name.as_bytes() == name;
        if !self.events.get(self.named).is_some_and(is_it) {
            let name = String::from_utf8_lossy(name);
            let known = self.events.iter().position(|event| event.name == name);
            self.named = known.unwrap_or_else(|| {
                self.add(name.to_string(), Nature::of_name(name.as_bytes()), Pace::Unknown)
            });
        }
        self.named
    }

    /// Adds an event. Above the limit of events, it counts as the last one.
    pub(super) fn add(&mut self, name: String, nature: Nature, pace: Pace) -> usize {
        if self.events.len() < MAX_EVENTS {
            self.events.push(Event::new(name, nature, pace));
        }
        self.events.len() - 1
    }

    pub(super) fn get(&mut self, event: usize) -> Option<&mut Event> {
        self.events.get_mut(event)
    }

    /// Counts a sample of an event, with or without an access.
    #[inline]
    pub(super) fn count(&mut self, event: usize, period: Option<u64>) {
        let Some(event) = self.events.get_mut(event) else { return };
        event.samples += 1;
        // The printed period is the number of occurrences since the last sample.
        event.pace = match (event.pace, period) {
            (Pace::Unknown, Some(period)) if event.samples == 1 => Pace::Every(period),
            (Pace::Every(before), Some(period)) if before != period => Pace::Frequency(0),
            (pace, _) => pace,
        };
    }

    /// Returns whether the sample repeats the access of the previous sample: Arm's SPE reports an operation
    /// as one sample for each event that it was.
    #[inline]
    pub(super) fn repeats(&mut self, sample: &Sample) -> bool {
        let this = sample.identity();
        let same = |last: Identity| {
            last.event != this.event && last == Identity { event: last.event, ..this }
        };
        if sample.time.is_some() && sample.source.is_some() && self.last.is_some_and(same) {
            return true;
        }
        self.last = Some(this);
        false
    }

    /// Delivers a sample, after its access if it has one, unless the selection excludes it.
    #[inline]
    pub(super) fn deliver<S: Sink>(
        &mut self,
        sample: &Sample,
        code: Name<'_>,
        data: Name<'_>,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        if let Some((flush, _)) = sample.flush {
            if out.counts(sample.pid()) {
                self.flushes.count(flush);
            }
            return Ok(());
        }
        let name = self.events.get(sample.event).map_or("", |event| event.name.as_str());
        if !out.picks(&sample.origin(name))? {
            return Ok(());
        }
        let level = sample.source.map(|source| source.level);
        if sample.access.address != 0 {
            out.recorded_pages(RecordedSizes::OfSamples)?;
            if !self.calls.tree().is_empty() {
                out.call(self.calls.tree(), sample.call)?;
            }
            let access = self.access(sample, level);
            if sample.fault.is_some() { out.fault(access) } else { out.take(access) }?;
        }
        out.sample(&self.recorded(sample, level.unwrap_or_default(), code, data))
    }

    /// Counts the access of a sample. Returns it as the trace stores it.
    #[inline]
    fn access(&mut self, sample: &Sample, level: Option<TlbLevel>) -> Access {
        if let Some(event) = self.events.get_mut(sample.event) {
            let counter =
                if sample.fault.is_some() { &mut event.faults } else { &mut event.accesses };
            *counter += 1;
        }
        if let Some(level) = level {
            count_tlb(level, &mut self.tlb);
        }
        self.pages.count(sample.page_size);
        self.kernel_addresses += sample.access.address >> 63;
        match sample.mode {
            Mode::User => {}
            Mode::Kernel => self.kernel += 1,
            Mode::Guest => self.guest += 1,
        }
        Access { pid: sample.pid(), ..sample.access }
    }

    /// Returns everything that a sample says, with its names.
    #[inline]
    fn recorded<'a>(
        &mut self,
        sample: &Sample,
        level: TlbLevel,
        code: Name<'a>,
        data: Name<'a>,
    ) -> Recorded<'a> {
        let event = self.events.get_mut(sample.event);
        let (pace, kind) = event.as_ref().map(|event| (event.pace, event.kind)).unwrap_or_default();
        if let Some(event) = event {
            event.measured += u64::from(level != TlbLevel::Unknown);
        }
        let period = match pace {
            Pace::Every(period) if sample.period == 0 => period,
            _ => sample.period,
        };
        let known = if sample.is_fetch {
            Some(Kind::Fetch)
        } else {
            sample.source.map_or(kind, |source| source.kind)
        };
        let Access { tid, cpu, ip, address, .. } = sample.access;
        self.levels_only += u64::from(address == 0 && level != TlbLevel::Unknown);
        Recorded {
            event: u32::try_from(sample.event).unwrap_or(u32::MAX),
            pid: sample.pid(),
            tid,
            cpu,
            time: sample.time,
            ip: ip.filter(|ip| *ip != 0),
            address: Some(address).filter(|address| *address != 0),
            // The error code of a fault always gives the kind.
            kind: known.or(sample.fault.map(|_| sample.access.kind)),
            level,
            latency: sample.latency,
            physical: sample.physical,
            data_page: sample.page_size,
            code_page: sample.code_page,
            period,
            mode: sample.mode,
            code,
            data,
        }
    }

    /// Returns the kind of an access from the name of its event, if nothing better is known.
    pub(super) fn kind_by_event(&self, event: usize) -> Option<Kind> {
        self.events.get(event)?.kind
    }

    /// Returns how complete the samples are. The events with addresses decide, or all events if none has
    /// addresses.
    pub(super) fn completeness(&self) -> Completeness {
        let any = self.events.iter().any(Event::has_address);
        let mut found = None;
        for event in self.events.iter().filter(|event| event.has_address() || !any) {
            let this = event.completeness();
            found = match found {
                None => Some(this),
                Some(before) if before == this => found,
                // For loads above a latency next to all stores, the less complete event decides.
                Some(Completeness::LatencyFiltered) => found,
                Some(_) if this == Completeness::LatencyFiltered => Some(this),
                Some(_) => Some(Completeness::Sampled),
            };
        }
        found.unwrap_or(Completeness::Sampled)
    }

    /// Notes how many call chains were cut off.
    pub(super) fn note_cut_calls(&self, tally: &mut Tally) {
        if self.calls.n_cut() > 0 {
            tally.note(format!(
                "The call paths of {} go beyond the limits of {MAX_DEPTH} functions of a path and of {} of all paths: their innermost calls count for the last function that was kept",
                counted(self.calls.n_cut(), "sample", "samples"),
                grouped(MAX_NODES as u64)
            ));
        }
    }

    pub(super) fn report(&self) -> Sampling {
        let event = |event: &Event| SampledEvent {
            name: event.name.clone(),
            of: event.of(),
            completeness: event.completeness(),
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
        Sampling {
            events: self.events.iter().map(event).collect(),
            lost: self.lost.total(),
            kernel: self.kernel,
            guest: self.guest,
            kernel_addresses: self.kernel_addresses,
            unknown_kind: self.unknown_kind,
            faults: self.events.iter().map(|event| event.faults).sum(),
            tlb: self.tlb,
            levels_only: self.levels_only,
            flushes: self.flushes.report(),
            page_sizes: self.pages.report(),
        }
    }
}
