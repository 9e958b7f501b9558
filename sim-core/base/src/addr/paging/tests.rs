//! Tests of geometries: sizes, groups, and wrong numbers.

use super::*;
use expect_test::{Expect, expect};

#[track_caller]
fn check(paging: &str, coalescing: &str, expected: &Expect) {
    let paging: Paging = serde_json::from_str(paging).unwrap();
    let text = match paging.resolve(&serde_json::from_str(coalescing).unwrap()) {
        Ok(paging) => paging
            .held_leaves()
            .into_iter()
            .map(|leaf| {
                let size = paging.size_of(leaf);
                let by_os = paging.leaf_level(size).is_some();
                let n = 1 << paging.group_bits(leaf);
                let who = if by_os { "" } else { ", found" };
                format!("{size}: {n} of level {}{who}\n", paging.entry_level(leaf))
            })
            .collect::<Vec<_>>()
            .concat(),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&text);
}

#[test]
fn the_granules_of_arm_and_their_contiguous_pages() {
    check(
        r#"{"contiguous": {"4K": 16, "2M": 16}}"#,
        "{}",
        &expect![[r"
            4K: 1 of level 1
            64K: 16 of level 1
            2M: 1 of level 2
            32M: 16 of level 2
            1G: 1 of level 3
        "]],
    );
    check(
        r#"{"offset_bits": 14, "index_bits": [1, 11, 11, 11], "leaf_levels": [1, 2], "contiguous": {"16K": 128, "32M": 32}}"#,
        "{}",
        &expect![[r"
            16K: 1 of level 1
            2M: 128 of level 1
            32M: 1 of level 2
            1G: 32 of level 2
        "]],
    );
    check(
        r#"{"offset_bits": 16, "index_bits": [6, 13, 13], "leaf_levels": [1, 2], "contiguous": {"64K": 32, "512M": 32}}"#,
        "{}",
        &expect![[r"
            64K: 1 of level 1
            2M: 32 of level 1
            512M: 1 of level 2
            16G: 32 of level 2
        "]],
    );
}

#[test]
fn entries_that_are_found_to_lie_together_are_no_page_size() {
    check(
        "{}",
        r#"{"4K": 4}"#,
        &expect![[r"
            4K: 1 of level 1
            16K: 4 of level 1, found
            2M: 1 of level 2
            1G: 1 of level 3
        "]],
    );
}

#[test]
fn bad_groups_are_named() {
    check(
        "{}",
        r#"{"16K": 4}"#,
        &expect![[r"
        coalescing.16K: 16K is no page size of this machine, which has 4K, 2M, 1G
    "]],
    );
    check(
        "{}",
        r#"{"4K": 16}"#,
        &expect![[r"
        coalescing.4K: 16 entries: must be a power of two from 2 to 8
    "]],
    );
    check(
        r#"{"contiguous": {"4K": 12}}"#,
        "{}",
        &expect![[r"
        paging.contiguous.4K: 12 entries: must be a power of two from 2 to 256
    "]],
    );
    check(
        r#"{"contiguous": {"4K": 16, "2M": 16, "1G": 16}}"#,
        "{}",
        &expect![[r"
        paging.contiguous: 3 sizes: group at most 2
    "]],
    );
    check(
        r#"{"contiguous": {"4K": 16}}"#,
        r#"{"4K": 4}"#,
        &expect![[r"
        coalescing: paging.contiguous already defines groups of entries: leave out coalescing, or contiguous
    "]],
    );
    check(
        r#"{"index_bits": [9, 4, 9], "leaf_levels": [1, 2, 3], "contiguous": {"4K": 2, "2M": 16}}"#,
        "{}",
        &expect![[r"
        paging.contiguous.2M: 16 entries: must be a power of two from 2 to 8
    "]],
    );
}

#[test]
fn an_address_splits_9_9_9_9_12() {
    let paging = Paging::x86(4);
    let indices: Vec<u64> =
        paging.levels().rev().map(|l| paging.index(0x7f3a_1c2b_5e48, l)).collect();
    assert_eq!(indices, [254, 232, 225, 181]);
    assert_eq!(paging.leaf_level(PageSize::G1), Some(Leaf::of(Level::new(3))));
    assert_eq!(paging.leaf_level(PageSize(39)), None);
}
