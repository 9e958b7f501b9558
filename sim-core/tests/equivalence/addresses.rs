//! Rules for addresses and page sizes besides those of x86-64. Every count equals the naive simulator's.

use cases::cases;

use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, check};

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
