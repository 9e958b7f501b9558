//! Saved traces: the current one as a file, in parts, and opening one.

use std::rc::Rc;

use js_sys::Uint8Array;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::TraceBuilder;
use pagewalk_base::trace::saved::Saver;
use pagewalk_measured::trace_info::TraceView;
use pagewalk_sources::import::read_saved;
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, MAX_TRACE_BYTES, Session};

#[wasm_bindgen]
impl Session {
    /// Makes a saved trace the current one, all at once: it is for small ones. JSON `TraceView`.
    #[wasm_bindgen(js_name = openSaved)]
    pub fn open_saved(&mut self, name: String, file: &[u8]) -> JsResult<String> {
        let mut builder = TraceBuilder::new(MAX_TRACE_BYTES);
        let mut report = read_saved(file, &mut builder).map_err(error_to_js)?;
        let mut trace = builder.finish(report.completeness).map_err(error_to_js)?;
        trace.part = report.part;
        report.pages_4k = trace.page_counts();
        self.take(trace, report.clone()).map_err(error_to_js)?;
        Ok(to_json(&TraceView::new(name, &self.trace, report)))
    }

    /// Starts to save the current trace with the report of its import; the number of parts.
    #[wasm_bindgen(js_name = beginSave)]
    pub fn begin_save(&mut self) -> usize {
        let saver = Saver::new(Rc::clone(&self.trace), to_json(&self.report));
        #[cfg(feature = "whole")]
        let saver = saver.with(pagewalk_base::samples::sections(Rc::clone(&self.samples)));
        let n = saver.n_parts();
        self.saver = Some(saver);
        n
    }

    /// The next part of the file; `undefined` after the last.
    #[wasm_bindgen(js_name = savePart)]
    pub fn save_part(&mut self) -> Option<Uint8Array> {
        let part = self.saver.as_mut()?.next_part()?;
        Some(Uint8Array::from(part.as_slice()))
    }

    /// Ends the saving; what tells the trace from others of different contents, as hexadecimal text.
    #[wasm_bindgen(js_name = finishSave)]
    pub fn finish_save(&mut self) -> JsResult<String> {
        let nothing = || Error::new(ErrorCode::BadTrace, "no trace is being saved");
        let saver = self.saver.take().ok_or_else(|| error_to_js(nothing()))?;
        Ok(saver.hash())
    }
}
