//! Tests of the window of a run, compared with single accesses. Skipped accesses are not simulated, and the warm-up
//! is not counted. Replays, searches and the timeline stay in the window.

use std::rc::Rc;

use crate::common::program::{Habits, program};
use crate::common::{Translations, machine, run, trace};
use pagewalk::machine::probe::{Outcome, Translation};
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay, Run};
use pagewalk::run::search::{Found, Search, Target};
use pagewalk::run::window::Window;
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::trace::{Access, CHUNK, Completeness};

const MACHINE: &str = r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 16, "ways": 4},
      {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4}],
    "l2": [{"name": "s", "entries": 64, "ways": 4}], "psc": {"pde": {"entries": 8}}}"#;
/// The length of the traces: two whole chunks and a part.
const N: usize = 2 * CHUNK as usize + 5_003;

fn window(skip: u64, warmup: u64, limit: Option<u64>) -> Window {
    Window { skip, warmup, limit }
}

/// Returns windows that end around borders of chunks and inside one.
fn windows() -> [Window; 5] {
    let chunk = u64::from(CHUNK);
    [
        window(0, 0, None),
        window(1_000, 0, Some(500)),
        window(0, chunk, Some(chunk)),
        window(chunk - 1, 2, Some(7_001)),
        window(700, chunk + 11, None),
    ]
}

fn replay(accesses: &[Access], window: Window) -> Replay {
    let trace = Rc::new(trace(accesses));
    let span = window.within(trace.len()).unwrap();
    let mut replay = Replay::within(span, trace, machine(MACHINE, "{}"), CHECKPOINT_BYTES);
    while !replay.run(20_000).unwrap() {}
    replay
}

fn counted(accesses: &[Access], window: Window) -> RunReport {
    let trace = Rc::new(trace(accesses));
    let span = window.within(trace.len()).unwrap();
    let mut run = Run::new(span, trace, machine(MACHINE, "{}"));
    while !run.go_on(1).unwrap() {}
    run.report()
}

/// Returns the report of the window from single accesses, and every translation in it.
fn by_hand(accesses: &[Access], window: Window) -> (RunReport, Vec<Translation>) {
    let clip = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(accesses.len());
    let (skip, counted, end) = (clip(window.skip), clip(window.counted_from()), clip(window.end()));
    let mut machine = machine(MACHINE, "{}");
    let (mut stats, mut seen) = (Stats::default(), Translations::default());
    for (index, access) in accesses.iter().enumerate().take(end).skip(skip) {
        let index = u32::try_from(index).unwrap();
        if index as usize >= counted {
            // Each observer gets its own copy of the machine.
            machine.clone().access(index, access, &mut seen);
            machine.access(index, access, &mut stats);
        } else {
            machine.access(index, access, &mut seen);
        }
    }
    let mut report = stats.report(&machine, Completeness::Complete);
    report.trace.part = (counted, end) != (0, accesses.len());
    (report, seen.0)
}

#[test]
fn only_what_follows_the_warm_up_is_counted() {
    let accesses = program(N, 5, Habits { processes: true, prefetches: true });
    for window in windows() {
        let (expected, _) = by_hand(&accesses, window);
        assert_eq!(replay(&accesses, window).report(), expected, "{window:?}");
        assert_eq!(counted(&accesses, window), expected, "{window:?}, without a way back");
    }
}

#[test]
fn a_window_of_everything_is_a_plain_run() {
    let accesses = program(N, 5, Habits::default());
    let mut plain = Stats::default();
    let mut whole = machine(MACHINE, "{}");
    run(&mut whole, accesses.iter().copied(), &mut plain);
    let expected = plain.report(&whole, Completeness::Complete);
    assert_eq!(replay(&accesses, Window::default()).report(), expected);
}

#[test]
fn an_access_outside_is_not_shown_and_one_inside_is_as_if_the_trace_began_there() {
    let accesses = program(N, 5, Habits::default());
    for window in windows() {
        let mut replay = replay(&accesses, window);
        let simulated = replay.span().simulated.clone();
        let (_, seen) = by_hand(&accesses, window);
        for index in [simulated.start, simulated.start + 3, simulated.end - 1, simulated.start] {
            let step = replay.seek(index).unwrap();
            let expected = seen.iter().find(|done| done.index == index).unwrap();
            assert_eq!(step.translations[0].outcome, expected.outcome, "{index} of {window:?}");
        }
        assert!(replay.seek(simulated.end).is_none());
        assert!(simulated.start == 0 || replay.seek(simulated.start - 1).is_none());
    }
}

fn find(replay: &Replay, from: u32, forward: bool, target: Target) -> Option<u32> {
    let mut search = Search::new(replay, from, forward, target);
    loop {
        match search.go_on(replay) {
            Found::NotYet => {}
            Found::Nothing => return None,
            Found::At(index) => return Some(index),
        }
    }
}

#[test]
fn searches_stay_inside() {
    let accesses = program(N, 5, Habits::default());
    let last = u32::try_from(N - 1).unwrap();
    for window in windows() {
        let mut replay = replay(&accesses, window);
        let (_, seen) = by_hand(&accesses, window);
        let walks = || seen.iter().filter(|done| done.outcome.is_walk());
        let simulated = replay.span().simulated.clone();
        let first = walks().map(|done| done.index).find(|index| *index > simulated.start);
        let from_before = find(&replay, simulated.start, true, Target::Walk);
        assert_eq!(from_before, first, "{window:?}");
        let end = walks().map(|done| done.index).rfind(|index| *index < last);
        assert_eq!(find(&replay, last, false, Target::Walk), end, "{window:?}");
        // A search for the page of the trace's first access must stay inside the window.
        replay.seek(simulated.start).unwrap();
        let address = pagewalk_base::addr::Hex(accesses[0].address);
        for forward in [true, false] {
            let from = if forward { 0 } else { last };
            let found = find(&replay, from, forward, Target::Page { address, exact: false });
            assert!(found.is_none_or(|index| simulated.contains(&index)), "{window:?}");
        }
    }
}

#[test]
fn the_timeline_counts_outcomes_inside_and_accesses_everywhere() {
    let accesses = program(N, 5, Habits { processes: false, prefetches: false });
    let n = u32::try_from(N).unwrap();
    for window in windows() {
        let replay = replay(&accesses, window);
        let (_, seen) = by_hand(&accesses, window);
        for (from, to) in [(0, n), (500, 2_500), (CHUNK - 5, n)] {
            let mut timeline = Timeline::new(&replay, from, to, 64, 40);
            while !timeline.go_on(replay.trace(), 10_007) {}
            let sum = |column: &[u32]| column.iter().copied().map(u64::from).sum::<u64>();
            let inside = || seen.iter().filter(|done| (from..to).contains(&done.index));
            let n_of = |outcome| inside().filter(|done| done.outcome == outcome).count() as u64;
            assert_eq!(sum(&timeline.translations), inside().count() as u64, "{window:?}");
            assert_eq!(sum(&timeline.walks), n_of(Outcome::Walk), "{window:?}");
            assert_eq!(sum(&timeline.faults), n_of(Outcome::Fault), "{window:?}");
            assert_eq!(sum(&timeline.density), u64::from(to - from), "{window:?}");
        }
    }
}
