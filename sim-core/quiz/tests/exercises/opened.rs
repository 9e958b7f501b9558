//! What the site gets: the exercise as data, the questions on the replay that it has open, and the answer line.

use std::rc::Rc;

use expect_test::expect;
use pagewalk::config::{MachineConfig, cpu};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;
use pagewalk_base::trace::Trace;
use pagewalk_quiz::exercise::{Exercise, GivenAnswer, read_line};
use serde_json::{Value, json};

use crate::support::exercise;

/// Returns the exercise as data, without its machine and its mapping.
fn view(exercise: &Exercise) -> Value {
    let mut view = serde_json::to_value(exercise.view().unwrap()).unwrap();
    for field in ["machine", "os"] {
        view.as_object_mut().unwrap().remove(field).unwrap();
    }
    view
}

#[test]
fn fields_that_are_missing_have_their_meaning() {
    let found = view(&exercise(&json!({"trace": {"loop": "rows"}})));
    expect![[r#"{"asked":4,"cpu":"csapp-14bit","digest":"30361edf0c1a","hints":true,"locked":[],"questions":[{"ask":{"kind":"set","of":"TLB"},"at":6},{"among":"accesses","ask":{"kind":"outcome"},"n":2},{"among":"walks","ask":{"kind":"physical"}}],"title":"Cut the address","trace":{"loop":"rows"}}"#]]
    .assert_eq(&found.to_string());
    let rules = json!({
        "hints": false, "attempts": 3, "choices": 4, "cores": "tid", "locked": ["tlb", "walk"],
        "trace": {"workload": {"id": "uniform"}}
    });
    let found = view(&exercise(&rules));
    for field in ["hints", "attempts", "choices", "cores", "locked"] {
        assert_eq!(found[field], rules[field], "{field}");
    }
    assert_eq!(found["trace"], json!({"workload": {"id": "uniform", "params": {}}}));
}

#[test]
fn the_machine_has_the_changes_of_the_exercise() {
    let patched = exercise(&json!({"os": "4K", "machine": {"latency": {"walk_overhead": 3}}}));
    let view = patched.view().unwrap();
    assert_eq!(
        (&view.machine, &view.os),
        (&patched.setup().unwrap().0, &patched.setup().unwrap().1)
    );
    assert_eq!(view.machine.latency.walk_overhead, 3);
    let wrong = exercise(&json!({"machine": {"l1": [{"entries": 3, "ways": 2}]}}));
    let error = wrong.view().unwrap_err().to_string();
    assert_eq!(error, "machine.l1[0].ways: 2 ways do not divide 3 entries into sets");
}

#[test]
fn a_replay_on_another_machine_is_an_error() {
    let exercise = exercise(&json!({}));
    let trace = Rc::clone(exercise.replay().unwrap().trace());
    let (machine, os) = exercise.setup().unwrap();
    let check = |machine: &MachineConfig, os: &OsConfig, cores, trace: &Trace| {
        exercise.check_open((machine, os, cores), trace).map_err(|error| error.to_string())
    };
    assert_eq!(check(&machine, &os, Cores::One, &trace), Ok(()));
    let other =
        "machine: the machine that is open is not that of the exercise: open the exercise again";
    for (machine, os, cores) in [
        (&MachineConfig::default(), &os, Cores::One),
        (&machine, &OsConfig::default(), Cores::One),
        (&machine, &os, Cores::Tid),
    ] {
        assert_eq!(check(machine, os, cores, &trace).unwrap_err(), other);
    }
    let empty = check(&machine, &os, Cores::One, &Trace::default()).unwrap_err();
    assert_eq!(empty, "trace: 0 accesses: the trace must have 1 to 1048576");
}

#[test]
fn the_machine_of_every_model_can_be_opened_from_the_data() {
    let trace = Rc::clone(exercise(&json!({})).replay().unwrap().trace());
    for id in cpu::ids() {
        let exercise = exercise(&json!({"cpu": id}));
        let data = serde_json::to_value(exercise.view().unwrap()).unwrap();
        let machine: MachineConfig = serde_json::from_value(data["machine"].clone()).unwrap();
        let os: OsConfig = serde_json::from_value(data["os"].clone()).unwrap();
        let found = exercise.check_open((&machine, &os, Cores::One), &trace);
        assert_eq!(found.map_err(|error| error.to_string()), Ok(()), "{id}");
    }
}

#[test]
fn a_line_has_one_answer_to_each_question() {
    let exercise = exercise(&json!({}));
    let answers = vec![GivenAnswer { given: "3".into(), tries: 1, ..GivenAnswer::default() }; 4];
    let read = read_line(&exercise.line(" Ada ", &answers).unwrap()).unwrap().answers;
    assert_eq!((read.exercise, read.name.as_str()), (exercise.digest(), "Ada"));
    assert_eq!((read.program.as_str(), read.answers), (env!("CARGO_PKG_VERSION"), answers.clone()));
    let error = exercise.line("Ada", &answers[1..]).unwrap_err().to_string();
    assert_eq!(error, "answers: there are 3 answers to 4 questions");
}
