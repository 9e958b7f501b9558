//! The file of an exercise, its machine, and the accesses of a student.

use pagewalk_quiz::exercise::{Asked, Exercise};
use pagewalk_quiz::{Ask, grade};
use serde_json::{Value, json};

use crate::support::{exercise, file};

/// Compares the first error of an exercise: of its file, its machine, its trace or its questions.
#[track_caller]
fn check(fields: &Value, expected: &str) {
    let questions = Exercise::parse(&file(fields)).and_then(|exercise| {
        let mut replay = exercise.replay()?;
        exercise.questions(&mut replay, "")
    });
    assert_eq!(questions.unwrap_err().to_string(), expected, "{fields}");
}

#[test]
fn a_wrong_field_is_named() {
    let set = json!({"kind": "set", "of": "TLB"});
    check(
        &json!({"pagewalk": "loop"}),
        "pagewalk: this is no exercise: its field `pagewalk` must be \"exercise\"",
    );
    check(
        &json!({"version": 2}),
        "version: version 2 of exercises: this program reads version 1, a newer one may read it",
    );
    check(&json!({"choices": 1}), "choices: 1 choices: must be 2 to 8");
    check(&json!({"attempts": 0}), "attempts: 0 attempts: must be at least 1");
    check(&json!({"questions": []}), "questions: 0 questions for a student: must be 1 to 100");
    check(
        &json!({"questions": [{"ask": set, "among": "walks", "n": 4_000_000_000_u32}, {"ask": set, "among": "walks", "n": 4_000_000_000_u32}]}),
        "questions: 4294967295 questions for a student: must be 1 to 100",
    );
    check(
        &json!({"questions": [{"ask": set, "at": 0, "n": 2}]}),
        "questions[0].n: a question at one access has no number: remove n",
    );
    check(
        &json!({"questions": [{"ask": set}]}),
        "questions[0]: give either `at`, the number of an access, or `among`: accesses, walks, hits or faults",
    );
    check(
        &json!({"questions": [{"ask": set, "at": 8}]}),
        "questions[0].at: no access 8 is simulated, but those from 0 to before 8",
    );
    check(
        &json!({"questions": [{"ask": {"kind": "set", "of": "STLB"}, "at": 0}]}),
        "questions[0].ask.of: there is no TLB array `STLB`: choose one of TLB",
    );
    check(
        &json!({"questions": [{"ask": {"kind": "references"}, "among": "hits", "n": 2}]}),
        "questions[0].among: the question {\"kind\":\"references\"} makes sense at 0 of the accesses that were tried, but n is 2; at access 0, the access has no walk: a TLB hits",
    );
    check(
        &json!({"questions": [{"ask": {"kind": "references"}, "among": "walks", "n": 9}]}),
        "questions[0].among: the question {\"kind\":\"references\"} makes sense at 4 of the accesses that were tried, but n is 9",
    );
    for (kind, of) in [("set", "STLB"), ("field", "tag:STLB"), ("number", "hits:STLB")] {
        check(
            &json!({"questions": [{"ask": {"kind": kind, "of": of}, "among": "accesses"}]}),
            "questions[0].ask.of: there is no TLB array `STLB`: choose one of TLB",
        );
    }
    check(
        &json!({"questions": [{"ask": {"kind": "number", "of": "victims"}, "among": "faults"}]}),
        "questions[0].ask.of: `victims` is not counted: choose walks, faults, references, pages or cycles, or misses:NAME or hits:NAME for a TLB array",
    );
    check(
        &json!({"machine": {"l1": [{"entries": 3, "ways": 2}]}}),
        "machine.l1[0].ways: 2 ways do not divide 3 entries into sets",
    );
    check(
        &json!({"machine": {"walker": 1}}),
        "machine.walker: unknown field `walker`, expected one of `name`, `levels`, `paging`, `coalescing`, `l1`, `l2`, `inclusion`, `tlb_prefetch`, `pom_tlb`, `victima`, `ecpt`, `psc`, `virt`, `control`, `latency`, `walkers`, `outstanding_misses`, `event_costs`, `memory`, `seed`",
    );
    check(
        &json!({"os": "5K"}),
        "os: `5K` is neither a page size such as 4K or 2M nor a policy such as thp",
    );
    check(
        &json!({"trace": {"loop": "rows"}}),
        "trace: only the site can make this trace: use `lines` or a workload for the command line",
    );
    let one = "trace: give one of lines, workload, code, loop and example";
    check(&json!({"trace": {}}), one);
    check(&json!({"trace": {"lines": "load 0x3d4", "loop": "rows"}}), one);
    check(
        &json!({"locked": ["address", "curve"]}),
        "locked[1]: unknown variant `curve`, expected one of `address`, `walk`, `tlb`, `totals`, `timeline`",
    );
}

#[test]
fn a_patch_changes_the_machine_of_the_model() {
    let patched = exercise(
        &json!({"machine": {"l1": [{"name": "TLB", "entries": 8, "ways": 2}], "latency": {"walk_overhead": 3}}}),
    );
    let (machine, os) = patched.setup().unwrap();
    assert_eq!((machine.l1[0].entries, machine.latency.walk_overhead), (8, 3));
    assert_eq!(machine.name, "CS:APP 14-bit");
    assert_eq!(os, exercise(&json!({})).setup().unwrap().1);
    let larger = exercise(&json!({"cpu": "intel-skylake", "os": "2M"})).setup().unwrap().1;
    assert_eq!(larger.name(), "2M");
}

fn asked(exercise: &Exercise, name: &str) -> Vec<Asked> {
    exercise.questions(&mut exercise.replay().unwrap(), name).unwrap()
}

#[test]
fn the_name_chooses_the_accesses() {
    let exercise = exercise(&json!({}));
    let names = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Niklaus", "Donald", "Frances"];
    let mut different: Vec<String> =
        names.iter().map(|name| format!("{:?}", asked(&exercise, name))).collect();
    different.sort();
    different.dedup();
    assert!(different.len() > 5, "{different:?}");
}

#[test]
fn accesses_are_of_the_kind_that_is_asked_for_and_differ() {
    for (among, outcome, n) in [("walks", "miss", 4), ("hits", "hit", 2), ("faults", "fault", 2)] {
        let questions = json!([{"ask": {"kind": "outcome"}, "among": among, "n": n}]);
        let exercise = exercise(&json!({"questions": questions}));
        let mut accesses: Vec<u32> = asked(&exercise, "Ada").iter().map(|a| a.posed.at).collect();
        let mut replay = exercise.replay().unwrap();
        for at in &accesses {
            assert!(grade(&mut replay, *at, &Ask::Outcome, outcome).unwrap().right, "{among} {at}");
        }
        accesses.sort_unstable();
        accesses.dedup();
        assert_eq!(accesses.len(), n, "{among}");
    }
}

#[test]
fn a_workload_is_a_trace() {
    let exercise = exercise(&json!({
        "cpu": "intel-skylake",
        "trace": {"workload": {"id": "uniform", "params": {"accesses": "5000"}}},
        "questions": [{"ask": {"kind": "references"}, "among": "walks", "n": 3}]
    }));
    assert_eq!(asked(&exercise, "Ada").len(), 3);
}

#[test]
fn spaces_and_the_order_of_fields_do_not_change_the_digest() {
    let exercise = exercise(&json!({}));
    let text =
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(&file(&json!({}))).unwrap());
    assert_eq!(Exercise::parse(&text.unwrap()).unwrap().digest(), exercise.digest());
    assert_eq!(exercise.digest().len(), 12);
    let other = crate::support::exercise(&json!({"title": "Cut"}));
    assert_ne!(other.digest(), exercise.digest());
}

#[test]
fn the_exercise_of_the_documentation_can_be_made() {
    let page = include_str!("../../../../docs/exercises.md");
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (json, _) = rest.split_once("```").unwrap();
    assert_eq!(asked(&Exercise::parse(json).unwrap(), "Ada").len(), 4);
}
