//! Tests of traces whose data goes through memory caches. Repeats on one line are counted instead of simulated,
//! and accesses with few repeats go through the caches in batches. The results must equal those of single
//! accesses.

use crate::common::assert_equal_machines;
use crate::common::one_test_per_row;
use cases::{Result, Unstructured, cases};
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::advance;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{
    Access, CHUNK, Completeness, Kind, MemoryAdvice, Op, OpRecord, Trace, TraceBuilder,
};

/// Memory caches: 64 sets of one way, in which any other line of a set evicts a line, and larger ones.
const CACHES: &[&str] = &[
    r#"[{"name": "a", "size": "4K", "ways": 1}]"#,
    r#"[{"name": "a", "size": "8K", "ways": 2, "latency": 4}, {"name": "b", "size": "32K", "ways": 4, "line": 128, "latency": 14}]"#,
    r#"[{"name": "a", "size": "32K", "ways": 8, "latency": 4}, {"name": "b", "size": "64K", "ways": 16, "latency": 30}]"#,
    r#"[{"name": "a", "size": "48K", "ways": 12}]"#,
    r#"[{"name": "a", "size": "64K", "ways": 16}]"#,
];

/// Small TLBs with many walks, and different paging-structure caches.
const TLBS: &[&str] = &[
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}]"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4, "ways": 2}],
       "l2": [{"name": "s", "entries": 8, "ways": 2}], "psc": {"pde": {"entries": 2}, "pdpte": {"entries": 1}}"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "l", "serves": ["load"], "entries": 2}, {"name": "st", "serves": ["store"], "entries": 1}],
       "l2": [{"name": "s", "entries": 16, "ways": 4}], "psc": {"pde": {"in": "s"}}"#,
];

const SYSTEMS: &[&str] =
    &["{}", r#"{"default": "2M"}"#, r#"{"frames": "shuffled"}"#, r#"{"default": "thp"}"#];

/// Structures for nested walks and systems, each with a flag: whether repeats are skipped on that machine.
const GUESTS: &[(&str, &str, bool)] = &[
    ("{}", r#"{"virt": "ept"}"#, true),
    (
        r#"{"nested_tlb": {"entries": 2, "data": false}, "ept_psc": {"pde": {"entries": 2}, "pdpte": {"entries": 1}}}"#,
        r#"{"virt": "ept", "default": "2M"}"#,
        true,
    ),
    (
        r#"{"nested_tlb": {"entries": 4, "data": true}, "ad": false}"#,
        r#"{"virt": "ept", "default": "thp", "host": {"default": "2M", "frames": "shuffled"}}"#,
        true,
    ),
    (
        r#"{"style": "pwc-2d", "pwc": {"entries": 8}, "nested_tlb": {"entries": 4}}"#,
        r#"{"virt": "ept", "host": {"default": "2M"}}"#,
        true,
    ),
    ("{}", r#"{"virt": "ept", "host": {"default": "thp"}}"#, true),
    ("{}", r#"{"virt": "ept", "host": {"default": "thp", "thp": {"fragmentation": 50}}}"#, false),
    ("{}", r#"{"virt": "shadow"}"#, false),
];

/// Returns repeated accesses to few lines, most of them with a fetch. Lines of several pages share their sets.
fn accesses(u: &mut Unstructured<'_>, n: usize) -> Result<Vec<Access>> {
    let mut list = Vec::new();
    let n_pages = u.int_in_range(1..=12)?;
    let n_lines = *u.choose(&[1, 2, 64])?;
    let place = |u: &mut Unstructured<'_>, base: u64| -> Result<u64> {
        let page = u.int_in_range(0..=n_pages)?;
        let line = u.int_in_range(0..=n_lines - 1)?;
        Ok(base + (page << 12) + (line << 6) + u.int_in_range(0..=63)?)
    };
    let (mut pc, mut data) = (0x40_0000, 0x60_0000);
    while list.len() < n {
        let dice: u8 = u.arbitrary()?;
        match dice % 32 {
            0 => pc = place(u, 0x40_0000)?,
            1..4 => data = place(u, 0x60_0000)?,
            _ => {}
        }
        let kind = match dice {
            0..140 => Kind::Fetch,
            140..200 => Kind::Load,
            200..252 => Kind::Store,
            _ => Kind::Prefetch,
        };
        let address = match kind {
            Kind::Fetch => pc,
            Kind::Prefetch => place(u, 0x60_0000)?,
            _ => data,
        };
        let size = if dice % 64 == 7 { u.int_in_range(0..=300)? } else { 1 };
        list.push(Access::new(kind, address, size));
    }
    Ok(list)
}

/// Returns accesses to lines of many pages with few repeats. Some are prefetches, and some straddle two pages.
fn with_few_repeats(u: &mut Unstructured<'_>, n: usize) -> Result<Vec<Access>> {
    let n_pages = *u.choose(&[3, 30, 3000, 1 << 20])?;
    let kinds = *u.choose(&[&Kind::ALL[..], &Kind::ALL[..3], &Kind::ALL[1..2]])?;
    let size = *u.choose(&[1, 8, 300])?;
    let mut list = Vec::new();
    for _ in 0..n {
        let place = u64::from(u.arbitrary::<u32>()?);
        list.push(Access::new(*u.choose(kinds)?, 0x60_0000 + place % (n_pages << 12), size));
    }
    Ok(list)
}

fn build(accesses: &[Access]) -> Trace {
    let mut builder = TraceBuilder::default();
    for access in accesses {
        builder.push(access).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

fn plain(machine: &mut Machine, accesses: &[Access]) -> RunReport {
    let mut stats = Stats::default();
    for (index, access) in (0..).zip(accesses) {
        machine.access(index, access, &mut stats);
    }
    stats.report(machine, Completeness::Complete)
}

/// Compares both kinds of run. Returns whether repeats were skipped.
fn check(config: &MachineConfig, os: &OsConfig, accesses: &[Access]) -> bool {
    let trace = build(accesses);
    let before = trace.bytes();
    let mut fast = Machine::new(config, os).unwrap();
    let mut twin = fast.clone();
    let mut stats = Stats::default();
    advance(&mut fast, &trace, 0, trace.len(), &mut stats);
    let report = stats.report(&fast, Completeness::Complete);
    assert_eq!(report, plain(&mut twin, accesses));
    assert_equal_after_one_access(fast, twin, trace.len());
    trace.bytes() > before
}

/// Asserts that two machines are equal, including every line of the caches. Both run one more access first,
/// because a machine remembers the region of the last one.
fn assert_equal_after_one_access(mut fast: Machine, mut twin: Machine, now: u32) {
    for machine in [&mut fast, &mut twin] {
        machine.access(now, &Access::new(Kind::Load, 0x60_0000, 1), &mut ());
    }
    assert_equal_machines(&fast, &twin);
}

/// Calls `check_on` with some TLBs and every combination of caches and systems.
fn on_every_machine(tlbs: &str, mut check_on: impl FnMut(&MachineConfig, &OsConfig)) {
    for caches in CACHES {
        let memory = format!(r#""memory": {{"data": true, "caches": {caches}}}"#);
        let config = parse_json(&format!("{{{tlbs}, {memory}}}")).unwrap();
        for os in SYSTEMS {
            check_on(&config, &parse_json(os).unwrap());
        }
    }
}

fn line_runs_leave_the_machine_as_plain_accesses_do(tlbs: &str) {
    on_every_machine(tlbs, |config, os| {
        let mut n_skipped = 0;
        cases(20).check(|u| {
            let n = u.int_in_range(0..=500)?;
            n_skipped += u32::from(check(config, os, &accesses(u, n)?));
            Ok(())
        });
        assert!(n_skipped > 0, "no run skipped anything");
    });
}
one_test_per_row!(line_runs_leave_the_machine_as_plain_accesses_do, TLBS, [row_0 row_1 row_2]);

/// Tests guests with both kinds of accesses.
fn lines_of_guests_leave_the_machine_as_plain_accesses_do(
    (virt, os_text, skips): (&str, &str, bool),
) {
    let os: OsConfig = parse_json(os_text).unwrap();
    let mut n_skipped = 0;
    for (tlbs, caches) in TLBS.iter().flat_map(|tlbs| CACHES.iter().map(move |c| (tlbs, c))) {
        let memory = format!(r#""memory": {{"data": true, "caches": {caches}}}"#);
        let config = parse_json(&format!(r#"{{{tlbs}, {memory}, "virt": {virt}}}"#)).unwrap();
        cases(20).size_min(1 << 12).check(|u| {
            let n = u.int_in_range(0..=600)?;
            let list = if u.arbitrary()? { accesses(u, n)? } else { with_few_repeats(u, n)? };
            n_skipped += u32::from(check(&config, &os, &list));
            Ok(())
        });
    }
    // Under shadow paging, and if the host has pages of several sizes, accesses are simulated one by one.
    assert_eq!(n_skipped > 0, skips, "{virt} {os_text}");
}
one_test_per_row!(lines_of_guests_leave_the_machine_as_plain_accesses_do, GUESTS, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

fn accesses_that_hardly_repeat_a_line_leave_the_machine_as_plain_accesses_do(tlbs: &str) {
    on_every_machine(tlbs, |config, os| {
        let mut n_listed = 0;
        cases(15).size_min(1 << 12).check(|u| {
            let n = u.int_in_range(0..=800)?;
            n_listed += u32::from(!check(config, os, &with_few_repeats(u, n)?));
            Ok(())
        });
        assert!(n_listed > 0, "every run had repeats to skip");
    });
}
one_test_per_row!(accesses_that_hardly_repeat_a_line_leave_the_machine_as_plain_accesses_do, TLBS, [row_0 row_1 row_2]);

/// A stale TLB entry of an unmapped page leads to no line, until the page is mapped again.
#[test]
fn a_page_that_is_gone_is_not_read() {
    let memory = format!(r#""memory": {{"data": true, "caches": {}}}"#, CACHES[1]);
    let config: MachineConfig = parse_json(&format!("{{{}, {memory}}}", TLBS[0])).unwrap();
    let mut fast = Machine::new(&config, &OsConfig::default()).unwrap();
    let load = |address| Access::new(Kind::Load, address, 8);
    fast.access(0, &load(0x60_0000), &mut ());
    let advice = MemoryAdvice::Dontneed;
    let op = Op::Madvise { start: Hex(0x60_0000), length: Hex(4096), advice, flush: false };
    fast.execute(&OpRecord { pid: 0, tid: 0, cpu: 0, op }, &mut ());
    fast.access(1, &load(0x70_0000), &mut ());
    let mut twin = fast.clone();
    let round = |at: u64| [0x60_0000 + (at << 8), 0x70_1000, 0x70_2000, 0x70_3000];
    let list: Vec<Access> = (0..4).flat_map(round).map(load).collect();
    let trace = build(&list);
    let mut stats = Stats::default();
    advance(&mut fast, &trace, 0, trace.len(), &mut stats);
    let report = stats.report(&fast, Completeness::Complete);
    assert_eq!(report, plain(&mut twin, &list));
    assert_equal_after_one_access(fast, twin, trace.len());
}

/// Runs cross the borders of chunks, or begin in the middle of one.
#[test]
fn line_runs_go_on_from_chunk_to_chunk() {
    let n = 2 * CHUNK + 100;
    // Repeats on a few lines of data. Some share their sets with entries that walks read.
    let list: Vec<Access> = (0..n)
        .map(|at| match at % 3 {
            0 => Access::new(Kind::Fetch, 0x40_0000 + u64::from(at / 96 % 300) * 64, 4),
            kind => {
                let line = 0x60_0000 + u64::from(at / 60 * 37 % 29) * 0x1040;
                let kind = if kind == 1 { Kind::Load } else { Kind::Store };
                Access::new(kind, line + u64::from(at % 8) * 8, 8)
            }
        })
        .collect();
    let trace = build(&list);
    let before = trace.bytes();
    let memory = format!(r#""memory": {{"data": true, "caches": {}}}"#, CACHES[0]);
    let config = parse_json(&format!("{{{}, {memory}}}", TLBS[0])).unwrap();
    let os = parse_json("{}").unwrap();
    let mut fast = Machine::new(&config, &os).unwrap();
    let mut twin = fast.clone();
    let mut stats = Stats::default();
    for (from, to) in [(0, CHUNK / 2), (CHUNK / 2, 2 * CHUNK + 50), (2 * CHUNK + 50, n)] {
        advance(&mut fast, &trace, from, to, &mut stats);
    }
    let report = stats.report(&fast, Completeness::Complete);
    assert_eq!(report, plain(&mut twin, &list));
    assert_equal_after_one_access(fast, twin, n);
    assert!(trace.bytes() > before, "nothing was skipped");
}

/// Accesses with few repeats across borders of chunks: first on few pages, then on many.
#[test]
fn accesses_that_hardly_repeat_a_line_go_on_from_chunk_to_chunk() {
    let memory = format!(r#""memory": {{"data": true, "caches": {}}}"#, CACHES[1]);
    let config = parse_json(&format!("{{{}, {memory}}}", TLBS[1])).unwrap();
    for os in ["{}", r#"{"virt": "ept", "host": {"default": "2M"}}"#] {
        let list: Vec<Access> = (0..CHUNK + 9000)
            .map(|at| {
                let mixed = u64::from(at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                let span = if at % 50_000 < 20_000 { 2 << 12 } else { 100 << 12 };
                let kind = Kind::ALL[usize::from(mixed.to_le_bytes()[4] % 4)];
                Access::new(kind, 0x60_0000 + mixed % span, 1000)
            })
            .collect();
        assert!(!check(&config, &parse_json(os).unwrap(), &list), "repeats were skipped");
    }
}

/// Each case has one reason why a repeat must be simulated.
#[test]
fn repeats_are_skipped_only_if_they_change_nothing() {
    let config = r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}], "memory": {"data": true, "caches": CACHES}}"#;
    let load = |address| Access::new(Kind::Load, address, 8);
    let alike = [load(0x60_0000); 8];
    let others: &[(&str, &str, &[Access], bool)] = &[
        (CACHES[0], "{}", &alike, true),
        // With too few sets, or with one, lines with equal slot numbers may be in different sets.
        (r#"[{"name": "a", "size": "2K", "ways": 1}]"#, "{}", &alike, false),
        (r#"[{"name": "a", "size": "4K"}]"#, "{}", &alike, false),
        (CACHES[0], r#"{"virt": "ept"}"#, &alike, true),
        (CACHES[0], r#"{"virt": "shadow"}"#, &alike, false),
        (r#"[{"name": "a", "size": "8K", "ways": 1, "line": 128}]"#, "{}", &alike, false),
        (CACHES[0], "{}", &[alike[0], Access { pid: 1, ..alike[0] }, alike[0], alike[0]], false),
        (CACHES[0], "{}", &[Access::new(Kind::Load, 0, 5000), alike[0], alike[0]], false),
        (CACHES[0], "{}", &[load(0), load(64), load(128)], false),
    ];
    for (caches, os, accesses, skips) in others {
        let config = parse_json(&config.replace("CACHES", caches)).unwrap();
        let os = parse_json(os).unwrap();
        assert_eq!(check(&config, &os, accesses), *skips, "{caches} {os:?}");
    }
}
