//! Questions, accesses and verdicts as short texts.

use std::rc::Rc;

use pagewalk::config::{cpu, parse_json};
use pagewalk::machine::Machine;
use pagewalk::run::replay::Replay;
use pagewalk_quiz::{Ask, Choices, Posed, grade, pose};

use crate::common::text::accesses;
use crate::common::{machine, trace};

/// A machine: the id of a model, or JSON of a machine and of a mapping.
#[derive(Clone, Copy)]
pub(crate) enum On {
    Model(&'static str),
    Json(&'static str, &'static str),
}

/// Returns a replay of these lines of accesses.
pub(crate) fn replay(on: On, lines: &str) -> Replay {
    let machine = match on {
        On::Json(config, os) => machine(config, os),
        On::Model(id) => {
            let model = cpu::model(id).unwrap();
            Machine::new(&model.machine, &model.mapping()).unwrap()
        }
    };
    let lines = lines.replace("; ", "\n");
    Replay::new(Rc::new(trace(&accesses(&lines))), machine, usize::MAX)
}

/// Reads a question: its kind, and after a space `of` or the level.
#[track_caller]
pub(crate) fn ask(text: &str) -> Ask {
    let json = match text.split_once(' ') {
        None => format!(r#"{{"kind": "{text}"}}"#),
        Some(("entry-address", level)) => {
            format!(r#"{{"kind": "entry-address", "level": {level}}}"#)
        }
        Some((kind, of)) => format!(r#"{{"kind": "{kind}", "of": "{of}"}}"#),
    };
    parse_json(&json).unwrap_or_else(|error| panic!("{error} in {json}"))
}

/// Returns the verdict: `right`, or `wrong ANSWER` with the mistake after it, or the error.
pub(crate) fn verdict(replay: &mut Replay, at: u32, asked: &str, given: &str) -> String {
    match grade(replay, at, &ask(asked), given) {
        Err(error) => error.to_string(),
        Ok(graded) if graded.right => "right".to_owned(),
        Ok(graded) => {
            let mistake = graded.mistake.map(|mistake| format!(": {}", name(&mistake)));
            format!("wrong {}{}", graded.answer, mistake.unwrap_or_default())
        }
    }
}

/// Returns the JSON name of a value.
pub(crate) fn name(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
}

/// Poses a question, and checks that its answer is graded right, that its choices differ, and that exactly one of
/// them is right. Returns `None` if the question makes no sense.
#[track_caller]
pub(crate) fn posed(replay: &mut Replay, at: u32, asked: &Ask, choices: Choices) -> Option<Posed> {
    let posed = match pose(replay, at, asked, choices) {
        Ok(posed) => posed,
        Err(error) => {
            let field = error.at.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(field.starts_with("ask."), "{asked:?} at {at}: {error}");
            assert_eq!(grade(replay, at, asked, ""), Err(error));
            return None;
        }
    };
    let answer = grade(replay, at, asked, "").unwrap().answer;
    assert!(grade(replay, at, asked, &answer).unwrap().right, "{asked:?} at {at}: {answer}");
    let mut different = posed.choices.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), posed.choices.len(), "{asked:?} at {at}: {:?}", posed.choices);
    let is_right = |choice: &&String| grade(replay, at, asked, choice).unwrap().right;
    let right: Vec<&String> = posed.choices.iter().filter(is_right).collect();
    if !posed.choices.is_empty() {
        assert_eq!(right, [&answer], "{asked:?} at {at}: {:?}", posed.choices);
    }
    Some(posed)
}
