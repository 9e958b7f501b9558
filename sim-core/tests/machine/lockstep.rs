//! Compares two machines in lockstep: the reported differences are those between the events of single accesses.

use std::ops::Range;
use std::rc::Rc;

use crate::common::program::{Habits, program};
use crate::common::{Translations, machine, page, trace};
use expect_test::expect;
use pagewalk::machine::probe::Outcome;
use pagewalk::run::lockstep::{DifferenceSearch, Ended, Lockstep, LockstepView, MAX_LISTED};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk::run::search::Found;
use pagewalk::run::window::Window;
use pagewalk_base::trace::{Access, CHUNK};

const SMALL: &str = r#"{"l1": [{"name": "d", "entries": 16, "ways": 4}],
    "l2": [{"name": "s", "entries": 64, "ways": 4}], "psc": {"pde": {"entries": 4}}}"#;
const LARGE: &str = r#"{"l1": [{"name": "d", "entries": 16, "ways": 4}],
    "l2": [{"name": "s", "entries": 128, "ways": 4}], "psc": {"pde": {"entries": 8}}}"#;
/// The length of the traces: a whole chunk and a part.
const N: usize = CHUNK as usize + 3_001;

fn replay(accesses: &[Access], json: &str, os: &str, window: Window) -> Replay {
    let trace = Rc::new(trace(accesses));
    let span = window.within(trace.len()).unwrap();
    let mut replay = Replay::within(span, trace, machine(json, os), CHECKPOINT_BYTES);
    while !replay.run(20_000).unwrap() {}
    replay
}

/// The level-1 misses of an access, on the left and on the right.
type Both = [Vec<(Outcome, u32)>; 2];

/// Runs every access that both simulate separately on new machines.
fn one_by_one(accesses: &[Access], sides: [(&str, &str, Window); 2]) -> Vec<(u32, Both)> {
    let n = u32::try_from(accesses.len()).unwrap();
    let ended = sides.map(|(json, os, window)| {
        let Range { start, end } = window.within(n).unwrap().simulated;
        let mut machine = machine(json, os);
        (0..n)
            .zip(accesses)
            .map(|(index, access)| {
                let mut seen = Translations::default();
                (start..end).contains(&index).then(|| {
                    machine.access(index, access, &mut seen);
                    misses(seen.0.iter().map(|done| (done.outcome, done.refs)))
                })
            })
            .collect::<Vec<_>>()
    });
    let [left, right] = ended;
    let both = (0..).zip(left.into_iter().zip(right));
    both.filter_map(|(index, (left, right))| Some((index, [left?, right?]))).collect()
}

fn misses(translations: impl Iterator<Item = (Outcome, u32)>) -> Vec<(Outcome, u32)> {
    translations.filter(|(outcome, _)| *outcome != Outcome::L1Hit).collect()
}

fn compare(sides: &[Replay; 2], bins: u32) -> LockstepView {
    let [left, right] = sides;
    let mut lockstep = Lockstep::new(left, right, bins);
    while !lockstep.go_on(left.trace(), 777) {}
    assert_eq!(lockstep.position(), lockstep.view().to);
    lockstep.view().clone()
}

fn find(sides: &[Replay; 2], index: u32, forward: bool) -> Option<u32> {
    let [left, right] = sides;
    let mut search = DifferenceSearch::new(left, right, index, forward);
    loop {
        match search.go_on(left, right) {
            Found::NotYet => {}
            Found::Nothing => return None,
            Found::At(index) => return Some(index),
        }
    }
}

fn summary(misses: &[(Outcome, u32)]) -> Ended {
    let outcome = misses.iter().map(|(outcome, _)| *outcome).max().unwrap_or(Outcome::L1Hit);
    Ended { outcome, refs: misses.iter().map(|(_, refs)| refs).sum() }
}

#[track_caller]
fn check(accesses: &[Access], setups: [(&str, &str, Window); 2]) {
    let sides = setups.map(|(json, os, window)| replay(accesses, json, os, window));
    let view = compare(&sides, 50);
    let events = one_by_one(accesses, setups);
    let differing: Vec<u32> =
        events.iter().filter(|(_, [a, b])| a != b).map(|(index, _)| *index).collect();
    assert_eq!(view.differing, differing.len() as u64);
    assert!(!differing.is_empty(), "nothing to find");
    let listed: Vec<u32> = view.listed.iter().map(|difference| difference.index).collect();
    assert_eq!(listed, differing.iter().copied().take(MAX_LISTED).collect::<Vec<_>>());
    let mut outcomes = [[0; Outcome::N]; Outcome::N];
    let mut walks = [view.left_walks.clone(), view.right_walks.clone()];
    for bins in &mut walks {
        bins.fill(0);
    }
    let mut differing_in = vec![0; view.differing_in.len()];
    for (index, [a, b]) in &events {
        let bin = ((index - view.from) / view.width) as usize;
        let (left, right) = (summary(a), summary(b));
        outcomes[left.outcome as usize][right.outcome as usize] += 1;
        for (walks, misses) in walks.iter_mut().zip([a, b]) {
            let n = misses.iter().filter(|(outcome, _)| outcome.is_walk()).count();
            walks[bin] += u32::try_from(n).unwrap();
        }
        differing_in[bin] += u32::from(a != b);
        if let Some(listed) = view.listed.iter().find(|listed| listed.index == *index) {
            assert_eq!((listed.left, listed.right), (left, right));
        }
    }
    assert_eq!(view.outcomes, outcomes);
    assert_eq!([view.left_walks, view.right_walks], walks);
    assert_eq!(view.differing_in, differing_in);
    let n = sides[0].trace().len();
    for index in
        [0, 1, CHUNK - 1, CHUNK, n / 2, n - 1].into_iter().chain(listed.into_iter().take(5))
    {
        let next = differing.iter().copied().find(|at| *at > index);
        let before = differing.iter().copied().rfind(|at| *at < index);
        assert_eq!(find(&sides, index, true), next, "after {index}");
        assert_eq!(find(&sides, index, false), before, "before {index}");
    }
}

#[test]
fn what_differs_is_what_differs_between_the_events_of_each_access() {
    let habits = Habits { processes: true, prefetches: true };
    let accesses = program(N, 5, habits);
    let all = Window::default();
    let part = Window { skip: 900, warmup: 100, limit: Some(9_000) };
    for (left, right) in [
        ((SMALL, "{}", all), (LARGE, "{}", all)),
        ((SMALL, "{}", all), (SMALL, r#"{"default": "2M"}"#, all)),
        ((SMALL, "{}", all), (SMALL, r#"{"virt": "ept"}"#, all)),
        ((SMALL, "{}", part), (LARGE, "{}", all)),
    ] {
        check(&accesses, [left, right]);
    }
}

#[test]
fn an_access_that_is_listed_has_these_events() {
    let accesses = program(3_000, 5, Habits::default());
    let mut sides = [(SMALL, "{}"), (SMALL, r#"{"virt": "ept"}"#)]
        .map(|(json, os)| replay(&accesses, json, os, Window::default()));
    for listed in compare(&sides, 8).listed.iter().step_by(7) {
        let ended = sides.each_mut().map(|side| {
            let step = side.seek(listed.index).unwrap();
            summary(&misses(step.translations.iter().map(|done| (done.outcome, done.refs))))
        });
        assert_eq!(ended, [listed.left, listed.right], "{}", listed.index);
    }
}

#[test]
fn a_machine_does_not_differ_from_itself() {
    let accesses = program(N, 5, Habits::default());
    let sides = [SMALL; 2].map(|json| replay(&accesses, json, "{}", Window::default()));
    let view = compare(&sides, 8);
    assert_eq!((view.differing, view.listed.len()), (0, 0));
    assert_eq!(view.outcomes.iter().flatten().sum::<u64>(), N as u64);
    assert_eq!(find(&sides, 0, true), None);
    assert_eq!(find(&sides, u32::try_from(N).unwrap() - 1, false), None);
}

#[test]
fn the_first_difference_is_where_the_larger_array_still_holds_a_page() {
    let two = r#"{"l1": [{"name": "d", "entries": 2, "ways": 2}]}"#;
    let four = r#"{"l1": [{"name": "d", "entries": 4, "ways": 4}]}"#;
    let accesses = [0, 1, 2, 0, 2].map(page);
    let sides = [two, four].map(|json| replay(&accesses, json, "{}", Window::default()));
    expect![[r"
        [
            Difference {
                index: 3,
                left: Ended {
                    outcome: Walk,
                    refs: 4,
                },
                right: Ended {
                    outcome: L1Hit,
                    refs: 0,
                },
            },
        ]
    "]]
    .assert_debug_eq(&compare(&sides, 1).listed);
}

#[test]
fn nothing_is_compared_where_the_windows_do_not_meet() {
    let accesses = program(2_000, 5, Habits::default());
    let window = |skip, limit| Window { skip, warmup: 0, limit };
    let sides = [window(0, Some(500)), window(900, None)]
        .map(|window| replay(&accesses, SMALL, "{}", window));
    let view = compare(&sides, 8);
    assert_eq!((view.from, view.to, view.differing), (900, 900, 0));
    assert_eq!(find(&sides, 0, true), None);
}
