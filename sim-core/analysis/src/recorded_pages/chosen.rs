//! The chosen pages of a recording, as ranges of equal pages.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk::os::{PagePolicy, RegionConfig};
use pagewalk_base::addr::PageSize;

/// Ranges of memory that do not overlap, by their first address: the first address after each, and log2 of the bytes of
/// its pages.
#[derive(Default)]
pub(super) struct Chosen(BTreeMap<u64, (u64, u8)>);

impl Chosen {
    /// Returns log2 of the size of the page of an address.
    pub(super) fn at(&self, address: u64) -> Option<u8> {
        let (_, (end, shift)) = self.0.range(..=address).next_back()?;
        (address < *end).then_some(*shift)
    }

    /// Adds pages by their numbers. No page of them may be chosen already.
    pub(super) fn add(&mut self, shift: u8, numbers: Range<u64>) {
        if !numbers.is_empty() {
            self.0.insert(numbers.start << shift, (numbers.end << shift, shift));
        }
    }

    /// Returns the ranges that overlap a range, rising.
    pub(super) fn overlapping(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let before = self.0.range(..range.start).next_back();
        let before = before.filter(|(_, (end, _))| *end > range.start);
        let inside = if range.is_empty() { None } else { Some(self.0.range(range)) };
        before.into_iter().chain(inside.into_iter().flatten()).map(|(start, (end, _))| *start..*end)
    }

    /// Returns the regions, sorted by address. Neighbours of one size are one region.
    pub(super) fn regions(&self) -> Vec<RegionConfig> {
        let mut regions: Vec<RegionConfig> = Vec::new();
        for (start, (end, shift)) in &self.0 {
            let pages = PagePolicy::Fixed(PageSize(*shift));
            match regions.last_mut() {
                Some(last) if last.end.0 == *start && last.pages == pages => last.end.0 = *end,
                _ => regions.push(RegionConfig::new(*start, *end, pages)),
            }
        }
        regions
    }
}

/// Returns what is left of ranges, which rise and do not overlap, without others.
pub(super) fn without(ranges: &[Range<u64>], others: Vec<Range<u64>>) -> Vec<Range<u64>> {
    let mut others = union(others).into_iter().peekable();
    let mut left = Vec::new();
    for range in ranges {
        let mut from = range.start;
        while let Some(other) = others.peek().filter(|other| other.start < range.end) {
            if from < other.start {
                left.push(from..other.start);
            }
            from = from.max(other.end);
            if other.end > range.end {
                break;
            }
            others.next();
        }
        if from < range.end {
            left.push(from..range.end);
        }
    }
    left
}

/// Joins ranges that overlap or touch.
pub fn union(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
