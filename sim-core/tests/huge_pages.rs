//! Every point of the advice is a run of the machine with those huge pages, and the first pick is the best.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use pagewalk::addr::PageSize;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::cpu;
use pagewalk::huge_pages::{CANDIDATES, HugeAdvice, HugeOptions, TRIED, advise};
use pagewalk::machine::Machine;
use pagewalk::os::{OsConfig, PagePolicy, RegionConfig};
use pagewalk::stats::{RunReport, Stats};
use pagewalk::trace::{Access, Completeness, Kind, Trace};

use common::program::{Habits, program};
use common::recorded::recorded;

const SMALL: &str = r#"{"l1": [{"name": "4K", "pages": ["4K"], "entries": 4}, {"name": "2M", "pages": ["2M"], "entries": 2}],
    "l2": [{"entries": 8}], "psc": {"pde": {"entries": 2}}, "latency": {"walk_overhead": 3}}"#;

/// Every access by itself, with the ranges that begin at `ranges` as huge pages.
fn run(config: &MachineConfig, options: HugeOptions, ranges: &[u64], trace: &Trace) -> RunReport {
    let mut os = OsConfig::of(options.pages);
    for start in ranges.iter().collect::<BTreeSet<_>>() {
        let policy = PagePolicy::Fixed(options.huge);
        let end = start.saturating_add(options.huge.bytes());
        os.regions.push(RegionConfig::new(*start, end, policy));
    }
    let (mut machine, mut stats) = (Machine::new(config, &os).unwrap(), Stats::default());
    common::run(&mut machine, trace.accesses_from(0), &mut stats);
    stats.report(&machine, Completeness::Complete)
}

#[track_caller]
fn check(config: &MachineConfig, options: HugeOptions, trace: &Trace) -> HugeAdvice {
    let advice = advise(trace, config, options).unwrap();
    let starts: Vec<u64> = advice.picks.iter().map(|pick| pick.start.0).collect();
    assert_eq!(starts.iter().collect::<BTreeSet<_>>().len(), starts.len());

    // Pages used by range: 4 KiB ones, as prefetches and accesses that end on another page use them too.
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
        let report = run(config, options, huge, trace);
        assert_eq!(
            (point.walks, point.walk_cycles, point.l2_cycles),
            (report.walks.walks, report.cycles.walk, report.cycles.l2_hit)
        );
        let picks = &advice.picks[..huge.len()];
        let extra: u64 = picks.iter().map(|pick| options.huge.bytes() - pick.touched_bytes).sum();
        assert_eq!(point.extra_bytes, extra);
    }
    assert!(advice.picks.len() <= options.most as usize);
    advice
}

/// As few ranges as there are candidates, so that every one is tried.
#[test]
fn the_first_picks_leave_the_fewest_cycles_of_all() {
    let config: MachineConfig = parse_json(SMALL).unwrap();
    arbtest::arbtest(|u| {
        let mut accesses = Vec::new();
        for _ in 0..u.int_in_range(1..=200)? {
            let range = u64::from(u.int_in_range(0..=3u32)?);
            let page = u64::from(u.int_in_range(0..=9u32)?);
            let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
            let address = range << 21 | page << 12 | *u.choose(&[0, 4095])?;
            accesses.push(Access::new(kind, address, *u.choose(&[1, 8])?));
        }
        let trace = common::trace(&accesses);
        let options = HugeOptions::default();
        let advice = check(&config, options, &trace);
        let ranges = 0..CANDIDATES as u64 + 1;
        let mut before: Vec<u64> = Vec::new();
        for (pick, point) in advice.picks.iter().zip(&advice.points[1..]).take(TRIED) {
            let cycles = |range: u64| {
                let starts = [&before[..], &[range << 21]].concat();
                run(&config, options, &starts, &trace).cycles.walk
            };
            let others = ranges.clone().filter(|range| !before.contains(&(range << 21)));
            assert_eq!(Some(point.walk_cycles), others.map(cycles).min());
            before.push(pick.start.0);
        }
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn points_are_runs_of_the_machine() {
    let config = cpu::model("intel-skylake").unwrap().machine;
    let made_up = common::trace(&program(40_000, 11, Habits::default()));
    for most in [0, 1, 20] {
        let advice = check(&config, HugeOptions { most, ..HugeOptions::default() }, &made_up);
        let counts: Vec<u32> = advice.points.iter().map(|point| point.huge_pages).collect();
        let expected: &[u32] = if most == 20 { &[0, 1, 2, 3, 6, 12, 20] } else { &[0, 1] };
        assert_eq!(counts, &expected[..counts.len()]);
        assert_eq!(advice.picks.len(), most as usize);
    }
    let options = HugeOptions { huge: PageSize::G1, most: 4, ..HugeOptions::default() };
    check(&config, options, &made_up);
    check(&config, HugeOptions { most: 8, ..HugeOptions::default() }, &recorded("chase"));
}

#[test]
fn groups_of_entries_are_huge_pages_too_where_the_machine_has_them() {
    let config = cpu::model("arm-neoverse-n1").unwrap().machine;
    let trace = common::trace(&program(20_000, 12, Habits::default()));
    let options = HugeOptions { huge: PageSize(16), most: 5, ..HugeOptions::default() };
    check(&config, options, &trace);
}

/// One page of each of 16 ranges, around and around, and many pages of another: that one is picked
/// first, since the fewest of its own walks are saved by anything else.
#[test]
fn the_range_with_many_pages_is_picked_first() {
    let config: MachineConfig = parse_json(SMALL).unwrap();
    let accesses: Vec<Access> = (0..6400)
        .map(|at| {
            if at % 4 == 0 {
                common::page(at / 4 % 16 * 512)
            } else {
                common::page(512 * 99 + at % 400)
            }
        })
        .collect();
    let advice = check(
        &config,
        HugeOptions { most: 3, ..HugeOptions::default() },
        &common::trace(&accesses),
    );
    assert_eq!(advice.picks[0].start.0, 99 << 21);
    assert!(advice.picks[0].tried);
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let config: MachineConfig = parse_json("{}").unwrap();
    let trace = common::trace(&[common::page(1)]);
    for (pages, huge, said) in [
        (12, 12, "huge: 4K: must be larger than the pages of 4K"),
        (12, 16, "huge: "),
        (13, 21, "pages: "),
    ] {
        let options = HugeOptions { pages: PageSize(pages), huge: PageSize(huge), most: 1 };
        let error = advise(&trace, &config, options).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}
