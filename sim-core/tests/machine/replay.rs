//! Tests of replays. The view of an access does not depend on the accesses visited before. Searches and the timeline
//! agree with a plain run.

use std::rc::Rc;

use crate::common::program::{Draws, Habits, program};
use crate::common::{Translations, machine, report, run, trace};
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Outcome, Translation};
use pagewalk::machine::structures::StructureId;
use pagewalk::record::event::StepView;
use pagewalk::record::snapshot::Columns;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk::run::search::{Found, Search, Target};
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::addr::Hex;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::{Access, CHUNK, Completeness, Kind, Op, OpRecord, TraceBuilder};

/// Separate arrays for fetches and data, so that repeats of page runs can be skipped.
const SPLIT: &str = r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 16, "ways": 4, "replacement": "tree-plru"},
      {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4}],
    "l2": [{"name": "s", "entries": 192, "ways": 12, "index": "xor", "replacement": "mru3-plru4"}],
    "psc": {"pml4e": {"entries": 2}, "pdpte": {"entries": 4}, "pde": {"entries": 32, "ways": 4}},
    "latency": {"l2_hit": {"fetch": 14, "load": 9, "store": 9}, "walk_overhead": 8},
    "memory": {"caches": [{"name": "L1D", "size": "4K", "ways": 8, "latency": 4}, {"name": "L2", "size": "256K", "ways": 4, "latency": 14}]}}"#;
/// One array for all kinds, random replacement and data in the memory caches, so that no access can be skipped.
const SHARED: &str = r#"{"l1": [{"name": "a", "entries": 24, "replacement": "random"}],
    "l2": [{"name": "s", "entries": 64, "ways": 8, "replacement": "fifo"}], "psc": {"pde": {"in": "s"}, "upper": {"entries": 4}},
    "memory": {"data": true, "caches": [{"name": "L1D", "size": "4K", "ways": 8, "latency": 4}]}}"#;
const MIXED: &str = r#"{"regions": [{"start": "0x1000000000", "end": "0x1000200000", "pages": "2M"},
    {"start": "0x2000000000", "end": "0x2040000000", "pages": "1G"}], "frames": "shuffled"}"#;
/// The length of the traces: three whole chunks and a part.
const N: usize = 3 * CHUNK as usize + 7_001;

fn replay_of(accesses: &[Access], json: &str, os: &str, max_bytes: usize) -> Replay {
    Replay::new(Rc::new(trace(accesses)), machine(json, os), max_bytes)
}

/// Runs the whole trace in slices, as the browser does.
fn run_through(replay: &mut Replay) -> Result<(), Error> {
    while !replay.run(50_000)? {}
    Ok(())
}

/// Returns the contents of all structures of a machine.
fn all_columns(machine: &Machine) -> Vec<Columns> {
    (0..).map_while(|number| Columns::of(machine, StructureId(number))).collect()
}

fn look(replay: &mut Replay, index: u32) -> (StepView, Vec<Columns>) {
    (replay.seek(index).unwrap(), all_columns(replay.machine()))
}

/// Returns accesses around the borders of chunks and random ones, in rising order.
fn places() -> Vec<u32> {
    let n = u32::try_from(N).unwrap();
    let mut draws = Draws::new(77);
    let mut places: Vec<u32> = [0, 1, 2, n - 1].into();
    places.extend(
        (1..=3).flat_map(|border| [border * CHUNK - 1, border * CHUNK, border * CHUNK + 1]),
    );
    places.extend((0..20).map(|_| u32::try_from(draws.below(u64::from(n))).unwrap()));
    places.sort_unstable();
    places.dedup();
    places
}

#[track_caller]
fn check_time_travel(json: &str, os: &str, habits: Habits) {
    let accesses = program(N, 21, habits);
    let places = places();
    let mut forwards = replay_of(&accesses, json, os, 0);
    let seen: Vec<_> = places.iter().map(|place| look(&mut forwards, *place)).collect();

    // The plain machine runs every access separately, without page runs and checkpoints.
    let mut plain = machine(json, os);
    let mut at = 0;
    for (place, (_, columns)) in places.iter().zip(&seen) {
        for (index, access) in (at..=*place).zip(&accesses[at as usize..]) {
            plain.access(index, access, &mut ());
        }
        at = place + 1;
        assert!(all_columns(&plain) == *columns, "after access {place}");
    }

    for max_bytes in [0, CHECKPOINT_BYTES] {
        let mut backwards = replay_of(&accesses, json, os, max_bytes);
        run_through(&mut backwards).unwrap();
        for (place, seen) in places.iter().zip(&seen).rev() {
            assert!(
                look(&mut backwards, *place) == *seen,
                "backwards to {place}, {max_bytes} bytes"
            );
        }
        // The replay goes back and forth: first to every third place, then to the others.
        for round in 0..3 {
            for (place, seen) in places.iter().zip(&seen).skip(round).step_by(3) {
                assert!(look(&mut backwards, *place) == *seen, "to {place}, {max_bytes} bytes");
            }
        }
    }
}

#[test]
fn an_access_looks_the_same_from_wherever_one_comes() {
    check_time_travel(SPLIT, "{}", Habits { processes: true, prefetches: true });
}

#[test]
fn an_access_looks_the_same_on_a_machine_that_runs_every_access() {
    check_time_travel(SHARED, MIXED, Habits::default());
}

#[test]
fn fewer_checkpoints_take_less_memory() {
    let accesses = program(N, 21, Habits::default());
    let bytes = |max_bytes| {
        let mut replay = replay_of(&accesses, SPLIT, "{}", max_bytes);
        run_through(&mut replay).unwrap();
        replay.checkpoint_bytes()
    };
    let all = bytes(usize::MAX);
    let (fewer, fewest) = (bytes(all * 3 / 4), bytes(0));
    assert!(fewer <= all * 3 / 4 && fewest <= fewer && fewest > 0, "{all} {fewer} {fewest}");
}

#[test]
fn a_run_in_slices_reports_what_a_plain_run_does() {
    for (json, os) in [(SPLIT, "{}"), (SPLIT, MIXED), (SHARED, MIXED)] {
        let accesses = program(N, 33, Habits { processes: true, prefetches: true });
        let mut replay = replay_of(&accesses, json, os, CHECKPOINT_BYTES);
        // A seek must not change the result of the run.
        replay.seek(5).unwrap();
        run_through(&mut replay).unwrap();
        replay.seek(CHUNK + 3).unwrap();
        assert_eq!(replay.position() as usize, N);
        assert_eq!(replay.report(), report(json, os, accesses));
    }
}

#[test]
fn there_is_nothing_beyond_the_end() {
    let mut replay = replay_of(&program(100, 1, Habits::default()), SPLIT, "{}", 0);
    assert_eq!(replay.seek(100), None);
    assert_eq!(replay.seek(u32::MAX), None);
    assert!(replay.seek(99).is_some());
    let mut empty = replay_of(&[], SPLIT, "{}", 0);
    assert_eq!(empty.seek(0), None);
    assert_eq!(empty.run(1), Ok(true));
}

fn translations(accesses: &[Access], json: &str, os: &str) -> Vec<Translation> {
    let mut seen = Translations::default();
    run(&mut machine(json, os), accesses.iter().copied(), &mut seen);
    seen.0
}

/// Returns the accesses that fit a target, in rising order.
fn fitting(
    target: Target,
    accesses: &[Access],
    translations: &[Translation],
    page_shift: u32,
) -> Vec<u32> {
    if let Target::Page { address, exact } = target {
        let page_shift = if exact { 0 } else { page_shift };
        let fits = |access: &Access| access.address >> page_shift == address.0 >> page_shift;
        return (0..)
            .zip(accesses)
            .filter(|(_, access)| fits(access))
            .map(|(index, _)| index)
            .collect();
    }
    let fits = |outcome: Outcome| match target {
        Target::L1Miss => outcome != Outcome::L1Hit,
        Target::L2Hit => outcome == Outcome::L2Hit,
        Target::Walk => outcome == Outcome::Walk || outcome == Outcome::Fault,
        Target::Fault | Target::Page { .. } | Target::Operation => outcome == Outcome::Fault,
    };
    translations.iter().filter(|done| fits(done.outcome)).map(|done| done.index).collect()
}

fn search(replay: &Replay, from: u32, forward: bool, target: Target) -> Option<u32> {
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
fn searches_find_the_nearest_access_that_fits() {
    for (os, page_shift) in [("{}", 12), (r#"{"default": "2M"}"#, 21)] {
        let mut accesses = program(N, 5, Habits { processes: true, prefetches: true });
        // A rare target: a page that only two accesses use.
        accesses[300] = Access::new(Kind::Store, 0x5555_0000_0ff8, 16);
        accesses[N - 900] = accesses[300];
        let translations = translations(&accesses, SPLIT, os);
        let mut replay = replay_of(&accesses, SPLIT, os, CHECKPOINT_BYTES);
        run_through(&mut replay).unwrap();
        // The position of the cursor must not change the result.
        replay.seek(2 * CHUNK + 17).unwrap();
        let pages = [
            0x5555_0000_0000,
            0x5555_0000_0ff8,
            accesses[4].address,
            0x7ffd_0000_0000,
            0xdead_0000_0000,
        ];
        let targets = [Target::L1Miss, Target::L2Hit, Target::Walk, Target::Fault]
            .into_iter()
            .chain(pages.into_iter().flat_map(|address| {
                [false, true].map(|exact| Target::Page { address: Hex(address), exact })
            }));
        for target in targets {
            let all = fitting(target, &accesses, &translations, page_shift);
            let some = all.iter().copied().step_by(all.len() / 4 + 1);
            let ends = [0, 1, 300, 301, CHUNK, 2 * CHUNK + 18, u32::try_from(N - 1).unwrap()];
            for from in some.chain(ends) {
                let after = all.iter().copied().find(|index| *index > from);
                assert_eq!(
                    search(&replay, from, true, target),
                    after,
                    "{target:?} after {from}, {os}"
                );
                let before = all.iter().copied().rfind(|index| *index < from);
                assert_eq!(
                    search(&replay, from, false, target),
                    before,
                    "{target:?} before {from}, {os}"
                );
            }
        }
    }
}

fn sum(counts: &[u32]) -> u64 {
    counts.iter().map(|n| u64::from(*n)).sum()
}

fn timeline(replay: &Replay, from: u32, to: u32, bins: u32, rows: u32) -> Timeline {
    let mut timeline = Timeline::new(replay, from, to, bins, rows);
    while !timeline.go_on(replay.trace(), 30_011) {}
    timeline
}

/// Returns the numbers of translations, level-2 hits, walks without a fault, and faults of accesses `from..to`.
fn counts(translations: &[Translation], from: u32, to: u32) -> [u64; 4] {
    let inside = translations.iter().filter(|done| (from..to).contains(&done.index));
    let n = |outcome: Outcome| inside.clone().filter(|done| done.outcome == outcome).count() as u64;
    [inside.clone().count() as u64, n(Outcome::L2Hit), n(Outcome::Walk), n(Outcome::Fault)]
}

#[test]
fn the_timeline_of_any_window_counts_what_a_plain_run_does() {
    let accesses = program(N, 8, Habits { processes: true, prefetches: false });
    let n = u32::try_from(N).unwrap();
    for (json, os) in [(SPLIT, "{}"), (SHARED, MIXED)] {
        let translations = translations(&accesses, json, os);
        let mut replay = replay_of(&accesses, json, os, CHECKPOINT_BYTES);
        run_through(&mut replay).unwrap();
        replay.seek(CHUNK + 5).unwrap();
        let windows = [
            (0, n, 640, 200),
            (0, n, 1, 1),
            (1000, 1100, 640, 50),
            (CHUNK - 3, CHUNK + 4, 3, 10),
            (77_777, 2 * CHUNK + 99_999, 97, 33),
            (n - 5, u32::MAX, 2, 1),
            (CHUNK + 6, 2 * CHUNK + 6, 256, 100),
        ];
        for (from, to, bins, rows) in windows {
            let timeline = timeline(&replay, from, to, bins, rows);
            let to = to.min(n);
            let view = &timeline.view;
            assert_eq!((view.from, view.to), (from, to));
            assert!(view.bins <= bins, "{} columns for {bins}", view.bins);
            let width = (to - from).div_ceil(bins).max(1);
            for bin in 0..view.bins {
                let at = bin as usize;
                let seen = [
                    timeline.translations[at],
                    timeline.l2_hits[at],
                    timeline.walks[at],
                    timeline.faults[at],
                ];
                let (first, end) = (from + bin * width, (from + (bin + 1) * width).min(to));
                assert_eq!(
                    seen.map(u64::from),
                    counts(&translations, first, end),
                    "column {bin} of {from}..{to}"
                );
            }
            assert_eq!(sum(&timeline.density), u64::from(to - from));
            assert_eq!(sum(&timeline.cell_walks), sum(&timeline.walks));
            assert_eq!(sum(&timeline.cell_faults), sum(&timeline.faults));
            assert_eq!(timeline.density.len(), view.bins as usize * view.rows as usize);
        }
    }
}

#[test]
fn the_timeline_of_all_is_the_report() {
    let accesses = program(N, 9, Habits::default());
    let mut replay = replay_of(&accesses, SPLIT, MIXED, CHECKPOINT_BYTES);
    run_through(&mut replay).unwrap();
    let report = replay.report();
    let timeline = timeline(&replay, 0, u32::MAX, 500, 120);
    let kinds = [report.kinds.fetch, report.kinds.load, report.kinds.store];
    assert_eq!(sum(&timeline.translations), report.trace.translations);
    assert_eq!(sum(&timeline.l2_hits), kinds.iter().map(|kind| kind.l2_hits).sum::<u64>());
    assert_eq!(sum(&timeline.walks) + sum(&timeline.faults), report.walks.walks);
    assert_eq!(sum(&timeline.faults), report.faults.minor);
    // The rows of a region contain all its accesses.
    let bins = timeline.view.bins as usize;
    for region in &timeline.view.regions {
        let first = region.first_row as usize * bins;
        let cells = &timeline.density[first..][..region.rows as usize * bins];
        assert_eq!(sum(cells), region.accesses, "{}", region.name);
    }
}

#[test]
fn a_run_that_uses_up_memory_stops_with_an_error() {
    // With pages of 16 TiB, the 256th page does not fit into 4 PiB of physical memory.
    let json =
        r#"{"paging": {"offset_bits": 12, "index_bits": [10, 16, 16], "leaf_levels": [1, 3]}}"#;
    let accesses: Vec<Access> = (0..300).map(|n| Access::new(Kind::Load, n << 44, 8)).collect();
    let mut replay = replay_of(&accesses, json, r#"{"default": "16T"}"#, CHECKPOINT_BYTES);
    let error = run_through(&mut replay).unwrap_err();
    assert_eq!(error.code, ErrorCode::TooLarge);
    assert!(error.message.contains("use a smaller page size"), "{error}");
}

#[test]
fn more_processes_than_tags_stop_a_run_with_an_error() {
    // Page numbers of 56 bits leave room for eight tags, and one stands for global pages.
    let json =
        r#"{"paging": {"offset_bits": 1, "index_bits": [16, 16, 16, 8], "leaf_levels": [1]}}"#;
    let accesses: Vec<Access> =
        (0..8).map(|pid| Access { pid, ..Access::new(Kind::Load, 0x7000, 1) }).collect();
    let mut replay = replay_of(&accesses[..7], json, r#"{"default": "2"}"#, CHECKPOINT_BYTES);
    assert_eq!(run_through(&mut replay), Ok(()));
    let mut replay = replay_of(&accesses, json, r#"{"default": "2"}"#, CHECKPOINT_BYTES);
    assert_eq!(run_through(&mut replay).unwrap_err().code, ErrorCode::TooLarge);
}

#[test]
fn operations_are_found_and_counted_where_they_happen() {
    let mut items = [1, 0x1000, 3, 0x2000].map(|address| Access::new(Kind::Load, address, 8));
    items[1].tid = 41;
    let flush =
        |address| OpRecord { pid: 0, tid: 7, cpu: 0, op: Op::Invlpg { address: Hex(address) } };
    let mut builder = TraceBuilder::default();
    for (index, access) in items.iter().enumerate() {
        if index == 2 {
            builder.push_op(&flush(1)).unwrap();
            builder.push_op(&flush(2)).unwrap();
        }
        builder.push(access).unwrap();
    }
    builder.push_op(&flush(3)).unwrap();
    let trace = builder.finish(Completeness::Complete).unwrap();
    assert_eq!((trace.n_threads(), trace.n_cpus()), (2, 1));
    let machine = machine("{}", "{}");
    let replay = Replay::new(Rc::new(trace), machine, CHECKPOINT_BYTES);
    let target = Target::Operation;
    let found = |from, forward| search(&replay, from, forward, target);
    assert_eq!([found(0, true), found(2, true), found(3, true)], [Some(2), Some(3), None]);
    assert_eq!([found(3, false), found(2, false)], [Some(2), None]);

    let timeline = Timeline::new(&replay, 0, 4, 4, 10);
    assert_eq!(timeline.operations, [0, 0, 2, 1]);
    let window = Timeline::new(&replay, 1, 3, 1, 10);
    assert_eq!(window.operations, [2]);
}
