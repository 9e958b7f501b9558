//! Random questions on random machines and traces.

use std::rc::Rc;

use cases::{Result, Unstructured, cases};
use pagewalk::record::event::MachineView;
use pagewalk::run::replay::Replay;
use pagewalk_quiz::{Ask, Choices};

use crate::common::program::{Habits, program};
use crate::common::{machine, trace};
use crate::machines::{MACHINES, SYSTEMS};
use crate::numbers::counts;
use crate::support::{ask, posed};

/// Systems with a host, in addition to [`SYSTEMS`].
const HOSTS: &[&str] = &[
    r#"{"virt": "ept"}"#,
    r#"{"virt": "ept", "host": {"default": "2M"}, "default": "2M"}"#,
    r#"{"virt": "shadow"}"#,
];

/// Returns every question about a machine.
fn all(replay: &Replay) -> Vec<Ask> {
    let mut asked: Vec<String> = [
        "outcome",
        "references",
        "page-size",
        "fault-code",
        "physical",
        "cycles",
        "field page-number",
        "field offset",
    ]
    .map(str::to_owned)
    .into();
    for level in 1..=5 {
        asked.extend([format!("field index-{level}"), format!("entry-address {level}")]);
    }
    for structure in MachineView::of(replay.machine()).structures {
        let name = structure.name;
        let kinds = ["set", "way", "victim"].map(|kind| format!("{kind} {name}"));
        asked.extend(kinds.into_iter().chain(["set", "tag"].map(|f| format!("field {f}:{name}"))));
    }
    asked.extend(counts(replay).into_iter().map(|of| format!("number {of}")));
    asked.iter().map(|text| ask(text)).collect()
}

fn one_case(u: &mut Unstructured<'_>) -> Result<u32> {
    let systems: Vec<&str> = [SYSTEMS, HOSTS].concat();
    let machine = machine(u.choose(MACHINES)?, u.choose(&systems)?);
    let habits = Habits { processes: true, prefetches: true };
    let accesses = program(u.int_in_range(1..=400)?, u.arbitrary()?, habits);
    let mut replay = Replay::new(Rc::new(trace(&accesses)), machine, usize::MAX);
    let asks = all(&replay);
    let mut n_posed = 0;
    for _ in 0..8 {
        let at = u.int_in_range(0..=replay.trace().len() - 1)?;
        let n = u.arbitrary::<bool>()?.then_some(u.int_in_range(2..=8)?);
        let choices = Choices { n, seed: u.arbitrary()? };
        for ask in &asks {
            n_posed += u32::from(posed(&mut replay, at, ask, choices).is_some());
        }
    }
    Ok(n_posed)
}

#[test]
fn a_posed_question_has_one_right_choice() {
    let mut n_posed = 0;
    cases(60).size_min(64).check(|u| {
        n_posed += one_case(u)?;
        Ok(())
    });
    assert!(n_posed > 1000, "{n_posed}");
}
