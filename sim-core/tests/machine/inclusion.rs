//! Tests of inclusive and exclusive levels, access by access.

use crate::common::text::{check, check_os};
use expect_test::expect;

const TWO_BELOW_ONE: &str = r#"{"l1": [{"name": "d", "entries": 2}], "l2": [{"name": "s", "entries": 2}], "inclusion": "inclusive"}"#;

#[test]
fn what_leaves_an_inclusive_level_2_leaves_level_1() {
    // Page 1 always hits level 1, so it becomes the least recently used page of level 2.
    check(
        TWO_BELOW_ONE,
        "load 0x1000
         load 0x2000
         load 0x1000
         load 0x3000
         load 0x1000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, d 0.0; 807 cycles; 4 flags
            load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, d 0.1; 807 cycles; 1 flags
            load 0x1000 4K L1 hit: d hit 0.0
            load 0x3000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0 (0x1 leaves), d 0.0; 0x1 is invalidated in d 0.0; 807 cycles; 1 flags
            load 0x1000 4K walk: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1 (0x2 leaves), d 0.1; 0x2 is invalidated in d 0.1; 807 cycles
        "]],
    );
}

#[test]
fn an_inclusive_level_2_that_serves_data_only_leaves_fetches_alone() {
    check(
        r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
            "l2": [{"name": "s", "serves": ["load", "store"], "entries": 1}], "inclusion": "inclusive"}"#,
        "fetch 0x1000
         load 0x1000
         store 0x2000
         fetch 0x1000
         load 0x1000",
        &expect![[r"
            fetch 0x1000 4K fault: i miss 0; reads 4 3 2 1; fills i 0.0; 800 cycles; 4 flags
            load 0x1000 4K walk: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, d 0.0; 807 cycles
            store 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0 (0x1 leaves), d 0.0; 0x1 is invalidated in d 0.0; 807 cycles; 2 flags
            fetch 0x1000 4K L1 hit: i hit 0.0
            load 0x1000 4K walk: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0 (0x2 leaves), d 0.0; 0x2 is invalidated in d 0.0; 807 cycles
        "]],
    );
}

#[test]
fn a_large_page_that_leaves_an_inclusive_level_2_takes_all_its_pieces_along() {
    check_os(
        r#"{"l1": [{"name": "d", "pages": ["4K"], "fragments": ["2M"], "entries": 4}],
            "l2": [{"name": "s", "pages": ["2M"], "entries": 1}], "inclusion": "inclusive"}"#,
        r#"{"default": "2M"}"#,
        "load 0x1000
         load 0x2000
         load 0x200000",
        &expect![[r"
            load 0x1000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.0, d 0.0; 607 cycles; 3 flags
            load 0x2000 2M L2 hit: d miss 0, s hit 0.0; fills d 0.1; 7 cycles
            load 0x200000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.0 (0x0 leaves), d 0.0; 0x1 is invalidated in d 0.0, 0x2 is invalidated in d 0.1; 607 cycles; 1 flags
        "]],
    );
}

#[test]
fn entries_of_tables_evict_pages_from_an_inclusive_level_2() {
    check(
        r#"{"l1": [{"name": "d", "entries": 4}], "l2": [{"name": "s", "entries": 2}],
            "psc": {"pde": {"in": "s"}}, "inclusion": "inclusive"}"#,
        "load 0x1000
         load 0x200000
         load 0x1000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills s 0.0, s 0.1, d 0.0; 807 cycles; 4 flags
            load 0x200000 4K fault: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills s 0.0 (table 0x0 leaves), s 0.1 (0x1 leaves), d 0.0; 0x1 is invalidated in d 0.0; 807 cycles; 2 flags
            load 0x1000 4K walk: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills s 0.0 (table 0x1 leaves), s 0.1 (0x200 leaves), d 0.0; 0x200 is invalidated in d 0.0; 807 cycles
        "]],
    );
}

#[test]
fn an_exclusive_level_2_holds_the_victims_of_level_1() {
    check(
        r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 2}], "inclusion": "exclusive"}"#,
        "load 0x1000
         store 0x2000
         load 0x1000
         store 0x2000
         load 0x3000
         load 0x4000
         load 0x1000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0; 807 cycles; 4 flags
            store 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0 (0x1 leaves), s 0.0; 807 cycles; 2 flags
            load 0x1000 4K L2 hit: d miss 0, s hit 0.0; fills d 0.0 (0x2 leaves), s 0.0; 0x1 moves up from s 0.0; 7 cycles
            store 0x2000 4K L2 hit: d miss 0, s hit 0.0; fills d 0.0 (0x1 leaves), s 0.0; 0x2 moves up from s 0.0; 7 cycles
            load 0x3000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0 (0x2 leaves), s 0.1; 807 cycles; 1 flags
            load 0x4000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0 (0x3 leaves), s 0.0 (0x1 leaves); 807 cycles; 1 flags
            load 0x1000 4K walk: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0 (0x4 leaves), s 0.1 (0x2 leaves); 807 cycles
        "]],
    );
}

/// Level 1 holds pieces, level 2 whole pages. A piece that is evicted from level 1 fills level 2 as its whole
/// page. A page that moves up leaves level 2 first, so level 2 holds it again if the victim is another piece of
/// it.
#[test]
fn a_piece_that_an_exclusive_level_1_evicts_fills_level_2_as_its_page() {
    check_os(
        r#"{"l1": [{"name": "d", "pages": ["4K"], "fragments": ["2M"], "entries": 2}],
            "l2": [{"name": "s", "pages": ["2M"], "entries": 2}], "inclusion": "exclusive"}"#,
        r#"{"default": "2M"}"#,
        "load 0x1000
         load 0x2000
         load 0x201000
         load 0x3000
         load 0x4000",
        &expect![[r"
            load 0x1000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills d 0.0; 607 cycles; 3 flags
            load 0x2000 2M walk: d miss 0, s miss 0; reads 4 3 2; fills d 0.1; 607 cycles
            load 0x201000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills d 0.0 (0x1 leaves), s 0.0; 607 cycles; 1 flags
            load 0x3000 2M L2 hit: d miss 0, s hit 0.0; fills d 0.1 (0x2 leaves), s 0.0; 0x0 moves up from s 0.0; 7 cycles
            load 0x4000 2M L2 hit: d miss 0, s hit 0.0; fills d 0.0 (0x201 leaves), s 0.0; 0x0 moves up from s 0.0; 7 cycles
        "]],
    );
}

#[test]
fn two_levels_that_exclude_each_other_hold_as_much_as_both() {
    // Six pages in a cycle fit into 2 + 4 entries.
    let text = "load 0x1000
         load 0x2000
         load 0x3000
         load 0x4000
         load 0x5000
         load 0x6000
         load 0x1000
         load 0x2000";
    check(
        r#"{"l1": [{"name": "d", "entries": 2}], "l2": [{"name": "s", "entries": 4}], "inclusion": "exclusive"}"#,
        text,
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0; 807 cycles; 4 flags
            load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.1; 807 cycles; 1 flags
            load 0x3000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0 (0x1 leaves), s 0.0; 807 cycles; 1 flags
            load 0x4000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.1 (0x2 leaves), s 0.1; 807 cycles; 1 flags
            load 0x5000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.0 (0x3 leaves), s 0.2; 807 cycles; 1 flags
            load 0x6000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills d 0.1 (0x4 leaves), s 0.3; 807 cycles; 1 flags
            load 0x1000 4K L2 hit: d miss 0, s hit 0.0; fills d 0.0 (0x5 leaves), s 0.0; 0x1 moves up from s 0.0; 7 cycles
            load 0x2000 4K L2 hit: d miss 0, s hit 0.1; fills d 0.1 (0x6 leaves), s 0.1; 0x2 moves up from s 0.1; 7 cycles
        "]],
    );
}

#[test]
fn a_kind_without_a_level_1_fills_an_exclusive_level_2_itself() {
    check(
        r#"{"l1": [{"name": "d", "serves": ["load"], "entries": 1}], "l2": [{"name": "s", "entries": 2}], "inclusion": "exclusive"}"#,
        "store 0x1000
         store 0x1000
         load 0x1000",
        &expect![[r"
            store 0x1000 4K fault: s miss 0; reads 4 3 2 1; fills s 0.0; 800 cycles; 5 flags
            store 0x1000 4K L2 hit: s hit 0.0
            load 0x1000 4K L2 hit: d miss 0, s hit 0.0; fills d 0.0; 0x1 moves up from s 0.0; 7 cycles
        "]],
    );
}

/// Both arrays of level 1 hold page 0x1, and only the array for stores knows that it is dirty. The page is then
/// known to be dirty in level 2, so the last store does not set the cleared flag again.
#[test]
fn a_dirty_victim_makes_the_page_that_is_there_dirty() {
    crate::common::ops::check(
        r#"{"l1": [{"name": "r", "serves": ["load"], "entries": 1}, {"name": "w", "serves": ["store"], "entries": 1}],
            "l2": [{"name": "s", "entries": 4}], "inclusion": "exclusive"}"#,
        "{}",
        "load 0x1000
         store 0x1000
         load 0x2000
         store 0x3000
         set-entry 0x1000 level=1 clear=d
         store 0x1000",
        &expect![[r"
            load 0x1000 4K fault: r miss 0, s miss 0; reads 4 3 2 1; fills r 0.0; 807 cycles; 4 flags
            store 0x1000 4K walk: w miss 0, s miss 0; reads 4 3 2 1; fills w 0.0; 807 cycles; 1 flags
            load 0x2000 4K fault: r miss 0, s miss 0; reads 4 3 2 1; fills r 0.0 (0x1 leaves), s 0.0; 807 cycles; 1 flags
            store 0x3000 4K fault: w miss 0, s miss 0; reads 4 3 2 1; fills w 0.0 (0x1 leaves); 807 cycles; 2 flags
            set-entry 0x1000 level=1 clear=0x40: drops nothing
            store 0x1000 4K L2 hit: w miss 0, s hit 0.0; fills w 0.0 (0x3 leaves), s 0.0; 0x1 moves up from s 0.0; 7 cycles
        "]],
    );
}
