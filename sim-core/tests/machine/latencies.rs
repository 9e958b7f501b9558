//! Tests that the report for other latencies, computed from the counts of one run, equals the report of another run.

use pagewalk::config::cpu;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::advance;
use pagewalk_base::trace::{Access, Kind, Trace};

const MODELS: &[&str] = &["intel-skylake-sp", "amd-zen2", "arm-cortex-a72"];

/// Machines with all structures that have a latency, and machines without some of them.
const MACHINES: &[&str] = &[
    "{}",
    r#"{"l1": [{"serves": ["fetch", "load"], "entries": 4}], "l2": [{"entries": 16, "ways": 4}], "psc": {"pde": {"entries": 2}}}"#,
    r#"{"l1": [{"entries": 4}], "l2": [{"entries": 16}], "inclusion": "exclusive",
        "memory": {"data": true, "caches": [{"name": "a", "size": "4K", "ways": 1}, {"name": "b", "size": "64K", "ways": 4}]}}"#,
];

const SYSTEMS: &[&str] = &[
    "{}",
    r#"{"default": "2M"}"#,
    r#"{"default": "thp"}"#,
    r#"{"frames": "shuffled", "regions": [{"start": "0x600000", "end": "0x640000", "pages": "4K", "copy_on_write": true}]}"#,
];

fn trace() -> Trace {
    let kinds = [Kind::Fetch, Kind::Load, Kind::Store, Kind::Load, Kind::Prefetch];
    let list: Vec<Access> = (0..6000u64)
        .map(|at| {
            let kind = kinds[(at * 7 / 3 % 5) as usize];
            let page = at / 3 * 2_654_435_761 % 97 % (1 + at % 83);
            Access::new(kind, 0x60_0000 + (page << 12) + at * 40 % 4096, 8)
        })
        .collect();
    crate::common::trace(&list)
}

fn run(config: &MachineConfig, os: &OsConfig, trace: &Trace) -> (Machine, RunReport) {
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    advance(&mut machine, trace, 0, trace.len(), &mut stats);
    let report = stats.report(&machine, trace.completeness);
    (machine, report)
}

/// Returns the configuration with every latency changed.
fn with_other_latencies(config: &MachineConfig) -> MachineConfig {
    let mut other = config.clone();
    other.latency =
        parse_json(r#"{"l2_hit": {"fetch": 31, "load": 37, "store": 41}, "walk_overhead": 43}"#)
            .unwrap();
    other.memory.dram += 301;
    for (at, cache) in (0..).zip(&mut other.memory.caches) {
        cache.latency += 5 + 2 * at;
    }
    other
}

#[test]
fn other_latencies_give_the_report_of_another_run() {
    let trace = trace();
    let own = MACHINES.iter().map(|text| parse_json(text).unwrap());
    let machines: Vec<MachineConfig> =
        MODELS.iter().map(|id| cpu::model(id).unwrap().machine).chain(own).collect();
    for config in &machines {
        for os in SYSTEMS {
            let os = parse_json(os).unwrap();
            let (_, report) = run(config, &os, &trace);
            let (machine, rerun) = run(&with_other_latencies(config), &os, &trace);
            assert_ne!(report.cycles, rerun.cycles, "{}", config.name);
            assert_eq!(report.at_latencies_of(&machine, config), Some(rerun), "{}", config.name);
        }
    }
}

#[test]
fn machines_that_differ_in_more_are_run() {
    let trace = trace();
    let config = cpu::model("intel-skylake-sp").unwrap().machine;
    let native = OsConfig::default();
    let (_, report) = run(&config, &native, &trace);
    let is_reported = |other: &MachineConfig, os: &OsConfig, report: &RunReport| {
        let machine = Machine::new(other, os).unwrap();
        report.at_latencies_of(&machine, &config).is_some()
    };
    assert!(is_reported(&config, &native, &report));
    let mut other = config.clone();
    other.l2[0].entries *= 2;
    assert!(!is_reported(&other, &native, &report));
    let mut other = config.clone();
    other.memory.caches[0].ways = Some(4);
    assert!(!is_reported(&other, &native, &report));
    let guest: OsConfig = parse_json(r#"{"virt": "ept"}"#).unwrap();
    assert!(!is_reported(&config, &guest, &run(&config, &guest, &trace).1));
    // A report with counts of another run must not be accepted.
    let mut odd = report;
    odd.walks.walks += 1;
    assert!(!is_reported(&config, &native, &odd));
}
