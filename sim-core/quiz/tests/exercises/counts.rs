//! The students of a class share the counts of a trace. Each count is that of a run until its access.

use std::collections::BTreeSet;

use pagewalk::run::replay::{Replay, Run};
use pagewalk::run::window::Span;
use pagewalk_quiz::Ask;
use pagewalk_quiz::exercise::Asker;
use serde_json::json;

use crate::support::exercise;

const COUNTS: [&str; 5] = ["walks", "misses:L1 dTLB 4K", "cycles", "faults", "pages"];

/// Counts with a run of its own.
fn slow(replay: &Replay, at: u32, of: &str) -> u64 {
    let span = Span { simulated: 0..at + 1, counted: 0..at + 1 };
    let mut run = Run::new(span, replay.trace().clone(), replay.machine_before(0));
    while !run.go_on(u32::MAX).unwrap() {}
    let report = run.report();
    match of {
        "walks" => report.walks.walks,
        "cycles" => report.cycles.total,
        "faults" => report.faults.minor,
        "pages" => {
            let accesses = replay.trace().accesses_from(0).take(at as usize + 1);
            accesses.map(|access| access.address >> 12).collect::<BTreeSet<_>>().len() as u64
        }
        _ => report.structures.iter().find(|array| of.ends_with(&array.name)).unwrap().misses,
    }
}

#[test]
fn shared_counts_are_those_of_a_run_until_the_access() {
    let questions =
        COUNTS.map(|of| json!({"ask": {"kind": "number", "of": of}, "among": "accesses", "n": 2}));
    let params = json!({"accesses": "200000", "bytes": "16M"});
    let exercise = exercise(&json!({
        "cpu": "intel-skylake", "os": "4K",
        "trace": {"workload": {"id": "uniform", "params": params}},
        "questions": questions
    }));
    let (mut replay, own) = (exercise.replay().unwrap(), exercise.replay().unwrap());
    let mut asker = Asker::new(&exercise, &mut replay);
    for name in ["Ada", "Bob", "Cem"] {
        for solved in asker.solved(name).unwrap() {
            let (at, ask) = (solved.asked.posed.at, &solved.asked.posed.ask);
            let Ask::Number { of } = ask else { panic!("{ask:?}") };
            let expected = slow(&own, at, of).to_string();
            assert_eq!(solved.grade("").answer, expected, "{of} until {at}");
        }
    }
}
