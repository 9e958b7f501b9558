//! Tests of page walks and later steps of each access, as text. `crate::common::text` explains the format.

use crate::common::text::{accesses, check, check_os, steps};
use expect_test::expect;
use pagewalk::record::event::ReadState::{Read, SkippedByPsc, SkippedByTlb};

#[test]
fn a_first_touch_is_one_fault_and_one_whole_walk() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "latency": {"walk_overhead": 8}, "memory": {"dram": 100}}"#,
        "load 0x1000\n load 0x2000\n load 0x1000\n store 0x1000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 408 cycles; 4 flags
            load 0x2000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0 (0x1 leaves); 408 cycles; 1 flags
            load 0x1000 4K walk: d miss 0; reads 4 3 2 1; fills d 0.0 (0x2 leaves); 408 cycles
            store 0x1000 4K L1 hit: d hit 0.0; 1 flags
        "]],
    );
}

/// The first walk sets A in every entry. The first store sets D in the leaf entry, also if it hits a TLB.
#[test]
fn accessed_and_dirty_are_set_once() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 4}]}"#,
        "load 0x1000\n load 0x2000\n store 0x1000\n store 0x1000\n store 0x3000\n load 0x1000\n store 0x1008\n store 0x2000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, d 0.0; 807 cycles; 4 flags
            load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, d 0.0 (0x1 leaves); 807 cycles; 1 flags
            store 0x1000 4K L2 hit: d miss 0, s hit 0.0; fills d 0.0 (0x2 leaves); 7 cycles; 1 flags
            store 0x1000 4K L1 hit: d hit 0.0
            store 0x3000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.2, d 0.0 (0x1 leaves); 807 cycles; 2 flags
            load 0x1000 4K L2 hit: d miss 0, s hit 0.0; fills d 0.0 (0x3 leaves); 7 cycles
            store 0x1008 4K L1 hit: d hit 0.0
            store 0x2000 4K L2 hit: d miss 0, s hit 0.1; fills d 0.0 (0x1 leaves); 7 cycles; 1 flags
        "]],
    );
}

#[test]
fn the_first_store_sets_dirty_on_a_hit_of_level_1_without_a_walk() {
    check(
        r#"{"l1": [{"name": "d", "entries": 4}]}"#,
        "load 0x1000\n store 0x1000\n store 0x1000",
        &expect![[r"
        load 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
        store 0x1000 4K L1 hit: d hit 0.0; 1 flags
        store 0x1000 4K L1 hit: d hit 0.0
    "]],
    );
}

#[test]
fn walk_caches_are_looked_up_deepest_first_and_filled_from_the_top_down() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "psc": {"pml4e": {"entries": 1}, "pdpte": {"entries": 1}, "pde": {"entries": 2}}}"#,
        "load 0x1000\n load 0x2000\n load 0x201000\n load 0x40001000\n load 0x8000001000\n load 0x1000\n load 0x8000002000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, d 0.0; 800 cycles; 4 flags
            load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.0 (0x1 leaves); 200 cycles; 1 flags
            load 0x201000 4K fault: d miss 0; pde miss 0, pdpte hit 0.0; reads 2 1; fills pde 0.1, d 0.0 (0x2 leaves); 400 cycles; 2 flags
            load 0x40001000 4K fault: d miss 0; pde miss 0, pdpte miss 0, pml4e hit 0.0; reads 3 2 1; fills pdpte 0.0 (table 0x0 leaves), pde 0.0 (table 0x0 leaves), d 0.0 (0x201 leaves); 600 cycles; 3 flags
            load 0x8000001000 4K fault: d miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0 (table 0x0 leaves), pdpte 0.0 (table 0x1 leaves), pde 0.1 (table 0x1 leaves), d 0.0 (0x40001 leaves); 800 cycles; 4 flags
            load 0x1000 4K walk: d miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0 (table 0x1 leaves), pdpte 0.0 (table 0x200 leaves), pde 0.0 (table 0x200 leaves), d 0.0 (0x8000001 leaves); 800 cycles
            load 0x8000002000 4K fault: d miss 0; pde hit 0.1; reads 1; fills d 0.0 (0x1 leaves); 200 cycles; 1 flags
        "]],
    );
}

#[test]
fn the_walk_of_a_large_page_asks_only_caches_above_its_leaf() {
    check_os(
        r#"{"l1": [{"name": "d", "entries": 1}], "psc": {"pml4e": {"entries": 1}, "pdpte": {"entries": 2}, "pde": {"entries": 2}}}"#,
        r#"{"regions": [{"start": "0x40000000", "end": "0x80000000", "pages": "2M"}, {"start": "0x80000000", "end": "0xc0000000", "pages": "1G"}]}"#,
        "load 0x40000000\n load 0x40200000\n load 0x80000000\n load 0x1000",
        &expect![[r"
            load 0x40000000 2M fault: d miss 0; pdpte miss 0, pml4e miss 0; reads 4 3 2; fills pml4e 0.0, pdpte 0.0, d 0.0; 600 cycles; 3 flags
            load 0x40200000 2M fault: d miss 0; pdpte hit 0.0; reads 2; fills d 0.0 (0x200 leaves); 200 cycles; 1 flags
            load 0x80000000 1G fault: d miss 0; pml4e hit 0.0; reads 3; fills d 0.0 (0x201 leaves); 200 cycles; 1 flags
            load 0x1000 4K fault: d miss 0; pde miss 0, pdpte miss 0, pml4e hit 0.0; reads 3 2 1; fills pdpte 0.1, pde 0.0, d 0.0 (0x2 leaves); 600 cycles; 3 flags
        "]],
    );
}

/// Zen: page-directory entries compete with translations in the second level.
#[test]
fn pdes_inside_the_second_level_evict_and_are_evicted() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 2}], "psc": {"pde": {"in": "s"}}}"#,
        "load 0x1000\n load 0x2000\n load 0x3000\n load 0x201000\n load 0x2000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills s 0.0, s 0.1, d 0.0; 807 cycles; 4 flags
            load 0x2000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1 (0x1 leaves), d 0.0 (0x1 leaves); 207 cycles; 1 flags
            load 0x3000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1 (0x2 leaves), d 0.0 (0x2 leaves); 207 cycles; 1 flags
            load 0x201000 4K fault: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills s 0.0 (table 0x0 leaves), s 0.1 (0x3 leaves), d 0.0 (0x3 leaves); 807 cycles; 2 flags
            load 0x2000 4K walk: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills s 0.0 (table 0x1 leaves), s 0.1 (0x201 leaves), d 0.0 (0x201 leaves); 807 cycles
        "]],
    );
}

/// Zen: one cache for the entries above the page directory.
#[test]
fn an_upper_cache_holds_entries_of_two_levels() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "psc": {"upper": {"entries": 2}}}"#,
        "load 0x1000\n load 0x2000\n load 0x40001000\n load 0x1000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; upper miss 0, upper miss 0; reads 4 3 2 1; fills upper 0.0, upper 0.1, d 0.0; 800 cycles; 4 flags
            load 0x2000 4K fault: d miss 0; upper hit 0.1; reads 2 1; fills d 0.0 (0x1 leaves); 400 cycles; 1 flags
            load 0x40001000 4K fault: d miss 0; upper miss 0, upper hit 0.0; reads 3 2 1; fills upper 0.1 (table 0x0 leaves), d 0.0 (0x2 leaves); 600 cycles; 3 flags
            load 0x1000 4K walk: d miss 0; upper miss 0, upper hit 0.0; reads 3 2 1; fills upper 0.1 (table 0x1 leaves), d 0.0 (0x40001 leaves); 600 cycles
        "]],
    );
}

#[test]
fn five_levels_are_one_reference_more_and_have_one_cache_more() {
    check(
        r#"{"levels": 5, "l1": [{"name": "d", "entries": 1}], "psc": {"pml5e": {"entries": 1}, "pml4e": {"entries": 1}}}"#,
        "load 0x1000\n load 0x8000000000\n load 0x1000000000000\n load 0xffffffffffffffff",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pml4e miss 0, pml5e miss 0; reads 5 4 3 2 1; fills pml5e 0.0, pml4e 0.0, d 0.0; 1000 cycles; 5 flags
            load 0x8000000000 4K fault: d miss 0; pml4e miss 0, pml5e hit 0.0; reads 4 3 2 1; fills pml4e 0.0 (table 0x0 leaves), d 0.0 (0x1 leaves); 800 cycles; 4 flags
            load 0x1000000000000 4K fault: d miss 0; pml4e miss 0, pml5e miss 0; reads 5 4 3 2 1; fills pml5e 0.0 (table 0x0 leaves), pml4e 0.0 (table 0x1 leaves), d 0.0 (0x8000000 leaves); 1000 cycles; 5 flags
            load 0xffffffffffffffff 4K fault: d miss 0; pml4e miss 0, pml5e miss 0; reads 5 4 3 2 1; fills pml5e 0.0 (table 0x1 leaves), pml4e 0.0 (table 0x200 leaves), d 0.0 (0x1000000000 leaves); 1000 cycles; 5 flags
        "]],
    );
}

/// Eight entries share a line of 64 bytes, so walks find neighbours in the lowest table in the cache.
#[test]
fn page_table_reads_go_through_the_caches() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}],
            "memory": {"caches": [{"name": "L1D", "size": "256", "ways": 2, "latency": 4}, {"name": "L2", "size": "1K", "latency": 14}], "dram": 200}}"#,
        "load 0x0\n load 0x1000\n load 0x7000\n load 0x8000\n load 0x40000000\n load 0x1000",
        &expect![[r"
            load 0x0 4K fault: d miss 0; reads 4@DRAM 3@DRAM 2@DRAM 1@DRAM; fills d 0.0; 800 cycles; 4 flags
            load 0x1000 4K fault: d miss 0; reads 4@L2 3@L2 2@L2 1@L2; fills d 0.0 (0x0 leaves); 56 cycles; 1 flags
            load 0x7000 4K fault: d miss 0; reads 4@L2 3@L2 2@L2 1@L2; fills d 0.0 (0x1 leaves); 56 cycles; 1 flags
            load 0x8000 4K fault: d miss 0; reads 4@L2 3@L2 2@L2 1@DRAM; fills d 0.0 (0x7 leaves); 242 cycles; 1 flags
            load 0x40000000 4K fault: d miss 0; reads 4@L2 3@L2 2@DRAM 1@DRAM; fills d 0.0 (0x8 leaves); 428 cycles; 3 flags
            load 0x1000 4K walk: d miss 0; reads 4@L2 3@L2 2@L2 1@L2; fills d 0.0 (0x40000 leaves); 56 cycles
        "]],
    );
}

/// Sixteen entries share a line of 128 bytes. The nearest cache takes 64 bytes of it.
#[test]
fn caches_with_larger_lines_hold_more_neighbours() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}],
            "memory": {"caches": [{"name": "L1D", "size": "256", "latency": 4}, {"name": "L2", "size": "2K", "line": 128, "latency": 14}], "dram": 200}}"#,
        "load 0x0\n load 0x7000\n load 0x8000\n load 0xf000\n load 0x10000",
        &expect![[r"
            load 0x0 4K fault: d miss 0; reads 4@DRAM 3@DRAM 2@DRAM 1@DRAM; fills d 0.0; 800 cycles; 4 flags
            load 0x7000 4K fault: d miss 0; reads 4@L1D 3@L1D 2@L1D 1@L1D; fills d 0.0 (0x0 leaves); 16 cycles; 1 flags
            load 0x8000 4K fault: d miss 0; reads 4@L1D 3@L1D 2@L1D 1@L2; fills d 0.0 (0x7 leaves); 26 cycles; 1 flags
            load 0xf000 4K fault: d miss 0; reads 4@L1D 3@L1D 2@L1D 1@L1D; fills d 0.0 (0x8 leaves); 16 cycles; 1 flags
            load 0x10000 4K fault: d miss 0; reads 4@L1D 3@L1D 2@L1D 1@DRAM; fills d 0.0 (0xf leaves); 212 cycles; 1 flags
        "]],
    );
}

/// A cache of three sets has lines 0 and 3 of a table in one set, and lines 1 and 2 in the others. A walk cache leaves only reads of
/// the lowest table, whose eight entries share a line.
#[test]
fn a_cache_may_have_three_sets() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "psc": {"pde": {"entries": 1}},
            "memory": {"caches": [{"name": "c", "size": "192", "ways": 1, "latency": 4}], "dram": 200}}"#,
        "load 0x0\n load 0x8000\n load 0x10000\n load 0x1000\n load 0x18000\n load 0x9000\n load 0x11000\n load 0x2000",
        &expect![[r"
            load 0x0 4K fault: d miss 0; pde miss 0; reads 4@DRAM 3@DRAM 2@DRAM 1@DRAM; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            load 0x8000 4K fault: d miss 0; pde hit 0.0; reads 1@DRAM; fills d 0.0 (0x0 leaves); 200 cycles; 1 flags
            load 0x10000 4K fault: d miss 0; pde hit 0.0; reads 1@DRAM; fills d 0.0 (0x8 leaves); 200 cycles; 1 flags
            load 0x1000 4K fault: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x10 leaves); 4 cycles; 1 flags
            load 0x18000 4K fault: d miss 0; pde hit 0.0; reads 1@DRAM; fills d 0.0 (0x1 leaves); 200 cycles; 1 flags
            load 0x9000 4K fault: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x18 leaves); 4 cycles; 1 flags
            load 0x11000 4K fault: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x9 leaves); 4 cycles; 1 flags
            load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1@DRAM; fills d 0.0 (0x11 leaves); 200 cycles; 1 flags
        "]],
    );
}

/// Lines of data evict lines of the page table.
#[test]
fn data_goes_through_the_caches_too_if_the_machine_says_so() {
    let machine = |data: bool| {
        format!(
            r#"{{"l1": [{{"name": "d", "entries": 1}}], "psc": {{"pde": {{"entries": 4}}}},
                "memory": {{"data": {data}, "caches": [{{"name": "c", "size": "128", "latency": 4}}], "dram": 200}}}}"#
        )
    };
    let text = "load 0x1000\n load 0x2000\n load 0x1000\n load 0x1040 200\n load 0x2000";
    check(
        &machine(false),
        text,
        &expect![[r"
        load 0x1000 4K fault: d miss 0; pde miss 0; reads 4@DRAM 3@DRAM 2@DRAM 1@DRAM; fills pde 0.0, d 0.0; 800 cycles; 4 flags
        load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x1 leaves); 4 cycles; 1 flags
        load 0x1000 4K walk: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x2 leaves); 4 cycles
        load 0x1040 4K L1 hit: d hit 0.0
        load 0x2000 4K walk: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x1 leaves); 4 cycles
    "]],
    );
    check(
        &machine(true),
        text,
        &expect![[r"
        load 0x1000 4K fault: d miss 0; pde miss 0; reads 4@DRAM 3@DRAM 2@DRAM 1@DRAM; fills pde 0.0, d 0.0; 800 cycles; 4 flags
        load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x1 leaves); 4 cycles; 1 flags
        load 0x1000 4K walk: d miss 0; pde hit 0.0; reads 1@c; fills d 0.0 (0x2 leaves); 4 cycles
        load 0x1040 4K L1 hit: d hit 0.0
        load 0x2000 4K walk: d miss 0; pde hit 0.0; reads 1@DRAM; fills d 0.0 (0x1 leaves); 200 cycles
    "]],
    );
}

#[test]
fn a_prefetch_fills_as_a_load_but_never_faults() {
    check(
        r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "ld", "serves": ["load"], "entries": 2}, {"name": "st", "serves": ["store"], "entries": 2}]}"#,
        "prefetch 0x1000\n load 0x1000\n store 0x2000\n prefetch 0x2000\n load 0x2000\n prefetch 0x2000",
        &expect![[r"
            prefetch 0x1000 dropped
            load 0x1000 4K fault: ld miss 0; reads 4 3 2 1; fills ld 0.0; 800 cycles; 4 flags
            store 0x2000 4K fault: st miss 0; reads 4 3 2 1; fills st 0.0; 800 cycles; 2 flags
            prefetch 0x2000 4K walk: ld miss 0; reads 4 3 2 1; fills ld 0.1; 800 cycles
            load 0x2000 4K L1 hit: ld hit 0.1
            prefetch 0x2000 4K L1 hit: ld hit 0.1
        "]],
    );
}

/// A prefetch across a border does not fault: the mapped page is translated, the other one is not.
#[test]
fn a_prefetch_across_a_border_drops_only_what_is_not_mapped() {
    check(
        r#"{"l1": [{"name": "st", "serves": ["store"], "entries": 2}, {"name": "ld", "serves": ["load"], "entries": 2}]}"#,
        "store 0x2000\n prefetch 0x1ffc 8\n prefetch 0x2ffc 8",
        &expect![[r"
            store 0x2000 4K fault: st miss 0; reads 4 3 2 1; fills st 0.0; 800 cycles; 5 flags
            prefetch 0x2003 4K walk: ld miss 0; reads 4 3 2 1; fills ld 0.0; 800 cycles
            prefetch 0x2ffc 4K L1 hit: ld hit 0.0
        "]],
    );
}

/// Every level that was not read has a reason.
#[test]
fn every_level_says_whether_it_was_read_or_who_knew_it() {
    let json = r#"{"l1": [{"entries": 1}], "psc": {"pdpte": {"entries": 1}}}"#;
    let (_, steps) = steps(json, "{}", &accesses("load 0x1000\n load 0x2000\n load 0x2000"));
    let states = |at: usize| {
        steps[at].translations[0].levels.iter().map(|level| level.state).collect::<Vec<_>>()
    };
    assert_eq!(states(0), [Read; 4]);
    assert_eq!(states(1), [SkippedByPsc, SkippedByPsc, Read, Read]);
    assert_eq!(states(2), [SkippedByTlb; 4]);
}

#[test]
fn cycles_are_the_overhead_and_the_latency_of_each_reference() {
    let json = r#"{"l1": [{"entries": 1}], "latency": {"walk_overhead": 8},
        "memory": {"caches": [{"name": "c", "size": "64", "latency": 5}], "dram": 100}}"#;
    let (_, steps) = steps(json, r#"{"default": "1G"}"#, &accesses("load 0x0\n load 0x40000000"));
    for step in &steps {
        let done = &step.translations[0];
        let references: u64 = done.levels.iter().filter_map(|level| level.cycles).sum();
        assert_eq!(
            (done.cycles.references, done.cycles.walk_overhead, done.cycles.l2_hit),
            (references, 8, 0)
        );
        assert_eq!(done.cycles.total, references + 8);
    }
}
