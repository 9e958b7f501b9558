//! Tests of the rules of virtual machines: the order of violations, misconfigurations and page faults, the entries
//! that the processor drops, and its flags (Intel SDM vol. 3C, 28.2 and 28.3).

#[path = "../common/mod.rs"]
mod common;
mod remapping;
mod host;
mod order;

use std::rc::Rc;

use common::ops::{items, trace};
use expect_test::Expect;
use pagewalk::record::event::StepView;
use pagewalk::run::replay::Replay;

/// A machine that is large enough to evict nothing.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 16}], "psc": {"pde": {"entries": 8}},
    "virt": {"nested_tlb": {"entries": 16}, "ept_psc": {"pde": {"entries": 8}}}}"#;
const WITHOUT_FLAGS: &str = r#"{"virt": {"ad": false}}"#;
const EPT: &str = r#"{"virt": "ept"}"#;

fn steps(machine: &str, os: &str, text: &str) -> Vec<StepView> {
    let machine = common::machine(machine, os);
    let mut replay = Replay::new(Rc::new(trace(&items(text))), machine, usize::MAX);
    let steps = (0..replay.trace().len()).map(|index| replay.seek(index).unwrap()).collect();
    if let Some(error) = replay.machine().failure() {
        panic!("{error}");
    }
    steps
}

/// Returns the outcome of an access, after its VM exits.
fn line(step: &StepView) -> String {
    let mut parts = Vec::new();
    for exit in &step.exits {
        parts.push(match &exit.violation {
            Some(found) => format!("violation for {} {}", found.purpose, found.qualification),
            None => format!("{} {:?}", exit.n, exit.reason),
        });
    }
    parts.extend(
        step.translations.iter().map(|done| format!("{:?}, {} refs", done.outcome, done.refs)),
    );
    if let Some(exception) = &step.exception {
        let code = exception.code.map(|code| format!(" {code}")).unwrap_or_default();
        parts.push(format!("{}{code}", exception.name));
    }
    format!("{} {}: {}\n", step.access.kind.name(), step.access.address, parts.join("; "))
}

/// Runs a scenario, and compares its last access with `expected`.
#[track_caller]
fn last(machine: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&line(steps(machine, EPT, text).last().unwrap()));
}
