//! Tests of several cores. TLBs, walk caches and all memory caches but the last are private; tables and the last
//! cache are shared.

use crate::naive::Naive;
use crate::naive::compare::{check_behind, counts_of};
use cases::cases;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::advance;
use pagewalk_base::trace::{Access, Completeness, Kind, Op, OpRecord, TraceBuilder};

const MACHINE: &str = r#"{
    "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 4}],
    "l2": [{"name": "s", "entries": 32, "ways": 4}],
    "psc": {"pde": {"entries": 4}, "pdpte": {"entries": 2}},
    "memory": {"caches": [{"name": "a", "size": "1K", "ways": 2, "latency": 4}, {"name": "b", "size": "8K", "ways": 4, "latency": 14}]}}"#;

fn run(machine: Machine, accesses: &[Access]) -> RunReport {
    let mut builder = TraceBuilder::default();
    for access in accesses {
        builder.push(access).unwrap();
    }
    let trace = builder.finish(Completeness::Complete).unwrap();
    let (mut machine, mut stats) = (machine, Stats::default());
    advance(&mut machine, &trace, 0, trace.len(), &mut stats);
    assert_eq!(machine.failure(), None);
    stats.report(&machine, Completeness::Complete)
}

fn machine(by: Cores) -> Machine {
    machine_of(&OsConfig::default(), by)
}

fn machine_of(os: &OsConfig, by: Cores) -> Machine {
    let config: MachineConfig = parse_json(MACHINE).unwrap();
    Machine::new(&config, os).unwrap().with_cores(by)
}

fn accesses(u: &mut cases::Unstructured<'_>) -> cases::Result<Vec<Access>> {
    let n = u.int_in_range(0..=800)?;
    let mut list = Vec::new();
    let (mut tid, mut pid) = (0, 0);
    for _ in 0..n {
        if u.ratio(1, 8)? {
            tid = u.int_in_range(0..=3)?;
            pid = tid / 2;
        }
        let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
        let address = u64::from(u.arbitrary::<u16>()?) << 6;
        list.push(Access { tid, pid, cpu: tid % 2, ..Access::new(kind, address, 8) });
    }
    Ok(list)
}

/// Returns the machine with translations behind level 2. All cores share them.
fn with_pom() -> String {
    MACHINE.replacen('{', r#"{"pom_tlb": {"size": "1K"},"#, 1)
}

/// Returns a machine with TLB blocks in the second cache, which each core has for itself if there is a third one.
fn with_blocks(is_private: bool) -> String {
    let last = r#", {"name": "c", "size": "16K", "ways": 4, "latency": 40}"#;
    MACHINE
        .replacen('{', r#"{"victima": {"min_dram_reads": 0},"#, 1)
        .replace("]}}", &format!(r#"{}], "data": true}}}}"#, if is_private { last } else { "" }))
}

/// Returns the machine with hashed page tables, whose walk caches each core has for itself.
fn with_hashed_tables() -> String {
    MACHINE.replace(
        r#""psc": {"pde": {"entries": 4}, "pdpte": {"entries": 2}}"#,
        r#""ecpt": {"entries": 16, "pmd_cwc": 1, "pud_cwc": 1}"#,
    )
}

#[test]
fn cores_of_research_machines_agree_with_the_naive_simulator() {
    for config in [with_pom(), with_blocks(false), with_blocks(true), with_hashed_tables()] {
        cores_agree(&parse_json(&config).unwrap());
    }
}

#[track_caller]
fn cores_agree(config: &MachineConfig) {
    cases(250).check(|u| {
        let accesses = accesses(u)?;
        let machine = Machine::new(config, &OsConfig::default()).unwrap();
        let report = run(machine.with_cores(Cores::Tid), &accesses);
        let mut naive = Naive::new(config, &OsConfig::default());
        for access in &accesses {
            naive.enter_core(access.tid);
            naive.access(access);
        }
        check(&report, &naive);
        check_behind(&report, &naive);
        Ok(())
    });
}

#[test]
fn cores_agree_with_the_naive_simulator() {
    for (by, core) in [
        (Cores::Tid, (|access: &Access| access.tid) as fn(&Access) -> u32),
        (Cores::Cpu, |access: &Access| access.cpu),
    ] {
        cases(250).check(|u| {
            let accesses = accesses(u)?;
            let report = run(machine(by), &accesses);
            let mut naive = Naive::new(&parse_json(MACHINE).unwrap(), &OsConfig::default());
            for access in &accesses {
                naive.enter_core(core(access));
                naive.access(access);
            }
            check(&report, &naive);
            Ok(())
        });
    }
}

/// Each core runs another virtual machine, and sometimes switches to a different one.
#[test]
fn virtual_machines_on_cores_agree_with_the_naive_simulator() {
    let os: OsConfig = parse_json(r#"{"virt": "shadow", "host": {"default": "4K"}}"#).unwrap();
    cases(250).size_min(2048).check(|u| {
        let mut machine = machine_of(&os, Cores::Tid);
        let mut naive = Naive::new(&parse_json(MACHINE).unwrap(), &os);
        let mut stats = Stats::default();
        for (index, access) in (0..).zip(accesses(u)?) {
            if u.ratio(1, 20)? {
                let Access { pid, tid, cpu, .. } = access;
                let op = Op::VmSwitch { vm: u.int_in_range(1..=3)?, vpid: None };
                let record = OpRecord { pid, tid, cpu, op };
                machine.execute(&record, &mut stats);
                naive.enter_core(tid);
                naive.op(&record);
            }
            machine.access(index, &access, &mut stats);
            naive.enter_core(access.tid);
            naive.access(&access);
        }
        assert_eq!(machine.failure(), None);
        let report = stats.report(&machine, Completeness::Complete);
        check(&report, &naive);
        let exits = report.virt.unwrap().exits;
        assert_eq!(exits.vm_switches, naive.vm_switches());
        Ok(())
    });
}

/// Compares the counters of the arrays of all cores, and the references of walks.
#[track_caller]
fn check(report: &RunReport, naive: &Naive) {
    for (row, counts) in report.structures.iter().zip(naive.counts_of_all_cores()) {
        assert_eq!(counts_of(row), counts, "{}", row.name);
    }
    let served: Vec<u64> = report.walks.served_by.iter().map(|s| s.refs).collect();
    assert_eq!(served, naive.served);
    assert_eq!((report.walks.refs, report.faults.minor), (naive.refs, naive.faults));
    assert_eq!(report.pages["table_pages"], naive.n_tables());
}

#[test]
fn one_thread_is_one_core() {
    cases(650).check(|u| {
        let accesses: Vec<Access> =
            accesses(u)?.into_iter().map(|access| Access { tid: 7, ..access }).collect();
        let mut cores = run(machine(Cores::Tid), &accesses);
        let one = run(machine(Cores::One), &accesses);
        let output = std::mem::take(&mut cores.cores);
        assert_eq!(cores, one);
        let accesses: u64 = output.iter().map(|core| core.accesses).sum();
        assert_eq!(accesses, one.trace.accesses);
        Ok(())
    });
}

/// Two threads use one page. Each fills its own TLBs, and one fault maps the page for both.
#[test]
fn tables_are_shared_and_tlbs_are_not() {
    let on = |tid| Access { tid, ..Access::new(Kind::Load, 0x5000, 8) };
    let list = [on(1), on(2), on(1), on(2)];
    let report = run(machine(Cores::Tid), &list);
    assert_eq!((report.kinds.load.walks, report.kinds.load.l1_hits), (2, 2));
    assert_eq!(report.faults.minor, 1);
    // The second core reads the four entries again, and the last cache has their lines.
    let served: Vec<u64> = report.walks.served_by.iter().map(|s| s.refs).collect();
    assert_eq!(served, [0, 4, 4]);
    let cores: Vec<_> =
        report.cores.iter().map(|c| (c.id, c.accesses, c.l1_hits, c.walks)).collect();
    assert_eq!(cores, [(1, 2, 1, 1), (2, 2, 1, 1)]);
    let same_core = run(machine(Cores::Cpu), &list);
    assert_eq!((same_core.kinds.load.walks, same_core.kinds.load.l1_hits), (1, 3));
}

/// Three threads read a page that is shared until it is written. The first thread writes it.
#[test]
fn entries_of_other_cores_are_shot_down_and_counted() {
    let on = |tid, kind| Access { tid, ..Access::new(kind, 0x5000, 8) };
    let list = [on(1, Kind::Load), on(2, Kind::Load), on(3, Kind::Load), on(1, Kind::Store)];
    let os =
        r#"{"regions": [{"start": "0", "end": "0x10000", "pages": "4K", "copy_on_write": true}]}"#;
    let (config, os): (MachineConfig, OsConfig) =
        (parse_json(MACHINE).unwrap(), parse_json(os).unwrap());
    for (by, n) in [(Cores::Tid, 3), (Cores::One, 1)] {
        let report = run(Machine::new(&config, &os).unwrap().with_cores(by), &list);
        let left: Vec<u64> = report.structures.iter().map(|row| row.invalidations).collect();
        assert_eq!(left, [0, n, n], "data array and STLB of each core");
        assert_eq!((report.system.shootdowns, report.system.dropped_entries), (1, 2 * n));
    }
}

#[test]
fn too_many_cores_are_errors() {
    let mut machine = machine(Cores::Tid);
    for tid in 0..=256 {
        machine.access(tid, &Access { tid, ..Access::new(Kind::Load, 0, 1) }, &mut ());
    }
    let message = machine.failure().unwrap().to_string();
    assert!(message.contains("more than 256 cores"), "{message}");
}
