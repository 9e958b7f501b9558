//! A sample that waits for the lines after it: read from its line, and delivered when all its lines are read.

use pagewalk_base::samples::{Mode, Name};
use pagewalk_base::trace::{Access, Kind};

use super::columns::{Columns, columns};
use super::prefix::{Place, Prefix};
use super::{Column, Script};
use crate::import::Sink;
use crate::import::delivery::Delivery;
use crate::import::flow::Flow;
use crate::import::perf::data_src::DataSrc;
use crate::import::perf::flush::Flush;
use crate::import::perf::samples::{Fault, NO_ADDRESS, REPEAT, Sample};
use crate::import::tally::Tally;

/// A sample that waits for the line after it.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) sample: Sample,
    /// Whether the line shows the kind of its access.
    is_kind_known: bool,
    /// The column of addresses if there is only one; it is in `sample.access.address`.
    pub(super) lone: Option<Lone>,
    /// Whether the line has no field before the addresses.
    pub(super) bare: bool,
    /// Whether a frame of its callchain followed.
    pub(super) has_frame: bool,
    /// The number of its line.
    number: u64,
}

/// The only column of addresses of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lone {
    named: bool,
    place: Option<Place>,
}

/// A name that is kept longer than its line.
#[derive(Debug, Default)]
pub(super) struct OwnName {
    symbol: Vec<u8>,
    file: Vec<u8>,
}

impl OwnName {
    pub(super) fn set(&mut self, name: Name<'_>) {
        for (own, text) in [(&mut self.symbol, name.symbol), (&mut self.file, name.file)] {
            own.clear();
            own.extend_from_slice(text);
        }
    }

    fn get(&self) -> Name<'_> {
        Name { symbol: &self.symbol, file: &self.file }
    }
}

impl Script {
    /// Reads the sample of a line, after delivering the previous one.
    pub(super) fn sample<S: Sink>(
        &mut self,
        line: &[u8],
        prefix: &Prefix<'_>,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        self.deliver_pending(tally, out)?;
        let columns = columns(prefix);
        let event = self.samples.event(prefix.event);
        self.samples.count(event, prefix.period);
        tally.records += 1;
        let Prefix { pid, tid, cpu, time, guest, period, name, .. } = *prefix;
        if !guest {
            out.name(pid, tid, name);
        }
        let Columns { address, ip, data_src, error_code, lone, named, place, data, code, .. } =
            columns;
        let source = data_src.map(|source| DataSrc(source).read());
        let kind = source
            .and_then(|source| source.kind)
            .or_else(|| error_code.map(fault_kind))
            .or_else(|| self.samples.kind_by_event(event));
        let access = Access {
            pid,
            tid,
            cpu,
            ip,
            ..Access::new(kind.unwrap_or(Kind::Load), address.unwrap_or(0), 0)
        };
        let mode = if guest { Mode::Guest } else { Mode::User };
        let fault = error_code.and_then(|error_code| {
            Some(Fault { address: address?, ip: ip.unwrap_or(0), error_code })
        });
        let is_flush = self.samples.get(event).is_some_and(|event| event.is_flush);
        let flush = if is_flush { Flush::of_text(prefix.rest) } else { None };
        let flush = flush.map(|flush| (flush, 0));
        let sample = Sample {
            event,
            access,
            time,
            source,
            page_size: columns.data_page,
            code_page: columns.code_page,
            latency: columns.latency,
            physical: columns.physical,
            period: period.unwrap_or(0),
            mode,
            fault,
            is_fetch: false,
            flush,
            call: 0,
        };
        self.chain.clear();
        self.shown.clear();
        self.shown.extend_from_slice(&line[..line.len().min(200)]);
        self.data.set(data);
        self.code.set(code);
        let (bare, number) = (prefix.bare, tally.lines);
        let is_kind_known = kind.is_some();
        self.pending = Some(Pending {
            sample,
            is_kind_known,
            lone: lone.then_some(Lone { named, place }),
            bare,
            has_frame: false,
            number,
        });
        Ok(())
    }

    /// Delivers the waiting sample, after all its lines were read.
    pub(super) fn deliver_pending<S: Sink>(
        &mut self,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let Pending { mut sample, is_kind_known, lone, number, .. } = pending;
        let lone = lone.filter(|_| sample.flush.is_none());
        match lone.map(|lone| self.take_lone(lone)) {
            Some(Column::Ip) => {
                sample.access.ip = Some(std::mem::take(&mut sample.access.address));
                std::mem::swap(&mut self.code, &mut self.data);
                self.data.set(Name::default());
            }
            Some(Column::Physical) => {
                sample.physical = std::mem::take(&mut sample.access.address);
            }
            Some(Column::Address) | None => {}
        }
        let has_access = sample.access.address != 0 && sample.flush.is_none();
        if has_access && !is_kind_known && !sample.mark_fetch() {
            self.samples.unknown_kind += 1;
        }
        if sample.mode == Mode::User && sample.access.ip.is_some_and(|ip| ip >> 63 == 1) {
            sample.mode = Mode::Kernel;
        }
        let mut skip = |reason| {
            let now = std::mem::replace(&mut tally.lines, number);
            tally.skip(reason, &self.shown)?;
            tally.lines = now;
            Flow::Ok(())
        };
        if sample.flush.is_some() {
            return self.samples.deliver(&sample, self.code.get(), self.data.get(), out);
        }
        sample.call = self.chain.node(&mut self.samples.calls);
        let repeats = self.samples.repeats(&sample);
        if sample.access.address == 0 {
            skip(NO_ADDRESS)?;
        } else if repeats {
            skip(REPEAT)?;
        }
        if repeats {
            return Ok(());
        }
        self.samples.deliver(&sample, self.code.get(), self.data.get(), out)
    }

    /// Decides what a single column holds. perf prints only the instruction pointer for events without data,
    /// with its symbol. It prints only a data address if the user asks for that, and then mostly without a
    /// symbol.
    fn take_lone(&mut self, Lone { named, place }: Lone) -> Column {
        let column = match self.asked {
            Some(column) => return column,
            None if named || place == Some(Place::Code) => Column::Ip,
            None if self.physical => Column::Physical,
            None => Column::Address,
        };
        match column {
            Column::Ip => self.taken_as_ip += 1,
            Column::Address => self.taken_as_address += 1,
            Column::Physical => self.taken_as_physical += 1,
        }
        column
    }
}

/// Returns the kind of access that caused a page fault, from its error code (Intel SDM vol. 3A, 4.7).
pub(in crate::import) fn fault_kind(error_code: u64) -> Kind {
    const WRITE: u64 = 1 << 1;
    const FETCH: u64 = 1 << 4;
    if error_code & FETCH != 0 {
        Kind::Fetch
    } else if error_code & WRITE != 0 {
        Kind::Store
    } else {
        Kind::Load
    }
}
