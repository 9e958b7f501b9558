//! Accesses that end without a translation: searches, the timeline, the attribution and the comparison of machines
//! see them as exceptions, never as hits.

use std::rc::Rc;

use crate::common::ops::{items, trace};
use crate::common::{machine, page};
use expect_test::{Expect, expect};
use pagewalk::machine::probe::Outcome;
use pagewalk::run::lockstep::Lockstep;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk::run::search::{Found, Search, Target};
use pagewalk_analysis::attribution::Attribution;
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{CHUNK, Completeness, TraceBuilder};

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}]}"#;
/// A pool with one huge page for the two huge pages of a region.
const POOL: &str = r#"{"hugetlb": [{"size": "2M", "pages": 1, "reserve": false}],
    "regions": [{"start": "0x40000000", "end": "0x40400000", "pages": "hugetlb-2M"}]}"#;

fn replay(machine_json: &str, os: &str, scenario: &str) -> Replay {
    let trace = Rc::new(trace(&items(scenario)));
    let mut replay = Replay::new(trace, machine(machine_json, os), CHECKPOINT_BYTES);
    while !replay.run(1_000).unwrap() {}
    replay
}

fn find_all(replay: &Replay, forward: bool, target: Target) -> Vec<u32> {
    let n = replay.trace().len();
    // A search does not examine the access where it starts, so access 0 is found only backward.
    let mut at = if forward { 0 } else { n };
    let mut found = Vec::new();
    let mut search = Search::new(replay, at, forward, target);
    loop {
        match search.go_on(replay) {
            Found::NotYet => {}
            Found::Nothing => return found,
            Found::At(index) => {
                found.push(index);
                at = index;
                search = Search::new(replay, at, forward, target);
            }
        }
    }
}

/// Prints the outcome of each step, what searches find, and the sums of the timeline and the attribution.
fn summary(mut replay: Replay) -> String {
    let n = replay.trace().len();
    let outcomes: Vec<Outcome> = (0..n).map(|at| replay.seek(at).unwrap().outcome).collect();
    let mut timeline = Timeline::new(&replay, 0, n, n, 8);
    while !timeline.go_on(replay.trace(), 1) {}
    let Timeline { translations, walks, faults, exceptions, cell_exceptions, .. } = &timeline;
    let cells: u32 = cell_exceptions.iter().sum();
    let mut attribution = Attribution::new(&replay);
    while !attribution.go_on(replay.trace(), 1) {}
    let counts = attribution.view(replay.trace(), &Samples::default()).total;
    let found = |target| [true, false].map(|forward| find_all(&replay, forward, target));
    format!(
        "{outcomes:?}\nfault {:?} walk {:?} L1 miss {:?}\n\
         translations {translations:?} walks {walks:?} faults {faults:?} exceptions {exceptions:?}, cells {cells}\n\
         L1 misses {} walks {} faults {} exceptions {}\n",
        found(Target::Fault),
        found(Target::Walk),
        found(Target::L1Miss),
        counts.l1_misses,
        counts.walks,
        counts.faults,
        counts.exceptions,
    )
}

#[track_caller]
fn check(machine: &str, os: &str, scenario: &str, expected: &Expect) {
    expected.assert_eq(&summary(replay(machine, os, scenario)));
}

#[test]
fn a_page_fault_without_repair_is_an_exception() {
    check(
        MACHINE,
        "{}",
        "store 0x1000\nload 0x1000\nmprotect 0x1000 4096 r--\nstore 0x1000\nload 0x1000",
        &expect![[r"
            [Fault, L1Hit, Exception, Walk]
            fault [[2], [2, 0]] walk [[3], [3, 0]] L1 miss [[3], [3, 0]]
            translations [1, 1, 1, 1] walks [0, 0, 0, 1] faults [1, 0, 0, 0] exceptions [0, 0, 1, 0], cells 1
            L1 misses 2 walks 2 faults 1 exceptions 1
        "]],
    );
}

#[test]
fn an_address_that_the_machine_does_not_translate_is_an_exception() {
    check(
        MACHINE,
        "{}",
        "load 0x800000000000\nload 0x1000\nload 0x800000000000\nprefetch 0x800000000000",
        &expect![[r"
            [Exception, Fault, Exception, L1Hit]
            fault [[1, 2], [2, 1, 0]] walk [[1], [1]] L1 miss [[1], [1]]
            translations [1, 1, 1, 0] walks [0, 0, 0, 0] faults [0, 1, 0, 0] exceptions [1, 0, 1, 0], cells 2
            L1 misses 1 walks 1 faults 1 exceptions 2
        "]],
    );
}

#[test]
fn a_bus_error_is_an_exception() {
    check(
        MACHINE,
        POOL,
        "store 0x40000000\nstore 0x40200000\nload 0x40000008",
        &expect![[r"
            [Fault, Exception, L1Hit]
            fault [[1], [1, 0]] walk [[], [0]] L1 miss [[], [0]]
            translations [1, 1, 1] walks [0, 0, 0] faults [1, 0, 0] exceptions [0, 1, 0], cells 1
            L1 misses 1 walks 1 faults 1 exceptions 1
        "]],
    );
}

/// Fast paths run the pages between the exceptions.
#[test]
fn searches_find_exceptions_in_every_chunk() {
    let n = 2 * CHUNK + 100;
    let ended = [3, CHUNK - 1, CHUNK, 2 * CHUNK + 50];
    let mut builder = TraceBuilder::default();
    for index in 0..n {
        let number = if ended.contains(&index) { 1 << 36 } else { u64::from(index % 8) };
        builder.push(&page(number)).unwrap();
    }
    let trace = Rc::new(builder.finish(Completeness::Complete).unwrap());
    let mut replay = Replay::new(trace, machine(MACHINE, "{}"), CHECKPOINT_BYTES);
    while !replay.run(50_000).unwrap() {}
    let mut all = find_all(&replay, true, Target::Fault);
    // The others are first touches of pages.
    all.retain(|index| *index > 11 || *index == 3);
    assert_eq!(all, ended);
    let mut timeline = Timeline::new(&replay, 0, n, 10, 8);
    while !timeline.go_on(replay.trace(), 50_000) {}
    assert_eq!(timeline.exceptions.iter().sum::<u32>(), 4);
    assert_eq!(replay.report().exceptions.general_protection, 4);
}

#[test]
fn the_comparison_of_machines_tells_exceptions_from_hits() {
    let scenario = "load 0x1000\nload 0x800000000000\nload 0x1000";
    let five = r#"{"l1": [{"name": "d", "entries": 8}],
        "paging": {"offset_bits": 12, "index_bits": [9, 9, 9, 9, 9], "leaf_levels": [1]}}"#;
    let sides = [MACHINE, five].map(|json| replay(json, "{}", scenario));
    let [left, right] = &sides;
    let mut lockstep = Lockstep::new(left, right, 1);
    while !lockstep.go_on(left.trace(), 1) {}
    let view = lockstep.view();
    let [exception, fault] = [Outcome::Exception, Outcome::Fault].map(|outcome| outcome as usize);
    assert_eq!(view.outcomes[exception][fault], 1);
    assert_eq!((&view.left_walks, &view.right_walks), (&vec![1], &vec![2]));
    assert!(view.listed.iter().any(|listed| listed.index == 1));
}
