//! Counts from the start of the trace, against a slow and obvious count of the events of each access.

use std::collections::BTreeSet;
use std::rc::Rc;

use cases::cases;
use pagewalk::machine::probe::Outcome;
use pagewalk::record::event::{MachineView, StepView, StructureRole, TranslationView};
use pagewalk::run::replay::Replay;
use pagewalk_base::trace::Kind;

use crate::common::program::{Habits, program};
use crate::common::{machine, trace};
use crate::machines::{MACHINES, SYSTEMS};
use crate::support::{On, replay, verdict};

/// Returns all that can be counted on a machine.
pub(crate) fn counts(replay: &Replay) -> Vec<String> {
    let arrays = MachineView::of(replay.machine()).structures.into_iter();
    let arrays = arrays.filter(|s| matches!(s.role, StructureRole::L1 | StructureRole::L2));
    let of_arrays = arrays.flat_map(|s| ["misses", "hits"].map(|of| format!("{of}:{}", s.name)));
    let others = ["walks", "faults", "references", "pages", "cycles"];
    of_arrays.chain(others.map(str::to_owned)).collect()
}

/// Counts in the events of each access, one after the other.
fn slow(replay: &mut Replay, at: u32, of: &str) -> u64 {
    let names: Vec<String> =
        MachineView::of(replay.machine()).structures.into_iter().map(|s| s.name).collect();
    let mut pages = BTreeSet::new();
    let mut sum = 0;
    for index in 0..=at {
        let step: StepView = replay.seek(index).unwrap();
        let is_prefetch = step.access.kind == Kind::Prefetch;
        let lookups = |done: &TranslationView, name: &str, hits: bool| {
            let looks = done.tlb.iter().filter(|look| names[look.structure] == name);
            looks.filter(|look| look.way.is_some() == hits).count() as u64
        };
        for done in &step.translations {
            let n = match of.split_once(':').unwrap_or((of, "")) {
                ("misses", name) => lookups(done, name, false),
                ("hits", name) => lookups(done, name, true),
                _ if is_prefetch => 0,
                ("walks", _) => u64::from(done.outcome.is_walk()),
                ("faults", _) => u64::from(done.outcome == Outcome::Fault),
                ("references", _) => done.refs.into(),
                ("cycles", _) => done.cycles.total,
                ("pages", _) => {
                    pages.insert((step.access.pid, done.page_shift, done.page_number.0));
                    0
                }
                _ => panic!("{of}"),
            };
            sum += n;
        }
        let is_fault = step.exception.is_some_and(|exception| exception.name == "#PF");
        sum += u64::from(of == "faults" && is_fault);
    }
    sum + pages.len() as u64
}

#[track_caller]
fn check(replay: &mut Replay, at: u32) {
    for of in counts(replay) {
        let expected = slow(replay, at, &of);
        let found = verdict(replay, at, &format!("number {of}"), &expected.to_string());
        assert_eq!(found, "right", "{of} until {at}: {expected}");
    }
}

#[test]
fn random_counts_are_those_of_each_access() {
    cases(40).size_min(64).check(|u| {
        let machine = machine(u.choose(MACHINES)?, u.choose(SYSTEMS)?);
        let habits = Habits { processes: true, prefetches: true };
        let accesses = program(u.int_in_range(1..=300)?, u.arbitrary()?, habits);
        let mut replay = Replay::new(Rc::new(trace(&accesses)), machine, usize::MAX);
        let at = u.int_in_range(0..=replay.trace().len() - 1)?;
        check(&mut replay, at);
        Ok(())
    });
}

#[test]
fn page_faults_that_end_an_access_count() {
    let mut replay =
        replay(On::Model("csapp-14bit"), "load 0x3d4; load 0x2ea; load 0x2ea; load 0x175");
    for at in 0..4 {
        check(&mut replay, at);
    }
    assert_eq!(verdict(&mut replay, 3, "number faults", "2"), "right");
}

#[test]
fn a_prefetch_uses_no_page() {
    let mut replay = replay(On::Model("csapp-14bit"), "prefetch 0x175; load 0x3d4");
    check(&mut replay, 1);
    assert_eq!(verdict(&mut replay, 1, "number pages", "1"), "right");
}
