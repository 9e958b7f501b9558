//! Reads the records of a `perf.data`: events, samples, maps and losses.

use crate::import::Sink;
use crate::import::delivery::Delivery;
use crate::import::flow::Flow;
use crate::import::perf::chain::node_of;
use crate::import::perf::data_src::DataSrc;
use crate::import::perf::events::Nature;
use crate::import::perf::flush::Flush;
use crate::import::perf::samples::{Fault, NO_ADDRESS, REPEAT, Sample, Samples};
use crate::import::perf::script::fault_kind;
use crate::import::report::counted;
use crate::import::tally::{Reason, Tally};
use pagewalk_base::error::Place;
use pagewalk_base::samples::{Mode, Name};
use pagewalk_base::trace::{Access, Kind, Mapping};

use super::attr::Attr;
use super::bytes::{Bytes, u32_at, u64_at};
use super::header::{event_desc, ids_of};
use super::ids::Ids;
use super::order::{Item, Order};
use super::plan::Plan;
use super::sample::{self, Fields};

/// The types of records (`include/uapi/linux/perf_event.h`, `tools/lib/perf/include/perf/event.h`).
mod kind {
    pub(super) const MMAP: u32 = 1;
    pub(super) const LOST: u32 = 2;
    pub(super) const COMM: u32 = 3;
    pub(super) const FORK: u32 = 7;
    pub(super) const SAMPLE: u32 = 9;
    pub(super) const MMAP2: u32 = 10;
    pub(super) const LOST_SAMPLES: u32 = 13;
    pub(super) const HEADER_ATTR: u32 = 64;
    pub(super) const FINISHED_ROUND: u32 = 68;
    pub(super) const EVENT_UPDATE: u32 = 78;
    pub(super) const HEADER_FEATURE: u32 = 80;
}

/// Set in records of lost samples that a BPF filter of the user left out, which are not lost.
const LEFT_OUT_BY_FILTER: u32 = 1 << 15;

const RECORD: Reason = Reason::normal("perf records that are not samples");
const BAD_SAMPLE: Reason = Reason {
    name: "damaged samples",
    warning: Some([
        "sample is too short for its fields and was skipped",
        "samples are too short for their fields and were skipped",
    ]),
};

/// Everything that is known from the records until now.
#[derive(Debug, Default)]
pub(super) struct Core {
    attrs: Vec<Attr>,
    /// For each event of [`Self::attrs`], where its samples have their fields.
    plans: Vec<Option<Plan>>,
    ids: Ids,
    /// The position of the event's id in samples, if it is the same for all events.
    id_at: Option<usize>,
    pub(super) samples: Samples,
    order: Order,
    /// Whether names came with the records, as in a pipe.
    pub(super) named: bool,
}

impl Core {
    pub(super) fn add_attr(&mut self, attr: Attr, ids: Vec<u64>) {
        // Above the limit of events, further events count as the last one.
        let event = self.samples.add(attr.name(), attr.nature(), attr.pace());
        if event == self.attrs.len() {
            let at = sample::id_at(&attr);
            let alike = self.attrs.is_empty() || at == self.id_at;
            self.id_at = if alike { at } else { None };
            self.plans.push(Plan::of(&attr));
            self.attrs.push(attr);
        }
        self.ids.add(ids, event);
    }

    /// Names the events: by their ids, or otherwise in the order of both lists.
    pub(super) fn name(&mut self, names: Vec<(String, Vec<u64>)>) {
        for (nth, (name, ids)) in names.into_iter().enumerate() {
            let event = ids.first().and_then(|id| self.ids.get(*id)).unwrap_or(nth);
            self.rename(event, name);
        }
    }

    fn rename(&mut self, event: usize, name: String) {
        self.named = true;
        if let Some(event) = self.samples.get(event) {
            // A name such as `mem-loads` says more than numbers that differ between processors.
            if event.nature == Nature::Other {
                event.nature = Nature::of_name(name.as_bytes());
            }
            event.rename(name);
        }
    }

    /// Reads one record, whose header is complete. The record begins at byte `at` of the file, or of the
    /// decompressed data.
    #[inline]
    pub(super) fn record<S: Sink>(
        &mut self,
        record: &[u8],
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let (kind, misc) = (u32_at(record, 0), u32_at(record, 4) & 0xffff);
        let body = record.get(8..).unwrap_or_default();
        if kind == kind::SAMPLE {
            return self.sample(body, misc, at, tally, out);
        }
        self.other(kind, misc, body, tally, out)?;
        Ok(tally.skip_at(RECORD, Place::Byte(at), record.len() as u64, String::new)?)
    }

    /// Reads a record that is not a sample.
    fn other<S: Sink>(
        &mut self,
        kind: u32,
        misc: u32,
        body: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        match kind {
            kind::MMAP | kind::MMAP2 => {
                let attr = *self.attrs.first().unwrap_or(&Attr::NONE);
                if let Some(mapping) = mapping(body, misc, kind == kind::MMAP2) {
                    let time = sample::trailing_time(body, &attr).unwrap_or(0);
                    self.put(time, Item::Mapping(Box::new(mapping)), tally, out)?;
                }
            }
            kind::FORK => {
                let (child, parent) = (u32_at(body, 0), u32_at(body, 4));
                if child != parent {
                    out.inherit_name(child, parent);
                    self.put(u64_at(body, 16), Item::Fork { child, parent }, tally, out)?;
                }
            }
            kind::COMM => {
                let name = body.get(8..).unwrap_or_default();
                let end = memchr::memchr(0, name).unwrap_or(name.len());
                out.name(u32_at(body, 0), u32_at(body, 4), &name[..end]);
            }
            kind::LOST => self.samples.lost.add_records(u64_at(body, 8)),
            kind::LOST_SAMPLES if misc & LEFT_OUT_BY_FILTER == 0 => {
                self.samples.lost.add_samples(u64_at(body, 0));
            }
            kind::HEADER_ATTR => {
                let size = usize::try_from(u32_at(body, 4)).unwrap_or(usize::MAX);
                let ids = body.get(size.max(64)..).map(ids_of).unwrap_or_default();
                self.add_attr(Attr::read(body), ids);
            }
            kind::EVENT_UPDATE => {
                const NAME: u64 = 2;
                if let (NAME, Some(event)) = (u64_at(body, 0), self.ids.get(u64_at(body, 8))) {
                    let name = Bytes(body.get(16..).unwrap_or_default()).text();
                    self.rename(event, String::from_utf8_lossy(name).into_owned());
                }
            }
            kind::HEADER_FEATURE => {
                const EVENT_DESC: u64 = 12;
                if u64_at(body, 0) == EVENT_DESC {
                    self.name(event_desc(body.get(8..).unwrap_or_default()));
                }
            }
            // The name of a tracepoint defines its fields, and a file has the names at its end.
            kind::FINISHED_ROUND if self.named || !self.attrs.iter().any(Attr::is_tracepoint) => {
                let Self { order, samples, plans, .. } = self;
                order.round(|item| deliver(item, plans, samples, tally, out))?;
            }
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn sample<S: Sink>(
        &mut self,
        body: &[u8],
        misc: u32,
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        tally.records += 1;
        let event = self.event_of(body);
        self.samples.count(event, None);
        if let Some(Some(plan)) = self.plans.get(event)
            && let Some(words) = plan.words(body)
        {
            let (time, address) = plan.time_and_address(words);
            if address == 0 {
                no_address(at, body, tally)?;
            }
            let Self { order, samples, plans, .. } = self;
            let each = |item: &mut Item| deliver(item, plans, samples, tally, out);
            return order.push_plain(time, (event, misc, words), each);
        }
        self.sample_without_plan(event, body, misc, at, tally, out)
    }

    fn sample_without_plan<S: Sink>(
        &mut self,
        event: usize,
        body: &[u8],
        misc: u32,
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let attr = self.attrs.get(event).unwrap_or(&Attr::NONE);
        let Some(fields) = sample::fields(body, attr) else {
            let text = || format!("a sample of {}", counted(body.len() as u64, "byte", "bytes"));
            return Ok(tally.skip_at(BAD_SAMPLE, Place::Byte(at), body.len() as u64, text)?);
        };
        let fault = if attr.is_tracepoint() { fault(fields.raw) } else { None };
        let flush = if attr.is_tracepoint() { Flush::of_raw(fields.raw) } else { None };
        let flush = flush.map(|flush| (flush, at));
        let call = node_of(fields.chain, &mut self.samples.calls);
        let sample = Sample { fault, flush, call, ..sample_of(event, misc, &fields) };
        // The name of the event decides whether this is a page fault or a flush, and it may be unknown until
        // later.
        if fields.address == 0 && fault.is_none() && flush.is_none() {
            no_address(at, body, tally)?;
        }
        self.put(fields.time.unwrap_or(0), Item::Sample(sample), tally, out)
    }

    /// Returns the event of a sample: the only one, or the one with the id at the position of ids.
    #[inline]
    fn event_of(&mut self, body: &[u8]) -> usize {
        if self.attrs.len() < 2 {
            return 0;
        }
        let event = match self.id_at {
            Some(at) => sample::id(body, at).and_then(|id| self.ids.find(id)),
            None => self.event_by_layout(body),
        };
        event.unwrap_or(0)
    }

    /// Returns the event whose id is where the samples of that event have it.
    fn event_by_layout(&self, body: &[u8]) -> Option<usize> {
        let with_id = |at| self.ids.get(sample::id(body, at)?);
        (0..self.attrs.len()).find(|event| {
            let at = self.attrs.get(*event).and_then(sample::id_at);
            at.and_then(with_id) == Some(*event)
        })
    }

    /// Adds an item to those that wait to be put in order.
    fn put<S: Sink>(
        &mut self,
        time: u64,
        item: Item,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { order, samples, plans, .. } = self;
        order.push(time, item, |item| deliver(item, plans, samples, tally, out))
    }

    /// Delivers everything that waits.
    pub(super) fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let Self { order, samples, plans, .. } = self;
        order.finish(|item| deliver(item, plans, samples, tally, out))?;
        self.samples.note_cut_calls(tally);
        if self.order.late > 0 {
            tally.note(format!(
                "{} older than samples that come long before, so the accesses are not in the order of time",
                counted(self.order.late, "sample is", "samples are")
            ));
        }
        Ok(())
    }
}

fn deliver<S: Sink>(
    item: &mut Item,
    plans: &[Option<Plan>],
    samples: &mut Samples,
    tally: &mut Tally,
    out: &mut Delivery<'_, S>,
) -> Flow {
    match item {
        Item::Plain(words) => {
            let Some(Some(plan)) = plans.get(words.event) else { return Ok(()) };
            let mut sample = sample_of(words.event, words.misc, &plan.fields(words.words()));
            deliver_sample(&mut sample, samples, tally, out)
        }
        Item::Mapping(mapping) => out.mapping(Mapping::clone(mapping)),
        Item::Fork { child, parent } => out.fork(*child, *parent),
        Item::Sample(sample) => deliver_sample(sample, samples, tally, out),
    }
}

/// Returns the contents of a sample, except for those of a tracepoint.
#[inline]
fn sample_of(event: usize, misc: u32, fields: &Fields<'_>) -> Sample {
    let Fields { ip, pid, tid, time, address, cpu, data_src, .. } = *fields;
    let source = data_src.map(|source| DataSrc(source).read());
    let kind = source.and_then(|source| source.kind).unwrap_or(Kind::Load);
    Sample {
        event,
        access: Access { pid, tid, cpu, ip, ..Access::new(kind, address, 0) },
        time,
        source,
        page_size: fields.data_page,
        code_page: fields.code_page,
        latency: fields.latency,
        physical: fields.physical,
        period: fields.period,
        mode: match misc & 7 {
            1 | 3 => Mode::Kernel,
            4 | 5 => Mode::Guest,
            _ => Mode::User,
        },
        fault: None,
        is_fetch: false,
        flush: None,
        call: 0,
    }
}

#[inline]
fn deliver_sample<S: Sink>(
    sample: &mut Sample,
    samples: &mut Samples,
    tally: &mut Tally,
    out: &mut Delivery<'_, S>,
) -> Flow {
    let event = samples.get(sample.event);
    let (is_fault, is_flush) =
        event.map(|event| (event.is_page_fault, event.is_flush)).unwrap_or_default();
    if is_flush && sample.flush.is_some() {
        return samples.deliver(sample, Name::default(), Name::default(), out);
    }
    if let Some(Fault { address, ip, error_code }) = sample.fault.filter(|_| is_fault) {
        const USER: u64 = 1 << 2;
        sample.flush = None;
        sample.access =
            Access { address, ip: Some(ip), kind: fault_kind(error_code), ..sample.access };
        sample.mode = if error_code & USER == 0 { Mode::Kernel } else { Mode::User };
    } else {
        let is_known =
            sample.source.is_some_and(|source| source.kind.is_some()) || sample.mark_fetch();
        samples.unknown_kind += u64::from(!is_known && sample.access.address != 0);
        // The fields of another tracepoint look the same, but they are not a fault or a flush.
        let fields = (sample.fault.take(), sample.flush.take());
        if fields != (None, None) && sample.access.address == 0 {
            no_address(fields.1.map_or(0, |(_, at)| at), &[], tally)?;
        }
    }
    let repeats = samples.repeats(sample);
    if repeats && sample.access.address != 0 {
        tally.skip_at(REPEAT, Place::Byte(0), 0, String::new)?;
    }
    if repeats {
        return Ok(());
    }
    samples.deliver(sample, Name::default(), Name::default(), out)
}

fn no_address(at: u64, body: &[u8], tally: &mut Tally) -> Flow {
    let text = || "a sample".to_owned();
    Ok(tally.skip_at(NO_ADDRESS, Place::Byte(at), body.len() as u64, text)?)
}

/// Reads the address and error code from the tracepoint of a page fault (Linux 6.12,
/// `arch/x86/include/asm/trace/exceptions.h`): 8 bytes common to all tracepoints, then address, ip, code.
fn fault(raw: &[u8]) -> Option<Fault> {
    let mut bytes = Bytes(raw);
    bytes.skip(1)?;
    let fault = Fault { address: bytes.u64()?, ip: bytes.u64()?, error_code: bytes.u64()? };
    (fault.address != 0).then_some(fault)
}

/// Reads a record of a process's memory map. Maps of the kernel and of guests belong to no process.
fn mapping(body: &[u8], misc: u32, is_2: bool) -> Option<Mapping> {
    const DATA: u32 = 1 << 13;
    const EXECUTABLE: u32 = 4;
    let mut bytes = Bytes(body);
    let pid = bytes.u32()?;
    bytes.u32()?;
    let (start, length, offset) = (bytes.u64()?, bytes.u64()?, bytes.u64()?);
    let executable = if is_2 {
        bytes.skip(3)?;
        let protection = bytes.u32()?;
        bytes.u32()?;
        protection & EXECUTABLE != 0
    } else {
        misc & DATA == 0
    };
    if pid == u32::MAX || !matches!(misc & 7, 0 | 2) {
        return None;
    }
    let name = String::from_utf8_lossy(bytes.text());
    Mapping::new(pid, start..start.checked_add(length)?, offset, executable, name)
}
