//! Reading files, piece by piece.

use std::rc::Rc;

use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::{Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::{Access, Mapping, OpRecord, TraceBuilder};
use pagewalk_measured::trace_info::TraceView;
use pagewalk_sources::import::{ImportOptions, Importer, Sink, peek};
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, MAX_SAMPLES_BYTES, MAX_TRACE_BYTES, Session};

/// A file that is being read.
pub(crate) struct Import {
    name: String,
    importer: Importer,
    recording: Recording,
}

/// Keeps what can be simulated, and beside it what samples tell.
struct Recording {
    trace: TraceBuilder,
    samples: SamplesBuilder,
    /// Those of a saved trace, which come at once.
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

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.samples.map(&mapping);
        self.trace.map(mapping)
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

#[wasm_bindgen]
impl Session {
    /// Starts to read a file, as JSON `ImportRequest` says it.
    #[wasm_bindgen(js_name = beginImport)]
    pub fn begin_import(&mut self, request: &str) -> JsResult<()> {
        let options: ImportOptions = asked(request)?;
        let name = options.name.clone();
        let importer = Importer::new(options).map_err(error_to_js)?;
        self.import = Some(Import { name, importer, recording: Recording::new() });
        Ok(())
    }

    /// Looks at the beginning of a file, or all of it if `is_whole`, as JSON `ImportRequest` would read it.
    /// JSON `Peek`.
    pub fn peek(request: &str, bytes: &[u8], is_whole: bool) -> JsResult<String> {
        let options: ImportOptions = asked(request)?;
        let peek = peek(options, bytes, is_whole).map_err(error_to_js)?;
        Ok(to_json(&peek))
    }

    /// Reads more of the file; true if the limit is reached and the rest is not needed.
    pub fn push(&mut self, bytes: &[u8]) -> JsResult<bool> {
        let import = self.import.as_mut().ok_or_else(nothing_to_import)?;
        import.importer.push(bytes, &mut import.recording).map_err(error_to_js)?;
        Ok(import.importer.is_full())
    }

    /// Accesses read so far.
    #[wasm_bindgen(js_name = importAccesses)]
    pub fn import_accesses(&self) -> f64 {
        self.import.as_ref().map_or(0.0, |import| f64::from(import.recording.trace.len()))
    }

    /// Ends the import; the trace becomes the current one. JSON `TraceView`.
    #[wasm_bindgen(js_name = finishImport)]
    pub fn finish_import(&mut self) -> JsResult<String> {
        let Import { name, importer, mut recording } =
            self.import.take().ok_or_else(nothing_to_import)?;
        let mut report = importer.finish(&mut recording).map_err(error_to_js)?;
        if !report.tells_without_addresses() {
            report.check_any_access().map_err(error_to_js)?;
        }
        let Recording { trace, samples, saved } = recording;
        let samples =
            if samples.is_empty() { saved } else { samples.finish().map_err(error_to_js)? };
        let mut trace = trace.finish(report.completeness).map_err(error_to_js)?;
        trace.part = report.part;
        report.pages_4k = trace.page_counts();
        self.take(trace, report.clone()).map_err(error_to_js)?;
        self.samples = Rc::new(samples);
        let n = Some(self.samples.len()).filter(|n| *n > 0);
        Ok(to_json(&TraceView { samples: n, ..TraceView::new(name, &self.trace, report) }))
    }

    #[wasm_bindgen(js_name = cancelImport)]
    pub fn cancel_import(&mut self) {
        self.import = None;
    }
}

/// The bounds of a selection are variants with a number, which configurations have none of.
fn asked(request: &str) -> JsResult<ImportOptions> {
    let refused = |error: serde_json::Error| Error::new(ErrorCode::BadConfig, error.to_string());
    serde_json::from_str(request).map_err(|error| error_to_js(refused(error)))
}

fn nothing_to_import() -> JsValue {
    error_to_js(Error::new(ErrorCode::BadTrace, "no import is under way"))
}
