//! Experiments: the list, and one at a time in slices. They have machines of their own.

use pagewalk_base::error::Error;
use pagewalk_experiments::experiment::{self, ExperimentRun};
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session};

#[wasm_bindgen]
impl Session {
    /// The experiments, as JSON `ExperimentInfo[]`.
    pub fn experiments() -> String {
        to_json(&experiment::list())
    }

    /// Starts an experiment; the number of accesses that it simulates.
    #[wasm_bindgen(js_name = beginExperiment)]
    pub fn begin_experiment(&mut self, id: &str) -> JsResult<f64> {
        let run = ExperimentRun::new(id).map_err(error_to_js)?;
        let total = below_2_53(run.total());
        self.experiment = Some(run);
        Ok(total)
    }

    /// Simulates at most `n` more accesses; true if the experiment is done.
    #[wasm_bindgen(js_name = experimentSlice)]
    pub fn experiment_slice(&mut self, n: u32) -> JsResult<bool> {
        let run = self.experiment.as_mut().ok_or_else(nothing_to_run)?;
        run.go_on(n.into()).map_err(error_to_js)
    }

    /// Accesses simulated so far.
    #[wasm_bindgen(js_name = experimentPosition)]
    pub fn experiment_position(&self) -> f64 {
        self.experiment.as_ref().map_or(0.0, |run| below_2_53(run.done()))
    }

    /// Ends the experiment. JSON `ExperimentResult`.
    #[wasm_bindgen(js_name = finishExperiment)]
    pub fn finish_experiment(&mut self) -> JsResult<String> {
        let run = self.experiment.take().ok_or_else(nothing_to_run)?;
        Ok(to_json(&run.finish().map_err(error_to_js)?))
    }

    #[wasm_bindgen(js_name = cancelExperiment)]
    pub fn cancel_experiment(&mut self) {
        self.experiment = None;
    }
}

#[expect(clippy::cast_precision_loss, reason = "experiments have some millions of accesses")]
fn below_2_53(n: u64) -> f64 {
    n as f64
}

fn nothing_to_run() -> JsValue {
    error_to_js(Error::config("experiment", "none is under way"))
}
