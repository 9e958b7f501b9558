//! What is wrong with a configuration, for a form that somebody fills in.

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::State;
use pagewalk_replay_wasm::answer::json;
use wasm_bindgen::JsValue;

/// `CoreError[]`: all problems of a `MachineConfig`, each at its field. Text of the wrong type hides the others.
pub(crate) fn machine(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let problems = parse_json::<MachineConfig>(args).map(|machine| machine.problems());
    Ok(json(&problems.unwrap_or_else(|error| vec![error])))
}
