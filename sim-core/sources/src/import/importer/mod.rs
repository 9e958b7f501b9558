//! The importer: takes the bytes of a file in chunks of any size.

mod report;

use serde::{Deserialize, Serialize};

use pagewalk_base::error::{Error, ErrorCode, Result};

use super::Sink;
use super::census::Census;
use super::csv::ListLayout;
use super::delivery::{Count, Delivery};
use super::detect::{HEAD, detect};
use super::flow::{Flow, Stop};
use super::format::{Detected, Row};
use super::formats::{self, AnyParser};
use super::parser::Parser as _;
use super::report::ImportReport;
use super::report::counted;
use super::select::{Selection, Selector};
use super::tally::Tally;
use super::unpack::Unpacker;

/// What the caller knows about the file, and which part of it to import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(
    any(test, feature = "ts"),
    derive(ts_rs::TS),
    ts(export, optional_fields, rename = "ImportRequest")
)]
pub struct ImportOptions {
    /// The name of the file. It is a hint where the bytes do not decide.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<String>"))]
    pub name: String,
    /// The id of a format, such as `lackey`; `None` detects the format.
    pub format: Option<String>,
    /// The largest number of accesses to import; the importer ignores the rest of the file.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub limit: u64,
    /// The largest number of decompressed bytes to read; more is an error.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub max_bytes: u64,
    /// The part of the file to import.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Selection>"))]
    pub select: Selection,
    /// The layout of a list of addresses.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<ListLayout>"))]
    pub list: ListLayout,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            name: String::new(),
            format: None,
            limit: u64::MAX,
            max_bytes: 64 << 30,
            select: Selection::default(),
            list: ListLayout::default(),
        }
    }
}

/// The number of first bytes that are kept for the preview.
const SHOWN: usize = 4 << 10;

/// Turns the bytes of one file into accesses.
#[derive(Debug)]
pub struct Importer {
    unpacker: Unpacker,
    text: Text,
    full: bool,
}

/// The decompressed text.
#[derive(Debug)]
struct Text {
    name: String,
    asked: Option<&'static Row>,
    list: ListLayout,
    max_bytes: u64,
    bytes: u64,
    /// The first bytes, for the preview.
    shown: Vec<u8>,
    /// The beginning of the text, until it is long enough to detect the format.
    head: Vec<u8>,
    file: Option<Detected>,
    /// Whether the file ends before the text.
    is_cut_off: bool,
    tally: Tally,
    count: Count,
}

impl Importer {
    /// Makes an importer.
    ///
    /// # Errors
    /// `unknown-format` if the options name an unknown format, `bad-config` if they select nothing.
    pub fn new(options: ImportOptions) -> Result<Self> {
        let text = Text {
            asked: options.format.as_deref().map(formats::find).transpose()?,
            list: options.list,
            name: options.name,
            max_bytes: options.max_bytes,
            bytes: 0,
            shown: Vec::new(),
            head: Vec::new(),
            file: None,
            is_cut_off: false,
            tally: Tally::default(),
            count: Count {
                accesses: 0,
                operations: 0,
                faults: 0,
                select: Selector::new(options.select, options.limit)?,
                census: Census::default(),
            },
        };
        Ok(Self { unpacker: Unpacker::new(), text, full: false })
    }

    /// Takes the next bytes of the file and passes their accesses to `sink`. Compressed bytes can grow a
    /// thousandfold, so push them in small chunks to stay responsive.
    ///
    /// # Errors
    /// `bad-trace`, `unknown-format`, `unsupported`, `too-large` or an error of the sink. An error ends the
    /// import.
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
    /// Errors of [`Self::push`], and `bad-trace` if there was no access or if compressed data are incomplete.
    pub fn finish<S: Sink>(mut self, sink: &mut S) -> Result<ImportReport> {
        self.end(sink)?;
        self.text.report(self.full)
    }

    /// Reads what waited for the end of the file.
    pub(super) fn end<S: Sink>(&mut self, sink: &mut S) -> Result<()> {
        if !self.full {
            let text = &mut self.text;
            let flow = self.unpacker.finish(&mut |unpacked| text.push(unpacked, sink));
            if let Err(Stop::CutOff(error)) = flow {
                return self.cut_off(error, sink);
            }
            self.go_on(flow)?;
        }
        if !self.full {
            let flow = self.text.finish(sink);
            self.go_on(flow)?;
        }
        Ok(())
    }

    /// Ends compressed data that were cut off. Without its last line or record, which may be incomplete, the
    /// beginning is a part of the trace.
    ///
    /// # Errors
    /// `error`, if the beginning has no access.
    fn cut_off<S: Sink>(&mut self, error: Error, sink: &mut S) -> Result<()> {
        let text = &mut self.text;
        let begun = if text.file.is_some() { Ok(()) } else { text.begin(sink) };
        if matches!(begun, Err(Stop::Failed(_) | Stop::CutOff(_))) {
            return Err(error);
        }
        self.go_on(begun)?;
        self.flush(sink)?;
        let accesses = self.text.count.accesses + self.text.count.faults;
        let is_saved = self.text.file.as_ref().is_some_and(|file| file.parser.report().is_some());
        if accesses == 0 || is_saved {
            return Err(error);
        }
        self.text.is_cut_off = true;
        let at = error.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
        self.text.tally.note(format!(
            "The compressed data were cut off{at}, so the trace is partial: it ends after {}. Copy the file again for the rest",
            counted(accesses, "access", "accesses")
        ));
        Ok(())
    }

    /// Detects the format from the bytes until now, and reads them as if more would follow.
    pub(super) fn begin<S: Sink>(&mut self, sink: &mut S) -> Result<()> {
        let text = &mut self.text;
        let flow = self.unpacker.flush(&mut |unpacked| text.push(unpacked, sink));
        self.go_on(flow)?;
        if self.text.file.is_some() {
            return Ok(());
        }
        let flow = self.text.begin(sink);
        self.go_on(flow)
    }

    /// Delivers what waits for later parts of the file, as if there were none.
    pub(super) fn flush<S: Sink>(&mut self, sink: &mut S) -> Result<()> {
        let Text { file: Some(file), tally, count, .. } = &mut self.text else { return Ok(()) };
        let flow = file.parser.flush(tally, &mut Delivery { sink, count });
        self.go_on(flow)
    }

    /// Returns a report of the file until now, or `None` before the format is known.
    pub fn so_far(&self) -> Option<ImportReport> {
        self.text.describe(self.full)
    }

    /// Returns what is wrong with the file, after all of it was read.
    pub(super) fn problem(&self) -> Option<Error> {
        self.text.check(self.full).err()
    }

    /// Returns whether the file states its own counts and nothing is left out of it. A report of its beginning has
    /// them then.
    pub(super) fn states_counts(&self) -> bool {
        let Some(report) = self.parser().and_then(|parser| parser.report()) else { return false };
        let selection = self.text.count.select.selection();
        !self.full && selection.is_none_or(|selection| Some(selection) == report.selection.as_ref())
    }

    /// Returns the compression formats of the file, the outermost first.
    pub fn packed(&self) -> Vec<&'static str> {
        self.unpacker.names()
    }

    /// Returns the first bytes of the text.
    pub(super) fn shown(&self) -> &[u8] {
        &self.text.shown
    }

    pub(super) fn parser(&self) -> Option<&AnyParser> {
        self.text.file.as_ref().map(|file| &file.parser)
    }

    fn go_on(&mut self, flow: Flow) -> Result<()> {
        match flow {
            Ok(()) => Ok(()),
            Err(Stop::Full) => {
                self.full = true;
                Ok(())
            }
            Err(Stop::CutOff(error) | Stop::Failed(error)) => Err(self.text.before(error)),
        }
    }

    /// Returns whether the limit is reached, so that the caller can stop reading and call [`Self::finish`].
    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn accesses(&self) -> u64 {
        self.text.count.accesses
    }

    /// Returns the number of decompressed bytes until now.
    pub fn bytes_unpacked(&self) -> u64 {
        self.text.bytes
    }
}

impl Text {
    fn push<S: Sink>(&mut self, mut bytes: &[u8], sink: &mut S) -> Flow {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.shown.len() < SHOWN {
            let n = bytes.len().min(SHOWN - self.shown.len());
            self.shown.extend_from_slice(&bytes[..n]);
        }
        if self.bytes > self.max_bytes {
            let message = format!(
                "the text is larger than {}, after {}: import fewer with a limit",
                counted(self.max_bytes, "byte", "bytes"),
                counted(self.count.accesses, "access", "accesses")
            );
            return Err(Error::new(ErrorCode::TooLarge, message).into());
        }
        if self.file.is_none() {
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

    /// Detects the format, and reads the beginning that was kept for that.
    fn begin<S: Sink>(&mut self, sink: &mut S) -> Flow {
        let head = std::mem::take(&mut self.head);
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        self.file = Some(detect(text, self.asked, &self.list, &self.name)?);
        self.read(text, sink)
    }

    fn read<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Flow {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.parser.push(bytes, &mut self.tally, &mut Delivery { sink, count: &mut self.count })
    }

    fn finish<S: Sink>(&mut self, sink: &mut S) -> Flow {
        if self.file.is_none() {
            self.begin(sink)?;
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.parser.finish(&mut self.tally, &mut Delivery { sink, count: &mut self.count })
    }
}
