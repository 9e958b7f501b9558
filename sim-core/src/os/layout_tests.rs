//! Tests of layouts: configurations and maps as text, and the resulting segments.

use std::borrow::Cow;

use super::areas::Segment;
use super::config::OsConfig;
use super::known::MemoryMap;
use super::layout::Maps;
use expect_test::{Expect, expect};
use pagewalk_base::addr::Paging;
use pagewalk_base::trace::{Mapping, PageNumber, PageUse, RegionKind};

/// Prints the segments of each map: start, pages, area.
fn print(maps: &Maps, paging: &Paging) -> String {
    let mut text = String::new();
    let own = maps.own().map(|(pid, number)| (Some(pid), maps.get(number)));
    for (pid, map) in std::iter::once((None, maps.get(0))).chain(own) {
        if let Some(pid) = pid {
            text += &format!("process {pid}\n");
        }
        for segment in map.segments() {
            let Segment { start, leaf, by_block, .. } = *segment;
            let area = map.area(segment);
            let size = paging.size_of(leaf);
            let kind = area.kind.map_or("-", RegionKind::name);
            let block = if by_block { " or smaller" } else { "" };
            let note = area.note.map_or(String::new(), |note| format!(" ({note})"));
            text += &format!("{start:#x}: {size}{block}, {kind}{note}\n");
        }
    }
    text
}

#[track_caller]
fn check_map(json: &str, known: &MemoryMap<'_>, expected: &Expect) {
    let config: OsConfig = serde_json::from_str(json).unwrap();
    let paging = Paging::x86(4);
    let text = match Maps::new(&config, &paging, known) {
        Ok(maps) => print(&maps, &paging),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&text);
}

#[track_caller]
fn check(json: &str, expected: &Expect) {
    check_map(json, &MemoryMap::default(), expected);
}

#[test]
fn a_page_that_does_not_fit_its_region_falls_back() {
    check(
        r#"{"regions": [{"start": "0x1ff000", "end": "0x601000", "pages": "2M"}]}"#,
        &expect![[r"
            0x0: 4K, -
            0x1ff000: 4K, -
            0x200000: 2M, -
            0x600000: 4K, -
            0x601000: 4K, -
        "]],
    );
    check(
        r#"{"regions": [{"start": "0x3ff00000", "end": "0x80300000", "pages": "1G", "kind": "heap"}]}"#,
        &expect![[r"
            0x0: 4K, -
            0x3ff00000: 4K, heap
            0x40000000: 1G, heap
            0x80000000: 2M, heap
            0x80200000: 4K, heap
            0x80300000: 4K, -
        "]],
    );
}

#[test]
fn a_large_default_keeps_clear_of_the_regions() {
    check(
        r#"{"default": "2M", "regions": [{"start": "0x201000", "end": "0x202000", "pages": "4K"}]}"#,
        &expect![[r"
            0x0: 2M, -
            0x200000: 4K, -
            0x201000: 4K, -
            0x202000: 4K, -
            0x400000: 2M, -
        "]],
    );
}

#[test]
fn bad_regions_are_named() {
    check(
        r#"{"regions": [{"start": "0x2000", "end": "0x1000", "pages": "4K"}]}"#,
        &expect![[r"
        regions[0].end: 0x1000 is not above the start, 0x2000
    "]],
    );
    check(
        r#"{"regions": [{"start": "0", "end": "0x2000", "pages": "4K"}, {"start": "0x1000", "end": "0x3000", "pages": "4K"}]}"#,
        &expect![[r"
            regions[1].start: overlaps with regions[0]
        "]],
    );
    check(
        r#"{"default": "16K"}"#,
        &expect![[r"
        default: 16K is no page size of this machine, which has 4K, 2M, 1G
    "]],
    );
}

#[test]
fn transparent_huge_pages_come_where_the_settings_and_the_advice_allow_them() {
    for enabled in ["always", "madvise", "never"] {
        let regions = r#"[
            {"start": "0x100000", "end": "0x700000", "pages": "thp"},
            {"start": "0x800000", "end": "0xc00000", "pages": "thp", "advice": "hugepage"},
            {"start": "0xc00000", "end": "0x1000000", "pages": "thp", "advice": "nohugepage"}]"#;
        let expected = match enabled {
            "always" => expect![[r"
                0x0: 4K, -
                0x100000: 4K, -
                0x200000: 2M, -
                0x600000: 4K, -
                0x700000: 4K, -
                0x800000: 2M, -
                0xc00000: 4K, -
                0x1000000: 4K, -
            "]],
            "madvise" => expect![[r"
                0x0: 4K, -
                0x100000: 4K, -
                0x700000: 4K, -
                0x800000: 2M, -
                0xc00000: 4K, -
                0x1000000: 4K, -
            "]],
            _ => expect![[r"
                0x0: 4K, -
                0x100000: 4K, -
                0x700000: 4K, -
                0x800000: 4K, -
                0xc00000: 4K, -
                0x1000000: 4K, -
            "]],
        };
        check(
            &format!(r#"{{"thp": {{"enabled": "{enabled}"}}, "regions": {regions}}}"#),
            &expected,
        );
    }
}

#[test]
fn fragmentation_or_a_daemon_leave_each_block_open() {
    check(
        r#"{"default": "thp", "thp": {"fragmentation": 10}, "regions": [{"start": "0x300000", "end": "0x301000", "pages": "4K"}]}"#,
        &expect![[r"
            0x0: 2M or smaller, -
            0x200000: 4K, -
            0x300000: 4K, -
            0x301000: 4K, -
            0x400000: 2M or smaller, -
        "]],
    );
    check(
        r#"{"default": "thp", "thp": {"at_fault": false}}"#,
        &expect![[r"
        0x0: 4K, -
    "]],
    );
    check(
        r#"{"default": "thp", "thp": {"at_fault": false, "khugepaged": {"every": 1000}}}"#,
        &expect![[r"
            0x0: 2M or smaller, -
        "]],
    );
}

/// Fact S1.2: a text of 3.2 MB.
#[test]
fn text_gets_whole_huge_pages_and_a_padded_tail() {
    let text = r#""regions": [{"start": "0x400000", "end": "0x733000", "pages": "hugetext", "kind": "text"}]"#;
    check(
        &format!("{{{text}}}"),
        &expect![[r"
        0x0: 4K, -
        0x400000: 2M, text
        0x600000: 4K, text
        0x733000: 4K, -
    "]],
    );
    check(
        &format!(r#"{{"hugetext": {{"pad_threshold": 4096}}, {text}}}"#),
        &expect![[r"
        0x0: 4K, -
        0x400000: 2M, text
        0x800000: 4K, -
    "]],
    );
}

/// Fact S1.3: address and file offset must be congruent.
#[test]
fn a_file_that_lies_askew_cannot_be_mapped_with_huge_pages() {
    let with = |start: &str, end: &str, offset: &str| {
        format!(
            r#"{{"regions": [{{"start": "{start}", "end": "{end}", "offset": "{offset}", "pages": "hugetext", "kind": "text"}}]}}"#
        )
    };
    check(
        &with("0x400000", "0x900000", "0x1000"),
        &expect![[r"
        regions[0].offset: 0x1000 is not congruent to the start, 0x400000, modulo 2M, so that no huge page can map the file: link it with -z max-page-size=0x200000, or use 4K
    "]],
    );
    check(
        &with("0x401000", "0x900000", "0x1000"),
        &expect![[r"
        0x0: 4K, -
        0x401000: 4K, text
        0x600000: 2M, text
        0x800000: 4K, text
        0x900000: 4K, -
    "]],
    );
    check(
        &with("0x400000", "0x900000", "0x400000"),
        &expect![[r"
        0x0: 4K, -
        0x400000: 2M, text
        0x800000: 4K, text
        0x900000: 4K, -
    "]],
    );
}

fn map(pid: u32, start: u64, end: u64, offset: u64, name: &str, executable: bool) -> Mapping {
    Mapping::new(pid, start..end, offset, executable, name).unwrap()
}

#[test]
fn the_default_policy_goes_by_what_the_records_say() {
    let mappings = [
        map(7, 0x40_0000, 0xa0_0000, 0, "/bin/a", true),
        map(7, 0xb0_0000, 0xf0_0000, 0x1000, "/lib/x.so", true),
        map(7, 0x100_0000, 0x150_0000, 0, "[heap]", false),
        map(9, 0x100_0000, 0x110_0000, 0, "//anon", true),
    ];
    let known = MemoryMap { mappings: &mappings, ..MemoryMap::default() };
    check_map(
        r#"{"default": "2M"}"#,
        &known,
        &expect![[r"
        0x0: 2M, -
        process 7
        0x0: 2M, -
        0x400000: 2M, text
        0xa00000: 2M, -
        0xb00000: 2M, library
        0xf00000: 2M, -
        0x1000000: 2M, heap
        0x1500000: 2M, -
        process 9
        0x0: 2M, -
        0x1000000: 2M, jit
        0x1100000: 2M, -
    "]],
    );
    check_map(
        r#"{"default": "thp"}"#,
        &known,
        &expect![[r"
        0x0: 2M, -
        process 7
        0x0: 2M, -
        0x400000: 4K, text
        0xa00000: 4K, -
        0xb00000: 4K, library
        0xf00000: 4K, -
        0x1000000: 2M, heap
        0x1400000: 4K, heap
        0x1500000: 4K, -
        0x1600000: 2M, -
        process 9
        0x0: 2M, -
        0x1000000: 4K, jit
        0x1100000: 4K, -
        0x1200000: 2M, -
    "]],
    );
    check_map(
        r#"{"default": "hugetext"}"#,
        &known,
        &expect![[r"
        0x0: 4K, -
        process 7
        0x0: 4K, -
        0x400000: 2M, text
        0xa00000: 4K, -
        0xb00000: 4K, library (no huge pages: the address is not congruent to the file offset modulo their size)
        0xf00000: 4K, -
        0x1000000: 4K, heap
        0x1500000: 4K, -
        process 9
        0x0: 4K, -
        0x1000000: 4K, jit
        0x1100000: 4K, -
    "]],
    );
    check_map(
        r#"{"default": "hugetext", "map": "none"}"#,
        &known,
        &expect![[r"
        0x0: 4K, -
    "]],
    );
}

#[test]
fn regions_of_the_configuration_come_before_records() {
    let mappings = [map(7, 0x40_0000, 0xa0_0000, 0x40_0000, "/bin/a", true)];
    let known = MemoryMap { mappings: &mappings, ..MemoryMap::default() };
    check_map(
        r#"{"default": "hugetext", "regions": [{"start": "0x600000", "end": "0x601000", "pages": "4K"}]}"#,
        &known,
        &expect![[r"
            0x0: 4K, -
            0x600000: 4K, -
            0x601000: 4K, -
            process 7
            0x0: 4K, -
            0x400000: 2M, text
            0x600000: 4K, -
            0x601000: 4K, text
            0x800000: 2M, text
            0xa00000: 4K, -
        "]],
    );
}

/// Fact S1.11: a cap on huge pages for code.
#[test]
fn a_cap_gives_huge_pages_to_the_hottest_code() {
    let used = |page: u64, fetches| PageUse { page: PageNumber(page), fetches, data: 0 };
    let pages = [used(0, 5), used(512, 9), used(600, 9), used(1024, 17), used(4096, 1)];
    let known = MemoryMap { pages: Cow::Borrowed(&pages), ..MemoryMap::default() };
    check_map(
        r#"{"default": "hugetext", "hugetext": {"max": 2}}"#,
        &known,
        &expect![[r"
        0x0: 4K, text
        0x200000: 2M, text
        0x600000: 4K, -
        0x1000000: 4K, text
        0x1200000: 4K, -
    "]],
    );
    check_map(
        r#"{"default": "hugetext", "hugetext": {"max": 0}}"#,
        &known,
        &expect![[r"
        0x0: 4K, text
        0x600000: 4K, -
        0x1000000: 4K, text
        0x1200000: 4K, -
    "]],
    );
    check_map(
        r#"{"default": "hugetext"}"#,
        &known,
        &expect![[r"
        0x0: 2M, text
        0x600000: 4K, -
        0x1000000: 2M, text
        0x1200000: 4K, -
    "]],
    );
}
