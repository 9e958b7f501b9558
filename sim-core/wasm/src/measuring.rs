//! Compares the output of `perf stat` with a run.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_measured::counters::{Context, Family, Simulated, measured};
use pagewalk_replay_wasm::State;
use pagewalk_replay_wasm::answer::json;
use pagewalk_sources::perf_stat;
use serde::Deserialize;
use wasm_bindgen::JsValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The output of `perf stat`.
    text: String,
    /// The family that the user chose.
    family: Option<Family>,
    /// The id of the CPU model that is simulated.
    cpu: Option<String>,
    /// The `RunReport` to compare with.
    run: Option<Simulated>,
}

/// Reads the counters and compares them with a run. Returns `Measured`.
pub(crate) fn measure(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Args { text, family, cpu, run } = parse_json(args)?;
    let stat = perf_stat::read(&text)?;
    let context = Context { asked: family, model: cpu.as_deref(), simulated: run };
    Ok(json(&measured(&stat, context)))
}
