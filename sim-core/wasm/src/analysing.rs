//! Questions about the current trace.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk_analysis::question::{Analysis, Question};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Trace;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, State};
use wasm_bindgen::JsValue;

/// Answers a `Question` about the current trace. The trace of the question stays the same if another one is
/// opened. Returns its answer.
pub(crate) fn analyse(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let mut question: Question = parse_json(args)?;
    if let Some(recorded) = &state.recorded {
        question.resolve(recorded.evidence());
    }
    let analysis = Analysis::new(&question, &state.trace)?;
    Ok(Box::new(Asked { trace: Rc::clone(&state.trace), analysis }))
}

struct Asked {
    trace: Rc<Trace>,
    analysis: Analysis,
}

impl LongCall for Asked {
    fn slice(&mut self, _: &mut State, _: u32) -> Result<bool> {
        self.analysis.go_on(&self.trace)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::share(self.analysis.progress(&self.trace))
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&self.analysis.finish()))
    }
}
