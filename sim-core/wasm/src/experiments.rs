//! Experiments: the list, and runs of one at a time. They use neither the trace nor the machine of the session.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_experiments::experiment::{self, ExperimentRun};
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, State};
use serde::Deserialize;
use wasm_bindgen::JsValue;

/// Returns all experiments: `ExperimentInfo[]`.
pub(crate) fn list(_: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    Ok(json(&experiment::list()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    id: String,
}

/// Runs an experiment. Returns an `ExperimentResult`.
pub(crate) fn experiment(_: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Args { id } = parse_json(args)?;
    Ok(Box::new(Simulating(ExperimentRun::new(&id)?)))
}

struct Simulating(ExperimentRun);

impl LongCall for Simulating {
    fn slice(&mut self, _: &mut State, n: u32) -> Result<bool> {
        self.0.go_on(n.into())
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::accesses(self.0.done(), Some(self.0.total()))
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&self.0.finish()?))
    }
}
