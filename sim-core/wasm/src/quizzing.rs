//! Questions about an access of the replay, and the verdicts on answers.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_quiz::{Ask, Choices, grade, pose};
use pagewalk_replay_wasm::State;
use pagewalk_replay_wasm::answer::json;
use serde::Deserialize;
use wasm_bindgen::JsValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    at: u32,
    ask: Ask,
    /// The seed of the order of the choices.
    seed: u32,
    /// The number of choices; missing = the answer is typed.
    choices: Option<u32>,
}

/// Poses a question. Returns a `Posed`.
pub(crate) fn ask(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Question { at, ask, seed, choices } = parse_json(args)?;
    Ok(json(&pose(&mut state.replay, at, &ask, Choices { n: choices, seed })?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    at: u32,
    ask: Ask,
    given: String,
}

/// Grades an answer. Returns a `Graded`.
pub(crate) fn answer(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Answer { at, ask, given } = parse_json(args)?;
    Ok(json(&grade(&mut state.replay, at, &ask, &given)?))
}
