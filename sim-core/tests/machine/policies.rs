//! Compares replacement policies with measurements on real TLBs from TLB;DR (Tatar et al., USENIX Security
//! 2022, repository vusec/tlbdr), and checks properties of all policies.

use crate::common::program::{Draws, Habits, program};
use crate::common::{Translations, hits_and_misses, machine, outcomes, page, report, run};
use cases::cases;
use pagewalk::caches::policy::Policy;
use pagewalk::config::cpu;
use pagewalk::machine::probe::Outcome;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind};

fn one_set(policy: &str, ways: usize) -> String {
    format!(r#"{{"l1": [{{"entries": {ways}, "replacement": "{policy}"}}]}}"#)
}

/// A set as a list of pages. Position i of the list after a hit holds the page that was at `rows[hit][i]`. A miss
/// replaces the last page, then counts as a hit there.
struct Permutations<const W: usize> {
    rows: [[usize; W]; W],
    pages: [u64; W],
}

impl<const W: usize> Permutations<W> {
    /// Uses a page. Returns true if the set held the page.
    fn access(&mut self, page: u64) -> bool {
        let found = self.pages.iter().position(|p| *p == page);
        let at = found.unwrap_or(W - 1);
        self.pages[at] = page;
        self.pages = self.rows[at].map(|from| self.pages[from]);
        found.is_some()
    }
}

const PLRU4: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 1, 0, 3], [3, 0, 1, 2]];

const PLRU8: [[usize; 8]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7],
    [1, 0, 3, 2, 5, 4, 7, 6],
    [2, 1, 0, 3, 6, 5, 4, 7],
    [3, 0, 1, 2, 7, 4, 5, 6],
    [4, 1, 2, 3, 0, 5, 6, 7],
    [5, 0, 3, 2, 1, 4, 7, 6],
    [6, 1, 0, 3, 2, 5, 4, 7],
    [7, 0, 1, 2, 3, 4, 5, 6],
];

const MRU3_PLRU4: [[usize; 12]; 12] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11, 9],
    [2, 0, 1, 5, 3, 4, 8, 6, 7, 11, 9, 10],
    [3, 1, 2, 0, 4, 5, 9, 7, 8, 6, 10, 11],
    [4, 2, 0, 1, 5, 3, 10, 8, 6, 7, 11, 9],
    [5, 0, 1, 2, 3, 4, 11, 6, 7, 8, 9, 10],
    [6, 1, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11],
    [7, 2, 0, 4, 5, 3, 1, 8, 6, 10, 11, 9],
    [8, 0, 1, 5, 3, 4, 2, 6, 7, 11, 9, 10],
    [9, 1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11],
    [10, 2, 0, 1, 5, 3, 4, 8, 6, 7, 11, 9],
    [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
];

/// Accesses to pages that no test uses, twice as many as ways. They bring a set into a known order.
fn unused_pages(ways: usize) -> impl Iterator<Item = Access> {
    (0..2 * ways as u64).map(|n| page(1000 + n))
}

#[track_caller]
fn check_permutations<const W: usize>(policy: &str, rows: [[usize; W]; W]) {
    const N: usize = 200_000;
    let mut draws = Draws::new(0x5eed);
    let universe = (W as u64) * 16 / 10;
    let numbers: Vec<u64> = (0..N).map(|_| draws.below(universe)).collect();
    let accesses = unused_pages(W).chain(numbers.iter().map(|n| page(*n)));
    let seen = outcomes(&one_set(policy, W), "{}", accesses);
    let mut model = Permutations { rows, pages: [u64::MAX; W] };
    unused_pages(W).for_each(|access| assert!(!model.access(access.address >> 12)));
    let mut n_hits = 0;
    for (at, (number, outcome)) in numbers.iter().zip(&seen[2 * W..]).enumerate() {
        let hit = model.access(*number);
        assert_eq!(*outcome == Outcome::L1Hit, hit, "{policy}: access {at}, page {number}");
        n_hits += usize::from(hit);
    }
    // Most pages fit, so most accesses hit, but many miss.
    assert!((N / 2..N * 7 / 10).contains(&n_hits), "{n_hits} hits");
}

#[test]
fn the_tree_of_four_ways_permutes_as_measured() {
    check_permutations("tree-plru", PLRU4);
}

#[test]
fn the_tree_of_eight_ways_permutes_as_measured() {
    check_permutations("tree-plru", PLRU8);
}

#[test]
fn the_three_groups_of_skylake_permute_as_measured() {
    check_permutations("mru3-plru4", MRU3_PLRU4);
}

/// Returns pages 0 to `first` − 1, then new pages up to 39 with one page of `second_round` before each, and page 0
/// at the end.
fn with_repeats(first: u64, second_round: &[u64]) -> Vec<u64> {
    let mut pages: Vec<u64> = (0..first).collect();
    for (new, old) in (first..40).zip(second_round.iter().cycle()) {
        pages.extend([*old, new]);
    }
    pages.push(0);
    pages
}

/// Runs pages in a set that unused pages filled. Returns whether the last access hits, and the number of all hits
/// and misses.
fn last_outcome(policy: &str, ways: usize, pages: &[u64]) -> (&'static str, usize, usize) {
    let accesses = unused_pages(ways).chain(pages.iter().map(|n| page(*n)));
    let seen = outcomes(&one_set(policy, ways), "{}", accesses);
    let seen = &seen[2 * ways..];
    let (hits, misses) = hits_and_misses(seen);
    let last = if seen.last() == Some(&Outcome::L1Hit) { "hit" } else { "miss" };
    (last, hits, misses)
}

/// The sequences with which TLB;DR distinguishes policies. The last access is to page 0.
#[test]
fn eviction_sequences_distinguish_the_policies() {
    let short4 = vec![0, 1, 2, 1, 3, 0];
    let short8 = vec![0, 1, 2, 1, 3, 2, 1, 4, 0];
    let short12 = vec![0, 1, 2, 3, 2, 4, 3, 2, 5, 0];
    let rows = [
        (4, short4, "tree-plru", ("miss", 1, 5), ("hit", 2, 4), ("hit", 2, 4)),
        (
            4,
            with_repeats(4, &[2]),
            "tree-plru",
            ("hit", 37, 40),
            ("miss", 36, 41),
            ("miss", 27, 50),
        ),
        (8, short8, "tree-plru", ("miss", 3, 6), ("hit", 4, 5), ("hit", 4, 5)),
        (
            8,
            with_repeats(8, &[2, 4, 6]),
            "tree-plru",
            ("hit", 33, 40),
            ("miss", 32, 41),
            ("miss", 17, 56),
        ),
        (12, short12, "mru3-plru4", ("miss", 3, 7), ("hit", 4, 6), ("hit", 4, 6)),
        (
            12,
            with_repeats(12, &[1, 4, 7, 10]),
            "mru3-plru4",
            ("hit", 29, 40),
            ("miss", 28, 41),
            ("miss", 20, 49),
        ),
    ];
    for (ways, pages, policy, own, lru, fifo) in rows {
        assert_eq!(last_outcome(policy, ways, &pages), own, "{policy}: {pages:?}");
        assert_eq!(last_outcome("lru", ways, &pages), lru, "lru of {ways}: {pages:?}");
        assert_eq!(last_outcome("fifo", ways, &pages), fifo, "fifo of {ways}: {pages:?}");
    }
}

/// Two levels as TLB;DR found them. A walk fills both levels, a hit of level 2 refills level 1, and no other event
/// moves an entry.
const TWO_LEVELS: &str = r#"{"l1": [{"entries": 2}], "l2": [{"entries": 4}]}"#;

#[test]
fn an_entry_used_in_level_1_only_leaves_level_2() {
    use Outcome::{Fault, L1Hit, Walk};
    // Page 0 stays in level 1 while pages 1 to 4 evict it from level 2. Pages 5 and 6 evict it from level 1.
    let pages = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 6, 0];
    let seen = outcomes(TWO_LEVELS, "{}", pages.map(page));
    assert_eq!(
        seen,
        [Fault, Fault, L1Hit, Fault, L1Hit, Fault, L1Hit, Fault, L1Hit, Fault, Fault, Walk]
    );
}

#[test]
fn a_hit_of_level_2_refills_level_1_and_is_a_use_there() {
    use Outcome::{Fault, L1Hit, L2Hit, Walk};
    // Page 0 hits level 2, so page 4 evicts page 1 from it.
    let seen = outcomes(TWO_LEVELS, "{}", [0, 1, 2, 3, 0, 0, 4, 2, 0, 1].map(page));
    assert_eq!(seen, [Fault, Fault, Fault, Fault, L2Hit, L1Hit, Fault, L2Hit, L2Hit, Walk]);
}

#[test]
fn a_victim_of_level_1_does_not_enter_level_2() {
    let report = report(TWO_LEVELS, "{}", (0..1000).map(|i| page(i * 7 % 9)));
    let [l1, l2] = [&report.structures[0], &report.structures[1]];
    let load = report.kinds.load;
    assert_eq!(
        (l2.fills, l2.lookups, l2.hits),
        (load.walks, load.l2_hits + load.walks, load.l2_hits)
    );
    assert_eq!((l1.fills, l1.lookups, l1.hits), (load.l2_hits + load.walks, 1000, load.l1_hits));
    assert_eq!((l1.evictions, l2.evictions), (l1.fills - 2, l2.fills - 4));
}

/// Geometry and policies measured on Ivy Bridge, Haswell and Skylake (instruction TLB, data TLB, shared TLB).
#[test]
fn models_have_the_measured_policies_and_the_skylake_geometry() {
    let policies = [
        ("intel-ivybridge", ["tree-plru"; 3]),
        ("intel-haswell", ["tree-plru"; 3]),
        ("intel-skylake", ["tree-plru", "tree-plru", "mru3-plru4"]),
    ];
    for (id, expected) in policies {
        let model = cpu::model(id).unwrap();
        let config = model.machine;
        let array = |kind: Kind, l2: bool| {
            let level = if l2 { &config.l2 } else { &config.l1 };
            let serves = |array: &&pagewalk::caches::tlb::ArrayConfig| {
                array.serves.as_ref().is_none_or(|kinds| kinds.contains(&kind))
            };
            level.iter().find(serves).unwrap()
        };
        let arrays = [array(Kind::Fetch, false), array(Kind::Load, false), array(Kind::Load, true)];
        assert_eq!(arrays.map(|array| array.replacement.name()), expected, "{id}");
        if id == "intel-skylake" {
            let shapes = arrays.map(|array| (array.entries, array.ways, array.index.name()));
            let expected =
                [(128, Some(8), "low-bits"), (64, Some(4), "low-bits"), (1536, Some(12), "xor")];
            assert_eq!(shapes, expected);
        }
    }
}

fn walks(json: &str, os: &str, accesses: &[Access]) -> u64 {
    report(json, os, accesses.iter().copied()).walks.walks
}

/// LRU is a stack algorithm: a larger array holds what a smaller one holds.
#[test]
fn an_lru_array_with_one_more_way_hits_wherever_the_smaller_one_does() {
    let accesses = program(20_000, 11, Habits::default());
    let hits = |n: usize| {
        let mut seen = Translations::default();
        run(&mut machine(&one_set("lru", n), "{}"), accesses.iter().copied(), &mut seen);
        seen.0.iter().map(|done| done.outcome == Outcome::L1Hit).collect::<Vec<bool>>()
    };
    for n in [1, 2, 3, 4, 15, 16, 17, 31] {
        let (smaller, larger) = (hits(n), hits(n + 1));
        assert!(smaller.iter().zip(&larger).all(|(small, large)| *large || !small), "{n} entries");
        assert!(larger > smaller, "{n} entries");
    }
}

/// A 2M page is a union of 4K pages, so its stack distances are never longer.
#[test]
fn large_pages_never_miss_more_in_a_fully_associative_lru_array() {
    cases(750).check(|u| {
        let entries = u.int_in_range(1..=12)?;
        let mut accesses = Vec::new();
        for _ in 0..u.int_in_range(1..=400)? {
            let address = u64::from(u.arbitrary::<u16>()?) << u.int_in_range(8..=16)?;
            accesses.push(Access::new(*u.choose(&Kind::SERVED)?, address, 8));
        }
        let json = one_set("lru", entries);
        let small = walks(&json, "{}", &accesses);
        let large = walks(&json, r#"{"default": "2M"}"#, &accesses);
        let huge = walks(&json, r#"{"default": "1G"}"#, &accesses);
        assert!(small >= large && large >= huge, "{small} {large} {huge}");
        Ok(())
    });
}

#[test]
fn counters_of_any_run_fit_together() {
    for id in cpu::ids() {
        let model = cpu::model(id).unwrap();
        let config = model.machine;
        let json = serde_json::to_string(&config).unwrap();
        let geometry = config.geometry().unwrap();
        // Most of the addresses are too long for a small machine, and for Sv39 of RISC-V.
        if model.group.is_some() || geometry.va_bits() < 48 {
            continue;
        }
        let levels = u64::from(geometry.n_levels());
        let smallest = geometry.sizes().into_iter().min_by_key(|size| size.shift()).unwrap();
        for size in geometry.sizes() {
            let os = format!(r#"{{"default": "{size}"}}"#);
            let accesses = program(8_000, 3, Habits { processes: true, prefetches: false });
            let report = report(&json, &os, accesses.iter().copied());
            let kinds = &report.kinds;
            for (kind, counted) in
                [(Kind::Fetch, kinds.fetch), (Kind::Load, kinds.load), (Kind::Store, kinds.store)]
            {
                // A TLB may hold a page in smaller pieces, and an access across two of them has two translations.
                let touched = |size: PageSize| -> u64 {
                    let of_kind = accesses.iter().filter(|it| it.kind == kind);
                    let pages =
                        |it: &Access| it.address >> size.shift()..=it.last() >> size.shift();
                    of_kind.map(|it| pages(it).count() as u64).sum()
                };
                let ended = counted.l1_hits + counted.l2_hits + counted.walks;
                let possible = touched(size)..=touched(smallest);
                assert!(possible.contains(&ended), "{id} {os}: {ended} of {possible:?}");
            }
            let walks = report.walks.walks;
            assert!((walks..=levels * walks).contains(&report.walks.refs), "{id} {os}");
            let served: u64 = report.walks.served_by.iter().map(|served| served.refs).sum();
            assert_eq!(served, report.walks.refs, "{id}: every reference is served once");
            let pages: u64 = report
                .pages
                .iter()
                .filter(|(name, _)| *name != "table_pages")
                .map(|(_, n)| n)
                .sum();
            assert_eq!(report.faults.minor, pages, "{id}: one fault a page");
            assert!(report.faults.minor <= walks);
            for row in &report.structures {
                assert!(
                    row.hits <= row.lookups && row.evictions <= row.fills,
                    "{id}: {}",
                    row.name
                );
            }
            for cache in &report.walks.psc {
                assert!(cache.hits <= cache.lookups, "{id}: {}", cache.name);
            }
        }
    }
}

#[test]
fn the_list_has_every_policy_with_the_ways_that_it_accepts() {
    let list = Policy::list();
    let names: Vec<String> = list.iter().map(|info| format!("\"{}\"", info.id.name())).collect();
    let mut all: Vec<String> = <Policy as ts_rs::TS>::inline(&ts_rs::Config::default())
        .split(" | ")
        .map(str::to_owned)
        .collect();
    all.sort_by_key(|name| names.iter().position(|listed| listed == name));
    assert_eq!(names, all);
    for info in list {
        for ways in 1..100 {
            let accepts = info.ways.as_ref().is_none_or(|accepted| accepted.contains(&ways));
            assert_eq!(info.id.ways_error(ways).is_none(), accepts, "{} {ways}", info.id.name());
        }
    }
}

/// In a set with groups of 8 ways, the pages of one group hit as often as in a set of 8 ways.
#[test]
fn a_group_of_ways_is_a_smaller_set() {
    let mut draws = Draws::new(5);
    let numbers: Vec<u64> = (0..3000).map(|_| draws.below(12)).collect();
    for policy in ["lru", "fifo", "tree-plru"] {
        let walks = |ways: &str, n_groups: u64| {
            let machine = format!(r#"{{"l1": [{{{ways}, "replacement": "{policy}"}}]}}"#);
            let accesses = numbers.iter().map(|number| page(number * n_groups + n_groups - 1));
            report(&machine, "{}", accesses).kinds.load.walks
        };
        let whole = walks(r#""entries": 8"#, 1);
        for entries in [16, 32, 128] {
            let ways = format!(r#""entries": {entries}, "ways_of": {{"4K": 8}}"#);
            assert_eq!(walks(&ways, entries / 8), whole, "{policy}, {entries} entries");
        }
    }
}
