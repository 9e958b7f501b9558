//! Worked examples of textbooks and courses with published answers. The comment of each test names its source.

use std::collections::BTreeSet;

use crate::common::text::{accesses, steps};
use crate::common::{hits_and_misses, outcomes, page, report};
use pagewalk::machine::probe::Outcome::{Fault, L1Hit, Walk};
use pagewalk_analysis::optimum::{SplitBuilder, SplitOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind};

/// CMU 15-213, `vm_examples`: 20-bit addresses, pages of 1 KiB, a TLB of 8 sets × 2 ways.
#[test]
fn the_course_example_splits_addresses_and_hits_as_its_solution_says() {
    let json = r#"{"paging": {"offset_bits": 10, "index_bits": [10], "leaf_levels": [1]}, "l1": [{"entries": 16, "ways": 2}]}"#;
    // The first page is mapped and not cached. Two other pages evict it from its set. The last page is cached.
    let before = [0x1e, 0x06, 0x0e, 0x12].map(|page: u64| Access::new(Kind::Load, page << 10, 1));
    let asked = accesses("load 0x78e6\n load 0x4aa4");
    let all: Vec<Access> = before.into_iter().chain(asked).collect();
    let (machine, steps) = steps(json, r#"{"default": "1K"}"#, &all);
    assert_eq!((machine.va_bits, machine.structures[0].sets), (20, 8));
    for (step, (number, set, tag, offset, outcome)) in
        steps[4..].iter().zip([(0x1e, 6, 0x3, 0xe6, Walk), (0x12, 2, 0x2, 0x2a4, L1Hit)])
    {
        let done = &step.translations[0];
        let look = &done.tlb[0];
        assert_eq!((done.page_number.0, done.outcome), (number, outcome));
        assert_eq!((look.set, look.key.0 >> 3), (set, tag));
        assert_eq!(done.physical.0 & 0x3ff, offset);
    }
}

/// Patterson and Hennessy, the TLB exercise: pages of 4 KiB, 4 fully associative entries, true LRU. Pages 11, 7
/// and 3 are cached, the oldest first, and one entry is empty. Here that entry holds page 10, which is older
/// than the others.
#[test]
fn the_stream_of_the_exercise_hits_misses_and_faults_as_published() {
    let json = r#"{"l1": [{"entries": 4}]}"#;
    let before = [0, 4, 5, 10, 11, 7, 3].map(page);
    let stream = [4669, 2227, 13916, 34587, 48870, 12608, 49225]
        .map(|address| Access::new(Kind::Load, address, 1));
    let last = [8, 11, 3, 12].map(page);
    let seen = outcomes(json, "{}", before.into_iter().chain(stream).chain(last));
    assert_eq!(seen[7..14], [Fault, Walk, L1Hit, Fault, Walk, L1Hit, Fault]);
    assert_eq!(seen[14..], [L1Hit; 4], "what the TLB holds at the end");
}

/// OSTEP, `paging-multilevel-translate.py` and `paging-linear-translate.py` with `-s 0`: the entries that an
/// address selects, from the root down, and its offset.
#[test]
fn addresses_choose_the_entries_that_the_textbook_programs_print() {
    let two = r#"{"paging": {"offset_bits": 5, "index_bits": [5, 5], "leaf_levels": [1]}}"#;
    let one = r#"{"paging": {"offset_bits": 10, "index_bits": [5], "leaf_levels": [1]}}"#;
    let rows: [(&str, &str, u64, &[u64], u64); 8] = [
        (two, "32", 0x611c, &[24, 8], 0x1c),
        (two, "32", 0x17f5, &[5, 31], 0x15),
        (two, "32", 0x2592, &[9, 12], 0x12),
        (two, "32", 0x3e99, &[15, 20], 0x19),
        (one, "1K", 0x3385, &[12], 0x385),
        (one, "1K", 0x231d, &[8], 0x31d),
        (one, "1K", 0x00e6, &[0], 0x0e6),
        (one, "1K", 0x1986, &[6], 0x186),
    ];
    for (json, size, address, indices, offset) in rows {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let (_, steps) = steps(json, &os, &[Access::new(Kind::Load, address, 1)]);
        let done = &steps[0].translations[0];
        let chosen: Vec<u64> = done.levels.iter().map(|level| level.index).collect();
        assert_eq!(chosen, indices, "{address:#x}");
        assert_eq!(
            done.physical.0 % PageSize::parse(size).unwrap().bytes(),
            offset,
            "{address:#x}"
        );
    }
}

/// Returns the misses of the optimum in a fully associative array.
fn optimum(entries: u32, pages: &[u64]) -> u64 {
    let chosen = Chosen { kinds: [true; 3], pages: PageSize::parse("4K").unwrap() };
    let mut builder = SplitBuilder::new(SplitOptions { chosen, entries, ways: None }).unwrap();
    for number in pages {
        builder.push(&page(*number)).unwrap();
    }
    builder.finish().optimum
}

/// OSTEP, `paging-policy.py`: pages 0 to 5 in order, twice, and the stream of chapter 22.
#[test]
fn a_loop_just_larger_than_memory_has_the_hits_of_the_textbook() {
    let twice: Vec<u64> = (0..6).chain(0..6).collect();
    let hits = |policy: &str, entries: u32| {
        let json = format!(r#"{{"l1": [{{"entries": {entries}, "replacement": "{policy}"}}]}}"#);
        hits_and_misses(&outcomes(&json, "{}", twice.iter().copied().map(page))).0
    };
    assert_eq!(["lru", "fifo"].map(|policy| [5, 6].map(|n| hits(policy, n))), [[0, 6], [0, 6]]);
    assert_eq!([5, 6].map(|n| 12 - optimum(n, &twice)), [5, 6]);
    assert_eq!(optimum(3, &[0, 1, 2, 0, 1, 3, 0, 3, 1, 2, 1]), 5);
    let belady = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5];
    assert_eq!([3, 4].map(|n| optimum(n, &belady)), [7, 6]);
}

/// With walk caches that never evict, each page-table entry is read once, with any stride.
#[test]
fn walks_read_as_many_references_as_a_stride_touches_entries() {
    let json = r#"{"l1": [{"entries": 1}],
        "psc": {"pml4e": {"entries": 1024}, "pdpte": {"entries": 1024}, "pde": {"entries": 1024}}}"#;
    for shift in [12, 14, 16, 20, 21, 23, 28, 30, 33, 37] {
        let addresses = || (0..1000_u64).map(|n| n << shift);
        let scan = addresses().map(|address| Access::new(Kind::Load, address, 1));
        let walks = report(json, "{}", scan).walks;
        let entries = [12, 21, 30, 39].map(|bits| {
            addresses().map(|address| (address & ((1 << 48) - 1)) >> bits).collect::<BTreeSet<_>>()
        });
        let distinct: usize = entries.iter().map(BTreeSet::len).sum();
        assert_eq!((walks.walks, walks.refs), (1000, distinct as u64), "stride 2^{shift}");
    }
}
