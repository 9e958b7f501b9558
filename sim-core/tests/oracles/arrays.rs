//! Compares TLB arrays with a closed form, for more sizes than its oracle does.

use crate::common::{hits_and_misses, outcomes, page};

fn one_set(policy: &str, ways: u64) -> String {
    format!(r#"{{"l1": [{{"entries": {ways}, "replacement": "{policy}"}}]}}"#)
}

#[track_caller]
fn misses(json: &str, pages: impl IntoIterator<Item = u64>) -> usize {
    hits_and_misses(&outcomes(json, "{}", pages.into_iter().map(page))).1
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
