//! Tests that every count of the machine equals that of the naive simulator, with and without page runs.

use crate::common::assert_equal_machines;
use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, build, check, plain, prefetch_some};
use crate::naive::machines::{MACHINES, SYSTEMS};
use cases::cases;
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::advance;
use pagewalk_base::trace::{Access, CHUNK, Kind};

fn machines_agree_with_the_naive_simulator(config: &str) {
    for os in SYSTEMS {
        cases(110).check(|u| {
            let n = u.int_in_range(0..=1500)?;
            check(config, os, &accesses(u, n)?);
            Ok(())
        });
    }
}
one_test_per_row!(machines_agree_with_the_naive_simulator, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);

/// A system with khugepaged, which counts walks. It first runs after the end of the longest trace.
pub(crate) const KHUGEPAGED: &str = r#"{"default": "thp", "map": "none", "thp": {"at_fault": false, "khugepaged": {"every": 100000, "pages": 2}}}"#;

/// Compares the whole machines, not only the counters: every entry with its times and hits, and every table.
fn page_runs_leave_the_machine_as_plain_accesses_do(config: &str) {
    for os in SYSTEMS.iter().chain([&KHUGEPAGED]) {
        let (config, os) = (parse_json(config).unwrap(), parse_json(os).unwrap());
        cases(30).check(|u| {
            let n = u.int_in_range(0..=600)?;
            let machine = Machine::new(&config, &os).unwrap();
            page_runs_leave_what_accesses_do(&machine, &accesses(u, n)?);
            Ok(())
        });
    }
}
one_test_per_row!(page_runs_leave_the_machine_as_plain_accesses_do, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);

pub(crate) fn page_runs_leave_what_accesses_do(machine: &Machine, accesses: &[Access]) {
    let trace = build(accesses);
    let [mut fast, mut counted, mut plain] = [0; 3].map(|_| machine.clone());
    advance(&mut fast, &trace, 0, trace.len(), &mut ());
    // An observer that accepts sums makes the machine process walks on another path.
    advance(&mut counted, &trace, 0, trace.len(), &mut Stats::default());
    for (index, access) in (0..).zip(accesses) {
        plain.access(index, access, &mut ());
    }
    for machine in [&mut fast, &mut counted, &mut plain] {
        // All machines run one more access, because a machine remembers the region of the last one.
        machine.access(trace.len(), &Access::new(Kind::Load, 0x60_0000, 1), &mut ());
    }
    assert_equal_machines(&fast, &plain);
    assert_equal_machines(&counted, &plain);
}

/// Machines in which one loop looks up both levels for accesses of one kind.
const JOINED: &[&str] = &[
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 8}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4}],
        "l2": [{"name": "s", "entries": 96, "ways": 12}], "psc": {"pml4e": {"entries": 2}, "pde": {"entries": 8, "ways": 4}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 12, "ways": 3}, {"name": "d", "serves": ["load", "store"], "entries": 6}],
        "l2": [{"name": "s", "entries": 32, "ways": 8, "index": "xor"}], "psc": {"pde": {"entries": 4}}, "memory": {"data": false}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 4, "replacement": "tree-plru"}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4, "replacement": "tree-plru"}],
        "l2": [{"name": "s", "entries": 48, "ways": 12, "index": "xor", "replacement": "mru3-plru4"}], "psc": {"pde": {"entries": 4, "ways": 2}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 6, "replacement": "fifo"}, {"name": "d", "serves": ["load", "store"], "entries": 10, "ways": 5}],
        "l2": [{"name": "s", "entries": 64, "ways": 16, "replacement": "random"}], "psc": {"pde": {"entries": 4, "replacement": "bit-plru"}}}"#,
];

/// A system with pages of two sizes.
const TWO_SIZES: &str =
    r#"{"regions": [{"start": "0xa00000", "end": "0x8000000", "pages": "2M"}]}"#;

/// The accesses have one kind for some batches, then another kind. They use fewer and more pages than the levels
/// hold.
fn accesses_of_one_kind_leave_the_machine_as_plain_accesses_do(config: &str) {
    for os in ["{}", r#"{"default": "2M"}"#, r#"{"virt": "ept"}"#, TWO_SIZES] {
        let machine = Machine::new(&parse_json(config).unwrap(), &parse_json(os).unwrap()).unwrap();
        cases(100).size_min(1 << 13).check(|u| {
            // The trace has two parts, each some batches long, with one kind and in its own part of memory.
            let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
            let kinds = [kind, *u.choose(&[kind, kind, Kind::Fetch, Kind::Load, Kind::Store])?];
            let areas = [(0x60_0000, 12), (0x60_0000, 16), (0xa0_0000, 18)];
            let areas = [*u.choose(&areas)?, *u.choose(&areas)?];
            let n_pages = *u.choose(&[5, 40, 300, 60_000])?;
            let (n, mut list) = (u.int_in_range(0..=1500)?, Vec::new());
            for number in 0..n {
                let (start, page_bits) = areas[number / 751];
                let at = u64::from(u.arbitrary::<u16>()? % n_pages) << page_bits;
                list.push(Access::new(kinds[number / 751], start + at, 1));
            }
            page_runs_leave_what_accesses_do(&machine, &list);
            Ok(())
        });
    }
}
one_test_per_row!(accesses_of_one_kind_leave_the_machine_as_plain_accesses_do, JOINED, [row_0 row_1 row_2 row_3]);

/// Machines with so few entries that a batch walks to one page several times.
const SMALL: &[&str] = &[
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}],
        "l2": [{"name": "s", "entries": 2}], "psc": {"pde": {"entries": 4}}}"#,
    r#"{"coalescing": {"4K": 4}, "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 4, "ways": 2}],
        "l2": [{"name": "s", "entries": 8, "ways": 4, "replacement": "tree-plru"}]}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}],
        "l2": [{"name": "f", "serves": ["fetch"], "entries": 4}, {"name": "s", "serves": ["load", "store"], "entries": 4}], "memory": {"data": true}}"#,
];

/// Loads, stores and fetches use the same few pages. So a store makes pages dirty to which later walks of its batch go.
fn all_kinds_on_common_pages_leave_the_machine_as_plain_accesses_do(config: &str) {
    for os in ["{}", r#"{"default": "2M"}"#, r#"{"virt": "ept"}"#, TWO_SIZES] {
        let machine = Machine::new(&parse_json(config).unwrap(), &parse_json(os).unwrap()).unwrap();
        cases(60).check(|u| {
            let (n, n_pages) = (u.int_in_range(0..=600)?, u.int_in_range(2..=40)?);
            let mut list = Vec::new();
            for _ in 0..n {
                let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Load, Kind::Store])?;
                let at = u.int_in_range(0..=n_pages)? << *u.choose(&[12, 12, 12, 21])?;
                list.push(Access::new(kind, 0x60_1000 + at, 1));
            }
            page_runs_leave_what_accesses_do(&machine, &list);
            Ok(())
        });
    }
}
one_test_per_row!(all_kinds_on_common_pages_leave_the_machine_as_plain_accesses_do, SMALL, [row_0 row_1 row_2]);

/// Every machine with inclusive and with exclusive levels.
fn inclusive_and_exclusive_levels_agree_with_the_naive_simulator(config: &str) {
    for inclusion in ["inclusive", "exclusive"] {
        let config = config.replacen('{', &format!(r#"{{"inclusion": "{inclusion}","#), 1);
        let config = config.replace(",}", "}");
        for os in SYSTEMS {
            cases(70).check(|u| {
                let n = u.int_in_range(0..=1500)?;
                check(&config, os, &accesses(u, n)?);
                Ok(())
            });
        }
    }
}
one_test_per_row!(inclusive_and_exclusive_levels_agree_with_the_naive_simulator, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);

/// Some loads become prefetches: of mapped pages, of unmapped pages, and across page borders.
fn prefetches_agree_with_the_naive_simulator(config: &str) {
    const HOSTS: &[&str] = &["", r#""virt": "ept""#, r#""virt": "ept", "host": {"default": "2M"}"#];
    for os in SYSTEMS {
        cases(70).check(|u| {
            let os = os.replacen('{', &format!("{{{},", u.choose(HOSTS)?), 1);
            let os = os.replace("{,", "{").replace(",}", "}");
            let n = u.int_in_range(0..=1000)?;
            let mut list = accesses(u, n)?;
            prefetch_some(&mut list, 4);
            check(config, &os, &list);
            Ok(())
        });
    }
}
one_test_per_row!(prefetches_agree_with_the_naive_simulator, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);

/// The first access of a chunk may belong to process 0, which is also the process of a trace without processes.
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

/// Returns accesses on few pages. Most of them are first touched in order, so that their frames are
/// consecutive.
pub(crate) fn near(u: &mut cases::Unstructured<'_>, n: usize) -> cases::Result<Vec<Access>> {
    let mut list = Vec::new();
    let stores = *u.choose(&[0, 3, 20, 250])?;
    let skipped = u.int_in_range(0..=3)?;
    for n in 0..n as u64 {
        // First a sweep in order, then random pages.
        let at = match n {
            0..64 if skipped > 0 => (n + n / (40 * skipped)) << 12,
            _ => u64::from(u.arbitrary::<u16>()?) * 4,
        };
        let dice: u8 = u.arbitrary()?;
        let kind = match dice {
            _ if dice % 4 == 3 => Kind::Fetch,
            _ if dice < stores => Kind::Store,
            _ => Kind::Load,
        };
        let pid = u32::from(u.ratio(1, 50)?);
        list.push(Access { pid, ..Access::new(kind, 0x60_0000 + at, 8) });
    }
    Ok(list)
}

/// Parts of the list of CPU models: part n has every fourth model from model n on.
const PARTS: &[usize] = &[0, 1, 2, 3];

/// Every CPU model with each of its page sizes.
fn cpu_models_agree_with_the_naive_simulator(part: usize) {
    for id in pagewalk::config::cpu::ids().skip(part).step_by(PARTS.len()) {
        let mut machine = pagewalk::config::cpu::model(id).unwrap().machine;
        // The naive simulator sends only table reads through the memory caches.
        machine.memory.data = false;
        let json = serde_json::to_string(&machine).unwrap();
        for size in machine.geometry().unwrap().sizes() {
            let os = format!(r#"{{"default": "{size}"}}"#);
            cases(30).check(|u| {
                let n = u.int_in_range(0..=600)?;
                let list = if u.ratio(1, 3)? { near(u, n)? } else { accesses(u, n)? };
                check(&json, &os, &list);
                Ok(())
            });
        }
    }
}
one_test_per_row!(cpu_models_agree_with_the_naive_simulator, PARTS, [row_0 row_1 row_2 row_3]);
