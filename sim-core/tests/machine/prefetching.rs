//! Tests of prefetched TLB entries, as text. `crate::common::text` explains the format.

use crate::common::text::{accesses, check, check_os, steps};
use crate::common::{machine, page, report};
use expect_test::expect;
use pagewalk::config::MachineConfig;
use pagewalk::record::snapshot::Columns;
use pagewalk_base::trace::{Access, Kind};

/// Two entries in level 1, four in level 2, a buffer of two.
fn config(prefetch: &str) -> String {
    format!(
        r#"{{"l1": [{{"name": "d", "entries": 2}}], "l2": [{{"name": "s", "entries": 4}}], "psc": {{"pde": {{"entries": 2}}}},
            "tlb_prefetch": {{{prefetch}}}}}"#
    )
}

/// Pages 1 to 9 are mapped, and the levels hold 1 to 4.
const MAPPED: &str = "load 0x9000\n load 0x8000\n load 0x7000\n load 0x6000\n load 0x5000\n load 0x4000\n load 0x3000\n load 0x2000\n load 0x1000\n";

#[test]
fn the_last_line_of_a_page_prefetches_the_next_page_and_the_first_line_the_one_before() {
    check(
        &config(r#""method": "next-page", "buffer": {"entries": 2}"#),
        &format!("{MAPPED} load 0x4f80\n load 0x4fc0\n load 0x5000\n load 0x9040\n load 0x9000"),
        &expect![[r"
            load 0x9000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, s 0.0, d 0.0; 807 cycles; 4 flags
            load 0x8000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 207 cycles; 1 flags
            load 0x7000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.2, d 0.0 (0x9 leaves); 207 cycles; 1 flags
            load 0x6000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.3, d 0.1 (0x8 leaves); 207 cycles; 1 flags
            load 0x5000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.0 (0x9 leaves), d 0.0 (0x7 leaves); 207 cycles; 1 flags
            load 0x4000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.1 (0x8 leaves), d 0.1 (0x6 leaves); 207 cycles; 1 flags
            load 0x3000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.2 (0x7 leaves), d 0.0 (0x5 leaves); 207 cycles; 1 flags
            load 0x2000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.3 (0x6 leaves), d 0.1 (0x4 leaves); 207 cycles; 1 flags
            load 0x1000 4K fault: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.0 (0x5 leaves), d 0.0 (0x3 leaves); 207 cycles; 1 flags
            load 0x4f80 4K L2 hit: d miss 0, s hit 0.1; fills d 0.1 (0x2 leaves); 7 cycles
            load 0x4fc0 4K L1 hit: d hit 0.1
              prefetches 0x5000 4K walk: pde hit 0.0; reads 1; fills prefetch buffer 0.0; 207 cycles
            load 0x5000 4K L2 hit: d miss 0, s miss 0, prefetch buffer hit 0.0; fills s 0.2 (0x3 leaves), d 0.0 (0x1 leaves); 0x5 is used and leaves prefetch buffer 0.0; 7 cycles
            load 0x9040 4K walk: d miss 0, s miss 0, prefetch buffer miss 0; pde hit 0.0; reads 1; fills s 0.3 (0x2 leaves), d 0.1 (0x4 leaves); 207 cycles
            load 0x9000 4K L1 hit: d hit 0.1
              prefetches 0x8000 4K walk: pde hit 0.0; reads 1; fills prefetch buffer 0.0; 207 cycles
        "]],
    );
}

#[test]
fn a_stride_of_one_instruction_is_followed_and_other_instructions_do_not_disturb_it() {
    let load = |ip, number| Access { ip: Some(ip), ..page(number) };
    let order = [(7, 1), (9, 40), (7, 3), (9, 30), (7, 5), (9, 70), (7, 7), (7, 9)];
    let mapped = (1..80).map(page);
    let json = config(r#""method": "stride", "buffer": {"entries": 2}"#);
    let all = report(&json, "{}", mapped.chain(order.map(|(ip, number)| load(ip, number))));
    let prefetches = all.tlb_prefetch.unwrap();
    // The third miss of instruction 7 confirms the stride: 7, 9 and 11 are prefetched, 7 and 9 are used.
    let counts = (prefetches.issued, prefetches.useful, prefetches.useless, prefetches.refs);
    assert_eq!(counts, (3, 2, 0, 3));
    assert_eq!(prefetches.without_ip, 79);
}

#[test]
fn without_instructions_a_stride_prefetcher_learns_nothing_and_says_so() {
    let loads = || (0..20).map(page);
    let with_fetches = loads().flat_map(|load| [Access::new(Kind::Fetch, 0x40_0000, 4), load]);
    let json = config(r#""method": "stride""#);
    let mapped = report(&json, "{}", loads().chain(loads())).tlb_prefetch.unwrap();
    assert_eq!((mapped.issued, mapped.without_ip), (0, 40));
    let known = report(&json, "{}", loads().chain(with_fetches)).tlb_prefetch.unwrap();
    assert_eq!((known.issued, known.without_ip), (17, 20));
}

/// One page follows two, and two follow one: two rows are enough (the example of Kandiraju and Sivasubramaniam).
#[test]
fn distances_that_alternate_are_predicted_by_two_rows() {
    let json = |rows| {
        let method = format!(r#""method": "distance", "rows": {rows}, "distances": 1"#);
        format!(r#"{{"l1": [{{"entries": 2}}], "tlb_prefetch": {{{method}}}}}"#)
    };
    let pages = [1, 2, 4, 5, 7, 8, 10, 11];
    let all = || (1..20).chain([40, 60, 90]).chain(pages).map(page);
    let [two, one] = [2, 1].map(|rows| report(&json(rows), "{}", all()));
    // The first four miss, then 7, 8, 10, 11 and 13 are prefetched.
    let prefetches = two.tlb_prefetch.unwrap();
    assert_eq!((prefetches.issued - prefetches.useful, prefetches.useful), (1, 4));
    assert_eq!(one.walks.walks - two.walks.walks, 4);
}

#[test]
fn a_page_that_is_not_mapped_is_not_prefetched_and_does_not_fault() {
    let lines = ["load 0x1f80\n load 0x1fc0"; 2].join("\n");
    let json = config(r#""method": "next-page""#);
    let all = report(&json, "{}", accesses(&lines));
    let prefetches = all.tlb_prefetch.unwrap();
    assert_eq!((prefetches.issued, prefetches.unmapped), (0, 2));
    assert_eq!((all.faults.minor, all.walks.walks), (1, 1));
}

#[test]
fn a_prefetch_into_level_2_is_useless_if_it_is_evicted_unused() {
    check_os(
        &config(r#""method": "next-page", "into": "l2""#),
        "{}",
        &format!("{MAPPED} load 0x4f80\n load 0x4fc0\n load 0x5000"),
        &expect![[r"
            load 0x9000 4K fault: d miss 0, s miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, s 0.0, d 0.0; 807 cycles; 4 flags
            load 0x8000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 207 cycles; 1 flags
            load 0x7000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.2, d 0.0 (0x9 leaves); 207 cycles; 1 flags
            load 0x6000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.3, d 0.1 (0x8 leaves); 207 cycles; 1 flags
            load 0x5000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.0 (0x9 leaves), d 0.0 (0x7 leaves); 207 cycles; 1 flags
            load 0x4000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1 (0x8 leaves), d 0.1 (0x6 leaves); 207 cycles; 1 flags
            load 0x3000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.2 (0x7 leaves), d 0.0 (0x5 leaves); 207 cycles; 1 flags
            load 0x2000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.3 (0x6 leaves), d 0.1 (0x4 leaves); 207 cycles; 1 flags
            load 0x1000 4K fault: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.0 (0x5 leaves), d 0.0 (0x3 leaves); 207 cycles; 1 flags
            load 0x4f80 4K L2 hit: d miss 0, s hit 0.1; fills d 0.1 (0x2 leaves); 7 cycles
            load 0x4fc0 4K L1 hit: d hit 0.1
              prefetches 0x5000 4K walk: pde hit 0.0; reads 1; fills s 0.2 (0x3 leaves); 207 cycles
            load 0x5000 4K L2 hit: d miss 0, s hit 0.2; fills d 0.0 (0x1 leaves); 7 cycles
        "]],
    );
    let json = config(r#""method": "next-page", "into": "l2""#);
    let unused = accesses(&format!(
        "{MAPPED} load 0x4f80\n load 0x4fc0\n load 0x6000\n load 0x7000\n load 0x8000\n load 0x9000"
    ));
    let prefetches = report(&json, "{}", unused).tlb_prefetch.unwrap();
    assert_eq!((prefetches.issued, prefetches.useful, prefetches.useless), (1, 0, 1));
}

/// The picture marks an entry as prefetched until an access uses it.
#[test]
fn the_contents_of_a_structure_say_which_entries_are_prefetched() {
    for (into, array) in [("l2", 1), ("buffer", 3)] {
        let json = config(&format!(r#""method": "next-page", "into": "{into}""#));
        let (mut machine, mut marked) = (machine(&json, "{}"), Vec::new());
        let list = accesses(&format!("{MAPPED} load 0x4f80\n load 0x4fc0\n load 0x5000"));
        for (index, access) in (0..).zip(&list) {
            machine.access(index, access, &mut ());
            let id = pagewalk::machine::structures::StructureId(array);
            let columns = Columns::of(&machine, id).unwrap();
            let is_marked = |slot: &usize| columns.table[*slot] == 2;
            marked.push(
                (0..columns.keys.len())
                    .filter(is_marked)
                    .map(|slot| columns.keys[slot])
                    .collect::<Vec<_>>(),
            );
        }
        assert_eq!(marked[list.len() - 3..], [vec![], vec![5], vec![]]);
    }
}

#[test]
fn an_operation_drops_prefetched_entries_too() {
    let json = config(r#""method": "next-page", "buffer": {"entries": 2}"#);
    let (_, steps) = steps(
        &json,
        "{}",
        &accesses(&format!("{MAPPED} load 0x4f80\n load 0x4fc0\n load 0x5000 1 pid 2")),
    );
    let used: Vec<u32> = steps.iter().rev().take(2).map(|step| step.in_use[3]).collect();
    // Another process does not use the entry of the first.
    assert_eq!(used, [1, 1]);
    assert!(!steps.last().unwrap().translations[0].tlb.last().unwrap().hit);
}

#[test]
fn a_wrong_prefetcher_has_errors_that_say_what_to_do() {
    for (fields, expected) in [
        (r#""method": "next-page", "rows": 0"#, "tlb_prefetch.rows: 0 rows: must be 1 to 1024"),
        (
            r#""method": "distance", "distances": 9"#,
            "tlb_prefetch.distances: 9 distances: must be 1 to 8",
        ),
        (
            r#""method": "stride", "distances": 2"#,
            "tlb_prefetch.distances: only the method distance keeps distances: leave it out",
        ),
        (
            r#""method": "stride", "into": "l2", "buffer": {"entries": 4}"#,
            "tlb_prefetch.buffer: prefetches fill level 2, so there is no buffer: leave out buffer, or leave out into",
        ),
        (
            r#""method": "stride", "buffer": {"entries": 0}"#,
            "tlb_prefetch.buffer.entries: 0 entries: must be 1 to 65536",
        ),
    ] {
        let problems = MachineConfig::parse(&config(fields)).unwrap().problems();
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, [expected]);
    }
    let none =
        MachineConfig::parse(r#"{"tlb_prefetch": {"method": "stride", "into": "l2"}}"#).unwrap();
    assert!(none.problems()[0].to_string().contains("no array of level 2 serves loads"));
    let tiny = r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]}, "tlb_prefetch": {"method": "next-page"}}"#;
    assert!(MachineConfig::parse(tiny).unwrap().problems()[0].to_string().contains("128 bytes"));
}
