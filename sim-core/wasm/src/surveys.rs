//! Surveys: what the samples of the current trace tell, in slices.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::samples::Samples;
use pagewalk_measured::survey::Survey;
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session};

/// A survey on its way, of samples that stay even if another trace becomes the current one.
pub(crate) struct SurveyTask {
    samples: Rc<Samples>,
    survey: Survey,
}

#[wasm_bindgen]
impl Session {
    /// Starts a survey of the current trace's samples by JSON `SurveyOptions`.
    #[wasm_bindgen(js_name = beginSurvey)]
    pub fn begin_survey(&mut self, options: &str) -> JsResult<()> {
        self.survey = None;
        let Some(sampling) = self.report.sampling.as_ref().filter(|_| !self.samples.is_empty())
        else {
            return Err(error_to_js(Error::new(
                ErrorCode::BadTrace,
                "the trace has no samples: it is a list of accesses",
            )));
        };
        let options = parse_json(options).map_err(error_to_js)?;
        let survey = Survey::new(options, &sampling.events).map_err(error_to_js)?;
        self.survey = Some(SurveyTask { samples: Rc::clone(&self.samples), survey });
        Ok(())
    }

    /// Does some ten milliseconds of it; true if the survey is done.
    #[wasm_bindgen(js_name = surveySlice)]
    pub fn survey_slice(&mut self) -> JsResult<bool> {
        let SurveyTask { samples, survey } = self.survey.as_mut().ok_or_else(nothing_to_survey)?;
        Ok(survey.go_on(samples))
    }

    /// The part that is done, 0 to 1.
    #[wasm_bindgen(js_name = surveyProgress)]
    pub fn survey_progress(&self) -> f64 {
        self.survey.as_ref().map_or(0.0, |task| task.survey.progress(&task.samples))
    }

    /// Ends the survey. JSON `SurveyReport`.
    #[wasm_bindgen(js_name = finishSurvey)]
    pub fn finish_survey(&mut self) -> JsResult<String> {
        let SurveyTask { samples, survey } = self.survey.take().ok_or_else(nothing_to_survey)?;
        Ok(to_json(&survey.report(&samples)))
    }

    #[wasm_bindgen(js_name = cancelSurvey)]
    pub fn cancel_survey(&mut self) {
        self.survey = None;
    }
}

fn nothing_to_survey() -> JsValue {
    error_to_js(Error::new(ErrorCode::BadTrace, "no survey is under way"))
}
