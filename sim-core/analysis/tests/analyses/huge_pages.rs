//! Tests that every point of the advice equals a run of the machine with those huge pages, and that the picks
//! are those of a greedy choice.

use cases::cases;
use std::collections::{BTreeMap, BTreeSet};

use pagewalk::config::cpu;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{Frames, OsConfig, PagePolicy, RegionConfig, Virt};
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Run;
use pagewalk::run::window::Window;
use pagewalk_analysis::huge_pages::{Advisor, HugeAdvice, HugeOptions, HugeSetup, advise};
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind, Trace};

use crate::common::program::{Habits, program};
use crate::common::recorded::recorded;

const SMALL: &str = r#"{"l1": [{"name": "4K", "pages": ["4K"], "entries": 4}, {"name": "2M", "pages": ["2M"], "entries": 2}],
    "l2": [{"entries": 8}], "psc": {"pde": {"entries": 2}}, "latency": {"walk_overhead": 3}}"#;

/// Runs the machine with the ranges that begin at `ranges` as huge pages.
pub(super) fn run(
    setup: &HugeSetup,
    options: HugeOptions,
    ranges: &[u64],
    trace: &Trace,
) -> RunReport {
    let mut os = setup.os.clone();
    os.default = PagePolicy::Fixed(options.pages);
    for start in ranges.iter().collect::<BTreeSet<_>>() {
        let policy = PagePolicy::Fixed(options.huge);
        let end = start.saturating_add(options.huge.bytes());
        os.regions.push(RegionConfig::new(*start, end, policy));
    }
    let machine =
        Machine::with_map(&setup.machine, &os, &memory_map(trace, setup.machine.address_tags()))
            .unwrap();
    let span = setup.window.within(trace.len()).unwrap();
    let mut run = Run::new(span, trace, machine.with_cores(setup.cores));
    run.go_on(u32::MAX).unwrap();
    run.report()
}

#[track_caller]
fn check(config: &MachineConfig, options: HugeOptions, trace: &Trace) -> HugeAdvice {
    check_in(&HugeSetup::from(config), options, trace)
}

#[track_caller]
fn check_in(setup: &HugeSetup, options: HugeOptions, trace: &Trace) -> HugeAdvice {
    let advice = advise(trace, setup, options).unwrap();
    let starts: Vec<u64> = advice.picks.iter().map(|pick| pick.start.0).collect();
    assert_eq!(starts.iter().collect::<BTreeSet<_>>().len(), starts.len());

    // The used 4 KiB pages of each range. Prefetches use pages too, and accesses that straddle two pages use
    // both.
    let mut used: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for access in trace.accesses_from(0) {
        for address in [access.address, access.last()] {
            let range = address >> options.huge.shift() << options.huge.shift();
            used.entry(range).or_default().insert(address >> options.pages.shift());
        }
    }
    for pick in &advice.picks {
        let pages = used[&pick.start.0].len() as u64;
        assert_eq!(pick.touched_bytes, pages << options.pages.shift());
    }
    for point in &advice.points {
        let huge = &starts[..point.huge_pages as usize];
        let report = run(setup, options, huge, trace);
        assert_eq!(
            [point.walks, point.walk_cycles, point.l2_miss_cycles, point.l2_cycles],
            [report.walks.walks, report.cycles.walk, report.cycles.l2_miss, report.cycles.l2_hit]
        );
        let picks = &advice.picks[..huge.len()];
        let extra: u64 = picks.iter().map(|pick| options.huge.bytes() - pick.touched_bytes).sum();
        assert_eq!(point.extra_bytes, extra);
    }
    assert!(advice.picks.len() <= options.most as usize);
    check_rows(setup, options, trace, &advice);
    advice
}

/// Each row is simulated again by a run with only its huge pages. Together, the rows have all picks.
fn check_rows(setup: &HugeSetup, options: HugeOptions, trace: &Trace, advice: &HugeAdvice) {
    let cycles = |report: &RunReport| {
        let of = &report.cycles;
        i64::try_from(of.l2_hit + of.l2_miss + of.walk).unwrap()
    };
    let none = run(setup, options, &[], trace);
    let mut starts = Vec::new();
    for row in &advice.rows {
        let huge = usize::try_from(options.huge.bytes()).unwrap();
        let own: Vec<u64> = (row.start.0..row.end.0).step_by(huge).collect();
        assert_eq!(own.len(), row.huge_pages as usize);
        if let Some(saving) = row.alone {
            let report = run(setup, options, &own, trace);
            let walks = [none.walks.walks, report.walks.walks].map(|n| i64::try_from(n).unwrap());
            assert_eq!(saving.walks, walks[0] - walks[1]);
            assert_eq!(saving.cycles, cycles(&none) - cycles(&report));
        }
        starts.extend(own);
    }
    starts.sort_unstable();
    let mut picked: Vec<u64> = advice.picks.iter().map(|pick| pick.start.0).collect();
    picked.sort_unstable();
    assert_eq!(starts, picked);
    assert!(advice.rows.iter().take(3).all(|row| row.alone.is_some()));
}

/// Returns the cycles and walks that each range saves, if the ranges at `before` are huge already.
fn gains(
    setup: &HugeSetup,
    options: HugeOptions,
    before: &[u64],
    ranges: &BTreeSet<u64>,
    trace: &Trace,
) -> BTreeMap<u64, (i128, i128)> {
    let left = |starts: &[u64]| {
        let report = run(setup, options, starts, trace);
        let cycles = report.cycles.l2_miss + report.cycles.walk;
        (i128::from(cycles), i128::from(report.walks.walks))
    };
    let now = left(before);
    let gain = |range: &u64| {
        let after = left(&[before, &[*range]].concat());
        (*range, (now.0 - after.0, now.1 - after.1))
    };
    ranges.iter().filter(|range| !before.contains(range)).map(gain).collect()
}

/// Compares the picks with a greedy choice that simulates every range at every pick. The first picks are always
/// equal. All are equal if no range saves more than in an earlier simulation.
#[test]
fn picks_are_those_of_greedy_while_no_range_saves_more_than_before() {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(SMALL).unwrap());
    let mut n_followed = [0; 4];
    cases(1800).check(|u| {
        let mut accesses = Vec::new();
        for _ in 0..u.int_in_range(1..=200)? {
            let range = u64::from(u.int_in_range(0..=5u32)?);
            let page = u64::from(u.int_in_range(0..=9u32)?);
            let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
            let address = range << 21 | page << 12 | *u.choose(&[0, 4095])?;
            accesses.push(Access::new(kind, address, *u.choose(&[1, 8])?));
        }
        let trace = crate::common::trace(&accesses);
        let options = HugeOptions::default();
        let advice = check(&setup.machine, options, &trace);
        let ranges: BTreeSet<u64> = advice.picks.iter().map(|pick| pick.start.0).collect();
        let mut before: Vec<u64> = Vec::new();
        let mut last: Option<BTreeMap<u64, (i128, i128)>> = None;
        for (at, pick) in advice.picks.iter().enumerate() {
            let now = gains(&setup, options, &before, &ranges, &trace);
            let rises = |(range, gain): (&u64, &(i128, i128))| {
                last.as_ref().is_some_and(|last| last[range] < *gain)
            };
            if now.iter().any(rises) {
                break;
            }
            assert_eq!(now.values().max(), Some(&now[&pick.start.0]), "pick {at}");
            n_followed[at.min(3)] += 1;
            before.push(pick.start.0);
            last = Some(now);
        }
        Ok(())
    });
    assert!(n_followed.iter().all(|n| *n > 0), "{n_followed:?}");
}

#[test]
fn points_are_runs_of_the_machine() {
    let config = cpu::model("intel-skylake").unwrap().machine;
    let made_up = crate::common::trace(&program(40_000, 11, Habits::default()));
    let all_alone = HugeOptions { budget: 100_000_000, ..HugeOptions::default() };
    for most in [0, 1, 20] {
        let advice = check(&config, HugeOptions { most, ..all_alone }, &made_up);
        let counts: Vec<u32> = advice.points.iter().map(|point| point.huge_pages).collect();
        assert_eq!(counts, (0..=most).collect::<Vec<_>>());
        assert!(advice.picks.iter().all(|pick| pick.tried));
    }
    let options = HugeOptions { huge: PageSize::G1, most: 4, ..HugeOptions::default() };
    check(&config, options, &made_up);
    check(&config, HugeOptions { pages: PageSize::M2, ..options }, &made_up);
    check(&config, HugeOptions { most: 8, ..HugeOptions::default() }, &recorded("chase"));
}

#[test]
fn beyond_the_budget_several_are_picked_at_once() {
    let config = cpu::model("intel-skylake").unwrap().machine;
    let trace = crate::common::trace(&program(40_000, 11, Habits::default()));
    let options = HugeOptions { most: 20, budget: 0, ..HugeOptions::default() };
    let advice = check(&config, options, &trace);
    let single = advice.picks.iter().filter(|pick| pick.tried).count();
    // Four simulations are allowed. Two come before the first pick, and each later pick needs at least one.
    assert!((1..=3).contains(&single), "{single}");
    assert!(advice.picks[..single].iter().all(|pick| pick.tried));
    let mut counts: Vec<usize> = (0..=single).collect();
    while let Some(last) = counts.last().copied().filter(|last| *last < 20) {
        counts.push((4 * last).min(20));
    }
    let output: Vec<usize> = advice.points.iter().map(|point| point.huge_pages as usize).collect();
    assert_eq!(output, counts);
}

/// The simulations use the mapping, cores and window of the setup.
#[test]
fn mapping_cores_and_window_are_those_of_the_setup() {
    let config = cpu::model("intel-skylake").unwrap().machine;
    let mut accesses = program(30_000, 13, Habits::default());
    for (at, access) in accesses.iter_mut().enumerate() {
        access.tid = u32::from(at % 1000 > 600);
    }
    let trace = crate::common::trace(&accesses);
    let options = HugeOptions { most: 3, ..HugeOptions::default() };
    let plain = HugeSetup::from(&config);
    let native = check_in(&plain, options, &trace);
    let shuffled = OsConfig { frames: Frames::Shuffled, ..OsConfig::default() };
    let nested = OsConfig { virt: Virt::Ept, host: Some(Box::default()), ..OsConfig::default() };
    let window = Window { skip: 1000, warmup: 7000, limit: Some(9000) };
    for other in [
        HugeSetup { os: shuffled, ..plain.clone() },
        HugeSetup { os: nested, ..plain.clone() },
        HugeSetup { cores: Cores::Tid, ..plain.clone() },
        HugeSetup { window, ..plain.clone() },
    ] {
        assert_ne!(check_in(&other, options, &trace).points, native.points);
    }
    let window = Window { skip: 30_000, ..Window::default() };
    let error = advise(&trace, &HugeSetup { window, ..plain }, options).unwrap_err();
    assert_eq!(error.at.unwrap().to_string(), "window.skip");
}

#[test]
fn groups_of_entries_are_huge_pages_too_where_the_machine_has_them() {
    let config = cpu::model("arm-neoverse-n1").unwrap().machine;
    let trace = crate::common::trace(&program(20_000, 12, Habits::default()));
    let options = HugeOptions { huge: PageSize(16), most: 5, ..HugeOptions::default() };
    check(&config, options, &trace);
}

/// A cycle over one page of each of 16 ranges, and many pages of another range. The latter is picked first,
/// because other huge pages save the fewest of its walks.
#[test]
fn the_range_with_many_pages_is_picked_first() {
    let config: MachineConfig = parse_json(SMALL).unwrap();
    let accesses: Vec<Access> = (0..6400)
        .map(|at| {
            if at % 4 == 0 {
                crate::common::page(at / 4 % 16 * 512)
            } else {
                crate::common::page(512 * 99 + at % 400)
            }
        })
        .collect();
    let advice = check(
        &config,
        HugeOptions { most: 3, ..HugeOptions::default() },
        &crate::common::trace(&accesses),
    );
    assert_eq!(advice.picks[0].start.0, 99 << 21);
    assert!(advice.picks[0].tried);
}

#[test]
fn sizes_that_cannot_be_are_errors() {
    let config: MachineConfig = parse_json("{}").unwrap();
    let trace = crate::common::trace(&[crate::common::page(1)]);
    for (pages, huge, said) in [
        (12, 12, "huge: 4K: must be larger than the pages of 4K"),
        (12, 16, "huge: "),
        (13, 21, "pages: "),
    ] {
        let options =
            HugeOptions { pages: PageSize(pages), huge: PageSize(huge), ..HugeOptions::default() };
        let error = advise(&trace, &HugeSetup::from(&config), options).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

/// A short budget also makes the advisor pick several ranges together.
#[test]
fn trials_ahead_change_the_time_of_the_advice_and_nothing_else() {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(SMALL).unwrap());
    let mut n_rounds = [0; 2];
    cases(300).check(|u| {
        let mut accesses = Vec::new();
        for _ in 0..u.int_in_range(1..=200)? {
            let range = u64::from(u.int_in_range(0..=11u32)?);
            let page = u64::from(u.int_in_range(0..=9u32)?);
            accesses.push(Access::new(Kind::Load, range << 21 | page << 12, 1));
        }
        let trace = crate::common::trace(&accesses);
        let budget = u.int_in_range(1..=20_000)?;
        let options = HugeOptions { budget, ..HugeOptions::default() };
        let plain = advise(&trace, &setup, options).unwrap();
        for (n, rounds) in [0, 3].into_iter().zip(&mut n_rounds) {
            let mut advisor = Advisor::new(&trace, &setup, options).unwrap();
            loop {
                *rounds += 1;
                let trials = advisor.trials(n);
                while !advisor.go_on_inside(&trace).unwrap() {}
                for trial in trials {
                    let tried = trial.run(&trace).unwrap();
                    if u.ratio(9, 10)? {
                        advisor.add(&tried);
                    }
                }
                if advisor.go_on(&trace).unwrap() {
                    break;
                }
            }
            assert_eq!(advisor.finish(), plain, "{n} trials ahead");
        }
        Ok(())
    });
    let [alone, ahead] = n_rounds;
    assert!(3 * ahead < 2 * alone, "{alone} rounds alone, {ahead} with 3 trials ahead");
}
