//! Questions about the current trace, answered in slices. Each is an object of its own, beside the replay and beside other questions, of the trace
//! that was the current one when it was asked.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk_analysis::question::Analysis;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::Trace;
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session};

/// An answer on its way.
#[wasm_bindgen]
pub struct AnalysisTask {
    trace: Rc<Trace>,
    analysis: Option<Analysis>,
}

#[wasm_bindgen]
impl Session {
    /// Starts to answer JSON `Question` about the current trace.
    pub fn analyse(&self, question: &str) -> JsResult<AnalysisTask> {
        let question = parse_json(question).map_err(error_to_js)?;
        let analysis = Analysis::new(&question, &self.trace).map_err(error_to_js)?;
        Ok(AnalysisTask { trace: Rc::clone(&self.trace), analysis: Some(analysis) })
    }
}

#[wasm_bindgen]
impl AnalysisTask {
    /// Some milliseconds of it; true when done.
    pub fn slice(&mut self) -> JsResult<bool> {
        let analysis = self.analysis.as_mut().ok_or_else(ended)?;
        analysis.go_on(&self.trace).map_err(error_to_js)
    }

    /// The part that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.analysis.as_ref().map_or(1.0, |analysis| analysis.progress(&self.trace))
    }

    /// JSON: what the question was about.
    pub fn finish(&mut self) -> JsResult<String> {
        let analysis = self.analysis.take().ok_or_else(ended)?;
        Ok(to_json(&analysis.finish()))
    }
}

fn ended() -> JsValue {
    error_to_js(Error::new(ErrorCode::BadTrace, "the analysis has ended"))
}
