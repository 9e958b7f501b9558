//! Regions: groups of used pages. They come from the trace's records of memory maps, or are inferred from gaps
//! and from the use of pages.
//!
//! In a trace without a memory map, pages with gaps of less than 2 MiB belong together. Pages that are fetched
//! from are code, and the highest data is the stack.

mod recorded;
mod records;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use pagewalk::os::{KnownRegion, MemoryMap};
use pagewalk_base::addr::{AddressTags, Hex};
use pagewalk_base::trace::{Mapping, PageUse, RegionKind, Trace};

pub use records::Records;

/// A group of used pages that are near each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct RegionView {
    /// The name in the records of memory maps, for example a file; `text`, `libraries`, `data` or `stack` if
    /// the region is inferred from the use of pages.
    pub name: String,
    /// The name as a kind: `libraries` is `library`, `data` is `anonymous`.
    pub kind: RegionKind,
    pub start: Hex,
    /// The first address after the region.
    pub end: Hex,
    /// Distinct pages touched, of 4 KiB unless the view that holds the region names another size.
    pub pages: u64,
    /// The number of these pages that a record of a memory map covers. If it covers at least half of the pages, the
    /// region has the name in the records; else the name is inferred.
    pub recorded: u64,
    pub accesses: u64,
    /// The region's first row in the heat map, counted from the top (highest addresses).
    pub first_row: u32,
    pub rows: u32,
}

/// The smallest gap between two regions in pages: 2 MiB.
const GAP: u64 = 512;
/// From this many consecutive data pages on, with gaps of at most [`SMALL_GAP`] pages, data next to code is a
/// separate region.
const LARGE_DATA: usize = 64;
const SMALL_GAP: u64 = 16;
/// If there are more regions, those with the smallest gaps between them are joined.
const MAX_REGIONS: usize = 8;
/// If there are more inferred regions, neighbours of one kind are joined for the operating system.
const MAX_KNOWN: usize = 64;
/// The fewest rows of a region.
const MIN_ROWS: u32 = 3;
/// The address ranges of user stacks: below 2⁴⁷ on Linux, around `0x1ffe_ff00_0000` or `0x1f_fe00_0000` under
/// valgrind.
const STACKS: [Range<u64>; 3] = [
    0x7ff0_0000_0000..0x8000_0000_0000,
    0x1ff0_0000_0000..0x2000_0000_0000,
    0x1f_f000_0000..0x20_0000_0000,
];

/// Returns the memory map of a trace: its records of memory maps, and regions inferred from its addresses. The addresses
/// lose the tags that the machine ignores.
pub fn memory_map(trace: &Trace, tags: Option<AddressTags>) -> MemoryMap<'_> {
    let pages = trace.pages_without(tags);
    let mut inferred: Vec<KnownRegion> = infer_up_to(&pages, usize::MAX)
        .into_iter()
        .rev()
        .map(|region| KnownRegion {
            start: region.start.0,
            end: region.end.0,
            kind: region.kind,
            offset: None,
            name: String::new(),
            inferred: true,
            only_code: false,
        })
        .collect();
    // Scattered data is joined to one region, because no other region lies in its gaps.
    if inferred.len() > MAX_KNOWN {
        inferred.dedup_by(|next, last| {
            let alike = last.kind == next.kind;
            if alike {
                last.end = next.end;
            }
            alike
        });
    }
    let frames = trace.frames();
    MemoryMap { is_of_trace: true, mappings: trace.mappings(), inferred, pages, frames }
}

/// Returns the regions of a trace's memory, the highest addresses first. They come from its records of memory
/// maps if there are any, else from the use of pages.
pub fn of_trace(pages: &[PageUse], mappings: &[Mapping]) -> Vec<RegionView> {
    if mappings.is_empty() { infer(pages) } else { recorded::regions(pages, mappings) }
}

/// Infers regions from pages, which must be sorted. The result has the highest addresses first.
pub fn infer(pages: &[PageUse]) -> Vec<RegionView> {
    infer_up_to(pages, MAX_REGIONS)
}

fn infer_up_to(pages: &[PageUse], most: usize) -> Vec<RegionView> {
    if pages.is_empty() {
        return Vec::new();
    }
    let starts = starts(pages, most);
    let ends = starts.iter().skip(1).copied().chain([pages.len()]);
    let mut seen_code = false;
    let mut regions: Vec<RegionView> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let inside = &pages[*start..end];
            region(name(inside, &mut seen_code), inside)
        })
        .collect();
    regions.reverse();
    regions
}

/// Returns the indices of the pages at which regions start. If there are more than `most`, only the widest gaps
/// are borders.
fn starts(pages: &[PageUse], most: usize) -> Vec<usize> {
    let mut borders: BTreeMap<usize, u64> = BTreeMap::new();
    for (at, pair) in pages.windows(2).enumerate() {
        let gap = pair[1].page.pages_since(pair[0].page);
        if gap >= GAP {
            borders.insert(at + 1, gap);
        }
    }
    for stretch in large_data(pages) {
        for at in [stretch.start, stretch.end] {
            if at > 0 && at < pages.len() {
                // The border of a large array counts as the widest gap, so that the array gets its own region.
                borders.entry(at).or_insert(u64::MAX);
            }
        }
    }
    let mut borders: Vec<(u64, usize)> = borders.into_iter().map(|(at, gap)| (gap, at)).collect();
    borders.sort_unstable_by(|a, b| b.cmp(a));
    borders.truncate(most - 1);
    let mut starts: Vec<usize> = borders.into_iter().map(|(_, at)| at).collect();
    starts.push(0);
    starts.sort_unstable();
    starts
}

/// Returns ranges of at least [`LARGE_DATA`] pages with small gaps that no instruction is fetched from.
fn large_data(pages: &[PageUse]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..=pages.len() {
        let ends = match pages.get(at) {
            None => true,
            Some(page) => {
                page.fetches > 0
                    || at > start && page.page.pages_since(pages[at - 1].page) > SMALL_GAP
            }
        };
        if ends {
            if at - start >= LARGE_DATA {
                found.push(start..at);
            }
            start = if pages.get(at).is_some_and(|page| page.fetches == 0) { at } else { at + 1 };
        }
    }
    found
}

fn name(pages: &[PageUse], seen_code: &mut bool) -> (&'static str, RegionKind) {
    let start = pages[0].page.start();
    if pages.iter().any(|page| page.fetches > 0) {
        let first = !std::mem::replace(seen_code, true);
        if first { ("text", RegionKind::Text) } else { ("libraries", RegionKind::Library) }
    } else if is_stack(start) {
        ("stack", RegionKind::Stack)
    } else {
        ("data", RegionKind::Anonymous)
    }
}

/// Returns whether stacks are at such an address.
pub fn is_stack(address: u64) -> bool {
    STACKS.iter().any(|range| range.contains(&address))
}

fn region((name, kind): (&str, RegionKind), pages: &[PageUse]) -> RegionView {
    let last = pages.last().expect("a region has a page");
    RegionView {
        name: name.to_owned(),
        kind,
        start: Hex(pages[0].page.start()),
        end: Hex(last.page.end()),
        pages: pages.len() as u64,
        recorded: 0,
        accesses: pages.iter().map(|page| u64::from(page.fetches) + u64::from(page.data)).sum(),
        first_row: 0,
        rows: 0,
    }
}

/// Distributes about `wanted` rows over the regions. Each gets at least [`MIN_ROWS`] rows, or its number of
/// pages if that is less. The rest is in proportion to the square root of the pages.
pub fn lay_out(regions: &mut [RegionView], wanted: u32) {
    let weight = |region: &RegionView| region.pages.isqrt().max(1);
    let total: u64 = regions.iter().map(weight).sum();
    let spare = u64::from(wanted).saturating_sub(u64::from(MIN_ROWS) * regions.len() as u64);
    let mut next = 0;
    for region in regions {
        let rows = u64::from(MIN_ROWS) + spare * weight(region) / total.max(1);
        region.rows = u32::try_from(rows.min(region.pages)).unwrap_or(MIN_ROWS).max(1);
        region.first_row = next;
        next += region.rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use pagewalk_base::trace::PageNumber;

    /// Infers regions from a layout: `x5` = five pages of code, `d5` = five pages of data, `+5` = a gap of five
    /// pages.
    #[track_caller]
    fn check(layout: &str, expected: &Expect) {
        let mut pages = Vec::new();
        let mut at = 0x400;
        for word in layout.split(' ') {
            let n: u64 = word[1..].parse().unwrap();
            let used = if word.starts_with('+') { 0 } else { n };
            let fetches = u32::from(word.starts_with('x'));
            pages.extend((0..used).map(|i| PageUse {
                page: PageNumber(at + i),
                fetches,
                data: 1 - fetches,
            }));
            at += n;
        }
        let regions = infer(&pages);
        let lines: Vec<String> = regions
            .iter()
            .map(|r| format!("{} {}..{} {} pages\n", r.name, r.start, r.end, r.pages))
            .collect();
        expected.assert_eq(&lines.concat());
    }

    #[test]
    fn gaps_part_regions_and_the_first_code_is_the_text() {
        check(
            "x3 d2 +600 x4 d1 +100000 d9",
            &expect![[r"
                data 0x18d02000..0x18d0b000 9 pages
                libraries 0x65d000..0x662000 5 pages
                text 0x400000..0x405000 5 pages
            "]],
        );
    }

    #[test]
    fn a_large_array_next_to_code_is_a_separate_region() {
        check(
            "x3 d100 +5 d40 x2",
            &expect![[r"
                libraries 0x494000..0x496000 2 pages
                data 0x403000..0x494000 140 pages
                text 0x400000..0x403000 3 pages
            "]],
        );
    }

    #[test]
    fn rows_are_at_least_one_and_never_more_than_pages() {
        let pages: Vec<PageUse> = (0..500)
            .map(|i| PageUse { page: PageNumber(i * i * 40), fetches: 0, data: 1 })
            .collect();
        let mut regions = infer(&pages);
        lay_out(&mut regions, 100);
        assert!(regions.len() <= MAX_REGIONS);
        let mut next = 0;
        for region in &regions {
            assert_eq!(region.first_row, next);
            assert!(region.rows >= 1 && u64::from(region.rows) <= region.pages);
            next += region.rows;
        }
        assert_eq!(regions.iter().map(|region| region.pages).sum::<u64>(), 500);
    }
}
