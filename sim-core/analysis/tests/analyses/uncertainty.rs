//! Compares the runs with other values of assumed parameters with runs of machines that are changed by hand.

use serde_json::json;

use pagewalk::config::cpu::{self, Confidence, CpuModel, Provenance};
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::{OsConfig, PagePolicy, Virt};
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::advance;
use pagewalk_analysis::question::{Analysis, Answer};
use pagewalk_analysis::uncertainty::{
    Change, Combined, LeftOut, Outcome, Uncertainty, UncertaintyReport, changed,
};
use pagewalk_base::trace::Trace;

use crate::common::program::{Habits, program};

fn run(config: &MachineConfig, trace: &Trace) -> RunReport {
    let size = config.smallest_pages().unwrap();
    let os = OsConfig { default: PagePolicy::Fixed(size), ..OsConfig::default() };
    let mut machine = Machine::new(config, &os).unwrap();
    let mut stats = Stats::default();
    advance(&mut machine, trace, 0, trace.len(), &mut stats);
    stats.report(&machine, trace.completeness)
}

/// Runs everything that a model needs, from the first to the last change or the other way round.
fn vary(model: &CpuModel, trace: &Trace, reversed: bool) -> (Vec<Change>, UncertaintyReport) {
    let mut plan = Uncertainty::new(model, Virt::Native, &run(&model.machine, trace)).unwrap();
    let changes = plan.changes();
    let outcome = |changes: &[Change]| Outcome::of(&run(&plan.machine(changes).unwrap(), trace));
    let mut numbers: Vec<usize> = (0..changes.len()).collect();
    if reversed {
        numbers.reverse();
    }
    let mut outcomes: Vec<(usize, Outcome)> =
        numbers.iter().map(|at| (*at, outcome(&changes[*at..=*at]))).collect();
    outcomes.sort_by_key(|(at, _)| *at);
    let outcomes: Vec<Outcome> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    let ends = plan.combined(&outcomes).map(|changes| {
        let outcome = Outcome::of(&run(&plan.machine(&changes).unwrap(), trace));
        Combined { changes, outcome }
    });
    (changes, plan.report(&outcomes, ends))
}

/// Returns a model with a machine, and one mark for each path.
fn model(machine: &str, marks: &[(&str, Confidence)]) -> CpuModel {
    let provenance = marks.iter().map(|(path, confidence)| Provenance {
        path: (*path).to_owned(),
        confidence: *confidence,
        source: String::new(),
        note: None,
    });
    let provenance = provenance.collect();
    CpuModel {
        machine: parse_json(machine).unwrap(),
        provenance,
        ..cpu::model("amd-zen2").unwrap()
    }
}

fn trace() -> Trace {
    crate::common::trace(&program(6000, 11, Habits::default()))
}

const SMALL: &str = r#"{"l1": [{"entries": 4}], "l2": [{"entries": 24, "ways": 12, "replacement": "mru3-plru4"}],
    "psc": {"pde": {"entries": 2}}, "walkers": 2, "memory": {"dram": 200}}"#;

const KNOWN: (&str, Confidence) = ("outstanding_misses", Confidence::Documented);

#[test]
fn one_assumed_parameter_gives_the_runs_at_both_ends_of_its_range() {
    let trace = trace();
    let model = model(SMALL, &[("psc.pde.entries", Confidence::Assumed), KNOWN]);
    let (changes, report) = vary(&model, &trace, false);
    let change = |value: u32| Change { path: "psc.pde.entries".to_owned(), value: json!(value) };
    assert_eq!(changes, [change(1), change(4)]);
    let direct = |entries: u32| {
        let machine = SMALL
            .replace(r#""pde": {"entries": 2}"#, &format!(r#""pde": {{"entries": {entries}}}"#));
        Outcome::of(&run(&parse_json(&machine).unwrap(), &trace))
    };
    let [parameter] = report.parameters.as_slice() else { panic!("{:?}", report.parameters) };
    assert_eq!((parameter.path.as_str(), &parameter.value), ("psc.pde.entries", &json!(2)));
    let runs: Vec<_> = parameter.runs.iter().map(|run| (run.value.clone(), run.outcome)).collect();
    assert_eq!(runs, [(json!(4), direct(4)), (json!(1), direct(1))]);
    assert_eq!(report.model, direct(2));
    assert_eq!(parameter.effect, direct(1).cycles - direct(4).cycles);
    assert_eq!(report.low, Combined { changes: vec![change(4)], outcome: direct(4) });
    assert_eq!(report.high, Combined { changes: vec![change(1)], outcome: direct(1) });
    assert!(direct(4).cycles < direct(2).cycles && direct(2).cycles < direct(1).cycles);
}

/// A mark of a whole part covers its fields, and a nearer mark says otherwise.
#[test]
fn the_nearest_mark_counts() {
    let marks = [("psc", Confidence::Assumed), ("psc.pde.entries", Confidence::Inferred), KNOWN];
    let (changes, report) = vary(&model(SMALL, &marks), &trace(), false);
    let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["psc.pde.replacement"]);
    assert_eq!(report.left_out, []);
}

/// A mark of a part is told although fields of the part have marks of their own.
#[test]
fn a_part_is_left_out_apart_from_its_marked_fields() {
    let (_, report) = vary(&cpu::model("arm-neoverse-n1").unwrap(), &trace(), false);
    let why =
        |path: &str| report.left_out.iter().find(|left| left.path == path).map(|left| &*left.why);
    assert_eq!(why("virt.nested_tlb"), Some("the nested TLB is a part of a TLB array"));
    assert!(why("virt.nested_tlb.pages").is_some());
}

#[test]
fn values_that_do_not_fit_are_left_out_with_the_reason() {
    let marks = [("l2[0].ways", Confidence::Assumed), ("l1[0].pages", Confidence::Assumed), KNOWN];
    let (changes, report) = vary(&model(SMALL, &marks), &trace(), false);
    assert_eq!(changes, []);
    let left_out = |LeftOut { path, value, why }: &LeftOut| {
        let value = value.as_ref().map_or_else(String::new, ToString::to_string);
        format!("{path} {value}: {}", why.split(':').next().unwrap())
    };
    let left_out: Vec<String> = report.left_out.iter().map(left_out).collect();
    expect_test::expect![[r"
        l1[0].pages : it says what the array holds, not how much
        l2[0].ways 6: mru3-plru4 needs 12 ways (three groups of four), not 6
        l2[0].ways 24: mru3-plru4 needs 12 ways (three groups of four), not 24"]]
    .assert_eq(&left_out.join("\n"));
    assert_eq!((&report.low, &report.high), (&report.high, &report.low));
    assert_eq!(report.low.outcome, report.model);
}

#[test]
fn the_order_of_marks_and_of_runs_does_not_matter() {
    let trace = trace();
    let mut model = cpu::model("intel-skylake").unwrap();
    let (_, report) = vary(&model, &trace, false);
    model.provenance.reverse();
    let (_, mut other) = vary(&model, &trace, true);
    let sorted = |mut rows: Vec<LeftOut>| {
        rows.sort_by_key(|row| (row.path.clone(), row.value.as_ref().map(ToString::to_string)));
        rows
    };
    assert_eq!(sorted(report.left_out.clone()), sorted(std::mem::take(&mut other.left_out)));
    other.left_out.clone_from(&report.left_out);
    assert_eq!(other, report);
    assert!(report.parameters.is_sorted_by_key(|it| std::cmp::Reverse(it.effect)));
}

/// Every assumed number of every model is varied, or left out for a reason that is not a missing range.
#[test]
fn every_assumed_number_has_a_range_or_a_reason() {
    let trace = crate::common::trace(&program(300, 5, Habits::default()));
    for id in cpu::ids() {
        let model = cpu::model(id).unwrap();
        let variants = model.variants.iter().map(|variant| format!("{id}:{}", variant.id));
        for id in [id.to_owned()].into_iter().chain(variants) {
            let model = cpu::model(&id).unwrap();
            let report = run(&model.machine, &trace);
            let plan = Uncertainty::new(&model, Virt::Native, &report).unwrap();
            let changes = plan.changes();
            assert!(!changes.is_empty(), "{id}");
            let report = plan.report(
                &vec![Outcome::of(&report); changes.len()],
                [(), ()].map(|()| Combined { changes: Vec::new(), outcome: Outcome::of(&report) }),
            );
            for LeftOut { path, why, .. } in &report.left_out {
                assert!(!why.starts_with("no range"), "{id}: {path}: {why}");
            }
            for mark in model.provenance.iter().filter(|it| it.confidence == Confidence::Assumed) {
                let is_in = |path: &str| path.starts_with(&mark.path);
                let is_varied = report.parameters.iter().any(|it| is_in(&it.path));
                let is_left_out = report.left_out.iter().any(|it| is_in(&it.path));
                assert!(is_varied || is_left_out, "{id}: {}", mark.path);
            }
        }
    }
}

/// The site asks a question. Its answer is that of runs in any order, and its progress rises to 1.
#[test]
fn a_question_has_the_same_answer() {
    let trace = trace();
    let (_, expected) = vary(&cpu::model("amd-zen2").unwrap(), &trace, false);
    let question = r#"{"what": "uncertainty", "cpu": "amd-zen2", "os": {"default": "4K"}}"#;
    let mut analysis = Analysis::new(&parse_json(question).unwrap(), &trace).unwrap();
    let mut before = 0.0;
    while !analysis.go_on(&trace).unwrap() {
        assert!((before..1.0).contains(&analysis.progress(&trace)));
        before = analysis.progress(&trace);
    }
    assert!((analysis.progress(&trace) - 1.0).abs() < 1e-9);
    let Answer::Uncertainty(report) = analysis.finish() else { panic!("another answer") };
    assert_eq!(report, expected);
}

/// The site asks about a model with changes: what was changed is not assumed, and everything else is.
#[test]
fn a_change_of_the_user_is_not_varied() {
    let trace = trace();
    let model = cpu::model("amd-zen2").unwrap();
    let (_, before) = vary(&model, &trace, false);
    let chosen = before.parameters.iter().find(|it| it.value.is_u64() && it.effect > 0).unwrap();
    let value = json!(chosen.value.as_u64().unwrap() + 3);
    let change = Change { path: chosen.path.clone(), value };
    let machine = changed(&model.machine, [&change]).unwrap();
    let question = json!({"what": "uncertainty", "cpu": "amd-zen2", "machine": machine, "os": {"default": "4K"}});
    let mut analysis = Analysis::new(&parse_json(&question.to_string()).unwrap(), &trace).unwrap();
    while !analysis.go_on(&trace).unwrap() {}
    let Answer::Uncertainty(report) = analysis.finish() else { panic!("another answer") };
    assert_eq!(report.model, Outcome::of(&run(&machine, &trace)));
    assert_ne!(report.model, before.model);
    let paths = |report: &UncertaintyReport| -> std::collections::BTreeSet<String> {
        report.parameters.iter().map(|it| it.path.clone()).collect()
    };
    let mut expected = paths(&before);
    expected.remove(&chosen.path);
    assert_eq!(paths(&report), expected);
    let why = report.left_out.iter().find(|left| left.path == chosen.path).map(|left| &left.why);
    assert_eq!(why.map(String::as_str), Some("you changed it"));
}
