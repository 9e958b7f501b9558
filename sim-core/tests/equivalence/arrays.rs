//! Arrays with other index functions, with limited ways, or with coalesced pages. Every count equals the naive simulator's.

use cases::cases;
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;

use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, build, check, fast};
use crate::naive::machines::SYSTEMS;
use crate::plain::{KHUGEPAGED, near, page_runs_leave_what_accesses_do};

/// Checks a machine, whose inclusion is `nine`, with every inclusion on every system.
fn check_each_inclusion(config: &str) {
    for inclusion in ["nine", "inclusive", "exclusive"] {
        let config = config.replace("\"nine\"", &format!("\"{inclusion}\""));
        for os in SYSTEMS {
            cases(60).check(|u| {
                let n = u.int_in_range(0..=1000)?;
                check(&config, os, &accesses(u, n)?);
                Ok(())
            });
        }
    }
}

/// Machines that limit the ways of instructions and of data in one array.
const CAPPED: &[&str] = &[
    r#"{"inclusion": "nine", "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
        "l2": [{"name": "s", "entries": 32, "ways": 8, "caps": {"data": 6}}], "psc": {"pde": {"in": "s"}}}"#,
    r#"{"inclusion": "nine", "l1": [{"name": "d", "entries": 2}],
        "l2": [{"name": "a", "pages": ["4K", "2M"], "entries": 16, "ways": 8, "replacement": "tree-plru", "index": "xor", "caps": {"instructions": 3, "data": 6}}, {"name": "b", "pages": ["4K", "1G"], "entries": 8, "ways": 4, "replacement": "fifo", "caps": {"instructions": 1, "data": 3}}]}"#,
    r#"{"inclusion": "nine", "l1": [{"name": "d", "entries": 6, "caps": {"instructions": 2, "data": 5}}],
        "l2": [{"name": "s", "entries": 40, "ways": 20, "caps": {"instructions": 20, "data": 1}}]}"#,
];

fn capped_arrays_agree_with_the_naive_simulator(config: &str) {
    check_each_inclusion(config);
}
one_test_per_row!(capped_arrays_agree_with_the_naive_simulator, CAPPED, [row_0 row_1 row_2]);

/// Machines whose sets are chosen by masks, with a policy and structures of each kind.
const MASKED: &[&str] = &[
    r#"{"inclusion": "nine", "l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 4, "index": {"xor-masks": ["0x11"]}}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 2, "index": {"xor-masks": ["0x7", "0x2a", "0x804"]}}],
        "l2": [{"name": "s", "entries": 64, "ways": 4, "index": {"xor-masks": ["0x1111", "0x2222", "0x4444", "0x8888"]}}], "psc": {"pde": {"in": "s"}, "upper": {"entries": 2}}}"#,
    r#"{"inclusion": "nine", "l1": [{"name": "d", "entries": 4, "ways": 1, "index": {"xor-masks": ["0x3", "0xfffff"]}}],
        "l2": [{"name": "a", "pages": ["4K", "2M"], "entries": 8, "ways": 2, "replacement": "fifo", "index": {"xor-masks": ["0x200", "0x101"]}}, {"name": "b", "pages": ["4K", "1G"], "entries": 16, "ways": 4}]}"#,
];

fn masked_arrays_agree_with_the_naive_simulator(config: &str) {
    check_each_inclusion(config);
}
one_test_per_row!(masked_arrays_agree_with_the_naive_simulator, MASKED, [row_0 row_1]);

/// Masks can spell the other index functions. Then every counter is equal, also to that of the fast paths.
#[test]
fn masks_that_spell_xor_or_low_bits_give_equal_reports() {
    const XOR: [&str; 2] = [r#""xor""#, r#"{"xor-masks": ["0x11", "0x22", "0x44", "0x88"]}"#];
    const LOW: [&str; 2] = [r#""low-bits""#, r#"{"xor-masks": ["0x1", "0x2", "0x4", "0x8"]}"#];
    for spellings in [XOR, LOW] {
        for os in SYSTEMS {
            cases(60).check(|u| {
                let n = u.int_in_range(0..=1500)?;
                let accesses = accesses(u, n)?;
                let [named, masked] = spellings.map(|index| {
                    let json = format!(
                        r#"{{"l1": [{{"name": "i", "serves": ["fetch"], "entries": 8}}, {{"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 1, "index": {index}}}],
                            "l2": [{{"name": "s", "entries": 64, "ways": 4, "index": {index}}}], "psc": {{"pde": {{"entries": 2}}}}}}"#
                    );
                    fast(&parse_json(&json).unwrap(), &parse_json(os).unwrap(), &build(&accesses))
                });
                assert_eq!(named, masked);
                Ok(())
            });
        }
    }
}

/// AMD's coalesced pages share an entry, in arrays that hold groups or only single pages.
pub(crate) const COALESCING: &[&str] = &[
    r#"{"coalescing": {"4K": 4}, "l1": [{"name": "d", "entries": 8}]}"#,
    r#"{"coalescing": {"4K": 4}, "inclusion": "nine",
        "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
        "l2": [{"name": "i2", "serves": ["fetch"], "pages": ["4K", "2M"], "entries": 16, "ways": 4}, {"name": "d2", "serves": ["load", "store"], "pages": ["4K", "16K", "2M"], "fragments": ["1G"], "entries": 32, "ways": 4, "replacement": "tree-plru"}],
        "psc": {"pde": {"in": "d2"}, "upper": {"entries": 4}}}"#,
    r#"{"coalescing": {"4K": 8}, "inclusion": "nine",
        "l1": [{"name": "a", "serves": ["load"], "pages": ["4K", "32K"], "fragments": ["2M"], "entries": 8, "ways": 2, "replacement": "fifo"}, {"name": "b", "entries": 4}],
        "l2": [{"name": "x", "pages": ["4K", "32K"], "entries": 8, "ways": 2}, {"name": "y", "entries": 16, "ways": 2}]}"#,
];

/// Hosts under which pages can be coalesced only if both the guest's and the host's frames are consecutive.
const HOSTS: &[&str] = &[
    r#"{"virt": "ept"}"#,
    r#"{"virt": "ept", "host": {"default": "2M"}}"#,
    r#"{"default": "2M", "virt": "ept"}"#,
    r#"{"virt": "shadow", "host": {"default": "4K"}}"#,
];

fn coalescing_agrees_with_the_naive_simulator(config: &str) {
    for inclusion in ["nine", "inclusive", "exclusive"] {
        let config =
            config.replace(r#""inclusion": "nine""#, &format!(r#""inclusion": "{inclusion}""#));
        for os in SYSTEMS.iter().chain(HOSTS) {
            cases(120).check(|u| {
                let n = u.int_in_range(0..=700)?;
                let list = if u.arbitrary()? { near(u, n)? } else { accesses(u, n)? };
                check(&config, os, &list);
                Ok(())
            });
        }
    }
}
one_test_per_row!(coalescing_agrees_with_the_naive_simulator, COALESCING, [row_0 row_1 row_2]);

/// Machines with coalescing, compared as a whole: pages in entries of their own, in entries of runs, and in both.
const COALESCING_RUNS: &[&str] = &[
    COALESCING[1],
    r#"{"coalescing": {"4K": 4}, "inclusion": "nine",
        "l1": [{"name": "i", "serves": ["fetch"], "pages": ["4K", "16K", "2M"], "entries": 3}, {"name": "d", "serves": ["load", "store"], "pages": ["4K", "16K", "2M", "1G"], "entries": 5, "replacement": "tree-plru"}],
        "l2": [{"name": "s", "pages": ["4K", "16K", "2M"], "entries": 32, "ways": 16, "ways_of": {"4K": 8, "16K": 8, "2M": 4}}],
        "psc": {"pde": {"in": "s"}}, "memory": {"data": true, "caches": [{"name": "c", "size": "8K", "ways": 2, "latency": 4}]}}"#,
];

fn coalescing_runs_leave_the_machine_as_plain_accesses_do(config: &str) {
    for os in SYSTEMS.iter().chain(HOSTS).chain([&KHUGEPAGED]) {
        let (config, os) = (parse_json(config).unwrap(), parse_json(os).unwrap());
        let Ok(machine) = Machine::new(&config, &os) else { continue };
        cases(60).check(|u| {
            let n = u.int_in_range(0..=700)?;
            let list = if u.arbitrary()? { near(u, n)? } else { accesses(u, n)? };
            page_runs_leave_what_accesses_do(&machine, &list);
            Ok(())
        });
    }
}
one_test_per_row!(coalescing_runs_leave_the_machine_as_plain_accesses_do, COALESCING_RUNS, [row_0 row_1]);

/// Machines in which pages of some sizes may be only in a part of the ways.
const GROUPS: &[&str] = &[
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 8, "ways_of": {"4K": 4, "2M": 1}}],
        "l2": [{"name": "s", "entries": 64, "ways": 16, "ways_of": {"4K": 8, "2M": 4}, "replacement": "tree-plru"}], "psc": {"pde": {"in": "s"}}}"#,
    r#"{"l1": [{"name": "d", "entries": 4}],
        "l2": [{"name": "s", "pages": ["4K", "2M"], "fragments": ["1G"], "entries": 48, "ways": 12, "ways_of": {"4K": 6, "2M": 3}, "replacement": "fifo"}], "psc": {"unified": {"in": "s"}}}"#,
    r#"{"coalescing": {"4K": 4}, "l1": [{"name": "d", "entries": 4}],
        "l2": [{"name": "s", "entries": 96, "ways": 24, "ways_of": {"4K": 12, "16K": 6, "2M": 6, "1G": 2}}]}"#,
    r#"{"l1": [{"name": "d", "entries": 2}],
        "l2": [{"name": "s", "entries": 64, "ways": 32, "ways_of": {"4K": 8, "2M": 2}, "replacement": "tree-plru", "index": "xor"}, {"name": "t", "entries": 8, "ways": 4, "ways_of": {"4K": 2}}]}"#,
];

fn pages_that_may_be_in_some_ways_agree_with_the_naive_simulator(config: &str) {
    for inclusion in ["nine", "inclusive", "exclusive"] {
        let config = config.replacen('{', &format!(r#"{{"inclusion": "{inclusion}","#), 1);
        for os in SYSTEMS {
            cases(120).check(|u| {
                let n = u.int_in_range(0..=1000)?;
                let list = if u.ratio(1, 4)? { near(u, n)? } else { accesses(u, n)? };
                check(&config, os, &list);
                Ok(())
            });
        }
    }
}
one_test_per_row!(pages_that_may_be_in_some_ways_agree_with_the_naive_simulator, GROUPS, [row_0 row_1 row_2 row_3]);
