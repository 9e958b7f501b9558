//! Misses by region, page and instruction: the current trace on the current machine.

use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, State};
use wasm_bindgen::JsValue;

/// Attributes the misses of the accesses that the replay counts. Returns an `AttributionView`.
pub(crate) fn attribution(state: &mut State, _: &str) -> Result<Box<dyn LongCall>> {
    let total = state.replay.position();
    Ok(Box::new(Counting { counting: Attribution::new(&state.replay), total }))
}

struct Counting {
    counting: Attribution,
    total: u32,
}

impl LongCall for Counting {
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool> {
        Ok(self.counting.go_on(&state.trace, n))
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::accesses(self.counting.position(), Some(self.total.into()))
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        Ok(json(&self.counting.view(&state.trace, &state.samples)))
    }
}
