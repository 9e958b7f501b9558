//! Tests of nested walks without exceptional misses, which are processed in batches. The machine and its counters
//! must be equal to those of single accesses.

use crate::common::one_test_per_row;
use crate::naive::compare::build;
use cases::cases;
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::advance;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Access, Completeness, Kind, MemoryAdvice, Op, OpRecord, TraceBuilder};
use serde_json::{Value, json};

/// Machines with small TLBs and walk caches, which fill up soon.
const MACHINES: &[&str] = &[
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 8}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4, "replacement": "tree-plru"}],
        "l2": [{"name": "s", "entries": 24, "ways": 12, "index": "xor", "replacement": "mru3-plru4"}],
        "psc": {"pml4e": {"entries": 1}, "pdpte": {"entries": 2}, "pde": {"entries": 8, "ways": 4}},
        "latency": {"l2_hit": {"fetch": 14, "load": 9, "store": 8}, "walk_overhead": 8},
        "memory": {"caches": [{"name": "a", "size": "1K", "ways": 2, "latency": 4}, {"name": "b", "size": "8K", "latency": 14}, {"name": "c", "size": "4M", "ways": 1, "latency": 50}]}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 4}], "levels": 5,
        "psc": {"pml5e": {"entries": 1}, "pdpte": {"entries": 2, "replacement": "fifo"}, "pde": {"entries": 3}}, "memory": {"dram": 70}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 6}],
        "l2": [{"name": "s", "entries": 32, "ways": 8}], "memory": {"caches": [{"name": "a", "size": "2K", "ways": 8, "line": 128, "latency": 4}, {"name": "b", "size": "64K", "ways": 8, "line": 128, "latency": 12}, {"name": "c", "size": "128K", "ways": 16, "line": 256, "latency": 40}]}}"#,
];

/// Structures of a processor for nested walks.
const VIRTS: &[&str] = &[
    r#"{"nested_tlb": {"entries": 6}, "ept_psc": {"pml4e": {"entries": 1}, "pdpte": {"entries": 2}, "pde": {"entries": 4, "ways": 2}}}"#,
    r#"{"nested_tlb": {"entries": 8, "ways": 2, "replacement": "bit-plru"}, "ad": false, "ept_psc": {"pdpte": {"entries": 2}}}"#,
    r#"{"levels": 5, "ept_psc": {"pml5e": {"entries": 1}, "pml4e": {"entries": 2}, "pde": {"entries": 40}}}"#,
    r#"{"nested_tlb": {"entries": 4, "data": true}, "ept_psc": {"pde": {"entries": 4}}}"#,
    r#"{"nested_tlb": {"entries": 4}, "ept_psc": {"unified": {"entries": 6}}}"#,
    r#"{"style": "pwc-1d", "pwc": {"entries": 12}, "nested_tlb": {"entries": 4}}"#,
    r#"{"style": "pwc-2d", "pwc": {"entries": 32, "ways": 4}, "nested_tlb": {"entries": 4}}"#,
    r#"{"style": "pwc-2d", "pwc": {"entries": 8, "replacement": "fifo", "leaf_of_tables": true}}"#,
    "{}",
    r#"{"nested_tlb": {"in": "s", "pages": ["2M", "1G"], "data": true}, "ept_psc": {"pde": {"entries": 4}}}"#,
];

const SIZES: [&str; 3] = ["4K", "2M", "1G"];

/// Returns accesses that use some pages of the guest repeatedly. In the first round every miss is exceptional;
/// later, only some stores are.
fn accesses(u: &mut cases::Unstructured<'_>) -> cases::Result<Vec<Access>> {
    let n_pages = *u.choose(&[30u64, 200, 900])?;
    let apart = *u.choose(&[1u64, 3, 512, 0x40_0001])?;
    let one_kind = *u.choose(&[None, Some(Kind::Load), Some(Kind::Store)])?;
    let n = u.int_in_range(0..=2500)?;
    let mut list = Vec::new();
    for _ in 0..n {
        let draw = u64::from(u.arbitrary::<u16>()?);
        let kind = match one_kind {
            Some(kind) => kind,
            None => [Kind::Fetch, Kind::Load, Kind::Load, Kind::Load, Kind::Store]
                [usize::from(u.arbitrary::<u8>()? % 5)],
        };
        let base = if kind.is_fetch() { 0x5500_0000_0000 } else { 0x7f00_0000_0000 };
        let address = base + ((draw % n_pages * apart) << 12) % (1 << 40);
        list.push(Access::new(kind, address | (draw & 0xff8), 8));
    }
    Ok(list)
}

#[track_caller]
fn check(machine: &Value, os: &Value, accesses: &[Access]) {
    let config = parse_json(&machine.to_string()).unwrap();
    let os: OsConfig = parse_json(&os.to_string()).unwrap();
    let trace = build(accesses);
    let [mut fast, mut counted, mut plain] = [0; 3].map(|_| Machine::new(&config, &os).unwrap());
    let [mut stats, mut plain_stats] = [0; 2].map(|_| Stats::default());
    advance(&mut fast, &trace, 0, trace.len(), &mut ());
    advance(&mut counted, &trace, 0, trace.len(), &mut stats);
    for (index, access) in (0..).zip(accesses) {
        plain.access(index, access, &mut plain_stats);
    }
    let report = plain_stats.report(&plain, Completeness::Complete);
    assert_eq!(stats.report(&counted, Completeness::Complete), report);
    for machine in [&mut fast, &mut counted, &mut plain] {
        // All machines run one more access, because a machine remembers the region of the last one.
        machine.access(trace.len(), &Access::new(Kind::Load, 0x60_0000, 1), &mut ());
    }
    crate::common::assert_equal_machines(&fast, &plain);
    crate::common::assert_equal_machines(&counted, &plain);
}

fn nested_walks_of_batches_leave_the_machine_as_plain_accesses_do(virt: &str) {
    cases(25).size_min(1 << 14).check(|u| {
        let is_inside = virt.contains(r#""in": "s""#);
        let fitting = MACHINES.iter().filter(|m| !is_inside || m.contains(r#""name": "s""#));
        let fitting: Vec<_> = fitting.collect();
        let mut machine: Value = serde_json::from_str(u.choose(&fitting)?).unwrap();
        machine["virt"] = serde_json::from_str(virt).unwrap();
        let os = json!({
            "default": u.choose(&SIZES)?,
            "virt": "ept",
            "host": {"default": u.choose(&SIZES)?},
        });
        check(&machine, &os, &accesses(u)?);
        Ok(())
    });
}
one_test_per_row!(nested_walks_of_batches_leave_the_machine_as_plain_accesses_do, VIRTS, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);

/// A machine whose walks read the most entries: five levels in both dimensions, and no cache of walks.
const DEEPEST: &str = r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}],
    "levels": 5, "virt": {"levels": 5}, "memory": {"caches": [{"name": "a", "size": "64K", "ways": 8, "latency": 4}]}}"#;

#[test]
fn the_longest_walks_leave_the_machine_as_plain_accesses_do() {
    let machine: Value = serde_json::from_str(DEEPEST).unwrap();
    cases(50).size_min(1 << 14).check(|u| {
        check(&machine, &json!({ "virt": "ept" }), &accesses(u)?);
        Ok(())
    });
}

/// Accesses, and operations before the access of a number.
type Trace = (Vec<Access>, Vec<(u32, OpRecord)>);

/// Loads of four spans of 2 MiB by two processes in turn, whose tables differ, and operations that take all pages of a
/// span away.
fn loads_of_two_processes(u: &mut cases::Unstructured<'_>) -> cases::Result<Trace> {
    const FIRST: u64 = 0x4000_0000;
    let span = |number: u64| FIRST + (number << 21);
    let (mut list, mut ops) = (Vec::new(), Vec::new());
    for number in 0..u.int_in_range(0..=12u64)? {
        if u.arbitrary()? {
            let (start, length) = (Hex(span(number % 4)), Hex(1 << 21));
            let op = Op::Madvise { start, length, advice: MemoryAdvice::Dontneed, flush: true };
            ops.push((u32::try_from(list.len()).unwrap(), OpRecord { pid: 0, tid: 0, cpu: 0, op }));
        }
        let pid = u.int_in_range(1..=2)?;
        for _ in 0..u.int_in_range(1..=120)? {
            let page = u.int_in_range(0..=30u64)? << 12;
            let load = Access::new(Kind::Load, span(u.int_in_range(0..=3u64)?) + page, 8);
            list.push(Access { pid, ..load });
        }
    }
    Ok((list, ops))
}

/// What is known of the tables of a process is not used for another one.
#[test]
fn batches_walk_the_tables_of_the_running_process() {
    for config in MACHINES {
        let machine =
            Machine::new(&parse_json(config).unwrap(), &parse_json(r#"{"virt": "ept"}"#).unwrap());
        let machine = machine.unwrap();
        cases(300).size_min(1 << 12).check(|u| {
            let (list, ops) = loads_of_two_processes(u)?;
            let mut builder = TraceBuilder::default();
            let (mut counted, mut plain) = (machine.clone(), machine.clone());
            let [mut stats, mut plain_stats] = [0; 2].map(|_| Stats::default());
            let mut ops = ops.iter().peekable();
            for (index, access) in (0..).zip(&list) {
                while let Some((_, record)) = ops.next_if(|(before, _)| *before == index) {
                    builder.push_op(record).unwrap();
                    plain.execute(record, &mut plain_stats);
                }
                builder.push(access).unwrap();
                plain.access(index, access, &mut plain_stats);
            }
            let trace = builder.finish(Completeness::Complete).unwrap();
            advance(&mut counted, &trace, 0, trace.len(), &mut stats);
            assert_eq!(
                stats.report(&counted, Completeness::Complete),
                plain_stats.report(&plain, Completeness::Complete)
            );
            Ok(())
        });
    }
}

/// Walks go into more spans of 2 MiB than stay known, and into spans whose numbers have the same remainder by every number of
/// places.
#[test]
fn batches_walk_more_memory_than_stays_known() {
    const SPANS: u64 = 17_000;
    let load = |span: u64, page: u64| Access::new(Kind::Load, (span << 21) + (page << 12), 8);
    // The first loads need new tables, so only the others are walks of batches.
    let many = (0..3).flat_map(|page| (0..SPANS).map(move |span| load(span, page)));
    let apart = (0..30_000).map(|n: u64| load((n * 7 % 72) << 16, n * n % 512));
    let os = json!({ "virt": "ept" });
    let machine: Value = serde_json::from_str(MACHINES[0]).unwrap();
    check(&machine, &os, &many.chain([load(5, 1), load(9, 200)]).collect::<Vec<_>>());
    check(&machine, &os, &apart.collect::<Vec<_>>());
}
