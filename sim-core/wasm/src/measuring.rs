//! What perf stat printed, beside a run.

use pagewalk::config::parse_json;
use pagewalk_measured::counters::{Family, Known, Simulated, measured};
use pagewalk_sources::perf_stat;
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session};

/// What is known beside the counters.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beside {
    /// Whose events the user says they are.
    #[serde(default)]
    family: Option<Family>,
    /// The id of the CPU model that is simulated.
    #[serde(default)]
    cpu: Option<String>,
    /// The `RunReport` of the run that they are set beside.
    #[serde(default)]
    run: Option<Simulated>,
}

#[wasm_bindgen]
impl Session {
    /// The families of processors that events are read for, as JSON `FamilyName[]`.
    #[wasm_bindgen(js_name = eventFamilies)]
    pub fn event_families() -> String {
        to_json(&Family::names())
    }

    /// What perf stat counted, JSON `Measured`, beside what the JSON `{family, cpu, run}` tells.
    pub fn measure(text: &str, beside: &str) -> JsResult<String> {
        let Beside { family, cpu, run } = parse_json(beside).map_err(error_to_js)?;
        let stat = perf_stat::read(text).map_err(error_to_js)?;
        let known = Known { asked: family, model: cpu.as_deref(), simulated: run };
        Ok(to_json(&measured(&stat, known)))
    }
}
