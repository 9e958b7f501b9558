//! Previews the beginning of a file: its format, its first records, and how it would be read.

use serde::Serialize;

use super::Sink;
use super::csv::ListView;
use super::formats::AnyParser;
use super::importer::{ImportOptions, Importer};
use super::report::ImportReport;
use pagewalk_base::addr::Hex;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::samples::{Sample, TlbLevel};
use pagewalk_base::trace::{Access, Kind, Op, OpRecord};

/// The number of records that are shown.
const RECORDS: usize = 8;
/// The number of accesses after which the preview ends.
const ENOUGH: u64 = 50_000;
/// The size in bytes of the pieces that are read. It is small, because compressed data can grow a
/// thousandfold.
const PIECE: usize = 4 << 10;
/// The number of lines that are shown, and the bytes of each.
const LINES: usize = 12;
const LINE: usize = 200;
/// The number of bytes on a line of a file that is not text.
const ROW: usize = 16;

/// The preview of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Peek {
    /// The compression formats of the file, the outermost first.
    pub packed: Vec<String>,
    /// The first decompressed bytes: lines of text, or rows of hexadecimal numbers.
    pub shown: Vec<String>,
    pub records: Vec<PeekRecord>,
    /// The report of the beginning of the file; missing if the format is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<ImportReport>,
    /// Whether the report is of the whole file.
    pub is_whole: bool,
    /// Whether the beginning states the numbers of records and accesses of the whole file, as a saved trace does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub states_counts: bool,
    /// How a list of addresses is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<ListView>,
    /// If a perf script has only one column of addresses, the id of the format that reads it as it was read here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lone_column: Option<&'static str>,
    /// The reason why the file cannot be read as asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Error>,
}

/// One of the first records: an access, an operation, or a sample without an access.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct PeekRecord {
    /// The kind; missing if the file does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The operation; missing for an access and a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<Op>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Hex>,
    /// The size in bytes; 0 if it is unknown.
    pub size: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip: Option<Hex>,
    pub pid: u32,
    pub tid: u32,
    pub cpu: u32,
    /// The time in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The index of the event in the list of events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u32>,
    /// The TLB level that served the access, if the recording measured it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<TlbLevel>,
    /// The latency in cycles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<u32>,
    /// The page size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u64>,
}

/// Previews `bytes`, the beginning of a file, or the whole file if `is_whole`.
///
/// # Errors
/// Errors in the options. An error in the file is part of the result.
pub fn peek(options: ImportOptions, bytes: &[u8], is_whole: bool) -> Result<Peek> {
    let mut importer = Importer::new(options)?;
    let mut first = First::default();
    let (read, problem) = match look(&mut importer, &mut first, bytes, is_whole) {
        Ok(read) => (read, importer.problem().filter(|_| read)),
        Err(problem) => (false, Some(problem)),
    };
    let report = importer.so_far();
    let parser = importer.parser();
    let shown = importer.shown();
    Ok(Peek {
        packed: importer.packed().into_iter().map(str::to_owned).collect(),
        shown: show(if shown.is_empty() { &bytes[..bytes.len().min(LINE)] } else { shown }),
        records: first.records,
        is_whole: read,
        states_counts: !read && importer.states_counts(),
        list: parser.and_then(|parser| parser.list(shown)),
        lone_column: parser.and_then(AnyParser::lone_column),
        report,
        problem,
    })
}

/// Reads the beginning. Returns whether the whole file was read.
fn look(importer: &mut Importer, first: &mut First, bytes: &[u8], is_whole: bool) -> Result<bool> {
    for piece in bytes.chunks(PIECE) {
        if importer.is_full() || importer.accesses() > ENOUGH {
            return Ok(false);
        }
        importer.push(piece, first)?;
    }
    if is_whole {
        importer.end(first)?;
        return Ok(!importer.is_full());
    }
    importer.begin(first)?;
    if first.records.is_empty() {
        importer.flush(first)?;
    }
    Ok(false)
}

/// Collects the first records.
#[derive(Default)]
struct First {
    records: Vec<PeekRecord>,
    /// Whether the last record is an access whose sample may follow.
    waits: bool,
}

impl Sink for First {
    fn access(&mut self, access: Access) -> Result<()> {
        self.waits = self.records.len() < RECORDS;
        if self.waits {
            let Access { kind, address, size, pid, tid, cpu, ip } = access;
            self.records.push(PeekRecord {
                kind: Some(kind),
                address: Some(Hex(address)),
                size,
                ip: ip.map(Hex),
                pid,
                tid,
                cpu,
                ..PeekRecord::default()
            });
        }
        Ok(())
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.waits = false;
        if self.records.len() < RECORDS {
            let OpRecord { pid, tid, cpu, op } = record;
            self.records.push(PeekRecord {
                operation: Some(op),
                address: op.address().map(Hex),
                pid,
                tid,
                cpu,
                ..PeekRecord::default()
            });
        }
        Ok(())
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        let is_new = sample.address.is_none() && self.records.len() < RECORDS;
        if is_new {
            self.records.push(PeekRecord::default());
        }
        let Some(record) = self.records.last_mut().filter(|_| is_new || self.waits) else {
            return Ok(());
        };
        self.waits = false;
        let Sample { pid, tid, cpu, kind, address, ip, time, event, .. } = *sample;
        let known = |n: u64| (n > 0).then_some(n);
        *record = PeekRecord {
            operation: None,
            kind,
            address: address.map(Hex),
            size: record.size,
            ip: ip.map(Hex),
            pid,
            tid,
            cpu,
            time,
            event: Some(event),
            level: (sample.level != TlbLevel::Unknown).then_some(sample.level),
            latency: (sample.latency > 0).then_some(sample.latency),
            page: known(sample.data_page),
        };
        Ok(())
    }
}

/// Returns lines of a text as they are, or rows of bytes.
fn show(bytes: &[u8]) -> Vec<String> {
    let is_text = !bytes.contains(&0) && !bytes.starts_with(pagewalk_base::trace::saved::MAGIC);
    if !is_text {
        let row = |row: &[u8]| {
            let bytes: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
            bytes.join(" ")
        };
        return bytes.chunks(ROW).take(LINES).map(row).collect();
    }
    let text = String::from_utf8_lossy(bytes);
    let line = |line: &str| {
        let clean = line.chars().map(|c| if c.is_control() && c != '\t' { '·' } else { c });
        clean.take(LINE).collect()
    };
    text.lines().take(LINES).map(line).collect()
}
