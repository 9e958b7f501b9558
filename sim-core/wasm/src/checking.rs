//! Checks a configuration while a user edits it in a form.

use pagewalk::config::MachineConfig;
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::State;
use pagewalk_replay_wasm::answer::json;
use wasm_bindgen::JsValue;

/// Returns `CoreError[]`: all problems of a `MachineConfig`, each at its field. After a value of the wrong type, only
/// that problem is reported.
pub(crate) fn machine(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let problems = MachineConfig::parse(args).map(|machine| machine.problems());
    Ok(json(&problems.unwrap_or_else(|error| vec![error])))
}
