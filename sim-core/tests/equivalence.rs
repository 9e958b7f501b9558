//! The machine, with and without page runs, agrees with the naive simulator to the unit.

mod naive;

use naive::Naive;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::replay::advance;
use pagewalk::stats::{RunReport, Stats};
use pagewalk::trace::{Access, CHUNK, Completeness, Kind, Trace, TraceBuilder};

fn build(accesses: &[Access]) -> Trace {
    let mut builder = TraceBuilder::default();
    for access in accesses {
        builder.push(access).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

/// By page runs, where the machine allows it.
fn fast(config: &MachineConfig, os: &OsConfig, trace: &Trace) -> RunReport {
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    advance(&mut machine, trace, 0, trace.len(), &mut stats);
    stats.report(&machine, Completeness::Complete)
}

/// Every access by itself.
fn plain(config: &MachineConfig, os: &OsConfig, accesses: &[Access]) -> RunReport {
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    for (index, access) in (0..).zip(accesses) {
        machine.access(index, access, &mut stats);
    }
    stats.report(&machine, Completeness::Complete)
}

#[track_caller]
fn check(config: &str, os: &str, accesses: &[Access]) {
    let config: MachineConfig = parse_json(config).unwrap();
    let os: OsConfig = parse_json(os).unwrap();
    let trace = build(accesses);
    let report = plain(&config, &os, accesses);
    assert_eq!(fast(&config, &os, &trace), report, "page runs differ from plain accesses");
    let mut naive = Naive::new(&config, &os);
    for access in accesses {
        naive.access(access);
    }
    for (kind, counts) in
        [&report.kinds.fetch, &report.kinds.load, &report.kinds.store].into_iter().zip(&naive.kinds)
    {
        let naive = (counts.translations, counts.l1_hits, counts.l2_hits, counts.walks);
        assert_eq!((kind.translations, kind.l1_hits, kind.l2_hits, kind.walks), naive);
    }
    for (row, array) in report.structures.iter().zip(naive.arrays()) {
        let naive = (array.lookups, array.hits, array.fills, array.evictions);
        assert_eq!((row.lookups, row.hits, row.fills, row.evictions), naive, "{}", row.name);
    }
    let psc: Vec<_> =
        report.walks.psc.iter().map(|c| (c.name.clone(), c.lookups, c.hits)).collect();
    assert_eq!(psc, naive.psc_counts);
    let served: Vec<u64> = report.walks.served_by.iter().map(|s| s.refs).collect();
    assert_eq!(served, naive.served);
    let cycles = (report.cycles.l2_hit, report.cycles.walk);
    let counts = (
        report.walks.refs,
        report.faults.minor,
        report.walks.ad_updates,
        report.pages["table_pages"],
    );
    assert_eq!(counts, (naive.refs, naive.faults, naive.ad_updates, naive.n_tables()));
    assert_eq!(cycles, (naive.l2_cycles, naive.walk_cycles));
}

/// Fetches that jump now and then, loads and stores on a few pages, some far away, some across a border.
fn accesses(
    u: &mut arbtest::arbitrary::Unstructured<'_>,
    n: usize,
) -> arbtest::arbitrary::Result<Vec<Access>> {
    let mut list = Vec::new();
    let mut pc: u64 = 0x40_0000;
    let mut pid = 0;
    for _ in 0..n {
        let dice: u8 = u.arbitrary()?;
        if dice == 255 {
            pid = u.int_in_range(0..=2)?;
        }
        let near = u64::from(u.arbitrary::<u16>()?);
        let (kind, address) = match dice % 8 {
            0..4 => (Kind::Fetch, pc),
            4 => {
                pc = 0x40_0000 + near * 16;
                (Kind::Fetch, pc)
            }
            5 => (Kind::Load, 0x7fff_0000_0000 + near),
            6 => (Kind::Store, 0x60_0000 + near * 8),
            _ => (if dice > 128 { Kind::Load } else { Kind::Store }, near << 24 | near << 8),
        };
        let size = *u.choose(&[0, 1, 4, 8, 16, 64, 5000])?;
        if kind.is_fetch() {
            pc += 4;
        }
        list.push(Access {
            pid,
            ..Access::new(kind, address, if kind.is_fetch() { size.min(16) } else { size })
        });
    }
    Ok(list)
}

const MACHINES: &[&str] = &[
    "{}",
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 2}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 4, "replacement": "tree-plru"}],
        "l2": [{"name": "s", "entries": 48, "ways": 12, "index": "xor", "replacement": "mru3-plru4"}],
        "psc": {"pml4e": {"entries": 2}, "pdpte": {"entries": 4}, "pde": {"entries": 8, "ways": 4}},
        "latency": {"l2_hit": {"fetch": 14, "load": 9, "store": 8}, "walk_overhead": 8},
        "memory": {"caches": [{"name": "a", "size": "1K", "ways": 2, "latency": 4}, {"name": "b", "size": "8K", "ways": 4, "latency": 14}]}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "ld", "serves": ["load"], "entries": 4, "replacement": "fifo"}, {"name": "st", "serves": ["store"], "entries": 2}],
        "l2": [{"name": "half a", "pages": ["4K", "2M"], "entries": 16, "ways": 4}, {"name": "half b", "pages": ["4K", "1G"], "entries": 16, "ways": 4, "replacement": "bit-plru"}],
        "psc": {"upper": {"entries": 4}, "pde": {"in": "half a"}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "ld", "serves": ["load"], "entries": 4}],
        "l2": [{"name": "d", "serves": ["load", "store"], "entries": 32, "ways": 4}], "levels": 5,
        "psc": {"pml5e": {"entries": 1}, "pdpte": {"entries": 2}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "pages": ["4K"], "fragments": ["2M", "1G"], "entries": 16, "ways": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K", "2M"], "fragments": ["1G"], "entries": 32}],
        "l2": [{"name": "s", "pages": ["2M"], "entries": 8, "ways": 2, "replacement": "fifo"}]}"#,
    r#"{"l1": [{"name": "d", "entries": 24, "replacement": "bit-plru"}], "l2": [{"name": "s", "entries": 64, "replacement": "fifo"}], "psc": {"pde": {"entries": 2}}}"#,
];

const SYSTEMS: &[&str] = &[
    "{}",
    r#"{"default": "2M"}"#,
    r#"{"default": "1G"}"#,
    r#"{"regions": [{"start": "0x600000", "end": "0x650000", "pages": "2M"}, {"start": "0x7fff00000000", "end": "0x7fff00400000", "pages": "2M"}]}"#,
    r#"{"default": "2M", "regions": [{"start": "0x400000", "end": "0x480000", "pages": "4K"}, {"start": "0x40000000", "end": "0x1040000000", "pages": "1G"}]}"#,
];

#[test]
fn machines_agree_with_the_naive_simulator() {
    for config in MACHINES {
        for os in SYSTEMS {
            arbtest::arbtest(|u| {
                let n = u.int_in_range(0..=1500)?;
                check(config, os, &accesses(u, n)?);
                Ok(())
            })
            .budget_ms(300);
        }
    }
}

/// The first access of a chunk may belong to process 0, which is where a trace without processes is.
#[test]
fn a_chunk_that_begins_in_process_0_leaves_the_process_before() {
    let load = |pid| Access { pid, ..Access::new(Kind::Load, 0x1000, 8) };
    let chunk = vec![load(5); CHUNK as usize];
    check(MACHINES[1], "{}", &[chunk, vec![load(0); 3]].concat());
}

#[test]
fn a_region_up_to_the_top_has_large_pages_to_the_end() {
    let os = r#"{"regions": [{"start": "0xffffffff80000000", "end": "0xffffffffffffffff", "pages": "2M"}]}"#;
    let loads =
        [0xffff_ffff_ffe0_1000, u64::MAX].map(|address| Access::new(Kind::Load, address, 1));
    let report = plain(&parse_json("{}").unwrap(), &parse_json(os).unwrap(), &loads);
    assert_eq!((report.pages["2M"], report.pages["4K"]), (1, 0));
}

#[test]
fn an_access_beyond_the_piece_that_an_entry_covers_is_translated_twice() {
    let config =
        r#"{"l1": [{"name": "a", "pages": ["4K", "2M"], "fragments": ["1G"], "entries": 4}]}"#;
    check(config, r#"{"default": "1G"}"#, &[Access::new(Kind::Load, 0x1f_fffc, 8)]);
    let report = plain(
        &parse_json(config).unwrap(),
        &parse_json(r#"{"default": "1G"}"#).unwrap(),
        &[Access::new(Kind::Load, 0x1f_fffc, 8)],
    );
    assert_eq!((report.trace.translations, report.faults.minor), (2, 1));
}
