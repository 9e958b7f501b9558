//! Quantities that are functions in Rust and not expressions in a data file, each for a reason: [`array_miss`] is a
//! recursion over the orders in which pages of a set are drawn, and tests compare [`pre_touch_counts`] with
//! simulations of many sizes.

use pagewalk_base::addr::PageSize;

/// Returns the share of uniformly random reads of an array that miss a set-associative structure, in the
/// long run. The array has `bytes` bytes and begins `offset` bytes behind the start of a page of
/// `page` bytes whose number is a multiple of `n_sets`.
///
/// Of the pages of a set, as many hit as there are ways, whatever the policy, if they are
/// equally likely. Where the last one is shorter and the set is small, LRU is worked out.
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

/// Pages of a set whose LRU order is worked out; more are taken as equally likely.
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

/// Independent reads under LRU: the pages in the ways are those read last, so that their order
/// is drawn without putting back; what is not drawn misses.
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

/// What touching each page of a heap once counts, from its first page on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreTouchCounts {
    /// Pages, faults and walks: one each.
    pub pages: u64,
    /// Entries that the walks read: with a paging-structure cache at each level, every entry
    /// that is passed once.
    pub refs: u64,
    /// Pages of page tables, the root included.
    pub tables: u64,
}

/// Works out [`PreTouchCounts`] for a heap of `bytes` bytes, in pages of 4K or 2M of a 4-level
/// table, that begins at a multiple of 512 GiB. Nothing is simulated.
pub fn pre_touch_counts(bytes: u64, pages: PageSize) -> PreTouchCounts {
    let entries = |shift: u32| bytes.div_ceil(1 << shift);
    // Entries of the levels from the leaf to the root.
    let shifts = [12, 21, 30, 39].into_iter().filter(|shift| *shift >= pages.shift());
    let levels: Vec<u64> = shifts.map(entries).collect();
    PreTouchCounts {
        pages: levels[0],
        refs: levels.iter().sum(),
        // A table for each entry of the level above, and the root.
        tables: levels[1..].iter().sum::<u64>() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Facts O45, computed elsewhere by closed form and by 20 million draws.
    #[test]
    fn the_published_array_misses_as_computed_elsewhere() {
        let miss = |bytes, page, n_sets, ways| array_miss(16, bytes, page, n_sets, ways);
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.002);
        near(miss(1_000_000, 4096, 16, 4), 0.738);
        near(miss(10_000_000, 4096, 16, 4), 0.974);
        near(miss(10_000_000, 4096, 128, 8), 0.5806);
        near(miss(100_000_000, 4096, 128, 8), 0.9580);
        near(miss(100_000_000, 1 << 21, 8, 4), 0.33252);
    }

    /// Two pages of weights 3 and 1 in one way: a miss is a change of page.
    #[test]
    fn unequal_pages_in_one_way_miss_when_the_page_changes() {
        close(set_miss(&[3.0, 1.0], 1), 4.0 * (2.0 * 0.75 * 0.25));
    }
}
