//! The current trace as text that other programs read, in parts.

use std::rc::Rc;

use js_sys::Uint8Array;
use pagewalk::config::parse_json;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::Trace;
use pagewalk_sources::export::{ExportFormat, Exporter};
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session};

/// A trace that is being written.
pub(crate) struct Export {
    trace: Rc<Trace>,
    exporter: Exporter,
    /// Chunks that are written.
    done: usize,
}

#[wasm_bindgen]
impl Session {
    /// Starts to write the current trace in JSON `ExportFormat`; the number of parts.
    #[wasm_bindgen(js_name = beginExport)]
    pub fn begin_export(&mut self, format: &str) -> JsResult<usize> {
        let format: ExportFormat = parse_json(format).map_err(error_to_js)?;
        let trace = Rc::clone(&self.trace);
        let n = trace.chunks().len();
        let exporter = Exporter::new(format, trace.completeness, trace.part);
        self.export = Some(Export { trace, exporter, done: 0 });
        Ok(n)
    }

    /// The next part of the text; `undefined` after the last.
    #[wasm_bindgen(js_name = exportPart)]
    pub fn export_part(&mut self) -> Option<Uint8Array> {
        let Export { trace, exporter, done } = self.export.as_mut()?;
        let chunk = trace.chunks().get(*done)?;
        let mut lines = Vec::new();
        if *done == 0 {
            exporter.head(&mut lines);
        }
        exporter.chunk(chunk, &mut lines);
        *done += 1;
        Some(Uint8Array::from(lines.as_slice()))
    }

    /// Ends the writing; what the format has no place for, as JSON `Lost[]`.
    #[wasm_bindgen(js_name = finishExport)]
    pub fn finish_export(&mut self) -> JsResult<String> {
        let nothing = || Error::new(ErrorCode::BadTrace, "no trace is being written");
        let export = self.export.take().ok_or_else(|| error_to_js(nothing()))?;
        Ok(to_json(&export.exporter.lost()))
    }

    #[wasm_bindgen(js_name = cancelExport)]
    pub fn cancel_export(&mut self) {
        self.export = None;
    }
}
