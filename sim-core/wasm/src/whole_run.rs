//! A whole run of the current trace on a machine of its own: the replay is left where it is.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk::error::{Error, ErrorCode};
use pagewalk::replay::Run;
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session, machine_for, span, strip_machine};

#[wasm_bindgen]
impl Session {
    /// Starts a run of JSON `Setup`; gives the number of the first access that it simulates, and that of the first that it does not.
    #[wasm_bindgen(js_name = beginWhole)]
    pub fn begin_whole(&mut self, setup: &str) -> JsResult<Vec<u32>> {
        let setup: crate::Setup = parse_json(setup).map_err(strip_machine).map_err(error_to_js)?;
        let machine = machine_for(&setup, &self.trace).map_err(error_to_js)?;
        let span = span(setup.window, &self.trace).map_err(error_to_js)?;
        let simulated = span.simulated.clone();
        self.whole_run = Some(Run::new(span, Rc::clone(&self.trace), machine));
        Ok(vec![simulated.start, simulated.end])
    }

    /// Runs at least `n` more accesses; true if the run is done.
    #[wasm_bindgen(js_name = wholeSlice)]
    pub fn whole_slice(&mut self, n: u32) -> JsResult<bool> {
        self.whole_run.as_mut().map_or(Ok(true), |run| run.go_on(n)).map_err(error_to_js)
    }

    #[wasm_bindgen(js_name = wholePosition)]
    pub fn whole_position(&self) -> u32 {
        self.whole_run.as_ref().map_or(0, Run::position)
    }

    /// Ends the run. JSON `RunReport` of what it counted.
    #[wasm_bindgen(js_name = finishWhole)]
    pub fn finish_whole(&mut self) -> JsResult<String> {
        let nothing = || Error::new(ErrorCode::BadTrace, "no whole run is under way");
        let run = self.whole_run.take().ok_or_else(|| error_to_js(nothing()))?;
        Ok(to_json(&run.report()))
    }

    /// Forgets the run.
    #[wasm_bindgen(js_name = cancelWhole)]
    pub fn cancel_whole(&mut self) {
        self.whole_run = None;
    }
}
