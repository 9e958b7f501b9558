//! Reads files, piece by piece.

use std::rc::Rc;

use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::{Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::{
    Access, CallTree, FrameRun, InstructionBatch, Mapping, OpRecord, PageFact, Places, TraceBuilder,
};
use pagewalk_measured::trace_info::TraceView;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, MAX_TRACE_BYTES, Progress, State};
use pagewalk_sources::import::{ImportOptions, Importer, Sink, peek};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::recorded;

/// The most bytes that the samples of a recording may take.
const MAX_SAMPLES_BYTES: usize = 1 << 30;

#[derive(Deserialize)]
struct Peek {
    /// Whether the bytes are the whole file.
    is_whole: bool,
    request: ImportOptions,
}

/// Reads the beginning of a file as an import would read it, for a preview. Returns a `Peek`.
pub(crate) fn peek_at(_: &mut State, args: &str, bytes: &[u8]) -> Result<JsValue> {
    let Peek { is_whole, request } = read(args)?;
    Ok(json(&peek(request, bytes, is_whole)?))
}

/// Imports a file by an `ImportRequest`. The trace becomes the current one. Returns a `TraceView`.
pub(crate) fn import(_: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let options: ImportOptions = read(args)?;
    let name = options.name.clone();
    let importer = Importer::new(options)?;
    Ok(Box::new(Import { name, importer, recording: Recording::new() }))
}

/// Reads arguments with serde, not with `parse_json`: the bounds of a selection are enum variants with a
/// number, which `parse_json` does not support.
fn read<'a, T: Deserialize<'a>>(args: &'a str) -> Result<T> {
    serde_json::from_str(args).map_err(|error| Error::new(ErrorCode::BadConfig, error.to_string()))
}

/// An import under way.
struct Import {
    name: String,
    importer: Importer,
    recording: Recording,
}

impl LongCall for Import {
    fn push(&mut self, bytes: &[u8]) -> Result<bool> {
        self.importer.push(bytes, &mut self.recording)?;
        Ok(self.importer.is_full())
    }

    /// There is no work between pieces of the file: `push` does all of it.
    fn slice(&mut self, _: &mut State, _: u32) -> Result<bool> {
        Ok(true)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::accesses(self.recording.trace.len(), None)
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        let Self { name, importer, mut recording } = *self;
        let mut report = importer.finish(&mut recording)?;
        if !report.is_useful_without_addresses() {
            report.check_any_access()?;
        }
        let Recording { trace, samples, saved } = recording;
        let samples = if samples.is_empty() { saved } else { samples.finish()? };
        let mut trace = trace.finish(report.completeness)?;
        trace.part = report.part;
        report.pages_4k = trace.page_counts();
        let pages = recorded::of(&trace, &samples, report.page_size);
        state.take_recorded(trace, report.clone(), pages)?;
        state.samples = Rc::new(samples);
        let n = Some(state.samples.len()).filter(|n| *n > 0);
        let view = TraceView::new(name, &state.trace, report);
        Ok(json(&TraceView { samples: n, recorded: recorded::view(state), ..view }))
    }
}

/// Collects the accesses, and the samples of a recording.
struct Recording {
    trace: TraceBuilder,
    samples: SamplesBuilder,
    /// The samples of a saved trace, which are read as a whole.
    saved: Samples,
}

impl Recording {
    fn new() -> Self {
        Self {
            trace: TraceBuilder::new(MAX_TRACE_BYTES),
            samples: SamplesBuilder::new(MAX_SAMPLES_BYTES),
            saved: Samples::default(),
        }
    }
}

impl Sink for Recording {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.trace.push(&access)
    }

    #[inline]
    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        self.trace.push_all(accesses)
    }

    #[inline]
    fn instructions(&mut self, batch: &InstructionBatch<'_>) -> Result<()> {
        self.trace.push_instructions(batch)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.samples.map(&mapping);
        self.trace.map(mapping)
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        self.trace.page_facts(&facts)
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        self.trace.frames(&runs)
    }

    fn places(&mut self, places: Places) -> Result<()> {
        self.trace.places(&places)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        self.trace.call(tree, node)
    }

    #[inline]
    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.samples.push(sample)
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.saved = samples;
        Ok(())
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.samples.fork(child, parent);
        Ok(())
    }
}
