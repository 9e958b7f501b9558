//! The importer: takes the bytes of a file in chunks of any size.

use crate::error::{Error, ErrorCode, Result};
use crate::trace::PageCounts;

use super::Sink;
use super::delivery::{Count, Delivery, Flow, Stop};
use super::detect::{Asked, HEAD, detect};
use super::format::Format;
use super::parser::{Facts, Parser as _};
use super::report::ImportReport;
use super::tally::Tally;
use super::unpack::Unpacker;

/// What the caller knows of the file, and how much of it it wants.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The file's name; only a hint where the bytes do not decide.
    pub name: String,
    /// A name that `detect` lists, such as `lackey`; `None` finds it out.
    pub format: Option<String>,
    /// Accesses to import at most; the rest of the file is left.
    pub limit: u64,
    /// Bytes of unpacked text to read at most; more is an error.
    pub max_bytes: u64,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { name: String::new(), format: None, limit: u64::MAX, max_bytes: 64 << 30 }
    }
}

/// Turns the bytes of one file into accesses.
#[derive(Debug)]
pub struct Importer {
    unpacker: Unpacker,
    text: Text,
    full: bool,
}

/// The unpacked text.
#[derive(Debug)]
struct Text {
    name: String,
    asked: Asked,
    max_bytes: u64,
    bytes: u64,
    /// The beginning, until it is long enough to tell the format.
    head: Vec<u8>,
    format: Option<Format>,
    tally: Tally,
    count: Count,
}

impl Importer {
    /// # Errors
    /// `unknown-format` if the options name a format that is not known.
    pub fn new(options: ImportOptions) -> Result<Self> {
        let text = Text {
            asked: Asked::parse(options.format.as_deref())?,
            name: options.name,
            max_bytes: options.max_bytes,
            bytes: 0,
            head: Vec::new(),
            format: None,
            tally: Tally::default(),
            count: Count { accesses: 0, limit: options.limit, operations: 0 },
        };
        Ok(Self { unpacker: Unpacker::new(), text, full: false })
    }

    /// Takes the next bytes of the file and hands the accesses in them to `sink`.
    /// Packed bytes may hold a thousand times as many: push them in small chunks to
    /// stay responsive.
    ///
    /// # Errors
    /// `bad-trace`, `unknown-format`, `unsupported`, `too-large` or the sink's own; the
    /// import is over then.
    pub fn push<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<()> {
        if self.full {
            return Ok(());
        }
        let text = &mut self.text;
        let flow = self.unpacker.push(bytes, &mut |unpacked| text.push(unpacked, sink));
        self.go_on(flow)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// As for [`Self::push`], and `bad-trace` if there was no access at all or packed data
    /// are not complete.
    pub fn finish<S: Sink>(mut self, sink: &mut S) -> Result<ImportReport> {
        if !self.full {
            let text = &mut self.text;
            let flow = self.unpacker.finish(&mut |unpacked| text.push(unpacked, sink));
            self.go_on(flow)?;
        }
        if !self.full {
            let flow = self.text.finish(sink);
            self.go_on(flow)?;
        }
        self.text.report(self.full)
    }

    fn go_on(&mut self, flow: Flow) -> Result<()> {
        match flow {
            Ok(()) => Ok(()),
            Err(Stop::Full) => {
                self.full = true;
                Ok(())
            }
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// The limit is reached: the caller may stop reading and call [`Self::finish`].
    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn accesses(&self) -> u64 {
        self.text.count.accesses
    }

    /// Bytes of text so far, unpacked.
    pub fn bytes_unpacked(&self) -> u64 {
        self.text.bytes
    }
}

impl Text {
    fn push<S: Sink>(&mut self, mut bytes: &[u8], sink: &mut S) -> Flow {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.bytes > self.max_bytes {
            let message = format!(
                "more than {} bytes of text, after {} accesses: import fewer with a limit",
                self.max_bytes, self.count.accesses
            );
            return Err(Error::new(ErrorCode::TooLarge, message).into());
        }
        if self.format.is_none() {
            let missing = HEAD - self.head.len();
            let (head, rest) = bytes.split_at(bytes.len().min(missing));
            self.head.extend_from_slice(head);
            if self.head.len() < HEAD {
                return Ok(());
            }
            self.begin(sink)?;
            bytes = rest;
        }
        self.read(bytes, sink)
    }

    /// Decides the format and reads the beginning that was kept for that.
    fn begin<S: Sink>(&mut self, sink: &mut S) -> Flow {
        let head = std::mem::take(&mut self.head);
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        self.format = Some(detect(text, self.asked, &self.name)?);
        self.read(text, sink)
    }

    fn read<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Flow {
        let Some(format) = &mut self.format else { return Ok(()) };
        format.push(bytes, &mut self.tally, &mut Delivery { sink, count: &mut self.count })
    }

    fn finish<S: Sink>(&mut self, sink: &mut S) -> Flow {
        if self.format.is_none() {
            self.begin(sink)?;
        }
        let Some(format) = &mut self.format else { return Ok(()) };
        format.finish(&mut self.tally, &mut Delivery { sink, count: &mut self.count })
    }

    fn report(mut self, full: bool) -> Result<ImportReport> {
        // Nothing is left undecided by `finish`, and a limit is reached only by a parser.
        let Some(format) = self.format else {
            return Err(Error::new(ErrorCode::UnknownFormat, "the file is empty"));
        };
        let sampling = format.sampling();
        let Facts { format, completeness, remedy } = format.facts();
        // Samples without addresses are a recording all the same, of which something can be told.
        let is_recording = sampling.is_some() && self.tally.records > 0;
        if self.count.accesses == 0 && !full && !is_recording {
            return Err(self.tally.nothing_valid(format, remedy));
        }
        if full {
            self.tally.note(format!(
                "Stopped at the limit of {} accesses: the file has more",
                self.count.limit
            ));
        }
        Ok(ImportReport {
            format: format.to_owned(),
            completeness,
            records: self.tally.records,
            accesses: self.count.accesses,
            operations: self.count.operations,
            skipped: self.tally.skipped(),
            pages_4k: PageCounts::default(),
            warnings: self.tally.warnings(),
            sampling,
        })
    }
}
