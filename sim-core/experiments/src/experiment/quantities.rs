//! Functions that are written in Rust instead of as expressions in a data file. [`array_miss`] is a recursion
//! over the orders in which pages of a set are drawn. Tests compare [`pre_touch_counts`] with simulations of
//! many sizes.

use pagewalk_base::addr::PageSize;

/// Returns the long-run share of uniformly random reads of an array that miss a set-associative structure. The
/// array has `bytes` bytes and begins `offset` bytes after the start of a page of `page` bytes. The number of
/// that page is a multiple of `n_sets`.
///
/// If the pages of a set are equally likely, the hit rate is ways / pages with any policy. If they are not,
/// because the array covers only a part of its last page, small sets are computed for LRU.
pub(super) fn array_miss(offset: u64, bytes: u64, page: u64, n_sets: u64, ways: u64) -> f64 {
    let end = offset + bytes;
    let n = end.div_ceil(page);
    let weight = |at: u64| number((end - at * page).min(page) - if at == 0 { offset } else { 0 });
    let missing = (0..n_sets.min(n)).map(|set| {
        let pages: Vec<u64> = (set..n).step_by(index(n_sets)).collect();
        let weights: Vec<f64> = pages.iter().map(|at| weight(*at)).collect();
        set_miss(&weights, index(ways))
    });
    missing.sum::<f64>() / number(bytes)
}

fn index(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The most pages of a set for which LRU is computed. In larger sets pages are taken as equally likely.
const MOST_PAGES: usize = 9;

/// Returns the weight of the misses of one set.
fn set_miss(weights: &[f64], ways: usize) -> f64 {
    let total: f64 = weights.iter().sum();
    if weights.len() <= ways {
        0.0
    } else if weights.len() > MOST_PAGES {
        total * (1.0 - number(ways as u64) / number(weights.len() as u64))
    } else {
        total * lru_miss(weights, &mut vec![false; weights.len()], total, total, ways)
    }
}

/// Returns the miss rate of independent reads under LRU. The ways hold the pages read last, so their order is a
/// draw without replacement. Pages that are not drawn miss.
fn lru_miss(weights: &[f64], drawn: &mut [bool], left: f64, total: f64, ways: usize) -> f64 {
    if ways == 0 {
        return left / total;
    }
    let mut miss = 0.0;
    for page in 0..weights.len() {
        if !drawn[page] {
            drawn[page] = true;
            let rest = lru_miss(weights, drawn, left - weights[page], total, ways - 1);
            miss += weights[page] / left * rest;
            drawn[page] = false;
        }
    }
    miss
}

#[expect(clippy::cast_precision_loss, reason = "counts of experiments are below 2^53")]
fn number(n: u64) -> f64 {
    n as f64
}

/// The counts of a program that touches each page of a heap once, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreTouchCounts {
    /// The number of pages. The numbers of faults and of walks are the same.
    pub pages: u64,
    /// The number of entries that the walks read. With a paging-structure cache at each level, every entry is
    /// read once.
    pub refs: u64,
    /// The number of page tables, including the root.
    pub tables: u64,
}

/// Computes [`PreTouchCounts`] by formula, without a simulation, for a heap of `bytes` bytes in pages of 4K or
/// 2M. The page table has 4 levels, and the heap begins at a multiple of 512 GiB.
pub fn pre_touch_counts(bytes: u64, pages: PageSize) -> PreTouchCounts {
    let entries = |shift: u32| bytes.div_ceil(1 << shift);
    // The numbers of entries in use, from the leaf level to the root level.
    let shifts = [12, 21, 30, 39].into_iter().filter(|shift| *shift >= pages.shift());
    let levels: Vec<u64> = shifts.map(entries).collect();
    PreTouchCounts {
        pages: levels[0],
        refs: levels.iter().sum(),
        // One table for each entry of the next higher level, and the root.
        tables: levels[1..].iter().sum::<u64>() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pagewalk_base::random::{draw, xorshift};

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    }

    #[test]
    fn pages_beyond_the_reach_miss() {
        close(array_miss(0, 64 << 12, 4096, 16, 4), 0.0);
        close(array_miss(0, 128 << 12, 4096, 16, 4), 0.5);
        close(array_miss(0, 75 << 21, 1 << 21, 1, 8), 67.0 / 75.0);
        // Five pages in 4 sets of one way: one page of set 0 is too many.
        close(array_miss(0, 5 << 12, 4096, 4, 1), 0.2);
    }

    /// Counts the misses of random bytes in sets that are lists of pages, the last used page first.
    fn missed(offset: u64, bytes: u64, page: u64, n_sets: u64, ways: usize) -> f64 {
        let mut sets = vec![Vec::new(); index(n_sets)];
        let (warm, n) = (400_000, 2_000_000);
        let (mut state, mut misses) = (45, 0);
        for read in 0..warm + n {
            state = xorshift(state);
            let at = (offset + draw(state) % bytes) / page;
            let set = &mut sets[index(at % n_sets)];
            match set.iter().position(|held| *held == at) {
                Some(place) => _ = set.remove(place),
                None if read >= warm => misses += 1,
                None => {}
            }
            set.insert(0, at);
            set.truncate(ways);
        }
        number(misses) / number(n)
    }

    /// The arrays of O45 on the TLBs of Haswell.
    #[test]
    fn array_misses_are_those_of_lru_lists() {
        for (bytes, page, n_sets, ways) in [
            (1_000_000, 4096, 16, 4),
            (10_000_000, 4096, 16, 4),
            (10_000_000, 4096, 128, 8),
            (100_000_000, 4096, 128, 8),
            (100_000_000, 1 << 21, 8, 4),
        ] {
            let counted = missed(16, bytes, page, n_sets, ways);
            let computed = array_miss(16, bytes, page, n_sets, ways as u64);
            assert!((counted / computed - 1.0).abs() < 0.005, "{counted}, computed {computed}");
        }
    }

    /// Two pages of weights 3 and 1 in one way: a miss is a change of page.
    #[test]
    fn unequal_pages_in_one_way_miss_when_the_page_changes() {
        close(set_miss(&[3.0, 1.0], 1), 4.0 * (2.0 * 0.75 * 0.25));
    }
}
