//! Reads the text of `perf script`, with any selection of fields, callchains and headers.
//!
//! A sample is one line, or with callchains a line, its frames and a blank line. So a sample is kept until
//! the next line shows whether its instruction pointer follows.

mod columns;
mod guess;
mod prefix;
mod records;
mod words;

use crate::import::Sink;
use crate::import::delivery::{Delivery, Flow};
use crate::import::lines::{each_line, first_line};
use crate::import::parser::{Facts, LineParser};
use crate::import::report::{Sampling, Warning};
use crate::import::tally::{Reason, Tally};
use pagewalk_base::error::Remedy;
use pagewalk_base::samples::{Mode, Name};
use pagewalk_base::trace::{Access, Kind};

use super::data_src::DataSrc;
use super::events::Pace;
use super::flush::Flush;
use super::samples::{Fault, NO_ADDRESS, REPEAT, Sample, Samples};
use columns::{Columns, columns, name};
use prefix::{Place, Prefix, has_time, prefix};
use records::{PerfRecord, record};
pub(super) use words::page_size;

/// The longest line in bytes. Names in C++ and Rust are long, and so are lists of ids in a header.
pub(in crate::import) const MAX_LINE: usize = 256 << 10;

/// What the only column of addresses of a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Column {
    Address,
    Ip,
    /// Physical addresses, of which no trace can be made.
    Physical,
}

impl Column {
    /// Returns the id of the format that reads the column so.
    pub(in crate::import) const fn id(self) -> &'static str {
        match self {
            Self::Address => "perf-script-addr",
            Self::Ip => "perf-script-ip",
            Self::Physical => "perf-script-phys",
        }
    }
}

const FRAME: Reason = Reason::normal("lines of callchains");
const RECORD: Reason = Reason::normal("perf records that are not samples");
const OTHER: Reason = Reason {
    name: "other lines",
    warning: Some([
        "line is not a sample and was skipped",
        "lines are not samples and were skipped",
    ]),
};

/// A sample that waits for the line after it.
#[derive(Debug)]
struct Pending {
    sample: Sample,
    /// Whether the line shows the kind of its access.
    is_kind_known: bool,
    /// The column of addresses if there is only one; it is in `sample.access.address`.
    lone: Option<Lone>,
    /// Whether the line has no field before the addresses.
    bare: bool,
    /// Whether a frame of its callchain followed.
    has_frame: bool,
    /// The number of its line.
    number: u64,
}

/// The only column of addresses of a line.
#[derive(Clone, Copy, Debug)]
struct Lone {
    named: bool,
    place: Option<Place>,
}

/// A name that is kept longer than its line.
#[derive(Debug, Default)]
struct OwnName {
    symbol: Vec<u8>,
    file: Vec<u8>,
}

impl OwnName {
    fn set(&mut self, name: Name<'_>) {
        for (own, text) in [(&mut self.symbol, name.symbol), (&mut self.file, name.file)] {
            own.clear();
            own.extend_from_slice(text);
        }
    }

    fn get(&self) -> Name<'_> {
        Name { symbol: &self.symbol, file: &self.file }
    }
}

/// The state that is kept from line to line.
#[derive(Debug)]
pub(in crate::import) struct Script {
    asked: Option<Column>,
    /// Whether the beginning suggests that single columns without a name are physical addresses.
    physical: bool,
    /// Whether the instruction pointers of callchains are offsets in their files.
    is_relative: bool,
    /// The number of samples whose instruction is known only as such an offset.
    relative: u64,
    /// Whether any line had a field before its addresses.
    has_headers: bool,
    samples: Samples,
    pending: Option<Pending>,
    /// The names of the address, or of the single column, and of the instruction.
    data: OwnName,
    code: OwnName,
    /// The line of that sample, shortened.
    shown: Vec<u8>,
    /// Counts of single columns by how they were read, if the user did not choose.
    taken_as_ip: u64,
    taken_as_address: u64,
    taken_as_physical: u64,
}

impl Script {
    /// Makes a parser. `head` is the beginning of the text.
    pub(in crate::import) fn new(asked: Option<Column>, head: &[u8]) -> Self {
        Self {
            asked,
            physical: guess::is_physical(head),
            is_relative: guess::is_relative(head),
            relative: 0,
            has_headers: false,
            samples: Samples::default(),
            pending: None,
            data: OwnName::default(),
            code: OwnName::default(),
            shown: Vec::new(),
            taken_as_ip: 0,
            taken_as_address: 0,
            taken_as_physical: 0,
        }
    }

    /// Returns how single columns of addresses are read: as asked for, or as most were; `None` if there are
    /// none.
    pub(in crate::import) fn lone_column(&self) -> Option<Column> {
        let taken = [
            (self.taken_as_address, Column::Address),
            (self.taken_as_ip, Column::Ip),
            (self.taken_as_physical, Column::Physical),
        ];
        let most = taken.into_iter().rev().max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 0);
        self.asked.or(most.map(|(_, column)| column))
    }

    fn line<S: Sink>(&mut self, line: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let text = line.trim_ascii();
        if text.is_empty() {
            self.deliver_pending(tally, out)?;
            return Ok(tally.skip(Reason::BLANK, line)?);
        }
        if text.starts_with(b"#") {
            self.header(text);
            return Ok(tally.skip(Reason::COMMENT, line)?);
        }
        let is_bare = self.pending.as_ref().is_some_and(|pending| pending.bare);
        if let (Some(pending), Some((ip, rest))) = (&mut self.pending, frame(line, is_bare)) {
            // If a callchain follows, the column before it is the data address.
            pending.lone = None;
            if pending.sample.access.ip.is_none() && !pending.has_frame {
                let name = name(rest).0;
                self.code.set(name);
                if self.is_relative && guess::is_mapped(name.file) {
                    self.relative += 1;
                } else {
                    pending.sample.access.ip = Some(ip);
                }
            }
            pending.has_frame = true;
            return Ok(tally.skip(FRAME, line)?);
        }
        let prefix = prefix(line).or_else(|| bare(line));
        // Without times, records have no prefix.
        let at = memchr::memmem::find(line, b"PERF_RECORD_").filter(|_| prefix.is_none());
        if let Some(record) = at.and_then(|at| record(&line[at..])) {
            self.deliver_pending(tally, out)?;
            self.deliver_record(record, out)?;
            return Ok(tally.skip(RECORD, line)?);
        }
        let Some(prefix) = prefix else {
            // Source lines of a sample, or an unknown line.
            let reason = if self.pending.is_some() { FRAME } else { OTHER };
            return Ok(tally.skip(reason, line)?);
        };
        self.has_headers |= !prefix.bare;
        if self.has_headers && prefix.bare {
            // A blank line separates this frame from its sample.
            return Ok(tally.skip(FRAME, line)?);
        }
        match record(prefix.rest) {
            Some(record) => {
                self.deliver_pending(tally, out)?;
                self.deliver_record(record, out)?;
                Ok(tally.skip(RECORD, line)?)
            }
            None => self.sample(line, &prefix, tally, out),
        }
    }

    fn deliver_record<S: Sink>(&mut self, record: PerfRecord, out: &mut Delivery<'_, S>) -> Flow {
        match record {
            PerfRecord::Mapping(mapping) => out.mapping(mapping),
            PerfRecord::Fork { child, parent } => {
                out.inherit_name(child, parent);
                out.fork(child, parent)
            }
            PerfRecord::Lost(records) => {
                self.samples.lost.add_records(records);
                Ok(())
            }
            PerfRecord::LostSamples(samples) => {
                self.samples.lost.add_samples(samples);
                Ok(())
            }
            PerfRecord::Other => Ok(()),
        }
    }

    fn sample<S: Sink>(
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
        };
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
    fn deliver_pending<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
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

    /// Reads `# event : name = page-faults, , id = { 5 }, size = 128, { sample_period, sample_freq } = 1, …`.
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
        self.deliver_pending(tally, out)?;
        let is_address = || Remedy::format(&[Column::Address.id()]).when("it is the data address");
        if self.taken_as_ip > 0 {
            let text = format!(
                "In {} of the samples there is one column of addresses, with a symbol or in its place. It was read as the instruction pointer, which perf script prints by default. If the recording has data addresses, print them with perf script -F +addr",
                self.taken_as_ip
            );
            tally.note(Warning::with(text, is_address()));
        }
        if self.taken_as_address > 0 {
            let text = format!(
                "In {} of the samples there is one column of addresses, without a symbol. It was read as the data address",
                self.taken_as_address
            );
            let remedy = Remedy::format(&[Column::Ip.id()]).when("it is the instruction pointer");
            tally.note(Warning::with(text, remedy));
        }
        if self.relative > 0 {
            tally.note(format!(
                "In {} of the samples perf script printed the instruction as an offset in its file, so its address is unknown. Print the text again with -G, which leaves out callchains",
                self.relative
            ));
        }
        if self.taken_as_physical > 0 {
            let text = format!(
                "In {} of the samples there is one column of addresses, without a symbol. All are as low as physical addresses, so it was read as the physical address, which cannot be simulated. If the recording has data addresses, print them with perf script -F +addr",
                self.taken_as_physical
            );
            tally.note(Warning::with(text, is_address()));
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: self.samples.completeness(),
            remedy: "print the samples with `perf script -F comm,pid,tid,cpu,time,event,addr,ip,sym,dso,data_src,weight`",
        }
    }

    fn sampling(&self) -> Option<Sampling> {
        Some(self.samples.report())
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

/// Reads a frame of a callchain: blanks, an address, then an optional name. Also returns the text after the
/// address.
fn frame(line: &[u8], after_bare: bool) -> Option<(u64, &[u8])> {
    // perf begins frames with a tab, which an editor may have removed.
    let is_indented = line.first()?.is_ascii_whitespace();
    if !is_indented || after_bare && line[0] != b'\t' {
        return None;
    }
    let (word, end) = words::first(line)?;
    let ip = words::address(word)?;
    let next = words::first(&line[end..]);
    // After a command with a hexadecimal name comes its process; after a column comes something else.
    let is_frame = next.is_none_or(|(next, _)| {
        !next.starts_with(b"|")
            && !next.ends_with(b":")
            && words::process(next).is_none()
            && words::address(next).is_none_or(|_| next.len() < 9)
    });
    // A command with blanks, such as `a b`, is followed by a time, or by a process before a column.
    let is_sample = || {
        let is_tab = line[0] == b'\t';
        if is_tab { has_time(line) } else { prefix(line).is_some_and(|prefix| !prefix.bare) }
    };
    (is_frame && !is_sample()).then(|| (ip, &line[end..]))
}

/// Reads a line of columns only, of any width.
fn bare(line: &[u8]) -> Option<Prefix<'_>> {
    let (word, _) = words::first(line)?;
    words::address(word)?;
    Some(Prefix { rest: line, bare: true, ..Prefix::default() })
}

/// Returns whether a text is the output of perf script. One of its first lines has a time after a process, or
/// most lines have an event before an address, an address in a column of perf's width, or a decoded
/// `data_src`.
pub(in crate::import) fn looks_like(head: &[u8]) -> bool {
    let (mut lines, mut shaped) = (0u32, 0u32);
    let mut rest = head;
    while !rest.is_empty() && lines < 50 {
        let (line, after) = first_line(rest);
        rest = after;
        let line = line.trim_ascii_end();
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
        let next = words::first(prefix.rest).filter(|(word, _)| words::address(word).is_some());
        let named = !line.trim_ascii_start().starts_with(prefix.event);
        let is_column =
            |(word, end): (&[u8], usize)| named && word.len() >= 6 || prefix.place(end).is_some();
        shaped += u32::from(next.is_some_and(is_column) || has_data_src(line));
    }
    lines > 0 && 2 * shaped > lines
}

fn has_data_src(line: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    has(b"|TLB ") && (has(b"|SNP ") || has(b"|OP "))
}
