//! Oracles: the list, and the checks of one. They use neither the trace nor the machine of the session.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_experiments::experiment;
use pagewalk_replay_wasm::State;
use pagewalk_replay_wasm::answer::json;
use serde::Deserialize;
use wasm_bindgen::JsValue;

/// Returns all oracles: `OracleInfo[]`.
pub(crate) fn list(_: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    Ok(json(&experiment::oracles()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    number: u32,
}

/// Runs the checks of an oracle. Returns an `OracleResult`.
pub(crate) fn verify(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Args { number } = parse_json(args)?;
    Ok(json(&experiment::verify(number)?))
}
