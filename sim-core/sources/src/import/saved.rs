//! Reads traces that Pagewalk saved ([`crate::trace::saved`]), which contain the report of their import.

use super::census::Census;
use super::delivery::{Count, Delivery};
use super::flow::{Flow, Stop};
use super::parser::{Facts, Parser};
use super::report::ImportReport;
use super::select::{Selection, Selector};
use super::tally::Tally;
use super::{RecordedSizes, Sink};
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::json::parse_json;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::saved::{Item, SavedReader};

/// Reads a saved trace that is completely in memory. A program that opens nothing else can leave out all
/// other parsers, which are much larger.
///
/// # Errors
/// Errors of [`super::Importer::push`] and [`super::Importer::finish`].
pub fn read_saved<S: Sink>(bytes: &[u8], sink: &mut S) -> Result<ImportReport> {
    let mut saved = Saved::new();
    let mut tally = Tally::default();
    let mut count = Count {
        accesses: 0,
        operations: 0,
        faults: 0,
        select: Selector::new(Selection::default(), u64::MAX)?,
        census: Census::default(),
    };
    let mut out = Delivery { sink, count: &mut count };
    let read = saved.push(bytes, &mut tally, &mut out);
    match read.and_then(|()| saved.finish(&mut tally, &mut out)) {
        Ok(()) | Err(Stop::Full) => {}
        Err(Stop::CutOff(error) | Stop::Failed(error)) => return Err(error),
    }
    let report = saved.report.unwrap_or_default();
    Ok(ImportReport { accesses: count.accesses, operations: count.operations, ..report })
}

#[derive(Debug)]
pub(super) struct Saved {
    reader: SavedReader,
    /// The report of the import that made the trace.
    report: Option<ImportReport>,
    samples: Samples,
}

impl Saved {
    pub(super) fn new() -> Self {
        Self { reader: SavedReader::default(), report: None, samples: Samples::default() }
    }
}

/// Reads the report of the import that made a trace. `push` would have this code once for each kind of sink.
fn import_report(text: &str) -> Result<ImportReport> {
    parse_json(text).map_err(|error| {
        let message = format!("another version of Pagewalk wrote this trace: the report of its import is wrong ({error}). Update the older one, the program or the site, or import the original file again");
        Error::new(ErrorCode::BadTrace, message)
    })
}

/// Tells how the recording says which sizes its pages had.
fn tell_sizes<S: Sink>(report: &ImportReport, out: &mut Delivery<'_, S>) -> Flow {
    if report.sampling.as_ref().is_some_and(|sampling| !sampling.page_sizes.is_empty()) {
        out.recorded_pages(RecordedSizes::OfSamples)?;
    }
    match report.page_size {
        0 => Ok(()),
        bytes => out.recorded_pages(RecordedSizes::All(bytes)),
    }
}

impl Parser for Saved {
    fn push<S: Sink>(
        &mut self,
        bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { reader, report, samples } = self;
        let mut is_known = true;
        reader.push(bytes, &mut |item| match item {
            Item::Access(access) => {
                tally.records += 1;
                out.access(access)
            }
            Item::Op(record) => out.op(record).map_err(|stop| stop.before_access(tally.records)),
            Item::Mapping(mapping) => out.mapping(mapping),
            Item::PageFacts(facts) => out.page_facts(facts),
            Item::Frames(runs) => out.frames(runs),
            Item::Places(places) => out.places(places),
            Item::Call(tree, node) => out.call(tree, node),
            Item::Other(tag, payload) => {
                is_known &= samples.restore(tag, payload).is_some();
                Ok(())
            }
            Item::Meta(text) => {
                let read = import_report(text)?;
                tell_sizes(&read, out)?;
                *report = Some(read);
                Ok(())
            }
        })?;
        if is_known { Ok(()) } else { Err(reader.foreign("its samples are wrong").into()) }
    }

    fn finish<S: Sink>(&mut self, _tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        self.reader.finish()?;
        let sampling = self.report.as_ref().and_then(|report| report.sampling.as_ref());
        let n_events = sampling.map_or(0, |sampling| sampling.events.len() as u64);
        if self.samples.n_events() > n_events {
            return Err(self.reader.foreign("its samples name unknown events").into());
        }
        out.samples(std::mem::take(&mut self.samples))
    }

    fn facts(&self) -> Facts {
        Facts { completeness: self.reader.completeness(), remedy: "it was empty when it was saved" }
    }

    fn report(&self) -> Option<&ImportReport> {
        self.report.as_ref()
    }
}
