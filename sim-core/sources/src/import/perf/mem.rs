//! Reads `perf mem report -D`: a line for each sample, with the columns that the first line names (Linux
//! 6.12, `tools/perf/builtin-mem.c`, `dump_raw_samples`).
//!
//! ```text
//! # PID, TID, IP, ADDR, PHYS ADDR, DATA PAGE SIZE, LOCAL WEIGHT, DSRC, SYMBOL
//! 9398,9398,0x4011ad,0x406000,0x00000001d89bf000,4K,30,0x1e05080021,/usr/bin/touch:main
//! ```

use crate::import::Sink;
use crate::import::delivery::Delivery;
use crate::import::digits::{decimal, hex, strip_0x};
use crate::import::flow::Flow;
use crate::import::lines::{MAX_LINE, each_line};
use crate::import::parser::{Facts, LineParser};
use crate::import::report::Sampling;
use crate::import::tally::{Reason, Tally};
use pagewalk_base::samples::{Mode, Name};
use pagewalk_base::trace::{Access, Kind};

use super::data_src::DataSrc;
use super::samples::{NO_ADDRESS, Sample, Samples};
use super::script::page_size;

/// The contents of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Pid,
    Tid,
    Ip,
    Address,
    Physical,
    Page,
    Weight,
    Source,
    /// The file and the symbol, up to the end of the line.
    Symbol,
}

impl Column {
    /// The columns that perf prints without options.
    const DEFAULT: [Self; 7] =
        [Self::Pid, Self::Tid, Self::Ip, Self::Address, Self::Weight, Self::Source, Self::Symbol];

    fn of_name(name: &[u8]) -> Option<Self> {
        Some(match name.trim_ascii() {
            b"PID" => Self::Pid,
            b"TID" => Self::Tid,
            b"IP" => Self::Ip,
            b"ADDR" => Self::Address,
            b"PHYS ADDR" => Self::Physical,
            b"DATA PAGE SIZE" => Self::Page,
            b"LOCAL WEIGHT" => Self::Weight,
            b"DSRC" => Self::Source,
            b"SYMBOL" => Self::Symbol,
            _ => return None,
        })
    }
}

/// The state that is kept from line to line.
#[derive(Debug)]
pub(in crate::import) struct Mem {
    columns: Vec<Column>,
    /// The separator between columns; `None` means blanks.
    separator: Option<Vec<u8>>,
    samples: Samples,
}

impl Mem {
    pub(in crate::import) fn new() -> Self {
        Self { columns: Column::DEFAULT.to_vec(), separator: None, samples: Samples::default() }
    }

    pub(in crate::import) fn recognises(line: &[u8]) -> bool {
        line.starts_with(b"# PID, TID, IP, ADDR")
    }

    fn line<S: Sink>(&mut self, line: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        if line.is_empty() {
            return Ok(tally.skip(Reason::BLANK, line)?);
        }
        if Self::recognises(line) {
            let names = line[1..].split(|byte| *byte == b',');
            if let Some(columns) = names.map(Column::of_name).collect() {
                self.columns = columns;
            }
            return Ok(tally.skip(Reason::HEADER, line)?);
        }
        if line.starts_with(b"#") {
            return Ok(tally.skip(Reason::COMMENT, line)?);
        }
        let is_first = tally.records == 0;
        if is_first {
            self.separator = separator(line);
        }
        let Some(row) = self.row(line, is_first) else {
            return Ok(tally.skip(Reason::MALFORMED, line)?);
        };
        tally.records += 1;
        let event = self.samples.event(b"memory accesses");
        self.samples.count(event, None);
        let mut sample = row.sample(event);
        let is_known = row.source.read().kind.is_some() || sample.mark_fetch();
        self.samples.unknown_kind += u64::from(sample.access.address != 0 && !is_known);
        if sample.access.address == 0 {
            tally.skip(NO_ADDRESS, line)?;
        }
        self.samples.deliver(&sample, row.name, Name::default(), out)
    }

    fn row<'a>(&self, line: &'a [u8], is_first: bool) -> Option<Row<'a>> {
        let mut row = Row::default();
        let mut rest = line;
        for (at, column) in self.columns.iter().enumerate() {
            let is_last = at + 1 == self.columns.len();
            let (field, after) = if is_last { (rest, None) } else { self.cut(rest)? };
            let field = field.trim_ascii();
            let number = || hex(strip_0x(field)?).ok();
            match column {
                Column::Pid => row.pid = process(field)?,
                Column::Tid => row.tid = process(field)?,
                Column::Ip => row.ip = number()?,
                // A mistake in perf's format string prints 0x016 before the first address.
                Column::Address => {
                    row.address = match field.strip_prefix(b"0x016") {
                        Some(digits) if is_first && self.separator.is_none() => hex(digits).ok()?,
                        _ => number()?,
                    }
                }
                Column::Physical => row.physical = number()?,
                Column::Page => row.page = page_size(field)?,
                Column::Weight => row.weight = decimal(field).ok()?,
                Column::Source => row.source = DataSrc(number()?),
                Column::Symbol => row.name = name(field),
            }
            rest = after.unwrap_or_default();
        }
        Some(row)
    }

    /// Splits off the first field. Returns it with the rest of the line.
    fn cut<'a>(&self, line: &'a [u8]) -> Option<(&'a [u8], Option<&'a [u8]>)> {
        let line = line.trim_ascii_start();
        let (end, width) = match &self.separator {
            Some(separator) => (memchr::memmem::find(line, separator)?, separator.len()),
            None => (line.iter().position(u8::is_ascii_whitespace)?, 1),
        };
        Some((&line[..end], Some(&line[end + width..])))
    }
}

/// Returns the separator between the first two numbers, unless it is a blank: `-x` allows any text.
fn separator(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.trim_ascii_start();
    let start = line.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'-')?;
    let length = line[start..].iter().position(|byte| byte.is_ascii_digit() || *byte == b'-')?;
    let between = &line[start..start + length];
    (!between.is_empty() && !between.iter().all(u8::is_ascii_whitespace)).then(|| between.to_vec())
}

fn process(field: &[u8]) -> Option<u32> {
    if field == b"-1" { Some(u32::MAX) } else { u32::try_from(decimal(field).ok()?).ok() }
}

/// Reads `/usr/lib/libc.so.6:malloc` or `[kernel.kallsyms]:elf_load`; `???` means no name.
fn name(field: &[u8]) -> Name<'_> {
    let colon = memchr::memchr(b':', field).unwrap_or(field.len());
    let known = |text: &'_ [u8]| text != b"???" && text != b"[unknown]";
    let (file, symbol) = (&field[..colon], field.get(colon + 1..).unwrap_or_default());
    Name {
        symbol: if known(symbol) { symbol } else { b"" },
        file: if known(file) { file } else { b"" },
    }
}

/// A parsed line.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    pid: u32,
    tid: u32,
    ip: u64,
    address: u64,
    physical: u64,
    page: u64,
    weight: u64,
    source: DataSrc,
    name: Name<'a>,
}

impl Default for Row<'_> {
    fn default() -> Self {
        Self {
            pid: 0,
            tid: 0,
            ip: 0,
            address: 0,
            physical: 0,
            page: 0,
            weight: 0,
            source: DataSrc(0),
            name: Name::default(),
        }
    }
}

impl Row<'_> {
    fn sample(&self, event: usize) -> Sample {
        let source = self.source.read();
        let kind = source.kind.unwrap_or(Kind::Load);
        let access = Access {
            pid: self.pid,
            tid: self.tid,
            ip: Some(self.ip),
            ..Access::new(kind, self.address, 0)
        };
        Sample {
            event,
            access,
            time: None,
            source: Some(source),
            page_size: self.page,
            code_page: 0,
            latency: u32::try_from(self.weight).unwrap_or(u32::MAX),
            physical: self.physical,
            period: 0,
            mode: if self.ip >> 63 == 1 { Mode::Kernel } else { Mode::User },
            fault: None,
            is_fetch: false,
            flush: None,
            call: 0,
        }
    }
}

impl LineParser for Mem {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| self.line(line.trim_ascii(), tally, out))
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, _out: &mut Delivery<'_, S>) -> Flow {
        if tally.records > 0 {
            tally.note("The text does not name the event. On Intel, perf mem record keeps only loads above a latency (30 cycles by default), so misses may be over-represented".to_owned());
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: self.samples.completeness(),
            remedy: "print it with `perf mem -D report`, whose first line names the columns",
        }
    }

    fn sampling(&self) -> Option<Sampling> {
        Some(self.samples.report())
    }
}
