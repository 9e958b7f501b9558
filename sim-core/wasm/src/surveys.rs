//! Surveys of the samples of the current trace.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::Samples;
use pagewalk_measured::survey::Survey;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, State};
use wasm_bindgen::JsValue;

/// Surveys the samples by `SurveyOptions`. Returns a `SurveyReport`.
pub(crate) fn survey(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Some(sampling) = state.report.sampling.as_ref().filter(|_| !state.samples.is_empty())
    else {
        return Err(Error::new(
            ErrorCode::BadTrace,
            "the trace has no samples: it is a list of accesses",
        ));
    };
    let survey = Survey::new(parse_json(args)?, &sampling.events)?;
    Ok(Box::new(Surveying { samples: Rc::clone(&state.samples), survey }))
}

/// A survey under way. It keeps its samples if another trace becomes the current one.
struct Surveying {
    samples: Rc<Samples>,
    survey: Survey,
}

impl LongCall for Surveying {
    fn slice(&mut self, _: &mut State, _: u32) -> Result<bool> {
        Ok(self.survey.go_on(&self.samples))
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::share(self.survey.progress(&self.samples))
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&self.survey.report(&self.samples)))
    }
}
