//! Regions: groups of touched pages, from the trace's records of memory maps where it has them, else inferred
//! from gaps and from how they are used.
//!
//! A trace without a memory map still shows its parts: pages that lie within 2 MiB
//! of each other belong together, pages that are fetched from hold code, and the
//! highest data is the stack.

mod recorded;
mod records;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use pagewalk::os::{KnownRegion, MemoryMap};
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Mapping, PageUse, RegionKind, Trace};

pub(crate) use records::Records;

/// A group of touched pages that lie near each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct RegionView {
    /// The file or what else the records of memory maps say; `text`, `libraries`, `data` or `stack` where
    /// that is inferred from how the pages are used.
    pub name: String,
    /// The name as a kind: `libraries` is `library`, `data` is `anonymous`.
    pub kind: RegionKind,
    pub start: Hex,
    /// Not part of the region.
    pub end: Hex,
    /// Distinct 4 KiB pages touched.
    pub pages: u64,
    /// Those of them that a record of a memory map tells of: those of at least half of the region where its name is recorded; fewer where it is inferred.
    pub recorded: u64,
    pub accesses: u64,
    /// The first of its rows in the heat map, from the top (highest addresses).
    pub first_row: u32,
    pub rows: u32,
}

/// Pages of a gap that parts two regions: 2 MiB.
const GAP: u64 = 512;
/// Data pages in a row, with gaps of at most 64 KiB, that are a region of their own beside code.
const LARGE_DATA: usize = 64;
const SMALL_GAP: u64 = 16;
/// More regions than this are joined where the borders are weakest.
const MAX_REGIONS: usize = 8;
/// Neighbours of a kind are one region for the system if there are more than this.
const MAX_KNOWN: usize = 64;
/// The least rows of a region.
const MIN_ROWS: u32 = 3;
/// Where user stacks are: below 2⁴⁷ on Linux, around `0x1ffe_ff00_0000` or `0x1f_fe00_0000` under valgrind.
const STACKS: [Range<u64>; 3] = [
    0x7ff0_0000_0000..0x8000_0000_0000,
    0x1ff0_0000_0000..0x2000_0000_0000,
    0x1f_f000_0000..0x20_0000_0000,
];

/// What is known of the memory of a trace: its records of memory maps, and what its addresses tell.
pub fn memory_map(trace: &Trace) -> MemoryMap<'_> {
    let mut inferred: Vec<KnownRegion> = infer_up_to(trace.pages(), usize::MAX)
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
    // Data that is scattered all over is one region: what lies between is nobody else's.
    if inferred.len() > MAX_KNOWN {
        inferred.dedup_by(|next, last| {
            let alike = last.kind == next.kind;
            if alike {
                last.end = next.end;
            }
            alike
        });
    }
    MemoryMap { is_of_trace: true, mappings: trace.mappings(), inferred, pages: trace.pages() }
}

/// Returns the parts of a trace's memory, as its records of memory maps tell them and, where there are none, its use;
/// the highest addresses come first.
pub fn of_trace(pages: &[PageUse], mappings: &[Mapping]) -> Vec<RegionView> {
    if mappings.is_empty() { infer(pages) } else { recorded::regions(pages, mappings) }
}

/// Groups pages, which are sorted; the highest addresses come first in the result.
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

/// Returns the indices at which regions start, with the strongest borders only if there are more than `most`.
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
                // As strong as the largest gaps: a large array is worth a row of its own.
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

/// Stretches of at least [`LARGE_DATA`] pages that lie close and are never fetched from.
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
    } else if STACKS.iter().any(|range| range.contains(&start)) {
        ("stack", RegionKind::Stack)
    } else {
        ("data", RegionKind::Anonymous)
    }
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

/// Gives `wanted` rows to the regions: a few to each, the rest in proportion to the
/// square root of their pages, and never more than pages.
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

    /// `x5` = five pages in a row that are fetched from, `d5` = data, `+5` = a gap of five pages.
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
    fn a_large_array_beside_code_is_a_region_of_its_own() {
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
