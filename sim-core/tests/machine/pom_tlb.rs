//! A POM-TLB behind level 2: lookups, hits, fills and evictions, as text.

use crate::common::text::{accesses, check, check_os, steps};
use crate::common::{page, report};
use expect_test::expect;
use pagewalk_base::trace::{Access, Kind};

/// One entry of level 2, and a POM-TLB of one set of 4 entries for each page size.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 1}], "pom_tlb": {"size": "128"},
    "memory": {"caches": [{"name": "L1D", "size": "32K", "ways": 8, "latency": 4}, {"name": "L2", "size": "1M", "ways": 16, "latency": 14}]}}"#;

/// A miss reads the set, then walks, and fills the set. A hit costs the lookup of level 2 and the read of the set, whose
/// line is now in L2.
#[test]
fn a_hit_behind_level_2_avoids_the_walk() {
    check(
        MACHINE,
        "load 0x1000\n load 0x2000\n load 0x1000\n load 0x1000",
        &expect![[r"
        load 0x1000 4K fault: d miss 0, s miss 0; reads 4@DRAM 3@DRAM 2@DRAM 1@DRAM; fills s 0.0, d 0.0; 1007 cycles; 4 flags
        load 0x2000 4K fault: d miss 0, s miss 0; reads 4@L1D 3@L1D 2@L1D 1@L1D; fills s 0.0 (0x1 leaves), d 0.0 (0x1 leaves); 37 cycles; 1 flags
        load 0x1000 4K L2 hit: d miss 0, s miss 0; fills s 0.0 (0x2 leaves), d 0.0 (0x2 leaves); 21 cycles
        load 0x1000 4K L1 hit: d hit 0.0
    "]],
    );
}

/// The fifth page of a set evicts the page that was used longest ago.
#[test]
fn a_set_holds_four_pages() {
    let (_, steps) = steps(MACHINE, "{}", &[1, 2, 3, 4, 5, 2, 1].map(page));
    let said = steps.iter().map(|step| {
        let [done] = &step.translations[..] else { panic!("one translation") };
        done.behind.as_ref().unwrap().said.clone()
    });
    expect![[r"
        POM-TLB set 0 at 0xf000000000000, read from DRAM in 200 cycles: miss; the walk fills way 0
        POM-TLB set 0 at 0xf000000000000, read from L2 in 14 cycles: miss; the walk fills way 1
        POM-TLB set 0 at 0xf000000000000, read from L2 in 14 cycles: miss; the walk fills way 2
        POM-TLB set 0 at 0xf000000000000, read from L2 in 14 cycles: miss; the walk fills way 3
        POM-TLB set 0 at 0xf000000000000, read from L2 in 14 cycles: miss; the walk fills way 0, evicting 0x1
        POM-TLB set 0 at 0xf000000000000, read from L2 in 14 cycles: hit in way 1, no walk
        POM-TLB set 0 at 0xf000000000000, read from L2 in 14 cycles: miss; the walk fills way 2, evicting 0x3"]].assert_eq(&said.collect::<Vec<_>>().join("\n"));
}

/// Pages of 2M have their own half. Pages of 1G are not held.
#[test]
fn each_half_holds_one_page_size() {
    let lines = "load 0x40000000\n load 0x40200000\n load 0x40000000";
    check_os(
        MACHINE,
        r#"{"default": "2M"}"#,
        lines,
        &expect![[r"
        load 0x40000000 2M fault: d miss 0, s miss 0; reads 4@DRAM 3@DRAM 2@DRAM; fills s 0.0, d 0.0; 807 cycles; 3 flags
        load 0x40200000 2M fault: d miss 0, s miss 0; reads 4@L1D 3@L1D 2@L1D; fills s 0.0 (0x200 leaves), d 0.0 (0x200 leaves); 33 cycles; 1 flags
        load 0x40000000 2M L2 hit: d miss 0, s miss 0; fills s 0.0 (0x201 leaves), d 0.0 (0x201 leaves); 21 cycles
    "]],
    );
    let [first, second] = ["2M", "1G"].map(|size| {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let loads = [0, 1, 0].map(|n| Access::new(Kind::Load, n << 30, 1));
        report(MACHINE, &os, loads).pom_tlb.unwrap().lookups
    });
    assert_eq!((first, second), (3, 0));
}

/// Without caches, a read of a set takes the latency of the POM-TLB's own memory.
#[test]
fn the_memory_of_the_sets_may_be_nearer() {
    let lines = "load 0x1000\n load 0x2000\n load 0x1000";
    let machine = |dram: &str| {
        format!(r#"{{"l1": [{{"name": "d", "entries": 1}}], "pom_tlb": {{"size": "128"{dram}}}}}"#)
    };
    let cycles = [machine(""), machine(r#", "dram": 60"#)].map(|machine| {
        let done = steps(&machine, "{}", &accesses(lines)).1;
        done.iter().map(|step| step.translations[0].cycles.total).collect::<Vec<_>>()
    });
    assert_eq!(cycles, [[1000, 1000, 200], [860, 860, 60]].map(Vec::from));
}
