//! Regions: groups of touched pages, inferred from gaps and from how they are used.
//!
//! A trace without a memory map still shows its parts: pages that lie within 2 MiB
//! of each other belong together, pages that are fetched from hold code, and the
//! highest data is the stack.

use serde::Serialize;

use crate::addr::Hex;
use crate::trace::{PageUse, RUN_PAGE_BITS};

/// A group of touched pages that lie near each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct RegionView {
    /// `text`, `libraries`, `data` or `stack`: inferred from how the pages are used.
    pub name: String,
    pub start: Hex,
    /// Not part of the region.
    pub end: Hex,
    /// Distinct 4 KiB pages touched.
    pub pages: u64,
    pub accesses: u64,
    /// The first of its rows in the heat map, from the top (highest addresses).
    pub first_row: u32,
    pub rows: u32,
}


/// Pages of a gap that parts two regions: 2 MiB.
const GAP: u64 = 512;
/// More regions than this are joined where the gaps are smallest.
const MAX_REGIONS: usize = 8;
/// The least rows of a region.
const MIN_ROWS: u32 = 3;
/// Where user stacks start from: below 2^47 on Linux, at 0x1f_feff_… under valgrind.
const STACKS: [std::ops::Range<u64>; 2] =
    [0x7ff0_0000_0000..0x8000_0000_0000, 0x1f_f000_0000..0x20_0000_0000];

/// Groups pages, which are sorted; the highest addresses come first in the result.
pub fn infer(pages: &[PageUse]) -> Vec<RegionView> {
    let Some(first) = pages.first() else { return Vec::new() };
    let mut gaps: Vec<(u64, usize)> = pages
        .windows(2)
        .enumerate()
        .map(|(at, pair)| (pair[1].page - pair[0].page, at + 1))
        .filter(|(gap, _)| *gap >= GAP)
        .collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    gaps.truncate(MAX_REGIONS - 1);
    let mut starts: Vec<usize> = gaps.into_iter().map(|(_, at)| at).collect();
    starts.push(0);
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([pages.len()]);
    let mut seen_code = false;
    let mut regions: Vec<RegionView> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let inside = &pages[*start..end];
            let name = name(inside, &mut seen_code);
            region(name, inside)
        })
        .collect();
    debug_assert_eq!(regions[0].start.0 >> RUN_PAGE_BITS, first.page);
    regions.reverse();
    regions
}

fn name(pages: &[PageUse], seen_code: &mut bool) -> &'static str {
    let start = pages[0].page << RUN_PAGE_BITS;
    if pages.iter().any(|page| page.fetches > 0) {
        let first = !std::mem::replace(seen_code, true);
        if first { "text" } else { "libraries" }
    } else if STACKS.iter().any(|range| range.contains(&start)) {
        "stack"
    } else {
        "data"
    }
}

fn region(name: &str, pages: &[PageUse]) -> RegionView {
    let last = pages.last().expect("a region has a page");
    RegionView {
        name: name.to_owned(),
        start: Hex(pages[0].page << RUN_PAGE_BITS),
        end: Hex((last.page << RUN_PAGE_BITS).saturating_add(1 << RUN_PAGE_BITS)),
        pages: pages.len() as u64,
        accesses: pages.iter().map(|page| u64::from(page.fetches) + u64::from(page.data)).sum(),
        first_row: 0,
        rows: 0,
    }
}

/// Gives `wanted` rows to the regions: a few to each, the rest in proportion to the
/// square root of their pages, and never more than pages.
pub fn lay_out(regions: &mut [RegionView], wanted: u32) {
    let weight = |region: &RegionView| region.pages.isqrt().max(1);
    let total: u64 = regions.iter().map(weight).sum();
    let spare = u64::from(wanted).saturating_sub(u64::from(MIN_ROWS) * regions.len() as u64);
    let mut next = 0;
    for region in regions {
        let share = u64::from(MIN_ROWS) + spare * weight(region) / total.max(1);
        region.rows = u32::try_from(share.min(region.pages)).unwrap_or(MIN_ROWS).max(1);
        region.first_row = next;
        next += region.rows;
    }
}
