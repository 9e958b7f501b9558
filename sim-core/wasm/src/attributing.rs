//! Misses by region, page and instruction: the current trace on the current machine.

use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{Progress, State, Work};
use wasm_bindgen::JsValue;

/// Counts the accesses that the replay counts. `AttributionView`.
pub(crate) fn attribution(state: &mut State, _: &str) -> Result<Box<dyn Work>> {
    let total = state.replay.position();
    Ok(Box::new(Counting { counting: Attribution::new(&state.replay), total }))
}

struct Counting {
    counting: Attribution,
    total: u32,
}

impl Work for Counting {
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
