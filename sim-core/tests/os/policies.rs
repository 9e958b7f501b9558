//! Tests of the rule of each policy.

use crate::support::{check, report};
use expect_test::expect;

/// Fact S1.2: code of 3.2 MB that is used completely.
#[test]
fn a_tail_is_worth_a_huge_page_if_it_is_above_the_threshold() {
    let end: u64 = 0x40_0000 + (16 << 20) / 5 / 4096 * 4096 + 4096;
    let fetches = (0x40_0000..end).step_by(4096).map(|at| format!("fetch {at:#x}\n"));
    let text = fetches.collect::<Vec<_>>().concat();
    let pages = |pad: u64| {
        let os = format!(
            r#"{{"hugetext": {{"pad_threshold": {pad}}},
                "regions": [{{"start": "0x400000", "end": "{end:#x}", "pages": "hugetext", "kind": "text"}}]}}"#
        );
        let report = report(&os, &text).unwrap();
        (report.pages["2M"], report.pages["4K"], report.memory.waste_bytes.unwrap())
    };
    let tail = (end - 0x60_0000).div_ceil(4096);
    assert_eq!(tail, 308);
    assert_eq!(pages(0), (1, 308, 0));
    let waste = (2 << 20) - 308 * 4096;
    assert_eq!(pages(4096), (2, 0, waste));
    assert_eq!(pages(308 * 4096 - 1), (2, 0, waste));
    assert_eq!(pages(308 * 4096), (1, 308, 0));
}

/// Fact S1.3: a file has huge pages only if its address is congruent to its file offset modulo 2M.
#[test]
fn a_file_has_huge_pages_only_where_it_is_aligned_as_memory_is() {
    for (offset, huge) in
        [("0x0", 2), ("0x200000", 2), ("0x1000", 0), ("0x1ff000", 0), ("0x400000", 2)]
    {
        let text =
            format!("map 0x400000-0x800000 {offset} x /usr/bin/a\nfetch 0x400000\nfetch 0x600000");
        let report = report(r#"{"default": "hugetext"}"#, &text).unwrap();
        assert_eq!(report.pages["2M"], huge, "{offset}");
        assert_eq!(report.regions[0].note.is_some(), huge == 0, "{offset}");
    }
}

/// Three blocks with small pages. One block has more walks than the others.
const BLOCKS: &str = "
    load 0x200000
    load 0x400000
    load 0x600000
    load 0x401000
    load 0x402000
    load 0x601000
    load 0x800000
    load 0x200000";

#[test]
fn khugepaged_makes_the_hottest_blocks_huge_first() {
    for (settings, expected) in [
        (
            r#""every": 6, "pages": 1"#,
            expect![[r"
            pages: 2M 1, 4K 4, table_pages 6
            KiB: mapped 2064, waste 2036, tables 24
            faults: first touch 7
            system: promotions 1, of small pages 3, shootdowns 1, dropped 3
        "]],
        ),
        (
            r#""every": 6, "pages": 2"#,
            expect![[r"
            pages: 2M 2, 4K 2, table_pages 5
            KiB: mapped 4104, waste 4076, tables 20
            faults: first touch 7
            system: promotions 2, of small pages 5, shootdowns 2, dropped 5
        "]],
        ),
        (
            r#""every": 6, "pages": 9, "max_ptes_none": 510"#,
            expect![[r"
            pages: 2M 2, 4K 2, table_pages 5
            KiB: mapped 4104, waste 4076, tables 20
            faults: first touch 7
            system: promotions 2, of small pages 5, shootdowns 2, dropped 5
        "]],
        ),
        (
            r#""every": 60"#,
            expect![[r"
            pages: 4K 7, table_pages 7
            KiB: mapped 28, tables 28
            faults: first touch 7
        "]],
        ),
    ] {
        check(
            &format!(
                r#"{{"default": "thp", "map": "none", "thp": {{"at_fault": false, "khugepaged": {{{settings}}}}}}}"#
            ),
            BLOCKS,
            &expected,
        );
    }
}

#[test]
fn memory_that_is_fragmented_has_no_huge_pages() {
    for (percent, expected) in [
        (
            0,
            expect![[r"
        pages: 2M 4, table_pages 3
        KiB: mapped 8192, waste 8164, tables 12
        faults: first touch 4
    "]],
        ),
        (
            50,
            expect![[r"
        pages: 2M 1, 4K 5, table_pages 6
        KiB: mapped 2068, waste 2040, tables 24
        faults: first touch 6
        system: failed 2
    "]],
        ),
        (
            100,
            expect![[r"
        pages: 4K 7, table_pages 7
        KiB: mapped 28, tables 28
        faults: first touch 7
        system: failed 3
    "]],
        ),
    ] {
        check(
            &format!(
                r#"{{"default": "thp", "map": "none",
                    "thp": {{"fragmentation": {percent}, "seed": 7, "khugepaged": {{"every": 6, "pages": 9}}}}}}"#
            ),
            BLOCKS,
            &expected,
        );
    }
}

#[test]
fn each_cause_of_a_fault_is_counted_apart() {
    check(
        r#"{"regions": [
            {"start": "0x100000", "end": "0x200000", "pages": "4K", "kind": "heap"},
            {"start": "0x200000", "end": "0x300000", "pages": "4K", "kind": "library"},
            {"start": "0x300000", "end": "0x400000", "pages": "4K", "kind": "heap", "copy_on_write": true},
            {"start": "0x400000", "end": "0x500000", "pages": "4K", "kind": "file", "resident": false},
            {"start": "0x500000", "end": "0x600000", "pages": "4K", "resident": false, "copy_on_write": true}]}"#,
        "load 0x100000
        load 0x101000
        fetch 0x200000
        load 0x300000
        store 0x300000
        store 0x301000
        load 0x400000
        load 0x500000
        store 0x500000
        store 0x500000",
        &expect![[r"
            pages: 4K 7, table_pages 6
            KiB: mapped 28, tables 24
            faults: first touch 2, shared 2, copy on write 3, swap in 2
            system: shootdowns 2, dropped 2
            0x100000..0x200000 heap [config] 4K: 2 × 4K
            0x200000..0x300000 library [config] 4K: 1 × 4K
            0x300000..0x400000 heap [config] 4K: 2 × 4K
            0x400000..0x500000 file [config] 4K: 1 × 4K
            0x500000..0x600000 unknown [config] 4K: 1 × 4K
        "]],
    );
}

/// Fact S0.9: touching in advance removes the faults from the run, and also maps unused pages.
#[test]
fn memory_that_is_touched_in_advance_takes_no_fault_and_is_wasted_if_unused() {
    for (pages, expected) in [
        (
            "4K",
            expect![[r"
        pages: 4K 4096, table_pages 14
        KiB: mapped 16384, waste 16372, tables 56
        system: pretouched 4096
        0x200000..0xa00000 heap [config] 4K: 4096 × 4K
    "]],
        ),
        (
            "2M",
            expect![[r"
        pages: 2M 8, table_pages 6
        KiB: mapped 16384, waste 16372, tables 24
        system: pretouched 8
        0x200000..0xa00000 heap [config] 2M: 8 × 2M
    "]],
        ),
    ] {
        check(
            &format!(
                r#"{{"regions": [{{"start": "0x200000", "end": "0xa00000", "pages": "{pages}", "kind": "heap", "pretouch": true}}]}}"#
            ),
            "store 0x200000\nstore 0x9ff000\nload 0x200000 pid 7",
            &expected,
        );
    }
}

/// Waste is the mapped memory that is not used. Unmapped memory is no waste.
#[test]
fn waste_follows_what_is_mapped_and_used() {
    check(
        r#"{"default": "2M"}"#,
        "store 0x0
        store 0x1fffff 2
        load 0x401000
        load 0x402fff
        munmap 0x200000 2097152
        load 0x200000
        prefetch 0x403000",
        &expect![[r"
            pages: 2M 3, table_pages 3
            KiB: mapped 6144, waste 6124, tables 12
            faults: first touch 4
            system: shootdowns 1, dropped 1
        "]],
    );
}

/// Returns fetches from four blocks of code: most from the first two, some from the others.
fn hot_code(n: u64) -> String {
    let fetches = (0..n).map(|at| {
        let block = if at % 8 == 7 { 2 + at / 8 % 2 } else { at % 2 };
        let page = at * 37 % 64;
        format!("fetch {:#x}\n", 0x20_0000 + (block << 21) + (page << 12))
    });
    fetches.collect()
}

const CODE: &str =
    r#""regions": [{"start": "0x200000", "end": "0xa00000", "pages": "hugetext", "kind": "text"}]"#;

#[test]
fn an_adaptive_cap_gives_the_hottest_code_of_the_last_window_huge_pages() {
    for (n, expected) in [
        (
            16,
            expect![[r"
        pages: 4K 16, table_pages 7
        KiB: mapped 64, tables 28
        faults: shared 16
        huge pages for code: at most 0
        0x200000..0xa00000 text [config] hugetext: 16 × 4K
    "]],
        ),
        (
            17,
            expect![[r"
        pages: 2M 1, 4K 8, table_pages 6
        KiB: mapped 2080, waste 2012, tables 24
        faults: shared 16
        system: promotions 1, of small pages 8, shootdowns 1, dropped 8
        huge pages for code: at most 1
        0x200000..0xa00000 text [config] hugetext: 1 × 2M + 8 × 4K
    "]],
        ),
        (
            33,
            expect![[r"
        pages: 2M 2, 4K 4, table_pages 5
        KiB: mapped 4112, waste 3980, tables 20
        faults: shared 24
        system: promotions 2, of small pages 20, shootdowns 2, dropped 20
        huge pages for code: at most 2
        0x200000..0xa00000 text [config] hugetext: 2 × 2M + 4 × 4K
    "]],
        ),
    ] {
        let os = format!(r#"{{"hugetext": {{"adaptive": {{"every": 16, "step": 1}}}}, {CODE}}}"#);
        check(&os, &hot_code(n), &expected);
    }
}

#[test]
fn no_adaptive_cap_is_above_max() {
    let os = |max: u32| {
        format!(r#"{{"hugetext": {{"max": {max}, "adaptive": {{"every": 64}}}}, {CODE}}}"#)
    };
    for max in [0, 1, 3] {
        let report = report(&os(max), &hot_code(65)).unwrap();
        assert_eq!(report.memory.text_cap, Some(max));
        assert_eq!(report.pages["2M"], u64::from(max));
    }
}

/// The second window fetches other code for the first time.
#[test]
fn after_a_window_that_takes_more_cycles_huge_pages_are_split_again() {
    let os = format!(r#"{{"hugetext": {{"max": 1, "adaptive": {{"every": 64}}}}, {CODE}}}"#);
    let other = (0..64).map(|at| format!("fetch {:#x}\n", 0x60_0000 + (at << 12)));
    let text = hot_code(64) + &other.collect::<String>() + "fetch 0x200000";
    check(
        &os,
        &text,
        &expect![[r"
        pages: 4K 604, table_pages 7
        KiB: mapped 2416, waste 1920, tables 28
        faults: shared 124
        system: promotions 1, of small pages 32, demotions 1, shootdowns 2, dropped 32
        huge pages for code: at most 0
        0x200000..0xa00000 text [config] hugetext: 604 × 4K
    "]],
    );
}

#[test]
fn fetches_are_ranked_while_the_machine_runs_so_that_no_trace_is_needed() {
    let os = |max: &str| format!(r#"{{"hugetext": {{{max}}}, {CODE}}}"#);
    let fixed = pagewalk::config::parse_json(&os(r#""max": 2"#)).unwrap();
    let adaptive = pagewalk::config::parse_json(&os(r#""max": 2, "adaptive": {"every": 9}"#));
    let machine = pagewalk::config::parse_json("{}").unwrap();
    assert!(pagewalk::machine::Machine::new(&machine, &fixed).is_err());
    assert!(pagewalk::machine::Machine::new(&machine, &adaptive.unwrap()).is_ok());
}
