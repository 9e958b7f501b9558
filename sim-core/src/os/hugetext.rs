//! The blocks of code that get huge pages.
//!
//! ```text
//! region   ├──────┼───────────────┼───────────────┼─────┤
//!          │ small│     huge      │     huge      │ tail│    a tail of more than
//!          └──────┴───────────────┴───────────────┴─────┴ ─ ─ pad_threshold bytes: huge, padded
//! ```
//!
//! The page cache holds a file in blocks that are aligned in the file. A block can be mapped only at an address that
//! is aligned, too. So address and file offset must be congruent.

use std::collections::{BTreeMap, BTreeSet};

use super::check::whole_blocks;
use super::known::MemoryMap;
use super::policy::HugetextConfig;
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::RegionKind;

/// The note on a region whose address and file offset are not congruent.
pub(super) const MISALIGNED: &str =
    "no huge pages: the address is not congruent to the file offset modulo their size";

/// A region with code.
pub(super) struct Code {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) kind: Option<RegionKind>,
    /// The address of offset 0 of the region's file, if the region has a file and its offset is known.
    pub(super) file_at: Option<u64>,
    /// The start of the next region, where padding ends.
    pub(super) limit: u64,
}

/// Chooses the blocks that get huge pages.
pub(super) struct Chooser<'a> {
    config: &'a HugetextConfig,
    shift: u32,
    /// The number of fetches in each block. Empty if there is no cap.
    fetches: BTreeMap<u64, u64>,
}

impl<'a> Chooser<'a> {
    /// Makes a chooser. `shift` is log2 of the bytes of a huge page.
    pub(super) fn new(config: &'a HugetextConfig, shift: u32, known: &MemoryMap<'_>) -> Self {
        let fetches =
            if config.is_ranked_by_trace() { known.fetches(shift) } else { BTreeMap::new() };
        Self { config, shift, fetches }
    }

    /// Returns the blocks of each region that get huge pages, or `None` if address and file offset are not
    /// congruent.
    pub(super) fn choose(&self, regions: &[Code]) -> Vec<Option<BTreeSet<u64>>> {
        let mut chosen: Vec<Option<BTreeSet<u64>>> =
            regions.iter().map(|code| self.candidates(code)).collect();
        let max = self.config.max.filter(|_| self.config.is_ranked_by_trace());
        let Some(max) = max else { return chosen };
        let mut hottest: Vec<(u64, u64)> = chosen
            .iter()
            .flatten()
            .flatten()
            .map(|block| (self.fetches.get(block).copied().unwrap_or(0), *block))
            .collect();
        sort_by_numbers(&mut hottest, |(fetches, block)| (u64::MAX - fetches, *block));
        let kept: BTreeSet<u64> =
            hottest.iter().take(max as usize).map(|(_, block)| *block).collect();
        for blocks in chosen.iter_mut().flatten() {
            blocks.retain(|block| kept.contains(block));
        }
        chosen
    }

    fn candidates(&self, code: &Code) -> Option<BTreeSet<u64>> {
        let size = 1 << self.shift;
        if code.file_at.is_some_and(|address| address % size != 0) {
            return None;
        }
        let mut blocks: BTreeSet<u64> = whole_blocks(code.start, code.end, self.shift).collect();
        let tail = code.end % size;
        let last = code.end - tail;
        let padded = self.config.pad_threshold > 0 && tail > self.config.pad_threshold;
        let has_room = code.start <= last && last.saturating_add(size) <= code.limit;
        if padded && has_room && code.kind != Some(RegionKind::Jit) {
            blocks.insert(last >> self.shift);
        }
        Some(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;

    fn choose(config: &HugetextConfig, regions: &[(u64, u64, u64)]) -> Vec<Option<Vec<u64>>> {
        let code: Vec<Code> = regions
            .iter()
            .map(|(start, end, limit)| Code {
                start: *start,
                end: *end,
                kind: None,
                file_at: None,
                limit: *limit,
            })
            .collect();
        let chooser = Chooser::new(config, 21, &MemoryMap::default());
        let chosen = chooser.choose(&code).into_iter();
        chosen.map(|blocks| blocks.map(|blocks| blocks.into_iter().collect())).collect()
    }

    #[test]
    fn the_tail_is_padded_above_the_threshold_and_where_nothing_follows() {
        let with = |pad_threshold| HugetextConfig { pad_threshold, ..HugetextConfig::default() };
        let at = |config, end, limit| choose(&config, &[(2 * M, end, limit)])[0].clone().unwrap();
        assert_eq!(at(with(0), 5 * M, 16 * M), [1]);
        assert_eq!(at(with(4096), 5 * M, 16 * M), [1, 2]);
        assert_eq!(at(with(4096), 4 * M + 4096, 16 * M), [1]);
        assert_eq!(at(with(4096), 4 * M + 4097, 16 * M), [1, 2]);
        assert_eq!(at(with(4096), 5 * M, 6 * M - 1), [1]);
        assert_eq!(at(with(4096), 5 * M, 6 * M), [1, 2]);
    }

    #[test]
    fn a_region_that_is_smaller_than_a_page_is_padded_only_from_an_aligned_start() {
        let config = HugetextConfig { pad_threshold: 1, ..HugetextConfig::default() };
        let chosen =
            choose(&config, &[(2 * M, 2 * M + 8192, 16 * M), (17 * M, 17 * M + 8192, 32 * M)]);
        assert_eq!(chosen, [Some(vec![1]), Some(vec![])]);
    }

    #[test]
    fn a_cap_goes_over_all_regions_and_takes_lower_addresses_of_equals() {
        let config = HugetextConfig { max: Some(2), ..HugetextConfig::default() };
        let chosen = choose(&config, &[(0, 2 * M, 8 * M), (8 * M, 14 * M, 16 * M)]);
        assert_eq!(chosen, [Some(vec![0]), Some(vec![4])]);
    }
}
