//! What the samples of a recording amount to: what was measured, and so how much of the program's accesses the trace holds.

use std::collections::BTreeMap;

use crate::import::Sink;
use crate::import::census::GUEST_PID;
use crate::import::delivery::{Delivery, Flow};
use crate::import::report::{MeasuredPages, MeasuredTlb, SampledEvent, Sampling};
use crate::import::select::Origin;
use pagewalk_base::samples::{Mode, Name, Sample as Told, TlbLevel};
use pagewalk_base::trace::{Access, Completeness, Kind};

use super::data_src::{Source, count_tlb};
use super::events::{Event, Nature, Pace};
use super::flush::{Flush, Flushes};

/// Events that are told apart; a recording has a handful.
const MAX_EVENTS: usize = 1000;

/// One sample, as both forms of a recording have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) event: usize,
    pub(super) access: Access,
    /// Nanoseconds.
    pub(super) time: Option<u64>,
    pub(super) source: Option<Source>,
    /// Bytes of the page that the processor used; 0 where it is not known.
    pub(super) page_size: u64,
    /// The same of the instruction.
    pub(super) code_page: u64,
    /// Cycles; 0 where they are not known.
    pub(super) latency: u32,
    /// Of the data; 0 where it is not known.
    pub(super) physical: u64,
    /// Occurrences of the event; 0 where they are not known.
    pub(super) period: u64,
    pub(super) mode: Mode,
    /// What the tracepoint of a page fault says: the sample itself has no data address.
    pub(super) fault: Option<Fault>,
    /// What the tracepoint of a flush says, and where in the file it does.
    pub(super) flush: Option<(Flush, u64)>,
}

impl Sample {
    /// Whose it is, and when; `name` is its event's.
    fn origin<'a>(&self, name: &'a str) -> Origin<'a> {
        Origin {
            pid: self.pid(),
            tid: self.access.tid,
            time: self.time,
            mode: self.mode,
            event: Some((self.event, name)),
        }
    }

    /// The process, in the trace.
    fn pid(&self) -> u32 {
        self.access.pid | if self.mode == Mode::Guest { GUEST_PID } else { 0 }
    }

    /// What tells it apart from others at its time: event, time, address, instruction, process
    /// and thread.
    fn identity(&self) -> Identity {
        let Access { address, ip, pid, tid, .. } = self.access;
        Identity { event: self.event, time: self.time, address, ip, pid, tid }
    }
}

/// What [`Samples::repeats`] compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    event: usize,
    time: Option<u64>,
    address: u64,
    ip: Option<u64>,
    pid: u32,
    tid: u32,
}

/// A page fault, as `exceptions:page_fault_*` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) address: u64,
    /// The instruction that faulted.
    pub(super) ip: u64,
    pub(super) error_code: u64,
}

/// All that is counted of samples.
#[derive(Debug, Default)]
pub(super) struct Samples {
    events: Vec<Event>,
    /// The number of the event that was named last.
    named: usize,
    pub(super) lost: u64,
    kernel: u64,
    guest: u64,
    kernel_addresses: u64,
    /// Samples whose access has no known kind.
    pub(super) unknown_kind: u64,
    flushes: Flushes,
    levels_only: u64,
    tlb: MeasuredTlb,
    /// Accesses by the size of their page: of powers of two, and of what else a file may say.
    pages: PageSizes,
    last: Option<Identity>,
}

/// Accesses by the size of their page.
#[derive(Debug)]
struct PageSizes {
    /// By log2 of the size.
    powers: [u64; 64],
    /// What is no power of two, in a damaged file.
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

    /// By rising size.
    fn report(&self) -> Vec<MeasuredPages> {
        let mut all = self.others.clone();
        all.extend(
            (0..).zip(self.powers).map(|(shift, n)| (1 << shift, n)).filter(|(_, n)| *n > 0),
        );
        all.into_iter().map(|(bytes, accesses)| MeasuredPages { bytes, accesses }).collect()
    }
}

impl Samples {
    /// The number of the event called `name`; a new one if there is none.
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

    /// Adds an event. Those beyond all reason are taken for the last one.
    pub(super) fn add(&mut self, name: String, nature: Nature, pace: Pace) -> usize {
        if self.events.len() < MAX_EVENTS {
            self.events.push(Event::new(name, nature, pace));
        }
        self.events.len() - 1
    }

    pub(super) fn get(&mut self, event: usize) -> Option<&mut Event> {
        self.events.get_mut(event)
    }

    /// Counts a sample of an event, whether it has an access or not.
    #[inline]
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

    /// Hands on all that a sample tells, its access first if it has one, unless something else was selected.
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
            let access = self.access(sample, level);
            if sample.fault.is_some() { out.fault(access) } else { out.take(access) }?;
        }
        out.sample(&self.told(sample, level.unwrap_or_default(), code, data))
    }

    /// Counts a sample's access; gives it as the trace has it.
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

    /// All that a sample tells, with its names.
    #[inline]
    fn told<'a>(
        &mut self,
        sample: &Sample,
        level: TlbLevel,
        code: Name<'a>,
        data: Name<'a>,
    ) -> Told<'a> {
        let event = self.events.get_mut(sample.event);
        let (pace, kind) = event.as_ref().map(|event| (event.pace, event.kind)).unwrap_or_default();
        if let Some(event) = event {
            event.measured += u64::from(level != TlbLevel::Unknown);
        }
        let period = match pace {
            Pace::Every(period) if sample.period == 0 => period,
            _ => sample.period,
        };
        let known = sample.source.map_or(kind, |source| source.kind);
        let Access { tid, cpu, ip, address, .. } = sample.access;
        self.levels_only += u64::from(address == 0 && level != TlbLevel::Unknown);
        Told {
            event: u32::try_from(sample.event).unwrap_or(u32::MAX),
            pid: sample.pid(),
            tid,
            cpu,
            time: sample.time,
            ip: ip.filter(|ip| *ip != 0),
            address: Some(address).filter(|address| *address != 0),
            // A fault's error code says it in any case.
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

    /// The kind of an access by its event's name, for want of anything better.
    pub(super) fn kind_by_event(&self, event: usize) -> Option<Kind> {
        self.events.get(event)?.kind
    }

    /// How much of the program's accesses the samples are: decided by the events that gave addresses,
    /// by all where none did.
    pub(super) fn completeness(&self) -> Completeness {
        let any = self.events.iter().any(Event::tells);
        let mut found = None;
        for event in self.events.iter().filter(|event| event.tells() || !any) {
            let this = event.completeness();
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
            lost: self.lost,
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
