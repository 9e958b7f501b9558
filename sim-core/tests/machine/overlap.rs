//! Tests that no schedule of the translations of a run is faster than the bound with overlap, or slower than their
//! sum. A naive scheduler gives each translation the first free place, and each walk the first free walker.

use pagewalk::config::{MachineConfig, OUTSTANDING_MISSES, Overlap, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::{CyclesReport, Stats};
use pagewalk_base::trace::{Access, Completeness, Kind};

use crate::common::program::{Draws, Habits, program};
use crate::common::{Translations, machine, report, run};

/// Returns the time at which the last translation ends.
fn schedule(translations: &[[u64; 2]], Overlap { walkers, outstanding_misses }: Overlap) -> u64 {
    /// Returns the place or the walker that is free first, with its time.
    fn first(free: &mut [u64]) -> &mut u64 {
        free.iter_mut().min().unwrap()
    }
    let mut places = vec![0; outstanding_misses as usize];
    let mut free = vec![0; walkers as usize];
    for [l2, walk] in translations {
        let place = first(&mut places);
        *place += l2;
        if *walk > 0 {
            let walker = first(&mut free);
            *walker = walk + *place.max(walker);
            *place = *walker;
        }
    }
    places.into_iter().max().unwrap()
}

/// Returns a small machine with random sizes and latencies.
fn random_machine(draws: &mut Draws) -> MachineConfig {
    let mut below = |n| 1 + draws.below(n);
    let (l1, l2, pde) = (below(16), 4 * below(32), below(8));
    let (hit, overhead, cache, dram) = (below(20), below(20), below(20), below(300));
    let json = format!(
        r#"{{"l1": [{{"entries": {l1}}}], "l2": [{{"entries": {l2}}}], "psc": {{"pde": {{"entries": {pde}}}}},
            "latency": {{"l2_hit": {hit}, "walk_overhead": {overhead}}},
            "memory": {{"caches": [{{"name": "L1D", "size": "4K", "ways": 4, "latency": {cache}}}], "dram": {dram}}}}}"#
    );
    parse_json(&json).unwrap()
}

/// Runs a trace. Returns the report of its cycles, and those of each translation: in level 2, and in the walk.
fn cycles(config: &MachineConfig, accesses: &[Access]) -> (CyclesReport, Vec<[u64; 2]>) {
    let machine = Machine::new(config, &OsConfig::default()).unwrap();
    let (mut stats, mut seen) = (Stats::default(), Translations::default());
    run(&mut machine.clone(), accesses.iter().copied(), &mut seen);
    let mut counted = machine;
    run(&mut counted, accesses.iter().copied(), &mut stats);
    let own = seen.0.iter().filter(|done| done.kind != Kind::Prefetch);
    let each = own.map(|done| [done.l2_cycles + done.l2_miss_cycles, done.walk_cycles]);
    (stats.report(&counted, Completeness::Complete).cycles, each.collect())
}

#[test]
fn every_schedule_lies_between_the_bound_and_the_sum() {
    let mut draws = Draws::new(7);
    for seed in 1..=40 {
        let mut config = random_machine(&mut draws);
        let habits = Habits { prefetches: seed % 2 == 0, ..Habits::default() };
        let accesses = program(2000, seed, habits);
        let others = (1 + draws.below(6), 1 + draws.below(20));
        for (walkers, misses) in [(1, 1), (1, 64), (64, 1), (64, 1024), others] {
            config.walkers = walkers.try_into().unwrap();
            config.outstanding_misses = Some(misses.try_into().unwrap());
            let (report, each) = cycles(&config, &accesses);
            let CyclesReport { total, overlapped, .. } = report;
            assert_eq!(total, each.iter().flatten().sum::<u64>());
            let mut longest_first = each.clone();
            longest_first.sort_by_key(|[_, walk]| std::cmp::Reverse(*walk));
            let reversed = each.iter().rev().copied().collect();
            for each in [each, longest_first, reversed] {
                let time = schedule(&each, config.overlap());
                assert!(overlapped <= time, "{overlapped} > {time} with {walkers}, {misses}");
                assert!(time <= total, "{time} > {total} with {walkers}, {misses}");
                if misses == 1 {
                    assert_eq!((overlapped, time), (total, total));
                }
            }
        }
    }
}

/// 8 walks of 100 cycles, without a level 2: 2 walkers need 400 cycles, and 3 need 267, rounded up.
#[test]
fn the_bound_is_the_work_of_each_walker_or_of_each_miss_in_flight() {
    let bound = |extra: &str| {
        let json =
            format!(r#"{{"l1": [{{"entries": 1}}], "memory": {{"dram": 25}}, "seed": 1{extra}}}"#);
        let loads = (0..8).map(|page| Access::new(Kind::Load, page << 12, 1));
        let CyclesReport { total, overlapped, .. } = report(&json, "{}", loads).cycles;
        assert_eq!(total, 800);
        overlapped
    };
    assert_eq!(bound(""), 800);
    assert_eq!(bound(r#", "walkers": 2"#), 400);
    assert_eq!(bound(r#", "walkers": 3"#), 267);
    assert_eq!(bound(r#", "walkers": 64"#), 800 / u64::from(OUTSTANDING_MISSES));
    assert_eq!(bound(r#", "walkers": 64, "outstanding_misses": 4"#), 200);
    assert_eq!(bound(r#", "walkers": 2, "outstanding_misses": 1"#), 800);
}

/// The numbers change the bound, and nothing else.
#[test]
fn walkers_and_outstanding_misses_change_only_the_bound() {
    let accesses = program(2000, 3, Habits::default());
    let json = |walkers, misses| {
        format!(
            r#"{{"l1": [{{"entries": 4}}], "l2": [{{"entries": 16}}], "walkers": {walkers}, "outstanding_misses": {misses}}}"#
        )
    };
    let of = |walkers, misses| report(&json(walkers, misses), "{}", accesses.iter().copied());
    let one = of(1, 1);
    for (walkers, misses) in [(1, 2), (2, 8), (64, 1024)] {
        let mut other = of(walkers, misses);
        assert!(other.cycles.overlapped < one.cycles.overlapped);
        other.cycles.overlapped = one.cycles.overlapped;
        assert_eq!(other, one);
        let ran = parse_json(&json(1, 1)).unwrap();
        let computed = one.at_latencies_of(&machine(&json(walkers, misses), "{}"), &ran);
        assert_eq!(computed, Some(of(walkers, misses)));
    }
}
