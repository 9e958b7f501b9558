//! Exercises as JSON.

use pagewalk_quiz::exercise::Exercise;
use serde_json::{Value, json};

/// Returns an exercise on the small machine of a textbook, with fields that replace those of the default.
pub(crate) fn file(fields: &Value) -> String {
    let mut exercise = json!({
        "pagewalk": "exercise",
        "version": 1,
        "title": "Cut the address",
        "cpu": "csapp-14bit",
        "trace": {"lines": "load 0x3d4\nload 0x175\nload 0x27c\nload 0x3a9\nload 0x2ea\nload 0xb8f\nload 0xadd\nload 0x20"},
        "questions": [
            {"ask": {"kind": "set", "of": "TLB"}, "at": 6},
            {"ask": {"kind": "outcome"}, "among": "accesses", "n": 2},
            {"ask": {"kind": "physical"}, "among": "walks"}
        ]
    });
    for (name, value) in fields.as_object().unwrap() {
        exercise[name] = value.clone();
    }
    exercise.to_string()
}

#[track_caller]
pub(crate) fn exercise(fields: &Value) -> Exercise {
    Exercise::parse(&file(fields)).unwrap_or_else(|error| panic!("{error}"))
}
