//! The importer: takes the bytes of a file in chunks of any size.

use crate::error::{Error, ErrorCode, Result};
use crate::trace::{Completeness, PageCounts};

use super::Sink;
use super::delivery::{Count, Delivery};
use super::lackey::Lackey;
use super::lines::Lines;
use super::report::ImportReport;
use super::tally::Tally;

/// What the caller knows of the file, and how much of it it wants.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The file's name; only a hint where the bytes do not decide.
    pub name: String,
    /// A format's name; `None` finds it out.
    pub format: Option<String>,
    /// Accesses to import at most.
    pub limit: u64,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { name: String::new(), format: None, limit: u64::MAX }
    }
}

/// Turns the bytes of one file into accesses.
#[derive(Debug)]
pub struct Importer {
    lines: Lines,
    lackey: Lackey,
    tally: Tally,
    count: Count,
    bytes_unpacked: u64,
}

impl Importer {
    /// # Errors
    /// `unsupported` if the options name a format that is not known.
    pub fn new(options: ImportOptions) -> Result<Self> {
        if let Some(format) = options.format.filter(|format| format != "lackey") {
            let message = format!("`{format}` is no format that is read here: lackey");
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        Ok(Self {
            lines: Lines::default(),
            lackey: Lackey::default(),
            tally: Tally::default(),
            count: Count { accesses: 0, limit: options.limit, full: false },
            bytes_unpacked: 0,
        })
    }

    /// Takes the next bytes of the file and hands the accesses in them to `sink`.
    ///
    /// # Errors
    /// `bad-trace`, `unknown-format`, `unsupported` or the sink's own; the import is over then.
    pub fn push<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<()> {
        self.bytes_unpacked += bytes.len() as u64;
        let mut out = Delivery { sink, count: &mut self.count };
        let lackey = &mut self.lackey;
        self.lines.push(bytes, &mut self.tally, |block, tally| lackey.read(block, tally, &mut out))
    }

    /// Ends the file.
    ///
    /// # Errors
    /// As for [`Self::push`], and `bad-trace` if there was no access at all.
    pub fn finish<S: Sink>(mut self, sink: &mut S) -> Result<ImportReport> {
        let mut out = Delivery { sink, count: &mut self.count };
        self.lackey.read(&self.lines.finish(), &mut self.tally, &mut out)?;
        if self.tally.records == 0 {
            return Err(self.tally.nothing_valid("lackey", "record it with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`"));
        }
        if self.count.full {
            self.tally.note(format!("Stopped at the limit of {} accesses; the file has more", self.count.limit));
        }
        Ok(ImportReport {
            format: "lackey".to_owned(),
            completeness: Completeness::Complete,
            records: self.tally.records,
            accesses: self.count.accesses,
            skipped: self.tally.skipped(),
            pages_4k: PageCounts::default(),
            warnings: self.tally.warnings(),
        })
    }

    /// The limit is reached: the caller may stop reading and call [`Self::finish`].
    pub fn is_full(&self) -> bool {
        self.count.full
    }

    pub fn accesses(&self) -> u64 {
        self.count.accesses
    }

    /// Bytes of text so far, unpacked.
    pub fn bytes_unpacked(&self) -> u64 {
        self.bytes_unpacked
    }
}
