//! Tests that every count of the machine equals that of the naive simulator, with and without page runs.

use crate::common::assert_equal_machines;
use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, build, check, fast, plain, prefetch_some};
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
const KHUGEPAGED: &str = r#"{"default": "thp", "map": "none", "thp": {"at_fault": false, "khugepaged": {"every": 100000, "pages": 2}}}"#;

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

fn page_runs_leave_what_accesses_do(machine: &Machine, accesses: &[Access]) {
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

/// The accesses have one kind for some batches, then another kind. They use fewer and more pages than the levels
/// hold.
fn accesses_of_one_kind_leave_the_machine_as_plain_accesses_do(config: &str) {
    for os in ["{}", r#"{"default": "2M"}"#, r#"{"virt": "ept"}"#] {
        let machine = Machine::new(&parse_json(config).unwrap(), &parse_json(os).unwrap()).unwrap();
        cases(30).size_min(1 << 13).check(|u| {
            // The trace has one kind and then another, each for some batches.
            let kinds = [0; 2].map(|_| u.choose(&[Kind::Fetch, Kind::Load, Kind::Store]));
            let n_pages = *u.choose(&[5, 40, 300, 60_000])?;
            let (n, mut list) = (u.int_in_range(0..=1500)?, Vec::new());
            for number in 0..n {
                let at = u64::from(u.arbitrary::<u16>()? % n_pages) << 12;
                let kind = *kinds[number / 751]?;
                list.push(Access::new(kind, 0x60_0000 + at, 1));
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
    const TWO_SIZES: &str =
        r#"{"regions": [{"start": "0xa00000", "end": "0x8000000", "pages": "2M"}]}"#;
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

/// Prefetchers of TLB entries, in every machine of the table that has the level they fill.
const PREFETCHERS: &[&str] = &[
    r#"{"method": "next-page", "rows": 3, "buffer": {"entries": 2}}"#,
    r#"{"method": "next-page", "into": "l2"}"#,
    r#"{"method": "stride", "buffer": {"entries": 4, "ways": 2, "replacement": "fifo"}}"#,
    r#"{"method": "stride", "rows": 2, "into": "l2"}"#,
    r#"{"method": "distance", "rows": 4, "distances": 3}"#,
    r#"{"method": "distance", "rows": 1, "distances": 1, "buffer": {"entries": 1}}"#,
    r#"{"method": "distance", "into": "l2"}"#,
];

/// Returns accesses that prefetchers predict: some instructions walk memory in steps, others jump.
fn predictable(u: &mut cases::Unstructured<'_>, n: usize) -> cases::Result<Vec<Access>> {
    let mut list = Vec::new();
    let mut streams = Vec::new();
    for number in 0..4u64 {
        let step = *u.choose(&[64, -64, 72, 4096, -4096, 8200, 3 << 12, 1 << 21, 40 << 12])?;
        let address = 0x60_0000 + (number << 20) + u64::from(u.arbitrary::<u8>()?) * 512;
        streams.push((address, step, 0x40_0000 + number * 16));
    }
    let (has_ips, has_fetches) = (u.arbitrary()?, u.arbitrary()?);
    while list.len() < n {
        let dice: u8 = u.arbitrary()?;
        let at = usize::from(dice % 4);
        let (address, step, ip) = &mut streams[at];
        if dice >> 3 == 0 {
            *address = 0x60_0000 + u64::from(u.arbitrary::<u16>()?) * 64;
        }
        *address = address.saturating_add_signed(*step) % (1 << 33);
        let kind = match dice >> 2 & 7 {
            0 => Kind::Store,
            1 => Kind::Prefetch,
            _ => Kind::Load,
        };
        if has_fetches {
            list.push(Access::new(Kind::Fetch, *ip, 4));
        }
        let ip = Some(*ip).filter(|_| has_ips);
        let pid = u32::from(u.ratio(1, 60)?);
        list.push(Access { ip, pid, ..Access::new(kind, *address, *u.choose(&[1, 8, 100])?) });
    }
    // Every page of the streams is mapped in some cases, so that prefetches find it.
    if u.arbitrary()? {
        let all = (0x5f0..0x720).map(|page| Access::new(Kind::Load, page << 12, 1));
        list = all.chain(list).collect();
    }
    Ok(list)
}

fn prefetchers_agree_with_the_naive_simulator(prefetcher: &str) {
    const HOSTS: &[&str] = &["", r#""virt": "ept""#, r#""virt": "ept", "host": {"default": "2M"}"#];
    for config in MACHINES.iter().chain(COALESCING) {
        if prefetcher.contains("l2") && !config.contains("l2") {
            continue;
        }
        let config = config.replacen('{', &format!(r#"{{"tlb_prefetch": {prefetcher},"#), 1);
        let config = config.replace(",}", "}");
        for inclusion in ["nine", "inclusive", "exclusive"] {
            let config = config.replace(r#""inclusion": "nine","#, "").replacen(
                '{',
                &format!(r#"{{"inclusion": "{inclusion}","#),
                1,
            );
            for os in SYSTEMS {
                cases(4).size_min(1 << 12).check(|u| {
                    let os = os.replacen('{', &format!("{{{},", u.choose(HOSTS)?), 1);
                    let os = os.replace("{,", "{").replace(",}", "}");
                    let n = u.int_in_range(0..=700)?;
                    check(&config, &os, &predictable(u, n)?);
                    Ok(())
                });
            }
        }
    }
}
one_test_per_row!(prefetchers_agree_with_the_naive_simulator, PREFETCHERS, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

/// Arm's granules of 4K, 16K and 64K with contiguous pages, in arrays that hold contiguous pages or only single
/// entries.
const ARM: &[(&str, &[&str])] = &[
    (
        r#"{"paging": {"contiguous": {"4K": 16, "2M": 16}},
            "l1": [{"name": "i", "serves": ["fetch"], "pages": ["4K", "64K", "2M"], "fragments": ["1G"], "entries": 6}, {"name": "d", "serves": ["load", "store"], "pages": ["4K"], "fragments": ["2M", "1G"], "entries": 8, "ways": 4}],
            "l2": [{"name": "s", "entries": 20, "ways": 5}], "psc": {"pde": {"in": "s"}, "upper": {"entries": 3}}}"#,
        &[
            r#"{"default": "64K"}"#,
            r#"{"default": "32M"}"#,
            r#"{"default": "64K", "regions": [{"start": "0x400000", "end": "0x47a000", "pages": "2M"}, {"start": "0x40000000", "end": "0x1040000000", "pages": "1G"}, {"start": "0x600000", "end": "0x61a000", "pages": "64K"}]}"#,
        ],
    ),
    (
        r#"{"paging": {"offset_bits": 14, "index_bits": [1, 11, 11, 11], "leaf_levels": [1, 2], "contiguous": {"16K": 128, "32M": 32}},
            "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["16K"], "fragments": ["32M"], "entries": 8, "ways": 2, "replacement": "fifo"}],
            "l2": [{"name": "s", "pages": ["16K", "2M", "32M"], "entries": 16, "ways": 4}], "psc": {"pdpte": {"entries": 2}}}"#,
        &[r#"{"default": "16K"}"#, r#"{"default": "2M"}"#, r#"{"default": "1G"}"#],
    ),
    (
        r#"{"paging": {"offset_bits": 16, "index_bits": [6, 13, 13], "leaf_levels": [1, 2], "contiguous": {"64K": 32, "512M": 32}},
            "l1": [{"name": "d", "entries": 4}], "l2": [{"name": "s", "entries": 8, "ways": 2}], "psc": {"pde": {"entries": 2}}}"#,
        &[
            r#"{"default": "64K"}"#,
            r#"{"default": "2M"}"#,
            r#"{"default": "16G", "regions": [{"start": "0x600000", "end": "0x50610000", "pages": "512M"}]}"#,
        ],
    ),
];

fn contiguous_pages_agree_with_the_naive_simulator((config, systems): (&str, &[&str])) {
    for os in systems {
        cases(110).check(|u| {
            let n = u.int_in_range(0..=1500)?;
            check(config, os, &accesses(u, n)?);
            Ok(())
        });
    }
}
one_test_per_row!(contiguous_pages_agree_with_the_naive_simulator, ARM, [row_0 row_1 row_2]);

/// Machines with other rules for addresses: RISC-V's Sv39 and Sv48, Arm, x86 without pages of 1G, and teaching
/// machines.
const GEOMETRIES: &[&str] = &[
    r#"{"index_bits": [9, 9, 9]}"#,
    r#"{"leaf_levels": [1, 2, 3, 4]}"#,
    r#"{"contiguous": {"4K": 16}}"#,
    r#"{"leaf_levels": [1, 2]}"#,
    r#"{"index_bits": [10, 10], "leaf_levels": [1, 2]}"#,
    r#"{"index_bits": [9, 4], "leaf_levels": [1]}"#,
    r#"{"addresses": "two-halves"}"#,
];

fn every_rule_for_addresses_agrees_with_the_naive_simulator(paging: &str) {
    const SYSTEMS: &[&str] = &[
        "{}",
        r#"{"upper_half": "shared"}"#,
        r#"{"virt": "ept", "host": {"default": "2M"}}"#,
        r#"{"virt": "shadow", "host": {"default": "4K"}}"#,
    ];
    let config = format!(
        r#"{{"paging": {paging}, "virt": {{"levels": 4, "nested_tlb": {{"entries": 4}}}},
            "l1": [{{"name": "i", "serves": ["fetch"], "entries": 4}}, {{"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 2}}],
            "l2": [{{"name": "s", "entries": 16, "ways": 4, "index": "xor"}}], "psc": {{"pde": {{"entries": 2}}, "upper": {{"entries": 2}}}}}}"#
    );
    for os in SYSTEMS {
        cases(150).check(|u| {
            let n = u.int_in_range(0..=1000)?;
            check(&config, os, &accesses(u, n)?);
            Ok(())
        });
    }
}
one_test_per_row!(every_rule_for_addresses_agrees_with_the_naive_simulator, GEOMETRIES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

/// Machines that ignore tags in addresses, each with the number of bits below the tags.
const TAGS: &[(&str, u32)] = &[
    (r#"{"tags": "lam48"}"#, 48),
    (r#"{"tags": "lam57"}"#, 57),
    (r#"{"index_bits": [9, 9, 9, 9, 9], "tags": "lam57"}"#, 57),
    (r#"{"contiguous": {"4K": 16}, "tags": "tbi"}"#, 56),
];

/// Some accesses have a tag. Bit 63 and the highest bits below the tag are sometimes wrong.
fn tagged_addresses_agree_with_the_naive_simulator((paging, bits): (&str, u32)) {
    let config = format!(
        r#"{{"paging": {paging}, "virt": {{"levels": 4}},
            "l1": [{{"name": "i", "serves": ["fetch"], "entries": 4}}, {{"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 2}}],
            "l2": [{{"name": "s", "entries": 16, "ways": 4}}], "psc": {{"pde": {{"entries": 2}}}}}}"#
    );
    for os in ["{}", r#"{"upper_half": "shared"}"#, r#"{"virt": "ept", "host": {"default": "2M"}}"#]
    {
        cases(150).check(|u| {
            let n = u.int_in_range(0..=1000)?;
            let mut list = accesses(u, n)?;
            let is_rare: bool = u.arbitrary()?;
            for access in &mut list {
                let tag = u64::from(u.arbitrary::<u16>()?) << bits & u64::MAX >> 1;
                let wrong = *u.choose(&[1 << 63, 1 << (bits - 1), 1 << (bits - 8)])?;
                access.address ^= match u.int_in_range(0..=15)? {
                    0 => wrong,
                    1 => tag ^ wrong,
                    2..8 if !is_rare => tag,
                    2 => tag,
                    _ => 0,
                };
            }
            check(&config, os, &list);
            Ok(())
        });
    }
}
one_test_per_row!(tagged_addresses_agree_with_the_naive_simulator, TAGS, [row_0 row_1 row_2 row_3]);

/// AMD's coalesced pages share an entry, in arrays that hold groups or only single pages.
const COALESCING: &[&str] = &[
    r#"{"coalescing": {"4K": 4}, "l1": [{"name": "d", "entries": 8}]}"#,
    r#"{"coalescing": {"4K": 4}, "inclusion": "nine",
        "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
        "l2": [{"name": "i2", "serves": ["fetch"], "pages": ["4K", "2M"], "entries": 16, "ways": 4}, {"name": "d2", "serves": ["load", "store"], "pages": ["4K", "16K", "2M"], "fragments": ["1G"], "entries": 32, "ways": 4, "replacement": "tree-plru"}],
        "psc": {"pde": {"in": "d2"}, "upper": {"entries": 4}}}"#,
    r#"{"coalescing": {"4K": 8}, "inclusion": "nine",
        "l1": [{"name": "a", "serves": ["load"], "pages": ["4K", "32K"], "fragments": ["2M"], "entries": 8, "ways": 2, "replacement": "fifo"}, {"name": "b", "entries": 4}],
        "l2": [{"name": "x", "pages": ["4K", "32K"], "entries": 8, "ways": 2}, {"name": "y", "entries": 16, "ways": 2}]}"#,
];

/// Returns accesses on few pages. Most of them are first touched in order, so that their frames are
/// consecutive.
fn near(u: &mut cases::Unstructured<'_>, n: usize) -> cases::Result<Vec<Access>> {
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

/// The same, with the whole machines compared: pages in entries of their own, in entries of runs, and in both.
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
