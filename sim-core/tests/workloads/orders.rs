//! Tests of the workloads with chains of pointers, gathers and pre-touch.

use pagewalk_base::trace::Kind;
use pagewalk_sources::workload::generator;

use crate::support::{addresses, assert_near, page_switches, params, stream};

fn sorted(mut addresses: Vec<u64>) -> Vec<u64> {
    addresses.sort_unstable();
    addresses
}

#[test]
fn a_chase_visits_every_node_once_before_the_first_again() {
    for order in ["random", "by-page", "sequential"] {
        for (bytes, node) in [(64 << 10, 64), (100_000, 72), (64, 8), (10 << 12, 1 << 12)] {
            let text = format!("bytes={bytes} node={node} order={order}");
            let once = addresses("pointer-chase", &format!("{text} accesses=0"));
            let n = bytes / node;
            assert_eq!(
                sorted(once.clone()),
                (0..n).map(|i| i * node).collect::<Vec<_>>(),
                "{text}"
            );
            let twice = addresses("pointer-chase", &format!("{text} accesses={}", 2 * n));
            assert_eq!(twice, [once.clone(), once].concat(), "{text}");
        }
    }
}

#[test]
fn a_chase_by_page_leaves_each_page_once() {
    let found = addresses("pointer-chase", "bytes=1M node=64 order=by-page accesses=0");
    assert_eq!(page_switches(&found), 255);
    assert!(found.windows(2).filter(|pair| pair[0] < pair[1]).count() < found.len() * 6 / 10);
}

/// Fact O36: 131,072 ints in 128 pages. The page changes 131,071 · (1 − 1023 / 131,071) ≈ 130,048 times in random
/// order, and 127 times in the order of pages.
#[test]
fn a_gather_changes_the_page_as_its_order_says() {
    let random = addresses("gather", "accesses=0");
    assert_eq!(random.len(), 131_072);
    let same = 131_071 - page_switches(&random) as u64;
    assert_near(same, 131_071, 1023.0 / 131_071.0);
    for order in ["by-page", "sorted-pages", "sequential"] {
        let found = addresses("gather", &format!("order={order} accesses=0"));
        assert_eq!(page_switches(&found), 127, "{order}");
        assert_eq!(sorted(found), sorted(random.clone()), "{order}");
    }
}

/// Fact O36: 64 MB are 16,384 pages. If pages are sorted, each is entered once.
#[test]
fn a_large_gather_by_sorted_pages_enters_each_once() {
    let text = "elements=16777216 order=sorted-pages accesses=16777216";
    let mut last = u64::MAX;
    let switches = stream("gather", text).filter(|access| {
        let page = access.address >> 12;
        std::mem::replace(&mut last, page) != page
    });
    assert_eq!(switches.count(), 16_384);
}

#[test]
fn indices_are_read_in_order_between_the_elements() {
    let found: Vec<_> = stream("gather", "elements=1000 indices=yes accesses=0").collect();
    assert_eq!(found.len(), 2000);
    for (at, pair) in (0..).zip(found.chunks(2)) {
        assert_eq!((pair[0].address, pair[0].size), (4096 + 4 * at, 4));
        assert!(pair[1].address < 4000);
    }
}

/// Fact O48: 4 TiB are 2³⁰ pages of 4K or 2²¹ of 2M. The number is computed without generating accesses.
#[test]
fn pre_touching_4_tib_takes_a_store_for_each_page() {
    let n = |page: &str| {
        let given = params(&format!("bytes=4T page={page}"));
        generator("pre-touch", &given).unwrap().n_accesses()
    };
    assert_eq!((n("4K"), n("2M")), (1 << 30, 1 << 21));
}

#[test]
fn every_page_is_touched_once_whoever_does_it() {
    for threads in [1, 2, 3, 7, 100] {
        for (bytes, chunk) in [(1 << 20, 16), (1 << 20, 4096), (1_000_000, 12), (4096, 4)] {
            let text = format!("bytes={bytes} chunk={chunk}K threads={threads} accesses=0");
            let found: Vec<_> = stream("pre-touch", &text).collect();
            assert!(found.iter().all(|a| a.kind == Kind::Store && a.tid < threads), "{text}");
            let pages: Vec<u64> = found.iter().map(|access| access.address).collect();
            let expected: Vec<u64> = (0..u64::div_ceil(bytes, 4096)).map(|i| i << 12).collect();
            assert_eq!(sorted(pages.clone()), expected, "{text}");
            let twice = addresses(
                "pre-touch",
                &text.replace("accesses=0", &format!("accesses={}", 2 * pages.len())),
            );
            assert_eq!(twice, [pages.clone(), pages].concat(), "{text}");
        }
    }
}

#[test]
fn threads_touch_chunks_in_turn() {
    let found: Vec<(u32, u64)> = stream("pre-touch", "bytes=20K chunk=8K threads=2 accesses=0")
        .map(|access| (access.tid, access.address >> 12))
        .collect();
    assert_eq!(found, [(0, 0), (1, 2), (0, 1), (1, 3), (0, 4)]);
}
