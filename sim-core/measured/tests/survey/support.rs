//! Helpers that survey samples in memory.

use pagewalk_base::samples::{Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::Completeness;
use pagewalk_measured::survey::{Survey, SurveyOptions, SurveyReport};
use pagewalk_sources::import::{SampleOf, SampledEvent};

pub(crate) fn event(name: &str, of: SampleOf, completeness: Completeness) -> SampledEvent {
    SampledEvent {
        name: name.to_owned(),
        of,
        completeness,
        period: None,
        frequency: None,
        samples: 1,
        accesses: 0,
    }
}

/// Returns the one event of most tests.
pub(crate) fn loads() -> Vec<SampledEvent> {
    vec![event("loads", SampleOf::Accesses, Completeness::Sampled)]
}

pub(crate) fn samples<'a>(list: impl IntoIterator<Item = Sample<'a>>) -> Samples {
    let mut builder = SamplesBuilder::default();
    for sample in list {
        builder.push(&sample).unwrap();
    }
    builder.finish().unwrap()
}

pub(crate) fn survey(
    samples: &Samples,
    events: &[SampledEvent],
    options: SurveyOptions,
) -> SurveyReport {
    let mut survey = Survey::new(options, events).unwrap();
    let mut last = 0.0;
    loop {
        let done = survey.go_on(samples);
        let progress = survey.progress(samples);
        assert!((last..=1.0).contains(&progress), "{last} {progress}");
        last = progress;
        if done {
            return survey.report(samples);
        }
    }
}

/// Returns options with the machine of these tests: 64 entries at level 1, and 512 at level 2.
pub(crate) fn options() -> SurveyOptions {
    let machine =
        r#"{"l1": [{"name": "L1", "entries": 64}], "l2": [{"name": "L2", "entries": 512}]}"#;
    let machine = Some(pagewalk::config::parse_json(machine).unwrap());
    SurveyOptions { machine, ..SurveyOptions::default() }
}
