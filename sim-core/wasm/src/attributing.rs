//! Misses by region, page and instruction: the current trace on the current machine.

use pagewalk::config::parse_json;
use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::addr::Hex;
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, State};
use serde::Deserialize;
use wasm_bindgen::JsValue;

/// Attributes the misses of the accesses that the replay counts. Returns an `AttributionView`.
pub(crate) fn attribution(state: &mut State, _: &str) -> Result<Box<dyn LongCall>> {
    let total = state.replay.position();
    Ok(Box::new(Counting { counting: Attribution::new(&state.replay), total }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceArgs {
    ip: Hex,
    /// The most lines before and after that of the instruction.
    most: usize,
}

/// Returns the `SourceView` of an instruction; `null` if its line is not known.
pub(crate) fn source_at(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let SourceArgs { ip, most } = parse_json(args)?;
    Ok(json(&state.trace.places().around(ip.0, most)))
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
