//! The report of a survey: `pagewalk samples --json`.

use serde::Serialize;

use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::trace::Completeness;

use super::counts::SurveyCounts;
use super::estimate::SurveyEstimate;
use super::ranges::SurveyRanges;
use super::regions::SurveyRegion;

/// The facts about a program that samples of it can show.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyReport {
    /// The number of samples that are kept: those of the file, without repeats.
    pub samples: u64,
    /// The bytes of memory that the samples take.
    pub bytes: u64,
    /// The time from the first to the last sample; `None` if samples have no times.
    pub nanoseconds: Option<u64>,
    /// The samples of accesses, by data address.
    pub data: Option<SurveySide>,
    /// The samples of page faults: first touches, without information about hits and misses.
    pub faults: Option<SurveySide>,
    /// The samples of time, by instruction pointer.
    pub code: Option<SurveySide>,
}

/// One side of a recording. Weights are occurrences of its events.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveySide {
    /// The completeness of the samples. Users must see it with every number of the side.
    pub completeness: Completeness,
    /// The numbers of its events in the list of the import.
    pub events: Vec<u32>,
    /// Whether weights are sums of periods; else each sample counts as one.
    pub weighted: bool,
    pub total: SurveyCounts,
    /// Samples without an address. They are in no table of pages or regions.
    pub without_address: u64,
    /// Samples with addresses of the kernel, in the upper half.
    pub kernel: u64,
    /// Samples in virtual machines.
    pub guest: u64,
    /// The number of distinct 4K pages with samples. `pages_2m` is the number of distinct 2M pages.
    pub pages_4k: u64,
    pub pages_2m: u64,
    /// The share of the weight that is on 4K pages with a single sample, 0 to 1. About this share of the
    /// program's accesses goes to pages without a sample.
    pub once: f64,
    pub regions: SurveyTable,
    /// The samples by function.
    pub symbols: SurveyTable,
    /// The samples by name of the data.
    pub objects: SurveyTable,
    pub processes: SurveyTable,
    /// The samples by the page size that the processor reported: `4K`, or empty if it is unknown.
    pub page_sizes: SurveyTable,
    /// The pages with the most weight.
    pub pages: Vec<SurveyPage>,
    pub popularity: Vec<SurveyPopularity>,
    pub ranges: SurveyRanges,
    pub bins: SurveyBins,
    /// The estimates. Empty without a machine, and for page faults.
    pub estimates: Vec<SurveyEstimate>,
}

/// A table of rows, those with the most weight first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyTable {
    pub rows: Vec<SurveyRow>,
    /// The number of rows that are not listed. `omitted_weight` is their weight.
    pub omitted: u64,
    pub omitted_weight: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyRow {
    /// A symbol, a process or a page size. Empty if it is unknown, and for regions.
    pub name: String,
    /// The file that has the symbol.
    pub file: String,
    pub region: Option<SurveyRegion>,
    pub counts: SurveyCounts,
    /// The number of distinct 4K pages, for regions only.
    pub pages: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyPage {
    pub start: Hex,
    pub pid: u32,
    pub region: SurveyRegion,
    pub samples: u64,
    pub weight: u64,
    /// The share of its samples of known level that walked; `None` if there are none.
    pub walked: Option<f64>,
}

/// The distribution of the weight over pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyPopularity {
    pub pages: PageSize,
    /// Distinct pages.
    pub total: u64,
    /// Pairs of n and the share of the weight on the n most popular pages, by rising n.
    pub points: Vec<(u64, f64)>,
    /// The number of most popular pages that have 50, 90 and 99 % of the weight.
    pub cover: [u64; 3],
}

/// The samples and the footprint over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyBins {
    /// Whether the bins have equal time. Otherwise samples have no times, and the bins have equal numbers of
    /// samples.
    pub by_time: bool,
    pub samples: Vec<u64>,
    /// The number of distinct 4K pages up to the end of each bin.
    pub pages: Vec<u64>,
}
