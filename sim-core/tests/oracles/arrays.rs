//! Compares TLB arrays with worked examples of textbooks and with closed forms. The comment of each test names
//! its source.

use crate::common::program::Draws;
use crate::common::text::{accesses, steps};
use crate::common::{hits_and_misses, outcomes, page, report};
use pagewalk::machine::probe::Outcome;
use pagewalk_base::trace::{Access, Kind};

/// Bryant and O'Hallaron, small memory system: 14-bit addresses, 64-byte pages, a TLB of 4 sets × 4 ways.
const SMALL_MEMORY_SYSTEM: &str = r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]},
    "l1": [{"name": "TLB", "entries": 16, "ways": 4}]}"#;

/// Returns accesses in three parts: to the pages of the example's page table, to 16 other pages that fill the TLB,
/// and to the pages that the example's TLB holds at the start. These have tags 9 and 7 in set 0, 3 in set 1, 3 and
/// 0xa in set 3.
fn small_memory_system() -> Vec<Access> {
    let mapped = [0x00, 0x02, 0x03, 0x05, 0x08, 0x09, 0x0a, 0x0d, 0x0e, 0x0f];
    let strangers = 0x30..0x40;
    let in_tlb = [9 << 2, 7 << 2, 3 << 2 | 1, 3 << 2 | 3, 0xa << 2 | 3];
    let pages = mapped.into_iter().chain(strangers).chain(in_tlb);
    pages.map(|page: u64| Access::new(Kind::Load, page << 6, 1)).collect()
}

#[test]
fn the_small_memory_system_splits_addresses_and_hits_as_in_the_book() {
    use Outcome::{Fault, L1Hit, Walk};
    // Address, page number, TLB set, TLB tag, outcome (a page that the table lacks is a fault).
    let rows = [
        (0x03d4, 0x0f, 3, 0x03, L1Hit),
        (0x03d7, 0x0f, 3, 0x03, L1Hit),
        (0x0175, 0x05, 1, 0x01, Walk),
        (0x0add, 0x2b, 3, 0x0a, L1Hit),
        (0x02ea, 0x0b, 3, 0x02, Fault),
        (0x027c, 0x09, 1, 0x02, Walk),
        (0x03a9, 0x0e, 2, 0x03, Walk),
        (0x0040, 0x01, 1, 0x00, Fault),
        (0x0b8f, 0x2e, 2, 0x0b, Fault),
        (0x0020, 0x00, 0, 0x00, Walk),
    ];
    let mut accesses = small_memory_system();
    let n = accesses.len();
    accesses.extend(rows.map(|row| Access::new(Kind::Load, row.0, 1)));
    let (machine, steps) = steps(SMALL_MEMORY_SYSTEM, r#"{"default": "64"}"#, &accesses);
    assert_eq!(
        (machine.va_bits, machine.structures[0].sets, machine.structures[0].ways),
        (14, 4, 4)
    );
    for (row, step) in rows.iter().zip(&steps[n..]) {
        let (address, number, set, tag, outcome) = *row;
        let done = &step.translations[0];
        let look = &done.tlb[0];
        assert_eq!((done.page_number.0, done.outcome), (number, outcome), "{address:#x}");
        assert_eq!((look.set, look.key.0 >> 2), (set, tag), "{address:#x}");
        // The page offset of 6 bits is equal in the virtual and the physical address.
        assert_eq!(done.physical.0 & 0x3f, address & 0x3f);
        assert_eq!(done.refs, u32::from(outcome != L1Hit), "one level, one reference");
    }
}

/// OSTEP, chapter 19: an array of ten 4-byte integers at address 100, pages of 16 bytes.
#[test]
fn an_array_of_ten_integers_hits_seven_times() {
    let json = r#"{"paging": {"offset_bits": 4, "index_bits": [4], "leaf_levels": [1]}, "l1": [{"entries": 3}]}"#;
    let array = || (0..10).map(|i| Access::new(Kind::Load, 100 + 4 * i, 4));
    let letters = |outcomes: &[Outcome]| -> String {
        outcomes.iter().map(|outcome| if *outcome == Outcome::L1Hit { 'H' } else { 'M' }).collect()
    };
    let seen = outcomes(json, r#"{"default": "16"}"#, array().chain(array()));
    assert_eq!(letters(&seen[..10]), "MHHMHHHMHH");
    assert_eq!(letters(&seen[10..]), "HHHHHHHHHH", "three entries hold the three pages");
    let (_, steps) =
        steps(json, r#"{"default": "16"}"#, &accesses("load 0x64 4\n load 0x70 4\n load 0x80 4"));
    let pages: Vec<u64> = steps.iter().map(|step| step.translations[0].page_number.0).collect();
    assert_eq!(pages, [6, 7, 8]);
}

fn one_set(policy: &str, ways: u64) -> String {
    format!(r#"{{"l1": [{{"entries": {ways}, "replacement": "{policy}"}}]}}"#)
}

#[track_caller]
fn misses(json: &str, pages: impl IntoIterator<Item = u64>) -> usize {
    hits_and_misses(&outcomes(json, "{}", pages.into_iter().map(page))).1
}

/// Belady, Nelson and Shedler 1969: with FIFO more memory can mean more faults.
#[test]
fn fifo_has_more_misses_with_four_entries_than_with_three() {
    let pages = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5];
    assert_eq!(misses(&one_set("fifo", 3), pages), 9);
    assert_eq!(misses(&one_set("fifo", 4), pages), 10);
    assert_eq!(misses(&one_set("lru", 3), pages), 10);
    assert_eq!(misses(&one_set("lru", 4), pages), 8);
}

/// OSTEP, chapter 22: `paging-policy.py` with three pages of memory.
#[test]
fn a_short_stream_has_the_hits_of_the_textbook() {
    let pages = [0, 1, 2, 0, 1, 3, 0, 3, 1, 2, 1];
    assert_eq!(misses(&one_set("lru", 3), pages), 5);
    assert_eq!(misses(&one_set("fifo", 3), pages), 7);
}

/// Uniformly random pages hit with probability reach / footprint under any policy.
#[test]
fn uniform_accesses_miss_as_often_as_the_reach_falls_short() {
    const N: u32 = 200_000;
    let cases = [
        (64, 64, "lru", 256),
        (64, 64, "fifo", 256),
        (64, 64, "random", 256),
        (64, 64, "tree-plru", 256),
        (64, 64, "bit-plru", 256),
        (64, 4, "lru", 256),
        (64, 4, "tree-plru", 128),
        (64, 8, "random", 80),
        (48, 12, "mru3-plru4", 192),
        // With at least as many entries as pages there is no miss.
        (64, 4, "lru", 64),
        (64, 4, "lru", 32),
    ];
    for (entries, ways, policy, footprint) in cases {
        let json = format!(
            r#"{{"l1": [{{"entries": {entries}, "ways": {ways}, "replacement": "{policy}"}}]}}"#
        );
        let mut draws = Draws::new(7);
        // Each page is used once before the count, so that only the steady state is counted.
        let warm = (0..footprint).map(page).collect::<Vec<_>>();
        let uniform = (0..N).map(|_| page(draws.below(footprint))).collect::<Vec<_>>();
        let seen = outcomes(&json, "{}", warm.into_iter().chain(uniform));
        let (_, misses) = hits_and_misses(&seen[usize::try_from(footprint).unwrap()..]);
        let expected =
            1.0 - (f64::from(entries) / f64::from(u32::try_from(footprint).unwrap())).min(1.0);
        let miss_ratio = f64::from(u32::try_from(misses).unwrap()) / f64::from(N);
        assert!(
            (miss_ratio - expected).abs() < 0.005,
            "{json} {footprint}: {miss_ratio} for {expected}"
        );
    }
}

/// A cycle over k pages in one set of W ways: after the first round there are no misses if k ≤ W, and only
/// misses if k > W.
#[test]
fn one_page_more_than_ways_makes_every_access_of_a_cycle_miss() {
    let policies = [
        ("lru", &[4, 8, 12, 20][..]),
        ("fifo", &[4, 8, 12, 20]),
        ("tree-plru", &[4, 8, 16]),
        ("mru3-plru4", &[12]),
    ];
    for (policy, all_ways) in policies {
        for ways in all_ways {
            let json = one_set(policy, *ways);
            for k in 1..=*ways {
                let cold = usize::try_from(k).unwrap();
                assert_eq!(
                    misses(&json, (0..50 * k).map(|i| i % k)),
                    cold,
                    "{policy} {ways} ways, {k} pages"
                );
            }
            // A tree may hit a few times before its state becomes periodic.
            let passes = |n: u64| misses(&json, (0..n * (ways + 1)).map(|i| i % (ways + 1)));
            let expected = usize::try_from(50 * (ways + 1)).unwrap();
            assert_eq!(passes(60) - passes(10), expected, "{policy} {ways} ways");
        }
    }
}

#[test]
fn random_replacement_softens_the_cliff() {
    for ways in [4, 8, 12] {
        let n = 1000 * (ways + 1);
        let misses = misses(&one_set("random", ways), (0..n).map(|i| i % (ways + 1)));
        assert!(
            usize::try_from(2 * (ways + 1)).unwrap() < misses
                && misses < usize::try_from(n).unwrap() * 9 / 10
        );
    }
}

/// In 16 sets of 4 ways, pages at distances of 64 KiB share a set.
#[test]
fn five_pages_that_share_a_set_of_four_ways_always_miss() {
    let json = r#"{"l1": [{"entries": 64, "ways": 4}]}"#;
    assert_eq!(misses(json, (0..4000).map(|i| i % 4 * 16)), 4);
    assert_eq!(misses(json, (0..4000).map(|i| i % 5 * 16)), 4000);
}

/// The array has 128 sets × 12 ways. Tatar et al. (TLB;DR, USENIX Security 2022) found the XOR of page number bits
/// 6:0 and 13:7 in Intel's second-level TLBs.
#[test]
fn a_folded_index_spreads_what_low_bits_pile_up_and_the_reverse() {
    let array =
        |index: &str| format!(r#"{{"l1": [{{"entries": 1536, "ways": 12, "index": "{index}"}}]}}"#);
    for k in [13, 128] {
        let n = 20 * k;
        let (cold, all) = (usize::try_from(k).unwrap(), usize::try_from(n).unwrap());
        let apart = || (0..n).map(|i| (i % k) << 7);
        assert_eq!(misses(&array("xor"), apart()), cold);
        assert_eq!(misses(&array("low-bits"), apart()), all);
        let diagonal = || (0..n).map(|i| (i % k) << 7 | (i % k));
        assert_eq!(misses(&array("xor"), diagonal()), all);
        assert_eq!(misses(&array("low-bits"), diagonal()), cold);
    }
}

/// Slotin, Algorithms for Modern Hardware: repeated passes of 8,192 accesses with a stride of D integers on Zen
/// 2.
#[test]
fn a_strided_array_falls_off_the_cliff_beyond_2048_pages() {
    let json = r#"{"l1": [{"entries": 64}], "l2": [{"entries": 2048, "ways": 8}]}"#;
    // Each row has the stride in integers, and the level-1 misses and walks of one pass.
    for (stride, l1_misses, walks) in [
        (64, 512, 0),
        (128, 1024, 0),
        (256, 2048, 0),
        (512, 4096, 4096),
        (1024, 8192, 8192),
        (2048, 8192, 8192),
    ] {
        let pass = || (0..8192).map(|i| Access::new(Kind::Load, i * stride * 4, 4));
        let once = report(json, "{}", pass()).kinds.load;
        let twice = report(json, "{}", pass().chain(pass())).kinds.load;
        let second_pass =
            (twice.l2_hits + twice.walks - once.l2_hits - once.walks, twice.walks - once.walks);
        assert_eq!(second_pass, (l1_misses, walks), "stride {stride}");
    }
}

/// The strides are eight bytes to two pages. One of 512, 64, 8, 1 and 1 accesses misses.
#[test]
fn a_scan_misses_once_per_page() {
    for (stride, per_miss) in [(8, 512), (64, 64), (512, 8), (4096, 1), (8192, 1)] {
        let n = 8192;
        let report = report("{}", "{}", (0..n).map(|i| Access::new(Kind::Load, i * stride, 8)));
        assert_eq!(report.walks.walks, n / per_miss, "stride {stride}");
    }
}
