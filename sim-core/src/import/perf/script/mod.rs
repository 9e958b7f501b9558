//! The text of `perf script`, with any selection of fields, callchains and headers.
//!
//! A sample is one line, or with callchains a line, its frames and a blank line. So a sample is kept
//! until the next line shows whether its instruction pointer is to come.

mod columns;
mod prefix;
mod records;
mod words;

use serde::Serialize;

use crate::import::Sink;
use crate::import::delivery::{Delivery, Flow};
use crate::import::lines::{each_line, first_line};
use crate::import::parser::{Facts, LineParser};
use crate::import::report::Sampling;
use crate::import::tally::{Reason, Tally};
use crate::samples::{Mode, Name};
use crate::trace::{Access, Kind};

use super::data_src::DataSrc;
use super::samples::{Fault, Pace, Sample, Samples};
use columns::{Columns, columns, name};
use prefix::{Prefix, has_time, prefix};
use records::{Told, record};
pub(super) use words::page_size;

/// Longest line in bytes: names in C++ and Rust are long, and so are lists of ids in a header.
pub(in crate::import) const MAX_LINE: usize = 256 << 10;

/// What the only column of addresses of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, rename = "LoneColumn"))]
pub enum Column {
    Address,
    Ip,
}

const NO_ADDRESS: Reason = Reason {
    name: "samples without a data address",
    warning: Some([
        "sample has no data address (an instruction pointer alone is no access)",
        "samples have no data address (an instruction pointer alone is no access)",
    ]),
};
const REPEAT: Reason = Reason::normal("samples that repeat the access before for another event");
const FRAME: Reason = Reason::normal("lines of callchains");
const RECORD: Reason = Reason::normal("records of perf that are no samples");
const OTHER: Reason = Reason {
    name: "other lines",
    warning: Some(["line is no sample and was skipped", "lines are no samples and were skipped"]),
};

/// A sample that waits for the line after it.
#[derive(Debug)]
struct Pending {
    sample: Sample,
    /// There is one column of addresses; it is in `sample.access.address`.
    lone: bool,
    named: bool,
    /// Of the address, or of the one column, and of the instruction.
    data: OwnName,
    code: OwnName,
    /// The number of its line.
    number: u64,
}

/// A name that outlives its line.
#[derive(Clone, Debug, Default)]
struct OwnName {
    symbol: Box<[u8]>,
    file: Box<[u8]>,
}

impl OwnName {
    fn new(name: Name<'_>) -> Self {
        Self { symbol: name.symbol.into(), file: name.file.into() }
    }

    fn get(&self) -> Name<'_> {
        Name { symbol: &self.symbol, file: &self.file }
    }
}

/// The state that lasts from line to line.
#[derive(Debug)]
pub(in crate::import) struct Script {
    asked: Option<Column>,
    samples: Samples,
    pending: Option<Pending>,
    /// The line of that sample, shortened.
    shown: Vec<u8>,
    /// Lone columns that were taken as the instruction pointer, without being asked to.
    taken_as_ip: u64,
    taken_as_address: u64,
}

impl Script {
    pub(in crate::import) fn new(asked: Option<Column>) -> Self {
        Self {
            asked,
            samples: Samples::default(),
            pending: None,
            shown: Vec::new(),
            taken_as_ip: 0,
            taken_as_address: 0,
        }
    }

    /// What lone columns of addresses are taken as: as asked, else as most were; `None` if there are none.
    pub(in crate::import) fn lone_column(&self) -> Option<Column> {
        match (self.asked, self.taken_as_address, self.taken_as_ip) {
            (Some(column), ..) => Some(column),
            (None, 0, 0) => None,
            (None, address, ip) => Some(if ip > address { Column::Ip } else { Column::Address }),
        }
    }

    fn line<S: Sink>(&mut self, line: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let text = line.trim_ascii();
        if text.is_empty() {
            self.settle(tally, out)?;
            return Ok(tally.skip(Reason::BLANK, line)?);
        }
        if text.starts_with(b"#") {
            self.header(text);
            return Ok(tally.skip(Reason::COMMENT, line)?);
        }
        if let (Some(pending), Some((ip, rest))) = (&mut self.pending, frame(line)) {
            // With a callchain, the column before it is the address.
            pending.lone = false;
            if pending.sample.access.ip.is_none() {
                pending.sample.access.ip = Some(ip);
                pending.code = OwnName::new(name(rest).0);
            }
            return Ok(tally.skip(FRAME, line)?);
        }
        let Some(prefix) = prefix(line).or_else(|| bare(line)) else {
            // Source lines of a sample, or nothing that is known.
            let reason = if self.pending.is_some() { FRAME } else { OTHER };
            return Ok(tally.skip(reason, line)?);
        };
        match record(prefix.rest) {
            Some(told) => {
                self.settle(tally, out)?;
                self.told(told, out)?;
                Ok(tally.skip(RECORD, line)?)
            }
            None => self.sample(line, &prefix, tally, out),
        }
    }

    fn told<S: Sink>(&mut self, told: Told, out: &mut Delivery<'_, S>) -> Flow {
        match told {
            Told::Mapping(mapping) => out.mapping(mapping),
            Told::Fork { child, parent } => out.fork(child, parent),
            Told::Lost(lost) => {
                self.samples.lost = self.samples.lost.saturating_add(lost);
                Ok(())
            }
            Told::Other => Ok(()),
        }
    }

    fn sample<S: Sink>(
        &mut self,
        line: &[u8],
        prefix: &Prefix<'_>,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        self.settle(tally, out)?;
        let columns = columns(prefix.rest);
        let event = self.samples.event(prefix.event);
        self.samples.count(event, prefix.period);
        tally.records += 1;
        let Prefix { pid, tid, cpu, time, guest, period, name, .. } = *prefix;
        if !guest {
            out.name(pid, tid, name);
        }
        let Columns { address, ip, data_src, error_code, lone, named, data, code, .. } = columns;
        let data_src = data_src.map(DataSrc);
        let kind = data_src
            .and_then(DataSrc::kind)
            .or_else(|| error_code.map(fault_kind))
            .or_else(|| self.samples.kind_by_event(event));
        if kind.is_none() && address.is_some_and(|address| address > 0) && !lone {
            self.samples.unknown_kind += 1;
        }
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
        let sample = Sample {
            event,
            access,
            time,
            data_src,
            page_size: columns.data_page,
            code_page: columns.code_page,
            latency: columns.latency,
            physical: columns.physical,
            period: period.unwrap_or(0),
            mode,
            fault,
        };
        self.shown.clear();
        self.shown.extend_from_slice(&line[..line.len().min(200)]);
        let (data, code) = (OwnName::new(data), OwnName::new(code));
        self.pending = Some(Pending { sample, lone, named, data, code, number: tally.lines });
        Ok(())
    }

    /// Hands on the sample that waits, now that its lines have all been read.
    fn settle<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let Pending { mut sample, lone, named, mut data, mut code, number } = pending;
        if lone && self.lone_is_ip(named) {
            sample.access.ip = Some(sample.access.address);
            sample.access.address = 0;
            code = std::mem::take(&mut data);
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
        let repeats = self.samples.repeats(&sample);
        if sample.access.address == 0 {
            skip(NO_ADDRESS)?;
        } else if repeats {
            skip(REPEAT)?;
        }
        if repeats {
            return Ok(());
        }
        self.samples.deliver(&sample, code.get(), data.get(), out)
    }

    /// perf prints the instruction pointer alone for events without data, with its symbol; an address
    /// alone only if that was asked for, and then mostly without.
    fn lone_is_ip(&mut self, named: bool) -> bool {
        match self.asked {
            Some(column) => column == Column::Ip,
            None if named => {
                self.taken_as_ip += 1;
                true
            }
            None => {
                self.taken_as_address += 1;
                false
            }
        }
    }

    /// `# event : name = page-faults, , id = { 5 }, size = 128, { sample_period, sample_freq } = 1, …`
    fn header(&mut self, text: &[u8]) {
        let Some(after) = text.strip_prefix(b"# event : name = ") else { return };
        let Some(end) =
            memchr::memmem::find(after, b", , ").or_else(|| memchr::memmem::find(after, b", id ="))
        else {
            return;
        };
        let event = self.samples.event(&after[..end]);
        let number = |name: &[u8]| {
            let at = memchr::memmem::find(after, name)? + name.len();
            let (word, _) = words::first(&after[at..])?;
            crate::import::digits::decimal(word.strip_suffix(b",").unwrap_or(word)).ok()
        };
        let is_frequency = number(b", freq =") == Some(1);
        let Some(n) = number(b"{ sample_period, sample_freq } =") else { return };
        if let Some(event) = self.samples.get(event) {
            event.pace = if is_frequency { Pace::Frequency(n) } else { Pace::Every(n) };
        }
    }
}

impl LineParser for Script {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| self.line(line, tally, out))
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        self.settle(tally, out)?;
        if self.taken_as_ip > 0 {
            tally.note(format!(
                "In {} of the samples there is one column of addresses, with a symbol: it was taken as the instruction pointer, which perf script prints without being asked. If it is the data address, import with --format perf-script-addr; if there is one in the recording, print it with perf script -F +addr",
                self.taken_as_ip
            ));
        }
        if self.taken_as_address > 0 {
            tally.note(format!(
                "In {} of the samples there is one column of addresses, without a symbol: it was taken as the data address. If it is the instruction pointer, import with --format perf-script-ip",
                self.taken_as_address
            ));
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts {
            format: "perf-script",
            completeness: self.samples.completeness(),
            remedy: "print the samples with `perf script -F comm,pid,tid,cpu,time,event,addr,ip,sym,dso,data_src,weight`",
        }
    }

    fn sampling(&self) -> Option<Sampling> {
        Some(self.samples.report())
    }
}

/// What a page fault was for, from its error code (Intel SDM vol. 3A, 4.7).
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

/// A frame of a callchain: blanks, an address, then a name if there is one. Gives what is after
/// the address too.
fn frame(line: &[u8]) -> Option<(u64, &[u8])> {
    if !line.first()?.is_ascii_whitespace() {
        return None;
    }
    let (word, end) = words::first(line)?;
    let ip = words::address(word)?;
    let next = words::first(&line[end..]);
    // A command whose name is hexadecimal has its process after it, columns have another.
    let is_frame = next.is_none_or(|(next, _)| {
        !next.starts_with(b"|")
            && words::process(next).is_none()
            && words::address(next).is_none_or(|_| next.len() < 9)
    });
    // Or its name has blanks, as in `a b`: then there is a time.
    (is_frame && !has_time(line)).then(|| (ip, &line[end..]))
}

/// A line of columns alone.
fn bare(line: &[u8]) -> Option<Prefix<'_>> {
    let (word, _) = words::first(line)?;
    words::address(word)?;
    Some(Prefix { rest: line, ..Prefix::default() })
}

/// Whether a text is of perf script: one of its first lines has a time after a process, or most have
/// an event before an address or a decoded `data_src`.
pub(in crate::import) fn looks_like(head: &[u8]) -> bool {
    let (mut lines, mut shaped) = (0u32, 0u32);
    let mut rest = head;
    while !rest.is_empty() && lines < 50 {
        let (line, after) = first_line(rest);
        rest = after;
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            if line.starts_with(b"# ========") || line.starts_with(b"# cmdline : ") {
                return true;
            }
            continue;
        }
        lines += 1;
        let Some(prefix) = prefix(line) else {
            shaped += u32::from(has_data_src(line));
            continue;
        };
        if prefix.time.is_some() {
            return true;
        }
        let next = words::first(prefix.rest).map(|(word, _)| word);
        let is_address = |word: &[u8]| word.len() >= 6 && words::address(word).is_some();
        let named = !line.starts_with(prefix.event);
        shaped += u32::from(named && next.is_some_and(is_address) || has_data_src(line));
    }
    lines > 0 && 2 * shaped > lines
}

fn has_data_src(line: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    has(b"|TLB ") && (has(b"|SNP ") || has(b"|OP "))
}
