//! Tests of the effect of each access on the TLBs, as text. `crate::common::text` explains the format.

use crate::common::text::{check, check_os};
use expect_test::expect;

/// A machine with one array of two sets for all kinds of access.
const TINY: &str = r#"{"l1": [{"name": "d", "entries": 4, "ways": 2}]}"#;

#[test]
fn an_access_across_a_page_border_translates_both_pages() {
    check(
        TINY,
        "load 0x1ffc 8\n load 0x1ff8 8\n load 0x2ffc 8\n load 0x5ffe 2\n load 0x7fff 0",
        &expect![[r"
        load 0x1ffc 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0; 800 cycles; 4 flags
        load 0x2003 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 1 flags
        load 0x1ff8 4K L1 hit: d hit 1.0
        load 0x2ffc 4K L1 hit: d hit 0.0
        load 0x3003 4K fault: d miss 1; reads 4 3 2 1; fills d 1.1; 800 cycles; 1 flags
        load 0x5ffe 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0 (0x1 leaves); 800 cycles; 1 flags
        load 0x7fff 4K fault: d miss 1; reads 4 3 2 1; fills d 1.1 (0x3 leaves); 800 cycles; 1 flags
    "]],
    );
}

#[test]
fn an_access_never_translates_more_than_two_pages() {
    check(
        TINY,
        "load 0x1ffc 20000\n load 0x1ffc 20000",
        &expect![[r"
        load 0x1ffc 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0; 800 cycles; 4 flags
        load 0x6e1b 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 1 flags
        load 0x1ffc 4K L1 hit: d hit 1.0
        load 0x6e1b 4K L1 hit: d hit 0.0
    "]],
    );
}

#[test]
fn an_access_across_a_4k_border_inside_a_large_page_is_one_translation() {
    check_os(
        TINY,
        r#"{"default": "2M"}"#,
        "load 0x1ffffc 4\n load 0x1ffc 8\n store 0x3ffffc 8",
        &expect![[r"
        load 0x1ffffc 2M fault: d miss 0; reads 4 3 2; fills d 0.0; 600 cycles; 3 flags
        load 0x1ffc 2M L1 hit: d hit 0.0
        store 0x3ffffc 2M fault: d miss 1; reads 4 3 2; fills d 1.0; 600 cycles; 2 flags
        store 0x400003 2M fault: d miss 0; reads 4 3 2; fills d 0.1; 600 cycles; 2 flags
    "]],
    );
}

#[test]
fn the_lowest_empty_way_is_filled_first_then_the_victims() {
    check(
        TINY,
        "load 0x1000\n load 0x3000\n load 0x1000\n load 0x5000\n load 0x3000\n load 0x2000",
        &expect![[r"
        load 0x1000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0; 800 cycles; 4 flags
        load 0x3000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.1; 800 cycles; 1 flags
        load 0x1000 4K L1 hit: d hit 1.0
        load 0x5000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.1 (0x3 leaves); 800 cycles; 1 flags
        load 0x3000 4K walk: d miss 1; reads 4 3 2 1; fills d 1.0 (0x1 leaves); 800 cycles
        load 0x2000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 1 flags
    "]],
    );
}

/// Core 2: loads have a small level 1. Stores begin at level 2, where a hit takes no cycles.
#[test]
fn stores_without_a_first_level_begin_at_the_second_and_hit_there_for_nothing() {
    check(
        r#"{"l1": [{"name": "L0", "serves": ["load"], "entries": 2}], "l2": [{"name": "L1", "entries": 4}], "latency": {"l2_hit": 2}}"#,
        "store 0x1000\n store 0x1000\n load 0x1000\n load 0x1000\n store 0x1000\n load 0x2000\n store 0x2000",
        &expect![[r"
            store 0x1000 4K fault: L1 miss 0; reads 4 3 2 1; fills L1 0.0; 800 cycles; 5 flags
            store 0x1000 4K L2 hit: L1 hit 0.0
            load 0x1000 4K L2 hit: L0 miss 0, L1 hit 0.0; fills L0 0.0; 2 cycles
            load 0x1000 4K L1 hit: L0 hit 0.0
            store 0x1000 4K L2 hit: L1 hit 0.0
            load 0x2000 4K fault: L0 miss 0, L1 miss 0; reads 4 3 2 1; fills L1 0.1, L0 0.1; 802 cycles; 1 flags
            store 0x2000 4K L2 hit: L1 hit 0.1; 1 flags
        "]],
    );
}

/// AMD: instructions and data have separate arrays at level 2.
#[test]
fn second_levels_of_instructions_and_data_do_not_meet() {
    check(
        r#"{"l1": [{"name": "i1", "serves": ["fetch"], "entries": 1}, {"name": "d1", "serves": ["load", "store"], "entries": 1}],
            "l2": [{"name": "i2", "serves": ["fetch"], "entries": 2}, {"name": "d2", "serves": ["load", "store"], "entries": 2}]}"#,
        "fetch 0x1000\n load 0x1000\n fetch 0x2000\n fetch 0x1000\n load 0x2000\n store 0x1000",
        &expect![[r"
            fetch 0x1000 4K fault: i1 miss 0, i2 miss 0; reads 4 3 2 1; fills i2 0.0, i1 0.0; 807 cycles; 4 flags
            load 0x1000 4K walk: d1 miss 0, d2 miss 0; reads 4 3 2 1; fills d2 0.0, d1 0.0; 807 cycles
            fetch 0x2000 4K fault: i1 miss 0, i2 miss 0; reads 4 3 2 1; fills i2 0.1, i1 0.0 (0x1 leaves); 807 cycles; 1 flags
            fetch 0x1000 4K L2 hit: i1 miss 0, i2 hit 0.0; fills i1 0.0 (0x2 leaves); 7 cycles
            load 0x2000 4K walk: d1 miss 0, d2 miss 0; reads 4 3 2 1; fills d2 0.1, d1 0.0 (0x1 leaves); 807 cycles
            store 0x1000 4K L2 hit: d1 miss 0, d2 hit 0.0; fills d1 0.0 (0x2 leaves); 7 cycles; 1 flags
        "]],
    );
}

#[test]
fn the_cycles_of_a_second_level_hit_depend_on_the_kind() {
    check(
        r#"{"l1": [{"name": "a", "entries": 1}], "l2": [{"name": "s", "entries": 8}], "latency": {"l2_hit": {"fetch": 14, "load": 9, "store": 5}}}"#,
        "load 0x1000\n load 0x2000\n fetch 0x1000\n load 0x2000\n store 0x1000",
        &expect![[r"
            load 0x1000 4K fault: a miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, a 0.0; 809 cycles; 4 flags
            load 0x2000 4K fault: a miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, a 0.0 (0x1 leaves); 809 cycles; 1 flags
            fetch 0x1000 4K L2 hit: a miss 0, s hit 0.0; fills a 0.0 (0x2 leaves); 14 cycles
            load 0x2000 4K L2 hit: a miss 0, s hit 0.1; fills a 0.0 (0x1 leaves); 9 cycles
            store 0x1000 4K L2 hit: a miss 0, s hit 0.0; fills a 0.0 (0x2 leaves); 5 cycles; 1 flags
        "]],
    );
}

/// Golden Cove: loads and stores have separate arrays at level 1.
#[test]
fn loads_and_stores_with_arrays_of_their_own_share_the_second_level() {
    check(
        r#"{"l1": [{"name": "ld", "serves": ["load"], "entries": 2}, {"name": "st", "serves": ["store"], "entries": 1}], "l2": [{"name": "s", "entries": 8}]}"#,
        "load 0x1000\n store 0x1000\n store 0x2000\n load 0x1000\n store 0x1000",
        &expect![[r"
            load 0x1000 4K fault: ld miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, ld 0.0; 807 cycles; 4 flags
            store 0x1000 4K L2 hit: st miss 0, s hit 0.0; fills st 0.0; 7 cycles; 1 flags
            store 0x2000 4K fault: st miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, st 0.0 (0x1 leaves); 807 cycles; 2 flags
            load 0x1000 4K L1 hit: ld hit 0.0
            store 0x1000 4K L2 hit: st miss 0, s hit 0.0; fills st 0.0 (0x2 leaves); 7 cycles
        "]],
    );
}

/// Two arrays that serve loads: both are looked up, and the first one in the configuration is filled.
#[test]
fn a_level_hits_if_one_of_its_arrays_does_and_fills_the_first() {
    check(
        r#"{"l1": [{"name": "ld", "serves": ["load"], "entries": 1}, {"name": "any", "entries": 2}]}"#,
        "store 0x1000\n load 0x1000\n load 0x2000\n load 0x1000\n store 0x2000",
        &expect![[r"
            store 0x1000 4K fault: any miss 0; reads 4 3 2 1; fills any 0.0; 800 cycles; 5 flags
            load 0x1000 4K L1 hit: ld miss 0, any hit 0.0
            load 0x2000 4K fault: ld miss 0, any miss 0; reads 4 3 2 1; fills ld 0.0; 800 cycles; 1 flags
            load 0x1000 4K L1 hit: ld miss 0, any hit 0.0
            store 0x2000 4K walk: any miss 0; reads 4 3 2 1; fills any 0.1; 800 cycles; 1 flags
        "]],
    );
}

/// Huge pages that an array keeps as pieces of 4K: each piece is filled when it is used.
#[test]
fn a_fragment_is_keyed_and_indexed_by_its_piece() {
    check_os(
        r#"{"l1": [{"name": "d", "pages": ["4K"], "fragments": ["2M"], "entries": 4, "ways": 2}], "l2": [{"name": "s", "pages": ["2M"], "entries": 2}]}"#,
        r#"{"default": "2M"}"#,
        "load 0x201000\n load 0x201800\n load 0x202000\n load 0x203000\n load 0x205000\n load 0x201000\n load 0x401000",
        &expect![[r"
            load 0x201000 2M fault: d miss 1, s miss 0; reads 4 3 2; fills s 0.0, d 1.0; 607 cycles; 3 flags
            load 0x201800 2M L1 hit: d hit 1.0
            load 0x202000 2M L2 hit: d miss 0, s hit 0.0; fills d 0.0; 7 cycles
            load 0x203000 2M L2 hit: d miss 1, s hit 0.0; fills d 1.1; 7 cycles
            load 0x205000 2M L2 hit: d miss 1, s hit 0.0; fills d 1.0 (0x201 leaves); 7 cycles
            load 0x201000 2M L2 hit: d miss 1, s hit 0.0; fills d 1.1 (0x203 leaves); 7 cycles
            load 0x401000 2M fault: d miss 1, s miss 0; reads 4 3 2; fills s 0.1, d 1.0 (0x205 leaves); 607 cycles; 1 flags
        "]],
    );
}

#[test]
fn a_fragment_is_a_piece_of_the_largest_smaller_size() {
    check_os(
        r#"{"l1": [{"name": "d", "pages": ["4K", "2M"], "fragments": ["1G"], "entries": 8}]}"#,
        r#"{"default": "1G"}"#,
        "load 0x40200000\n load 0x403fffff\n load 0x40400000",
        &expect![[r"
            load 0x40200000 1G fault: d miss 0; reads 4 3; fills d 0.0; 400 cycles; 2 flags
            load 0x403fffff 1G L1 hit: d hit 0.0
            load 0x40400000 1G walk: d miss 0; reads 4 3; fills d 0.1; 400 cycles
        "]],
    );
}

#[test]
fn a_page_that_no_array_holds_walks_every_time() {
    check_os(
        r#"{"l1": [{"name": "d", "pages": ["4K"], "entries": 4}], "l2": [{"name": "s", "pages": ["4K", "2M"], "entries": 4}], "latency": {"l2_hit": 7}}"#,
        r#"{"regions": [{"start": "0x200000", "end": "0x400000", "pages": "2M"}, {"start": "0x40000000", "end": "0x80000000", "pages": "1G"}]}"#,
        "load 0x40000000\n load 0x40000000\n load 0x200000\n load 0x200000\n load 0x1000\n load 0x1000",
        &expect![[r"
            load 0x40000000 1G fault: reads 4 3; 407 cycles; 2 flags
            load 0x40000000 1G walk: reads 4 3; 407 cycles
            load 0x200000 2M fault: s miss 0; reads 4 3 2; fills s 0.0; 607 cycles; 2 flags
            load 0x200000 2M L2 hit: s hit 0.0; 7 cycles
            load 0x1000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, d 0.0; 807 cycles; 2 flags
            load 0x1000 4K L1 hit: d hit 0.0
        "]],
    );
}

/// Ice Lake: two arrays hold pages of one size. Page n fills array (n / sets) mod 2.
#[test]
fn pages_of_two_halves_go_to_one_by_their_number() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "a", "entries": 4, "ways": 2}, {"name": "b", "entries": 4, "ways": 2}]}"#,
        "load 0x0\n load 0x1000\n load 0x2000\n load 0x3000\n load 0x4000\n load 0x0\n load 0x2000",
        &expect![[r"
            load 0x0 4K fault: d miss 0, a miss 0, b miss 0; reads 4 3 2 1; fills a 0.0, d 0.0; 807 cycles; 4 flags
            load 0x1000 4K fault: d miss 0, a miss 1, b miss 1; reads 4 3 2 1; fills a 1.0, d 0.0 (0x0 leaves); 807 cycles; 1 flags
            load 0x2000 4K fault: d miss 0, a miss 0, b miss 0; reads 4 3 2 1; fills b 0.0, d 0.0 (0x1 leaves); 807 cycles; 1 flags
            load 0x3000 4K fault: d miss 0, a miss 1, b miss 1; reads 4 3 2 1; fills b 1.0, d 0.0 (0x2 leaves); 807 cycles; 1 flags
            load 0x4000 4K fault: d miss 0, a miss 0, b miss 0; reads 4 3 2 1; fills a 0.1, d 0.0 (0x3 leaves); 807 cycles; 1 flags
            load 0x0 4K L2 hit: d miss 0, a hit 0.0, b miss 0; fills d 0.0 (0x4 leaves); 7 cycles
            load 0x2000 4K L2 hit: d miss 0, a miss 0, b hit 0.0; fills d 0.0 (0x0 leaves); 7 cycles
        "]],
    );
}

#[test]
fn a_half_that_does_not_hold_the_size_takes_no_part() {
    check_os(
        r#"{"l1": [{"name": "d", "entries": 1}],
            "l2": [{"name": "a", "pages": ["4K", "2M"], "entries": 4, "ways": 2}, {"name": "b", "pages": ["4K", "1G"], "entries": 4, "ways": 2}]}"#,
        r#"{"regions": [{"start": "0x400000", "end": "0x800000", "pages": "2M"}]}"#,
        "load 0x2000\n load 0x400000\n load 0x600000",
        &expect![[r"
            load 0x2000 4K fault: d miss 0, a miss 0, b miss 0; reads 4 3 2 1; fills b 0.0, d 0.0; 807 cycles; 4 flags
            load 0x400000 2M fault: d miss 0, a miss 0; reads 4 3 2; fills a 0.0, d 0.0 (0x2 leaves); 607 cycles; 1 flags
            load 0x600000 2M fault: d miss 0, a miss 1; reads 4 3 2; fills a 1.0, d 0.0 (0x2 leaves); 607 cycles; 1 flags
        "]],
    );
}

#[test]
fn a_folded_index_parts_pages_that_low_bits_bring_together() {
    for (index, expected) in [
        (
            "low-bits",
            expect![[r"
        load 0x1000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0; 800 cycles; 4 flags
        load 0x5000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.1; 800 cycles; 1 flags
        load 0x9000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0 (0x1 leaves); 800 cycles; 1 flags
        load 0x1000 4K walk: d miss 1; reads 4 3 2 1; fills d 1.1 (0x5 leaves); 800 cycles
    "]],
        ),
        (
            "xor",
            expect![[r"
        load 0x1000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0; 800 cycles; 4 flags
        load 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 1 flags
        load 0x9000 4K fault: d miss 3; reads 4 3 2 1; fills d 3.0; 800 cycles; 1 flags
        load 0x1000 4K L1 hit: d hit 1.0
    "]],
        ),
    ] {
        let json =
            format!(r#"{{"l1": [{{"name": "d", "entries": 8, "ways": 2, "index": "{index}"}}]}}"#);
        check(&json, "load 0x1000\n load 0x5000\n load 0x9000\n load 0x1000", &expected);
    }
}

#[test]
fn regions_have_pages_of_their_own_and_what_does_not_fit_falls_back() {
    check_os(
        r#"{"l1": [{"name": "d", "entries": 8}]}"#,
        r#"{"regions": [{"start": "0x1ff000", "end": "0x601000", "pages": "2M", "kind": "heap"},
            {"start": "0x3ff00000", "end": "0x80300000", "pages": "1G"}]}"#,
        "load 0x1000\n load 0x1ff000\n load 0x200000\n load 0x5fffff\n load 0x600000\n load 0x3ff00000\n load 0x40000000\n load 0x7fffffff\n load 0x80000000\n load 0x80200000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x1ff000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
            load 0x200000 2M fault: d miss 0; reads 4 3 2; fills d 0.2; 600 cycles; 1 flags
            load 0x5fffff 2M fault: d miss 0; reads 4 3 2; fills d 0.3; 600 cycles; 1 flags
            load 0x600000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.4; 800 cycles; 2 flags
            load 0x3ff00000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.5; 800 cycles; 2 flags
            load 0x40000000 1G fault: d miss 0; reads 4 3; fills d 0.6; 400 cycles; 1 flags
            load 0x7fffffff 1G L1 hit: d hit 0.6
            load 0x80000000 2M fault: d miss 0; reads 4 3 2; fills d 0.7; 600 cycles; 2 flags
            load 0x80200000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0 (0x1 leaves); 800 cycles; 2 flags
        "]],
    );
}

/// An access straddles the end of a 4K page; the next page has 2M.
#[test]
fn an_access_may_lie_on_pages_of_two_sizes() {
    check_os(
        r#"{"l1": [{"name": "d", "entries": 8}]}"#,
        r#"{"regions": [{"start": "0x200000", "end": "0x400000", "pages": "2M"}]}"#,
        "load 0x1ffffc 8\n load 0x3ffffc 8\n load 0x1ff000 4096",
        &expect![[r"
            load 0x1ffffc 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x200003 2M fault: d miss 0; reads 4 3 2; fills d 0.1; 600 cycles; 1 flags
            load 0x3ffffc 2M L1 hit: d hit 0.1
            load 0x400003 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 2 flags
            load 0x1ff000 4K L1 hit: d hit 0.0
        "]],
    );
}

#[test]
fn a_change_of_process_changes_the_tag_and_flushes_nothing() {
    check(
        r#"{"l1": [{"name": "d", "entries": 4}], "psc": {"pde": {"entries": 4}}}"#,
        "load 0x1000 pid 7\n load 0x1000 pid 9\n load 0x1000 pid 7\n load 0x2000 pid 9\n load 0x1000 pid 9",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.1, d 0.1; 800 cycles; 4 flags
            load 0x1000 4K L1 hit: d hit 0.0
            load 0x2000 4K fault: d miss 0; pde hit 0.1; reads 1; fills d 0.2; 200 cycles; 1 flags
            load 0x1000 4K L1 hit: d hit 0.1
        "]],
    );
}

/// Three of four ways are for data, two for instructions.
#[test]
fn data_and_instructions_keep_to_their_ways_and_hit_in_all() {
    check(
        r#"{"l1": [{"name": "d", "entries": 4, "caps": {"instructions": 2, "data": 3}}], "latency": {"l2_hit": 2}}"#,
        "load 0x1000\n load 0x2000\n load 0x3000\n load 0x4000\n fetch 0x5000\n fetch 0x6000\n fetch 0x4000\n load 0x6000\n load 0x7000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x2000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
            load 0x3000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 1 flags
            load 0x4000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0 (0x1 leaves); 800 cycles; 1 flags
            fetch 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.3; 800 cycles; 1 flags
            fetch 0x6000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2 (0x3 leaves); 800 cycles; 1 flags
            fetch 0x4000 4K L1 hit: d hit 0.0
            load 0x6000 4K L1 hit: d hit 0.2
            load 0x7000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1 (0x2 leaves); 800 cycles; 1 flags
        "]],
    );
}

/// Pages whose numbers have an odd number of ones in bits 0, 2 and 4 are in set 1 or 3, and so on.
#[test]
fn masks_choose_the_set_of_each_page() {
    check(
        r#"{"l1": [{"name": "d", "entries": 4, "ways": 1, "index": {"xor-masks": ["0x15", "0xa"]}}]}"#,
        "load 0x1000\n load 0x10000\n load 0x2000\n load 0x7000\n load 0x5000\n load 0x10000",
        &expect![[r"
            load 0x1000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0; 800 cycles; 4 flags
            load 0x10000 4K fault: d miss 1; reads 4 3 2 1; fills d 1.0 (0x1 leaves); 800 cycles; 1 flags
            load 0x2000 4K fault: d miss 2; reads 4 3 2 1; fills d 2.0; 800 cycles; 1 flags
            load 0x7000 4K fault: d miss 2; reads 4 3 2 1; fills d 2.0 (0x2 leaves); 800 cycles; 1 flags
            load 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 1 flags
            load 0x10000 4K L1 hit: d hit 1.0
        "]],
    );
}
