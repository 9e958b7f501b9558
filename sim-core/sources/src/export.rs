//! Writes traces in text formats that other programs read: lackey, CSV and Dinero's din. CSV holds everything
//! that an import can read again. The other formats cannot hold some parts of a trace; those are counted.
//!
//! ```text
//! lackey    I  00401000,4            fetch; " L" load, " S" store
//! csv       load,0x1000,8,7,7,0,0x401000,
//!           munmap,0x1000,8192,7,7,0,,no-flush      an operation, with its operands last
//! din       2 401000                 2 fetch, 0 load, 1 store
//! ```

use std::io::Write as _;

use serde::{Deserialize, Serialize};

use pagewalk_base::trace::{Access, Chunk, Completeness, Kind, OpRecord};

/// A text format that Pagewalk writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ExportFormat {
    /// The output of valgrind's lackey with `--trace-mem=yes`.
    Lackey,
    /// A list with a header, which holds everything except memory maps and samples.
    Csv,
    /// Dinero's labels and addresses.
    Din,
}

/// A part of a trace that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Lost {
    pub what: String,
    /// The number of accesses or operations that lose it; 1 if it concerns the whole trace.
    pub count: u64,
}

/// Writes one trace.
#[derive(Debug)]
pub struct Exporter {
    format: ExportFormat,
    completeness: Completeness,
    /// Whether the file had more accesses than the trace.
    part: bool,
    prefetches: u64,
    sizes: u64,
    places: u64,
    instructions: u64,
    operations: u64,
}

impl Exporter {
    /// Makes an exporter. `part` says that the file had more accesses than the trace.
    pub fn new(format: ExportFormat, completeness: Completeness, part: bool) -> Self {
        Self {
            format,
            completeness,
            part,
            prefetches: 0,
            sizes: 0,
            places: 0,
            instructions: 0,
            operations: 0,
        }
    }

    /// Sets the completeness of the trace, which an import knows only at its end.
    #[must_use]
    pub fn of(self, completeness: Completeness, part: bool) -> Self {
        Self { completeness, part, ..self }
    }

    /// Adds the lines before the first access.
    pub fn head(&self, out: &mut Vec<u8>) {
        if self.format != ExportFormat::Csv {
            return;
        }
        // The line has a fixed length, so that it can be overwritten when the completeness is known.
        line(out, format_args!("{COMPLETENESS}{:16}", self.completeness.name()));
        line(out, format_args!("{PART}{:5}", self.part));
        out.extend_from_slice(b"kind,address,size,pid,tid,cpu,ip,operands\n");
    }

    /// Adds the line of an access.
    pub fn access(&mut self, access: &Access, out: &mut Vec<u8>) {
        let Access { kind, address, size, pid, tid, cpu, ip } = *access;
        if self.format == ExportFormat::Csv {
            let kind = kind.name();
            return match ip {
                Some(ip) => {
                    line(
                        out,
                        format_args!("{kind},{address:#x},{size},{pid},{tid},{cpu},{ip:#x},"),
                    );
                }
                None => line(out, format_args!("{kind},{address:#x},{size},{pid},{tid},{cpu},,")),
            };
        }
        if kind == Kind::Prefetch {
            self.prefetches += 1;
            return;
        }
        self.places += u64::from((pid, tid, cpu) != (0, 0, 0));
        self.instructions += u64::from(ip.is_some());
        if self.format == ExportFormat::Din {
            self.sizes += u64::from(size > 0);
            let label = [2, 0, 1, 0][kind.index()];
            return line(out, format_args!("{label} {address:x}"));
        }
        write_lackey(access, out);
    }

    /// Adds the line of an operation, if the format has operations.
    pub fn op(&mut self, record: &OpRecord, out: &mut Vec<u8>) {
        if self.format != ExportFormat::Csv {
            self.operations += 1;
            return;
        }
        let OpRecord { pid, tid, cpu, ref op } = *record;
        let text = op.to_string();
        let mut words = text.split(' ').peekable();
        let word = words.next().unwrap_or_default();
        let address = words.next_if(|word| word.starts_with("0x")).unwrap_or_default();
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let size = words.next_if(is_number).unwrap_or_default();
        let operands = words.collect::<Vec<_>>().join(" ");
        line(out, format_args!("{word},{address},{size},{pid},{tid},{cpu},,{operands}"));
    }

    /// Adds the lines of a chunk of a trace.
    pub fn chunk(&mut self, chunk: &Chunk, out: &mut Vec<u8>) {
        let mut ops = chunk.ops_from(chunk.first).peekable();
        for (at, access) in (chunk.first..).zip(chunk.accesses()) {
            while let Some((_, record)) = ops.next_if(|(before, _)| *before <= at) {
                self.op(&record, out);
            }
            self.access(&access, out);
        }
        for (_, record) in ops {
            self.op(&record, out);
        }
    }

    /// Returns the parts of the trace that the format could not hold.
    pub fn lost(&self) -> Vec<Lost> {
        let is_known = self.format == ExportFormat::Csv;
        let partly = self.completeness != Completeness::Complete && !is_known;
        let is_part = self.part && !is_known;
        let all = [
            ("prefetches", self.prefetches),
            ("sizes", self.sizes),
            ("threads and processes", self.places),
            ("instruction pointers", self.instructions),
            ("operations", self.operations),
            ("that accesses are missing between those recorded", u64::from(partly)),
            ("that the file had more accesses", u64::from(is_part)),
        ];
        let lost = all.into_iter().filter(|(_, count)| *count > 0);
        lost.map(|(what, count)| Lost { what: what.to_owned(), count }).collect()
    }
}

/// The beginning of the comment that gives the completeness of a list.
pub(crate) const COMPLETENESS: &str = "# completeness: ";

/// The beginning of the comment that says whether the file of the list had more accesses: `true` or `false`.
pub(crate) const PART: &str = "# part: ";

/// Adds an access, which is not a prefetch, as lackey prints it.
fn write_lackey(access: &Access, out: &mut Vec<u8>) {
    let mark = ["I ", " L", " S", " L"][access.kind.index()];
    line(out, format_args!("{mark} {:08x},{}", access.address, access.size));
}

fn line(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a vector takes everything");
}
