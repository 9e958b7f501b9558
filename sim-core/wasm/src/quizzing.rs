//! Questions about an access of the replay, the verdicts on answers, and exercises.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_quiz::exercise::{Exercise, GivenAnswer, Grading, Keep};
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The exercise as JSON.
    text: String,
}

/// Reads and checks an exercise. It needs no trace. Returns an `ExerciseView`.
pub(crate) fn exercise(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let File { text } = parse_json(args)?;
    Ok(json(&Exercise::parse(&text)?.view()?))
}

/// Reads an exercise whose machine and trace are open.
fn opened(state: &State, text: &str) -> Result<Exercise> {
    let exercise = Exercise::parse(text)?;
    let setup = &state.setup;
    exercise.check_open((&setup.machine, &setup.os, setup.cores), &state.trace)?;
    Ok(exercise)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    text: String,
    /// The name of the student.
    name: String,
}

/// Returns the questions of a student: `Asked[]`.
pub(crate) fn questions(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Named { text, name } = parse_json(args)?;
    let exercise = opened(state, &text)?;
    Ok(json(&exercise.questions(&mut state.replay, &name)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HandedIn {
    text: String,
    name: String,
    answers: Vec<GivenAnswer>,
}

/// Returns the line with the answers of a student.
pub(crate) fn line(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let HandedIn { text, name, answers } = parse_json(args)?;
    Ok(json(&Exercise::parse(&text)?.line(&name, &answers)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    text: String,
    files: Vec<AnswerFile>,
}

/// A file with one answer line of a student on each line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerFile {
    name: String,
    text: String,
}

/// Grades lines. Returns a `Report`.
pub(crate) fn grade_lines(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Lines { text, files } = parse_json(args)?;
    let exercise = opened(state, &text)?;
    let mut grading = Grading::new(&exercise, &mut state.replay);
    for AnswerFile { name, text } in &files {
        grading.add(name, text);
    }
    Ok(json(&grading.finish(Keep::All)))
}
