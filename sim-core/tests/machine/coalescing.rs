//! Tests of coalesced pages, access by access, and of Arm's contiguous pages.

use crate::common::report;
use crate::common::text::{check, check_os};
use expect_test::expect;
use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::{Frames, MemoryMap, OsConfig};
use pagewalk::record::stats::Stats;
use pagewalk_base::trace::{Access, Completeness, FrameRun, Kind};

const ZEN: &str = r#"{"l1": [{"name": "d", "entries": 4}], "coalescing": {"4K": 4}}"#;

#[test]
fn the_last_page_of_a_run_to_be_touched_coalesces_it() {
    check(
        ZEN,
        "load 0x4000
         load 0x5000
         load 0x6000
         load 0x7000
         load 0x4000
         load 0x9000",
        &expect![[r"
            load 0x4000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
            load 0x6000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 1 flags
            load 0x7000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 0x4 is coalesced in d 0.0, 0x5 is coalesced in d 0.1, 0x6 is coalesced in d 0.2; 800 cycles; 1 flags
            load 0x4000 4K L1 hit: d hit 0.0
            load 0x9000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
        "]],
    );
}

/// The pages agree only after a dirty flag is cleared, so the walk of the third page coalesces them.
#[test]
fn a_run_replaces_the_pages_after_the_walked_one_too() {
    crate::common::ops::check(
        ZEN,
        "{}",
        "load 0x4000
         load 0x5000
         load 0x6000
         store 0x7000
         set-entry 0x7000 level=1 clear=d
         invlpg 0x6000
         load 0x6000",
        &expect![[r"
            load 0x4000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
            load 0x6000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 1 flags
            store 0x7000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.3; 800 cycles; 2 flags
            set-entry 0x7000 level=1 clear=0x40: drops nothing
            invlpg 0x6000: drops d 1
            load 0x6000 4K walk: d miss 0; reads 4 3 2 1; fills d 0.0; 0x4 is coalesced in d 0.0, 0x5 is coalesced in d 0.1, 0x7 is coalesced in d 0.3; 800 cycles
        "]],
    );
}

#[test]
fn pages_touched_in_another_order_do_not_lie_together() {
    check(
        ZEN,
        "load 0x5000
         load 0x4000
         load 0x6000
         load 0x7000",
        &expect![[r"
            load 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x4000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
            load 0x6000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 1 flags
            load 0x7000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.3; 800 cycles; 1 flags
        "]],
    );
}

#[test]
fn a_dirty_page_is_no_part_of_a_clean_run() {
    check(
        ZEN,
        "load 0x4000
         store 0x5000
         load 0x6000
         load 0x7000",
        &expect![[r"
            load 0x4000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            store 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 2 flags
            load 0x6000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 1 flags
            load 0x7000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.3; 800 cycles; 1 flags
        "]],
    );
}

#[test]
fn a_store_to_a_clean_run_marks_its_own_page_only() {
    check(
        ZEN,
        "load 0x4000
         load 0x5000
         load 0x6000
         load 0x7000
         store 0x5000
         store 0x5008
         store 0x6000",
        &expect![[r"
            load 0x4000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x5000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles; 1 flags
            load 0x6000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.2; 800 cycles; 1 flags
            load 0x7000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 0x4 is coalesced in d 0.0, 0x5 is coalesced in d 0.1, 0x6 is coalesced in d 0.2; 800 cycles; 1 flags
            store 0x5000 4K L1 hit: d hit 0.0; 1 flags
            store 0x5008 4K L1 hit: d hit 0.0
            store 0x6000 4K L1 hit: d hit 0.0; 1 flags
        "]],
    );
}

#[test]
fn a_run_reaches_as_far_as_four_entries() {
    // 256 pages in 64 entries: after they were touched in order, all of them hit.
    let sweep = || (0..256).map(|page| Access::new(Kind::Load, page << 12, 8));
    let misses = |machine: &str, os: &str| {
        let report = report(machine, os, sweep().chain(sweep()).chain(sweep()));
        report.kinds.load.walks
    };
    let zen = r#"{"coalescing": {"4K": 4}}"#;
    // The single pages of the last group evicted the entries of the first two groups.
    assert_eq!(misses(zen, "{}"), 256 + 2);
    assert_eq!(misses("{}", "{}"), 3 * 256);
    let shuffled = misses(zen, r#"{"frames": "shuffled"}"#);
    assert!(shuffled > 2 * 256, "frames out of order make few runs: {shuffled}");
}

/// 256 pages in 64 entries, three times. Runs of four pages take 64 entries, and the single pages of the first sweep evict
/// two of them. With scattered frames, each page takes an entry, and all of them miss in each sweep. With runs for the
/// first half, there are 32 and 128 entries, which also evict each other before they are used again.
#[test]
fn recorded_frames_decide_what_is_coalesced() {
    let misses = |frame: fn(u64) -> u64| {
        let run = |page: u64| FrameRun {
            pid: 0,
            start: page << 12,
            end: (page + 1) << 12,
            physical: frame(page) << 12,
        };
        let frames: Vec<FrameRun> = (0..256).map(run).collect();
        let config = MachineConfig::parse(r#"{"coalescing": {"4K": 4}}"#).unwrap();
        let os = OsConfig { frames: Frames::Recorded, ..OsConfig::default() };
        let known = MemoryMap { is_of_trace: true, frames: &frames, ..MemoryMap::default() };
        let mut machine = Machine::with_map(&config, &os, &known).unwrap();
        let mut stats = Stats::default();
        let sweep = || (0..256).map(|page| Access::new(Kind::Load, page << 12, 8));
        crate::common::run(&mut machine, sweep().chain(sweep()).chain(sweep()), &mut stats);
        stats.report_with(&machine, Completeness::Complete, None).kinds.load.walks
    };
    assert_eq!(misses(|page| 0x1000 + page), 256 + 2);
    assert_eq!(misses(|page| 0x1001 + page), 3 * 256, "no run is aligned");
    assert_eq!(misses(|page| 0x1000 + 2 * page), 3 * 256);
    let half = |page| if page < 128 { 0x1000 + page } else { 0x2000 + 2 * page };
    assert_eq!(misses(half), 256 + 2 * (32 + 128));
}

const GRANULE_4K: &str = r#"{"paging": {"contiguous": {"4K": 16, "2M": 16}},
    "l1": [{"name": "d", "pages": ["4K", "64K", "2M"], "fragments": ["1G"], "entries": 4}], "l2": [{"name": "s", "pages": ["4K"], "entries": 8}]}"#;

#[test]
fn a_contiguous_page_is_mapped_at_once_and_read_where_it_is_touched() {
    check_os(
        GRANULE_4K,
        r#"{"default": "64K"}"#,
        "load 0x13000
         load 0x1f000
         store 0x14000
         load 0x20000",
        &expect![[r"
            load 0x13000 64K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, d 0.0; 807 cycles; 4 flags
            load 0x1f000 64K L1 hit: d hit 0.0
            store 0x14000 64K L1 hit: d hit 0.0; 1 flags
            load 0x20000 64K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, d 0.1; 807 cycles; 1 flags
        "]],
    );
}

#[test]
fn an_array_without_contiguous_pages_holds_single_entries() {
    check_os(
        r#"{"paging": {"contiguous": {"4K": 16}}, "l1": [{"name": "d", "pages": ["4K"], "entries": 4}]}"#,
        r#"{"default": "64K"}"#,
        "load 0x13000
         load 0x1f000
         load 0x13000",
        &expect![[r"
            load 0x13000 64K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 4 flags
            load 0x1f000 64K walk: d miss 0; reads 4 3 2 1; fills d 0.1; 800 cycles
            load 0x13000 64K L1 hit: d hit 0.0
        "]],
    );
}

/// The arithmetic of Linux, Documentation/arch/arm64/hugetlbpage.rst.
#[test]
fn sixteen_entries_make_one_of_64k() {
    let sweep = (0..1024).map(|page| Access::new(Kind::Load, page << 12, 8));
    let single = report(GRANULE_4K, "{}", sweep.clone());
    let contiguous = report(GRANULE_4K, r#"{"default": "64K"}"#, sweep);
    assert_eq!((single.kinds.load.walks, single.faults.minor), (1024, 1024));
    assert_eq!((contiguous.kinds.load.walks, contiguous.faults.minor), (64, 64));
    assert_eq!((contiguous.pages["64K"], contiguous.pages["4K"]), (64, 0));
    // The number of tables is equal, because the page table still has all entries.
    assert_eq!(contiguous.pages["table_pages"], single.pages["table_pages"]);
}
