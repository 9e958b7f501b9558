//! Compares page tables and walks with published figures: formats of entries, worked examples, numbers of references
//! and of tables. The comment of each test names its source.

use crate::common::text::{accesses, steps};
use crate::common::{page, report};
use pagewalk::record::event::{LevelView, ReadState, StepView};
use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::workload::generator;

/// A TLB of one entry: nearly every access walks. Every walk cache is large.
const ALL_WALK_CACHES: &str = r#"{"l1": [{"entries": 1}],
    "psc": {"pml4e": {"entries": 16}, "pdpte": {"entries": 16}, "pde": {"entries": 16}}}"#;
const PRESENT: u64 = 1;
const WRITABLE: u64 = 1 << 1;
const USER: u64 = 1 << 2;
const ACCESSED: u64 = 1 << 5;
const DIRTY: u64 = 1 << 6;
const LARGE: u64 = 1 << 7;
/// Bits 51:12 of an entry.
const ADDRESS: u64 = 0x000f_ffff_ffff_f000;

#[track_caller]
fn steps_of(json: &str, os: &str, text: &str) -> Vec<StepView> {
    steps(json, os, &accesses(text)).1
}

/// Returns the flags of the entries from the root to the leaf after the last access, without addresses.
#[track_caller]
fn flags(os: &str, text: &str) -> Vec<u64> {
    let steps = steps_of("{}", os, text);
    let levels = &steps.last().unwrap().translations[0].levels;
    levels.iter().map(|level| level.value.0 & !ADDRESS).collect()
}

/// Intel SDM vol. 3, tables 4-14 to 4-19: P, R/W, U/S, A and D are bits 0, 1, 2, 5 and 6.
#[test]
fn a_load_sets_accessed_at_every_level_and_dirty_nowhere() {
    let table = PRESENT | WRITABLE | USER | ACCESSED;
    assert_eq!(flags("{}", "load 0x7f3a1c2b5e48"), [table; 4]);
}

#[test]
fn a_store_sets_dirty_in_the_leaf_only() {
    let table = PRESENT | WRITABLE | USER | ACCESSED;
    let leaf = table | DIRTY;
    assert_eq!(flags("{}", "store 0x7f3a1c2b5e48"), [table, table, table, leaf]);
    // The store hits the TLB entry that the load filled, and still sets the flag.
    assert_eq!(flags("{}", "load 0x1000\n store 0x1008"), [table, table, table, leaf]);
}

/// Bit 7 is PS in a PDE or PDPTE that maps a page, and PAT in a PTE.
#[test]
fn only_a_large_leaf_has_the_page_size_bit() {
    let table = PRESENT | WRITABLE | USER | ACCESSED;
    let leaf = table | DIRTY | LARGE;
    assert_eq!(flags(r#"{"default": "2M"}"#, "store 0x7f3a1c2b5e48"), [table, table, leaf]);
    assert_eq!(flags(r#"{"default": "1G"}"#, "store 0x7f3a1c2b5e48"), [table, leaf]);
}

/// Bits 20:13 of a 2M leaf and 29:13 of a 1G leaf are reserved, bit 12 is PAT: all zero here.
#[test]
fn a_large_frame_is_aligned_to_its_size() {
    for (size, shift) in [("2M", 21), ("1G", 30)] {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let steps = steps_of("{}", &os, "load 0x0\n load 0x7f3a1c2b5e48\n load 0x40000000");
        for step in &steps {
            let leaf = step.translations[0].levels.last().unwrap();
            assert_eq!(leaf.value.0 & ADDRESS & ((1 << shift) - 1), 0, "{size}");
        }
    }
}

#[test]
fn what_was_never_touched_is_not_present() {
    let steps = steps_of("{}", "{}", "load 0x5000");
    for level in &steps[0].translations[0].levels {
        let empty = level.neighbours.iter().all(|neighbour| neighbour.value.0 == 0);
        assert!(empty, "{level:?}");
    }
    let steps = steps_of("{}", "{}", "load 0x5000\n load 0x6000");
    let leaf = steps[1].translations[0].levels.last().unwrap();
    let before: Vec<u64> =
        leaf.neighbours.iter().filter(|n| n.index == 5).map(|n| n.value.0).collect();
    assert_eq!(before.len(), 1);
    assert_eq!(before[0] & PRESENT, PRESENT);
}

/// Asserts that each entry is at its index in its table, and that the next table is at the address in the
/// entry.
#[track_caller]
fn assert_linked(root: u64, levels: &[LevelView]) {
    let mut table = root;
    for level in levels {
        assert_eq!(level.table.0, table, "{level:?}");
        assert_eq!(table & 0xfff, 0);
        assert_eq!(level.entry_address.0, table + 8 * level.index);
        table = level.value.0 & ADDRESS;
    }
}

/// The address 0x7f3a1c2b5e48 has the indices 254, 232, 225, 181 and the offset 0xe48. The entries are 0x7f0, 0x740,
/// 0x708 and 0x5a8 bytes from the start of their tables.
#[test]
fn a_full_walk_reads_the_entries_that_the_address_chooses() {
    let steps = steps_of("{}", "{}", "load 0x7f3a1c2b5e48");
    let done = &steps[0].translations[0];
    let indices: Vec<u64> = done.levels.iter().map(|level| level.index).collect();
    assert_eq!(indices, [254, 232, 225, 181]);
    let low_bits: Vec<u64> =
        done.levels.iter().map(|level| level.entry_address.0 & 0xfff).collect();
    assert_eq!(low_bits, [0x7f0, 0x740, 0x708, 0x5a8]);
    let names: Vec<&str> = done.levels.iter().map(|level| level.table_name.as_str()).collect();
    assert_eq!(names, ["PML4", "PDPT", "PD", "PT"]);
    assert_linked(steps[0].root.0, &done.levels);
    let frame = done.levels[3].value.0 & ADDRESS;
    assert_eq!(done.physical.0, frame | 0xe48);
    assert_eq!(done.frame.0, frame >> 12);
}

#[test]
fn the_offset_of_a_large_page_is_longer() {
    for (size, levels, offset, shift) in [("2M", 3, 0x0b_5e48, 21), ("1G", 2, 0x1c2b_5e48, 30)] {
        let steps = steps_of("{}", &format!(r#"{{"default": "{size}"}}"#), "load 0x7f3a1c2b5e48");
        let done = &steps[0].translations[0];
        assert_eq!(done.levels.len(), levels);
        assert_linked(steps[0].root.0, &done.levels);
        let frame = done.levels[levels - 1].value.0 & ADDRESS;
        assert_eq!(done.physical.0, frame | offset, "{size}");
        assert_eq!(done.frame.0, frame >> shift);
    }
}

#[test]
fn two_processes_have_tables_and_frames_of_their_own() {
    let steps = steps_of("{}", "{}", "load 0x7000\n load 0x7000 pid 1\n load 0x7000");
    let of = |at: usize| (&steps[at].root, steps[at].translations[0].physical);
    assert_eq!(of(0), of(2));
    assert_ne!(of(0).0, of(1).0);
    assert_ne!(of(0).1, of(1).1);
}

/// Intel SDM 4.10.3: the PML4E cache is tagged with address bits 47:39, the PDPTE cache with 47:30, the PDE cache
/// with 47:21. The caches are looked up from the lowest level, and the first hit ends the search.
#[test]
fn a_walk_cache_hit_leaves_the_levels_below_it() {
    // Each row has a second address after 0x7f3a1c2b5e48, the caches that are looked up, and the references.
    let cases = [
        ("{}", "0x7f3a1c2b4000", &[("pde", 21, true)][..], 1),
        ("{}", "0x7f3a1c4b5e48", &[("pde", 21, false), ("pdpte", 30, true)], 2),
        (
            "{}",
            "0x7f3b1c2b5e48",
            &[("pde", 21, false), ("pdpte", 30, false), ("pml4e", 39, true)],
            3,
        ),
        (
            "{}",
            "0x7e3a1c2b5e48",
            &[("pde", 21, false), ("pdpte", 30, false), ("pml4e", 39, false)],
            4,
        ),
        (r#"{"default": "2M"}"#, "0x7f3a1c4b5e48", &[("pdpte", 30, true)], 1),
        (r#"{"default": "2M"}"#, "0x7f3b1c2b5e48", &[("pdpte", 30, false), ("pml4e", 39, true)], 2),
        (
            r#"{"default": "2M"}"#,
            "0x7e3a1c2b5e48",
            &[("pdpte", 30, false), ("pml4e", 39, false)],
            3,
        ),
        (r#"{"default": "1G"}"#, "0x7f3b1c2b5e48", &[("pml4e", 39, true)], 1),
        (r#"{"default": "1G"}"#, "0x7e3a1c2b5e48", &[("pml4e", 39, false)], 2),
    ];
    for (os, second, asked, refs) in cases {
        let text = format!("load 0x7f3a1c2b5e48\n load {second}");
        let (machine, steps) = steps(ALL_WALK_CACHES, os, &accesses(&text));
        let done = &steps[1].translations[0];
        let seen = done.psc.iter().map(|look| {
            assert_eq!(look.key.0, done.address.0 >> look.key_shift);
            (machine.structures[look.structure].name.as_str(), look.key_shift, look.hit)
        });
        let seen: Vec<_> = seen.collect();
        assert_eq!(seen, asked, "{second} {os}");
        assert_eq!(done.refs, refs, "{second} {os}");
        let skipped =
            done.levels.iter().filter(|level| level.state == ReadState::SkippedByPsc).count();
        assert_eq!(skipped + refs as usize, done.levels.len());
    }
}

/// No entry that maps a page (PS = 1) enters a walk cache.
#[test]
fn a_leaf_enters_no_walk_cache() {
    for (os, caches) in
        [("4K", &["pml4e", "pdpte", "pde"][..]), ("2M", &["pml4e", "pdpte"]), ("1G", &["pml4e"])]
    {
        let (machine, steps) = steps(
            ALL_WALK_CACHES,
            &format!(r#"{{"default": "{os}"}}"#),
            &accesses("load 0x7f3a1c2b5e48"),
        );
        let fills = steps[0].translations[0].fills.iter();
        let names: Vec<&str> =
            fills.map(|fill| machine.structures[fill.structure].name.as_str()).collect();
        // The caches are filled from the top down, then the TLB array, which has no name.
        assert_eq!(names, [caches, &["l1[0]"]].concat(), "{os}");
    }
}

/// Each walk cache works without the others: a PDE cache alone saves three of four references.
#[test]
fn one_walk_cache_alone_saves_what_it_can() {
    for (psc, refs) in [("pde", 1), ("pdpte", 2), ("pml4e", 3)] {
        let json = format!(r#"{{"l1": [{{"entries": 1}}], "psc": {{"{psc}": {{"entries": 1}}}}}}"#);
        let steps = steps_of(&json, "{}", "load 0x7f3a1c2b5000\n load 0x7f3a1c2b4000");
        assert_eq!(steps[1].translations[0].refs, refs, "{psc}");
    }
}

/// Returns one access to each page of the `bytes` bytes from `start` on.
fn scan(start: u64, bytes: u64, page: u64) -> impl Iterator<Item = Access> {
    (0..bytes / page).map(move |n| Access::new(Kind::Load, start + n * page, 8))
}

const GIB: u64 = 1 << 30;

/// 1 GiB of 4K pages needs 512 page tables and one table of each level above.
#[test]
fn one_gibibyte_of_4k_pages_needs_515_tables() {
    let small = report("{}", "{}", scan(5 * GIB, GIB, 4096));
    assert_eq!(
        (small.pages["table_pages"], small.pages["4K"], small.faults.minor),
        (512 + 3, 262_144, 262_144)
    );
    let large = report("{}", r#"{"default": "2M"}"#, scan(5 * GIB, GIB, 2 << 20));
    assert_eq!((large.pages["table_pages"], large.pages["2M"], large.faults.minor), (3, 512, 512));
    let huge = report("{}", r#"{"default": "1G"}"#, scan(5 * GIB, GIB, 1 << 30));
    assert_eq!((huge.pages["table_pages"], huge.pages["1G"], huge.faults.minor), (2, 1, 1));
}

/// 4 TiB of 2M pages: 4,096 page directories, 8 directory pointer tables and a root.
#[test]
fn four_tebibytes_of_2m_pages_need_4105_tables() {
    let report = report("{}", r#"{"default": "2M"}"#, scan(0, 4096 * GIB, 2 << 20));
    assert_eq!(report.faults.minor, 2_097_152);
    assert_eq!(report.pages["table_pages"], 4096 + 8 + 1);
}

/// 4 levels of 256 entries: pages 0x0, 0x123 and 0x125 need 1 + 1 + 1 + 2 tables.
#[test]
fn pages_that_lie_close_share_tables() {
    let json = r#"{"paging": {"offset_bits": 12, "index_bits": [8, 8, 8, 8], "leaf_levels": [1]}}"#;
    let report = report(json, "{}", [0, 0x123, 0x125].map(page));
    assert_eq!(report.pages["table_pages"], 5);
}

/// A cold scan of each page of 1 GiB: one reference for each page, and 512 + 1 + 1 more to find the tables.
#[test]
fn a_scan_of_one_gibibyte_takes_262658_references() {
    let json = r#"{"l1": [{"entries": 64, "ways": 4}], "l2": [{"entries": 1536, "ways": 12}],
        "psc": {"pml4e": {"entries": 1}, "pdpte": {"entries": 1}, "pde": {"entries": 1}}}"#;
    let report = report(json, "{}", scan(7 * GIB, GIB, 4096));
    assert_eq!((report.walks.walks, report.walks.refs), (262_144, 262_658));
    let psc: Vec<_> =
        report.walks.psc.iter().map(|c| (c.name.as_str(), c.lookups, c.hits)).collect();
    // 261,632 walks of one reference, 511 of two, one of four.
    assert_eq!(psc, [("pde", 262_144, 261_632), ("pdpte", 512, 511), ("pml4e", 1, 0)]);
}

/// Without walk caches every walk reads every level.
#[test]
fn a_walk_without_caches_reads_every_level() {
    for (json, os, refs) in [
        ("{}", "4K", 4),
        ("{}", "2M", 3),
        ("{}", "1G", 2),
        (r#"{"levels": 5}"#, "4K", 5),
        (r#"{"levels": 5}"#, "2M", 4),
        (r#"{"levels": 5}"#, "1G", 3),
    ] {
        let report = report(json, &format!(r#"{{"default": "{os}"}}"#), scan(0, 3 * GIB, GIB));
        assert_eq!((report.walks.walks, report.walks.refs), (3, 3 * refs), "{json} {os}");
    }
}

/// Uniform loads of M bytes: a cache of E page-directory entries has the hit rate min(1, E · 2 MiB ÷ M). After
/// a miss the walk reads one entry more, if the level above hits.
#[test]
fn a_pde_cache_hits_as_much_of_memory_as_it_covers() {
    for (bytes, entries, expected) in [
        (100_000_000_u64, 32, 1.329),
        (4 * GIB, 32, 1.984),
        (4 * GIB, 1024, 1.5),
        (64 << 20, 32, 1.0),
    ] {
        let json = format!(
            r#"{{"l1": [{{"entries": 1}}], "psc": {{"pml4e": {{"entries": 2}}, "pdpte": {{"entries": 4}},
                "pde": {{"entries": {entries}}}}}}}"#
        );
        let given = [("bytes", bytes.to_string()), ("accesses", "300000".to_owned())];
        let given = given.map(|(name, value)| (name.to_owned(), value));
        let walks = report(&json, "{}", generator("uniform", &given).unwrap()).walks;
        assert!(walks.walks > 290_000, "the TLB holds one page");
        #[expect(clippy::cast_precision_loss, reason = "some hundred thousands")]
        let refs = walks.refs as f64 / walks.walks as f64;
        // The formula holds for the steady state, and the caches start empty.
        assert!((refs / expected - 1.0).abs() < 0.01, "{bytes} on {entries}: {refs}");
    }
}
