//! Advice on huge pages from samples: the number and density of the samples in each 2M range.

use std::collections::BTreeMap;

use serde::Serialize;

use pagewalk_base::addr::Hex;
use pagewalk_base::samples::Samples;

use super::SurveyRegion;
use super::estimate::rounded;
use super::pages::{PAGE_BITS, PageTally, Pages, float};

/// log2 of the 4K pages of a huge page.
const HUGE_BITS: u32 = 9;
const PAGES: usize = 1 << HUGE_BITS;
/// The most ranges that are listed.
const MAX_RANGES: usize = 500;

/// The backing of a range with memory, from the page sizes and frames of its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Backing {
    /// Samples were on pages of 2M or more.
    Huge,
    /// Some samples were on pages of 2M or more, some were not: the backing changed during the recording.
    Mixed,
    /// Samples were on smaller pages.
    Small,
    /// Sizes were not recorded, but all frames have the order that a huge page has.
    InOneFrame,
    /// Sizes were not recorded, and the frames are scattered.
    Scattered,
    Unknown,
}

/// A range of 2M.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyRange {
    pub start: Hex,
    pub pid: u32,
    pub region: SurveyRegion,
    pub samples: u64,
    pub weight: u64,
    /// The share of walks among its samples with a known level; `None` if there are none.
    pub walked: Option<f64>,
    /// The key by which ranges are sorted: the weight of its walks, or of its samples if no level was measured.
    pub gain: u64,
    /// The number of its 512 4K pages that have samples.
    pub touched: u32,
    /// The pages that have samples: 128 hexadecimal digits, the first page in the highest bit of the first
    /// digit.
    pub strip: String,
    pub backing: Backing,
    /// Whether one mapping covers the whole range; `None` = unknown.
    pub mapped: Option<bool>,
}

/// The ranges that a huge page may help, the best first, then the ranges that are already huge pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyRanges {
    pub rows: Vec<SurveyRange>,
    /// The number of all ranges, including those that are not listed.
    pub total: u64,
    /// Whether `gain` is the weight of walks, not of samples.
    pub by_walks: bool,
    /// The gain of all ranges that are not huge yet.
    pub gain: u64,
    /// The number of best ranges that have 50, 90 and 99 % of that gain.
    pub cover: [u64; 3],
}

#[derive(Default)]
struct Range {
    tally: PageTally,
    touched: u32,
    /// One bit for each page: whether it has samples.
    strip: [u64; PAGES / 64],
    /// The frame minus the index of the page in the range, while it is equal for all pages.
    frame: Option<u64>,
    frames: u32,
    scattered: bool,
}

impl Range {
    fn add(&mut self, page: u64, tally: &PageTally) {
        let nth = page % PAGES as u64;
        self.tally.join(tally);
        self.touched += 1;
        if let Ok(nth) = usize::try_from(nth) {
            self.strip[nth / 64] |= 1 << 63 >> (nth % 64);
        }
        if tally.frame > 0 {
            self.frames += 1;
            let start = tally.frame.wrapping_sub(nth);
            self.scattered |=
                !start.is_multiple_of(PAGES as u64) || self.frame.is_some_and(|f| f != start);
            self.frame = Some(start);
        }
    }

    fn backing(&self) -> Backing {
        let PageTally { sized, huge, .. } = self.tally;
        match (sized, huge) {
            (0, _) if self.scattered => Backing::Scattered,
            // A single frame is no evidence, because it has the right position by chance.
            (0, _) if self.frames > 1 => Backing::InOneFrame,
            (0, _) => Backing::Unknown,
            (_, 0) => Backing::Small,
            (sized, huge) if sized == huge => Backing::Huge,
            _ => Backing::Mixed,
        }
    }
}

/// Returns the ranges of `pages`. `region` returns the region of an address and its place.
pub(super) fn ranges(
    pages: &Pages,
    samples: &Samples,
    weighted: bool,
    region: impl Fn(u64, u32) -> SurveyRegion,
) -> SurveyRanges {
    let mut ranges: BTreeMap<(u64, u32), Range> = BTreeMap::new();
    for ((page, pid), tally) in pages.folded(PAGE_BITS) {
        ranges.entry((page >> HUGE_BITS, pid)).or_default().add(page, &tally);
    }
    let by_walks = ranges.values().any(|range| range.tally.measured > 0);
    let gain = |range: &Range| {
        if by_walks { range.tally.walk_weight(weighted) } else { range.tally.weight(weighted) }
    };
    let mut order: Vec<((u64, u32), Range)> = ranges.into_iter().collect();
    let is_huge = |range: &Range| matches!(range.backing(), Backing::Huge | Backing::InOneFrame);
    order.sort_by_key(|(_, range)| {
        let weight = range.tally.weight(weighted);
        (is_huge(range), std::cmp::Reverse((gain(range), weight, range.touched)))
    });
    let gains: Vec<u64> =
        order.iter().filter(|(_, range)| !is_huge(range)).map(|(_, range)| gain(range)).collect();
    let row = |((number, pid), range): &((u64, u32), Range)| {
        let start = number << (PAGE_BITS + HUGE_BITS);
        let end = start.saturating_add(1 << (PAGE_BITS + HUGE_BITS));
        let PageTally { samples: n, walks, measured, .. } = range.tally;
        let walked = (measured > 0).then(|| rounded(f64::from(walks) / f64::from(measured)));
        SurveyRange {
            start: Hex(start),
            pid: *pid,
            region: region(start, range.tally.place),
            samples: n.into(),
            weight: range.tally.weight(weighted),
            walked,
            gain: gain(range),
            touched: range.touched,
            strip: range.strip.map(|word| format!("{word:016x}")).concat(),
            backing: range.backing(),
            mapped: samples.is_mapped(*pid, start..end),
        }
    };
    SurveyRanges {
        rows: order.iter().take(MAX_RANGES).map(row).collect(),
        total: order.len() as u64,
        by_walks,
        gain: gains.iter().fold(0, |sum, gain| sum.saturating_add(*gain)),
        cover: cover(&gains),
    }
}

/// Returns the number of the first weights that have 50, 90 and 99 % of the sum. The weights must be sorted,
/// the largest first.
pub(super) fn cover(weights: &[u64]) -> [u64; 3] {
    let all: f64 = weights.iter().map(|weight| float(*weight)).sum();
    [0.5, 0.9, 0.99].map(|part| {
        let mut sum = 0.0;
        let enough = weights.iter().position(|weight| {
            sum += float(*weight);
            sum >= part * all
        });
        if all > 0.0 { enough.map_or(0, |at| at as u64 + 1) } else { 0 }
    })
}
