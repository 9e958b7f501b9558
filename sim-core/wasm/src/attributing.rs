//! Whose misses they are: the current trace on the current machine, in slices.

use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::error::{Error, ErrorCode};
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session};

#[wasm_bindgen]
impl Session {
    /// Starts to count by region, page and instruction.
    #[wasm_bindgen(js_name = beginAttribution)]
    pub fn begin_attribution(&mut self) {
        self.attribution = Some(Attribution::new(&self.replay));
    }

    /// Counts at least `n` more accesses; true if all are counted.
    #[wasm_bindgen(js_name = attributionSlice)]
    pub fn attribution_slice(&mut self, n: u32) -> bool {
        self.attribution.as_mut().is_none_or(|counting| counting.go_on(&self.trace, n))
    }

    /// Ends the counting. JSON `AttributionView`.
    #[wasm_bindgen(js_name = finishAttribution)]
    pub fn finish_attribution(&mut self) -> JsResult<String> {
        let nothing = || Error::new(ErrorCode::BadTrace, "no attribution is under way");
        let counting = self.attribution.take().ok_or_else(|| error_to_js(nothing()))?;
        Ok(to_json(&counting.view(&self.trace, &self.samples)))
    }
}
