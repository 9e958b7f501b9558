//! Tests of the cycles of a level-2 lookup that misses: as many as those of a hit, before the walk.

use pagewalk::caches::policy::Policy;
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Outcome, Translation};
use pagewalk::os::{OsConfig, PagePolicy, Virt};
use pagewalk::record::event::CyclesView;
use pagewalk::record::stats::{CyclesReport, Stats};
use pagewalk::run::explain::explain;
use pagewalk::run::replay::advance;
use pagewalk_base::trace::{Access, Completeness, Kind, Trace};
use pagewalk_sources::workload::generator;

use crate::common::program::{Habits, program};
use crate::common::{Translations, report, run};

const VIRTS: [Virt; 3] = [Virt::Native, Virt::Ept, Virt::Shadow];

/// Returns memory in pages of the machine's smallest size.
fn memory(config: &MachineConfig, virt: Virt) -> OsConfig {
    let size = config.smallest_pages().unwrap();
    let pages = PagePolicy::Fixed(size);
    let host = OsConfig { default: pages, ..OsConfig::default() };
    let host = (virt != Virt::Native).then(|| Box::new(host));
    OsConfig { default: pages, virt, host, ..OsConfig::default() }
}

/// Returns all models of processors. Their accesses do not evict page tables from the memory caches.
fn models() -> impl Iterator<Item = (&'static str, MachineConfig)> {
    cpu::ids().filter_map(|id| {
        // Small machines have no level 2.
        let model = cpu::model(id).unwrap();
        let mut config = model.group.is_none().then_some(model.machine)?;
        config.memory.data = false;
        Some((id, config))
    })
}

/// Returns the kinds of virtualisation that a machine has. A machine with entries or a memory of its own has none.
fn virts(config: &MachineConfig) -> Vec<Virt> {
    let paging = config.geometry().unwrap();
    let has_hosts = paging.physical_bits.is_none() && paging.entry_format().is_none();
    VIRTS.into_iter().filter(|virt| has_hosts || *virt == Virt::Native).collect()
}

/// Returns loops over pages of `size` bytes: more than level 1 holds, then more than level 2 holds.
fn loops(size: u64) -> Vec<Access> {
    let page = move |kind, number: u64| Access::new(kind, 0x40_0000 + number * size, 4);
    let round = move |kind, n| (0..n).map(move |number| page(kind, number));
    let of_kind = |kind| round(kind, 300).chain(round(kind, 300)).chain(round(kind, 5000));
    Kind::SERVED.into_iter().flat_map(of_kind).collect()
}

#[test]
fn no_walk_is_cheaper_than_a_level_2_hit() {
    let mut n_compared = 0;
    for (id, config) in models() {
        let accesses = loops(config.smallest_pages().unwrap().bytes());
        for virt in virts(&config) {
            let mut machine = Machine::new(&config, &memory(&config, virt)).unwrap();
            let mut seen = Translations::default();
            run(&mut machine, accesses.iter().copied(), &mut seen);
            for kind in Kind::SERVED {
                let costs = |is_walk: bool| {
                    let of_kind = seen.0.iter().filter(move |done| done.kind == kind);
                    let ended = of_kind.filter(move |done| match done.outcome {
                        Outcome::L1Hit => false,
                        outcome => outcome.is_walk() == is_walk,
                    });
                    ended.map(Translation::cycles)
                };
                let (Some(hit), Some(walk)) = (costs(false).max(), costs(true).min()) else {
                    continue;
                };
                assert!(walk >= hit, "{id} {virt:?} {}: {walk} < {hit}", kind.name());
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 200, "{n_compared}");
}

fn cycles(config: &MachineConfig, virt: Virt, trace: &Trace) -> u64 {
    let mut machine = Machine::new(config, &memory(config, virt)).unwrap();
    let mut stats = Stats::default();
    advance(&mut machine, trace, 0, trace.len(), &mut stats);
    stats.report(&machine, trace.completeness).cycles.total
}

fn code_walk(n: usize) -> Vec<Access> {
    let params = [("bytes", "12M"), ("function", "16"), ("run", "16"), ("hot", "100")];
    let params = params.map(|(name, value)| (name.to_owned(), value.to_owned()));
    generator("code-walk", &params).unwrap().take(n).collect()
}

/// In this test the nearest memory cache holds all page-table entries. In a real cache, fewer walks use the lines of
/// the page tables less often. These lines may then leave the cache, so that the remaining walks take more cycles.
#[test]
fn more_ways_never_cost_cycles() {
    let habits = Habits { processes: false, prefetches: true };
    let workloads = [code_walk(20_000), program(20_000, 5, habits), loops(4096), loops(16 << 10)]
        .map(|accesses| crate::common::trace(&accesses));
    for (id, mut config) in models() {
        config.memory.dram = config.memory.caches[0].latency;
        config.memory.caches.clear();
        let sets =
            config.l2.iter().map(|array| array.entries / array.ways.unwrap_or(array.entries));
        let sets: Vec<u32> = sets.collect();
        for (at, trace) in workloads.iter().enumerate() {
            for virt in virts(&config) {
                let all = [1, 2, 4, 8, 16].map(|ways| {
                    for (array, sets) in config.l2.iter_mut().zip(&sets) {
                        (array.entries, array.ways) = (sets * ways, Some(ways));
                        array.replacement = Policy::Lru;
                        array.ways_of.clear();
                        array.caps = None;
                    }
                    cycles(&config, virt, trace)
                });
                let falls = all.is_sorted_by(|fewer, more| fewer >= more);
                assert!(falls, "{id} {virt:?}, workload {at}: {all:?}");
            }
        }
    }
}

#[test]
fn a_larger_level_2_never_costs_cycles() {
    let trace = crate::common::trace(&code_walk(100_000));
    let inverted = ["intel-haswell", "intel-broadwell", "intel-skylake", "intel-skylake-sp"];
    for (id, mut config) in models().filter(|(id, _)| inverted.contains(id)) {
        for virt in VIRTS {
            let all = [192, 768, 1536, 3072].map(|entries| {
                let stlb = &mut config.l2[0];
                (stlb.entries, stlb.ways, stlb.replacement) = (entries, Some(12), Policy::Lru);
                cycles(&config, virt, &trace)
            });
            let falls = all.is_sorted_by(|smaller, larger| smaller > larger);
            assert!(falls, "{id} {virt:?}: {all:?}");
        }
    }
}

#[track_caller]
fn check(machine: &str, os: &str, access: Kind, expected: [u64; 3]) {
    let report = report(machine, os, [Access::new(access, 0, 1)]);
    let CyclesReport { l2_hit, l2_miss, walk, total, .. } = report.cycles;
    assert_eq!([l2_hit, l2_miss, walk], expected, "{machine}");
    assert_eq!(total, expected.iter().sum::<u64>(), "{machine}");
}

#[test]
fn a_miss_costs_what_a_hit_of_its_kind_costs() {
    let machine = |l1: &str, l2: &str| {
        format!(
            r#"{{"l1": [{l1}], "l2": [{l2}], "latency": {{"l2_hit": {{"fetch": 14, "load": 9, "store": 5}}, "walk_overhead": 3}}, "memory": {{"dram": 100}}}}"#
        )
    };
    let all = r#"{"entries": 1}"#;
    let fetches = r#"{"entries": 1, "serves": ["fetch"]}"#;
    for (kind, cycles) in [(Kind::Fetch, 14), (Kind::Load, 9), (Kind::Store, 5)] {
        check(&machine(all, all), "{}", kind, [0, cycles, 403]);
    }
    // The lookup also misses if level 2 cannot hold the page.
    let small = r#"{"entries": 1, "pages": ["4K"]}"#;
    check(&machine(all, small), r#"{"default": "1G"}"#, Kind::Load, [0, 9, 203]);
    // Without a level-2 array for the kind there is no lookup.
    check(&machine(all, ""), "{}", Kind::Load, [0, 0, 403]);
    check(&machine(all, fetches), "{}", Kind::Load, [0, 0, 403]);
    check(&machine(all, fetches), "{}", Kind::Fetch, [0, 14, 403]);
    // Level 2 is the first level for this kind, so its lookup takes no cycles.
    check(&machine(fetches, all), "{}", Kind::Load, [0, 0, 403]);
    check(&machine(all, all), "{}", Kind::Prefetch, [0, 0, 0]);
}

/// The explained load and a run of this load have the same cycles, in parts and in sum.
#[test]
fn an_explained_walk_costs_what_a_run_counts() {
    for id in cpu::ids() {
        let config = cpu::model(id).unwrap().machine;
        let address = 0x1000 & (config.geometry().unwrap().va_mask() >> 1);
        for virt in virts(&config) {
            let os = memory(&config, virt);
            let mut machine = Machine::new(&config, &os).unwrap();
            let mut stats = Stats::default();
            run(&mut machine, [Access::new(Kind::Load, address, 1)], &mut stats);
            let counted = stats.report(&machine, Completeness::Complete).cycles;
            let explained = explain(&config, &os, address).unwrap();
            let CyclesView { l2_hit, l2_miss, walk_overhead, references, total } = explained.cycles;
            let walk = walk_overhead + references;
            let parts = CyclesReport { l2_hit, l2_miss, walk, total, ..counted };
            assert_eq!(parts, counted, "{id} {virt:?}");
            let steps: u64 = explained.steps.iter().map(|step| step.cycles).sum();
            assert_eq!(references, steps, "{id} {virt:?}");
        }
    }
}
