//! Tests with operations between the accesses. Every count equals that of the naive simulator, with and without page
//! runs. A seek shows the same as a run.

mod blocks;
mod hashed;
mod host;

use crate::common::one_test_per_row;
use crate::common::ops::{Item, trace};
use crate::naive::Naive;
use crate::naive::compare::{check_behind, check_host, counts_of};
use cases::{Result, Unstructured, cases};
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::event::StepView;
use pagewalk::record::stats::{RunReport, Stats};

use pagewalk::run::replay::{Replay, advance};
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{
    Access, Completeness, ControlBit, InveptScope, InvpcidScope, InvvpidScope, Kind, MemoryAdvice,
    Op, OpRecord,
};

/// Runs items by page runs, if the machine allows it.
fn fast(config: &MachineConfig, os: &OsConfig, items: &[Item]) -> RunReport {
    let trace = trace(items);
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    advance(&mut machine, &trace, 0, trace.len(), &mut stats);
    assert_eq!(machine.failure(), None);
    stats.report(&machine, Completeness::Complete)
}

/// Runs every access and operation separately.
fn plain(config: &MachineConfig, os: &OsConfig, items: &[Item]) -> RunReport {
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    let mut index = 0;
    for item in items {
        match item {
            Item::Access(access) => {
                machine.access(index, access, &mut stats);
                index += 1;
            }
            Item::Op(record) => machine.execute(record, &mut stats),
        }
    }
    stats.report(&machine, Completeness::Complete)
}

#[track_caller]
fn check(config: &str, os: &str, items: &[Item]) {
    let config: MachineConfig = parse_json(config).unwrap();
    let os: OsConfig = parse_json(os).unwrap();
    let report = plain(&config, &os, items);
    if items.iter().any(|item| matches!(item, Item::Access(_))) {
        assert_eq!(fast(&config, &os, items), report, "page runs differ from plain accesses");
    }
    let mut naive = Naive::new(&config, &os);
    for item in items {
        match item {
            Item::Access(access) => naive.access(access),
            Item::Op(record) => naive.op(record),
        }
    }
    for (row, naive) in report.structures.iter().zip(naive.counts_of_all_cores()) {
        assert_eq!(counts_of(row), naive);
    }
    let psc: Vec<_> =
        report.walks.psc.iter().map(|c| (c.name.clone(), c.lookups, c.hits)).collect();
    assert_eq!(psc, naive.psc_counts);
    let counts = (report.walks.refs, report.faults.minor, report.walks.ad_updates);
    assert_eq!(counts, (naive.refs, naive.faults, naive.ad_updates));
    let done = &report.invalidations;
    let dropped = (done.tlb_entries, done.walk_cache_entries);
    assert_eq!((done.switches, dropped), (naive.switches, naive.dropped));
    assert_eq!(done.host_entries, naive.host.as_ref().map_or(0, |host| host.dropped));
    check_host(&report, &naive);
    check_behind(&report, &naive);
    if let Some(virt) = &report.virt {
        assert_eq!(virt.exits.ept_misconfigurations, naive.misconfigurations);
    }
    let kinds = [&report.kinds.fetch, &report.kinds.load, &report.kinds.store];
    for (kind, counts) in kinds.into_iter().zip(&naive.kinds) {
        let naive = (counts.translations, counts.l1_hits, counts.l2_hits, counts.walks);
        assert_eq!((kind.translations, kind.l1_hits, kind.l2_hits, kind.walks), naive);
    }
}

/// Returns whether the machine has VPIDs. Without them, operations that name a VPID are errors.
fn has_vpids(config: &str) -> bool {
    !config.contains(r#""vpid":false"#)
}

fn names_vpid(op: &Op) -> bool {
    matches!(op, Op::Invvpid { .. } | Op::VmSwitch { vpid: Some(_), .. })
}

/// Returns accesses of few pages by up to four processes, with some operations.
fn items(u: &mut Unstructured<'_>, config: &str, os: &str) -> Result<Vec<Item>> {
    let virt = os.contains("virt");

    let mut items = Vec::new();
    let (mut pid, mut page) = (0, 0);
    for _ in 0..u.int_in_range(0..=600)? {
        if u.ratio(1, 12)? {
            pid = u.int_in_range(0..=3)?;
        }
        if u.ratio(1, 3)? {
            page = u64::from(u.int_in_range(0..=23u8)?) << u.choose(&[0, 9, 18])?;
        }
        // If the upper half is shared, every second page is the kernel's.
        let upper = if os.contains("shared") && page % 2 == 1 { UPPER } else { 0 };
        let address = upper | page << 12 | u64::from(u.arbitrary::<u16>()? & 0xfff);
        if u.ratio(1, 100)? {
            items.extend(at_untranslated(u, pid, address)?);
        }
        if u.ratio(1, 10)? {
            let (cpu, tid) = (0, 0);
            let ops = if virt && u.ratio(1, 6)? {
                vm_switch(u)?
            } else {
                vec![op(u, pid, address, virt)?]
            };
            let ops = ops.into_iter().filter(|op| has_vpids(config) || !names_vpid(op));
            items.extend(ops.map(|op| Item::Op(OpRecord { pid, tid, cpu, op })));
            continue;
        }
        let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
        let size = *u.choose(&[1, 8, 64])?;
        items.push(Item::Access(Access { pid, ..Access::new(kind, address, size) }));
    }
    Ok(items)
}

/// Returns an access to an address that is not canonical, which faults, and an INVLPG of it, which has no effect.
fn at_untranslated(u: &mut Unstructured<'_>, pid: u32, address: u64) -> Result<[Item; 2]> {
    let address = address ^ u.choose(&[0x1234 << 48, 1 << 57, 1 << 63])?;
    let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
    let op = Op::Invlpg { address: Hex(address) };
    Ok([
        Item::Access(Access { pid, ..Access::new(kind, address, 8) }),
        Item::Op(OpRecord { pid, tid: 0, cpu: 0, op }),
    ])
}

fn op(u: &mut Unstructured<'_>, pid: u32, address: u64, virt: bool) -> Result<Op> {
    if virt && u.ratio(1, 3)? {
        return op_of_host(u, address);
    }

    // Each process gets a different PCID.
    let own = Some(200 + u16::try_from(pid).unwrap());
    let named = if u.arbitrary()? { None } else { Some(u.int_in_range(0..=4)?) };
    let scopes =
        [InvpcidScope::Address, InvpcidScope::Pcid, InvpcidScope::All, InvpcidScope::AllButGlobal];
    Ok(match u.int_in_range(0..=9)? {
        0..=3 => Op::Invlpg { address: Hex(address) },
        4 => Op::MovCr3 { pcid: if u.ratio(1, 4)? { own } else { None }, keep: u.arbitrary()? },
        5..=7 => Op::Invpcid { scope: *u.choose(&scopes)?, pcid: named, address: Hex(address) },
        8 => Op::SetControl { bit: ControlBit::Pge, on: u.arbitrary()? },
        _ => Op::SetControl { bit: ControlBit::Pcide, on: u.arbitrary()? },
    })
}

/// Returns a switch to a virtual machine. Each virtual machine has two VPIDs, and changes its VPID after an INVVPID,
/// as hosts do.
fn vm_switch(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let vm = u.int_in_range(1..=3)?;
    let vpid = *u.choose(&[None, None, Some(vm), Some(10 + vm)])?;
    let (scope, address) = (InvvpidScope::Vpid, Hex(0));
    let cleared = vpid.map(|_| Op::Invvpid { scope, vpid, address });
    Ok(cleared.into_iter().chain([Op::VmSwitch { vm, vpid }]).collect())
}

fn op_of_host(u: &mut Unstructured<'_>, address: u64) -> Result<Op> {
    let scopes =
        [InvvpidScope::Address, InvvpidScope::Vpid, InvvpidScope::All, InvvpidScope::VpidButGlobal];
    if u.ratio(2, 3)? {
        let (scope, vpid) = (*u.choose(&scopes)?, *u.choose(&[None, Some(1), Some(2)])?);
        return Ok(Op::Invvpid { scope, vpid, address: Hex(address) });
    }
    // Some of these addresses are roots of the host's tables.
    let eptp = u.ratio(1, 2)?.then_some(Hex(0x20_0000 + 4096 * u.int_in_range(0..=9)?));
    Ok(Op::Invept { scope: *u.choose(&[InveptScope::Single, InveptScope::All])?, eptp })
}

/// An address in the upper half, with four and with five levels.
const UPPER: u64 = 0xffff_8000_0000_0000;

const MACHINES: &[&str] = &[
    "{}",
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 2}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 4, "replacement": "tree-plru"}],
        "l2": [{"name": "s", "entries": 48, "ways": 12, "index": "xor", "replacement": "mru3-plru4"}],
        "psc": {"pml4e": {"entries": 2}, "pdpte": {"entries": 4}, "pde": {"entries": 8, "ways": 4}}, "control": {"pcids": 2}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K"], "fragments": ["2M"], "entries": 20, "replacement": "bit-plru"}],
        "l2": [{"name": "s", "entries": 32, "ways": 4, "replacement": "fifo"}],
        "psc": {"upper": {"entries": 4}, "pde": {"in": "s"}}, "control": {"pcids": 0}}"#,
    r#"{"l1": [{"name": "d", "pages": ["4K"], "fragments": ["2M"], "entries": 8}], "l2": [{"name": "s", "entries": 16, "ways": 4}],
        "psc": {"pde": {"entries": 2}}, "inclusion": "inclusive"}"#,
    r#"{"l1": [{"name": "d", "entries": 4}], "l2": [{"name": "s", "entries": 16, "ways": 4}], "inclusion": "exclusive", "control": {"pcids": 2}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 24}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 2}], "levels": 5,
        "psc": {"pml5e": {"entries": 1}, "pde": {"entries": 2}}, "control": {"pcids": 6}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}],
        "l2": [{"name": "s", "entries": 4}], "pom_tlb": {"size": "1K"}, "psc": {"pde": {"entries": 2}}}"#,
];

const SYSTEMS: &[&str] = &[
    "{}",
    r#"{"default": "2M"}"#,
    r#"{"regions": [{"start": "0x0", "end": "0x800000", "pages": "2M"}]}"#,
    r#"{"virt": "shadow"}"#,
    r#"{"default": "2M", "virt": "shadow", "host": {"default": "4K"}}"#,
    r#"{"upper_half": "shared"}"#,
    r#"{"upper_half": "shared", "default": "2M"}"#,
    r#"{"upper_half": "shared", "virt": "ept", "host": {"default": "2M"}}"#,
    r#"{"virt": "ept"}"#,
    r#"{"virt": "ept", "host": {"default": "2M"}}"#,
    r#"{"virt": "ept", "host": {"default": "thp", "thp": {"at_fault": false, "khugepaged": {"every": 40}}}}"#,
    r#"{"virt": "ept", "host": {"regions": [{"start": "0x1000000000", "end": "0x2000000000", "pages": "4K", "copy_on_write": true}]}}"#,
];

/// Structures for nested walks. Native machines do not use these structures.
const VIRTS: &[&str] = &[
    "{}",
    r#"{"nested_tlb": {"entries": 4, "data": true}, "ept_psc": {"pde": {"entries": 2}, "upper": {"entries": 2}}}"#,
    r#"{"style": "pwc-2d", "pwc": {"entries": 8, "leaf_of_tables": true}, "nested_tlb": {"entries": 4}}"#,
    r#"{"vpid": false, "nested_tlb": {"entries": 8}, "ept_psc": {"pde": {"entries": 4}}}"#,
    r#"{"nested_tlb": {"in": "s", "data": true}, "ept_psc": {"pde": {"entries": 2}}}"#,
    r#"{"vpid": false, "nested_tlb": {"in": "s", "pages": ["2M"]}}"#,
];

/// The numbers of the systems with a host.
const VIRTUAL: &[usize] = &[3, 4, 7, 8, 9, 10, 11];

/// The numbers of the systems without a host.
const NATIVE: &[usize] = &[0, 1, 2, 5, 6];

/// Checks a machine that can have no host on one system.
fn agree(machine: &str, system: usize) {
    cases(110).check(|u| {
        let os = SYSTEMS[system];
        check(machine, os, &items(u, machine, os)?);
        Ok(())
    });
}

/// Checks that seeks in runs of such a machine show what the runs do.
fn seeks_agree(machine: &str, system: usize) {
    cases(55).check(|u| {
        let os = SYSTEMS[system];
        let items = items(u, machine, os)?;
        let machine = crate::common::machine(machine, os);
        seek_in_order_and_at_random(&machine, &items, u)?;
        Ok(())
    });
}

/// A machine without the array `s` gets no nested TLB inside it.
fn with_virt(config: &str, virt: &str) -> String {
    let mut config: serde_json::Value = serde_json::from_str(config).unwrap();
    config["virt"] = serde_json::from_str(virt).unwrap();
    if virt.contains(r#""in": "s""#) && config["l2"][0]["name"] != "s" {
        config["virt"]["nested_tlb"] = serde_json::json!({ "entries": 2 });
    }
    config.to_string()
}

fn machines_agree_with_the_naive_simulator(config: &str) {
    for os in SYSTEMS {
        cases(110).check(|u| {
            let config = with_virt(config, u.choose(VIRTS)?);
            check(&config, os, &items(u, &config, os)?);
            Ok(())
        });
    }
}
one_test_per_row!(machines_agree_with_the_naive_simulator, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

/// Several virtual machines alternate, so that operations meet entries of other virtual machines.
fn virtual_machines_agree_with_the_naive_simulator(system: usize) {
    let os = SYSTEMS[system];
    cases(250).size_min(4096).check(|u| {
        let config = with_virt(u.choose(MACHINES)?, u.choose(VIRTS)?);
        let mut list = Vec::new();
        for item in items(u, &config, os)? {
            list.push(item);
            if u.ratio(1, 6)? {
                let (pid, tid, cpu) = (0, 0, 0);
                let ops = if u.arbitrary()? { vm_switch(u)? } else { vec![op_of_host(u, 0x1000)?] };
                let ops = ops.into_iter().filter(|op| has_vpids(&config) || !names_vpid(op));
                list.extend(ops.map(|op| Item::Op(OpRecord { pid, tid, cpu, op })));
            }
        }
        check(&config, os, &list);
        Ok(())
    });
}
one_test_per_row!(virtual_machines_agree_with_the_naive_simulator, VIRTUAL, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

/// Returns every access of a replay in its order, after seeks to some of them in any order have shown the same.
fn seek_in_order_and_at_random(
    machine: &Machine,
    items: &[Item],
    u: &mut Unstructured<'_>,
) -> Result<Vec<Option<StepView>>> {
    let new = || Replay::new(trace(items).into(), machine.clone(), usize::MAX);
    let (mut forward, mut jumping) = (new(), new());
    let n = forward.trace().len();
    let in_order: Vec<_> = (0..n).map(|index| forward.seek(index)).collect();
    for _ in 0..n.min(8) {
        let index = u.int_in_range(0..=n - 1)?;
        assert_eq!(jumping.seek(index), in_order[index as usize]);
    }
    Ok(in_order)
}

fn a_seek_shows_what_a_run_does(config: &str) {
    cases(55).check(|u| {
        let os = u.choose(SYSTEMS)?;
        let config = with_virt(config, u.choose(VIRTS)?);
        let items = items(u, &config, os)?;
        let machine = crate::common::machine(&config, os);
        let in_order = seek_in_order_and_at_random(&machine, &items, u)?;
        let output = in_order.iter().flatten().flat_map(|s| s.before.iter().chain(&s.after));
        if !in_order.is_empty() {
            let ops = items.iter().filter(|item| matches!(item, Item::Op(_))).count();
            let output = output.filter(|op| !op.is_switch).count();
            assert_eq!(output, ops, "an operation is listed once");
        }
        Ok(())
    });
}
one_test_per_row!(a_seek_shows_what_a_run_does, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

/// Without a shootdown, unmapped pages may stay in TLBs, and paging-structure caches may lead to tables that
/// were freed or have a new use.
#[test]
fn page_runs_agree_where_memory_is_taken_back() {
    const MACHINE: &str = r#"{
        "l1": [{"serves": ["fetch"], "entries": 8}, {"serves": ["load", "store"], "entries": 4}],
        "l2": [{"entries": 8}],
        "psc": {"pdpte": {"entries": 2}, "pde": {"entries": 4}},
        "control": {"pcids": 3}
    }"#;
    let (config, os) = (parse_json(MACHINE).unwrap(), OsConfig::default());
    cases(2000).check(|u| {
        let mut items = vec![Item::Access(Access::new(Kind::Load, 0, 1))];
        let mut pid = 0;
        for _ in 0..u.int_in_range(0..=300)? {
            let page = u64::from(u.int_in_range(0..=5u8)?) << u.choose(&[0, 9, 18])?;
            let flush = u.arbitrary()?;
            let (start, length) = (Hex(page << 12), Hex(4096 << u.choose(&[0, 9])?));
            let op = match u.int_in_range(0..=29)? {
                0 => Op::Munmap { start, length, flush },
                1 => {
                    let advice = MemoryAdvice::Dontneed;
                    Op::Madvise { start, length, advice, flush }
                }
                2 => Op::MovCr3 { pcid: Some(u.int_in_range(0..=2)?), keep: u.arbitrary()? },
                kind => {
                    pid = if u.ratio(1, 12)? { u.int_in_range(0..=1)? } else { pid };
                    let kind = [Kind::Fetch, Kind::Load, Kind::Store][kind % 3];
                    let access = Access::new(kind, page << 12 | u.int_in_range(0..=4000)?, 8);
                    items.push(Item::Access(Access { pid, ..access }));
                    continue;
                }
            };
            items.push(Item::Op(OpRecord { pid, tid: 0, cpu: 0, op }));
        }
        assert_eq!(fast(&config, &os, &items), plain(&config, &os, &items));
        Ok(())
    });
}
