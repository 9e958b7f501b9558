//! What a survey says: `pagewalk samples --json`.

use serde::Serialize;

use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::trace::Completeness;

use super::counts::SurveyCounts;
use super::estimate::SurveyEstimate;
use super::ranges::SurveyRanges;
use super::regions::SurveyRegion;

/// All that can be said of a program from samples of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyReport {
    /// Samples that are kept: those of the file, without repeats.
    pub samples: u64,
    /// Bytes of memory that they take.
    pub bytes: u64,
    /// From the first to the last sample; `None` where they have no times.
    pub nanoseconds: Option<u64>,
    /// Accesses, by their data addresses.
    pub data: Option<SurveySide>,
    /// Page faults: first touches, which say nothing of hits and misses.
    pub faults: Option<SurveySide>,
    /// Where the program was, by instruction pointers.
    pub code: Option<SurveySide>,
}

/// One side of a recording. Weights are occurrences of its events.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveySide {
    /// How much of what its events count the samples hold: it goes with every number here.
    pub completeness: Completeness,
    /// Numbers in the list of events that the import has.
    pub events: Vec<u32>,
    /// Weights are sums of periods; else each sample is one.
    pub weighted: bool,
    pub total: SurveyCounts,
    /// Samples without an address, which are in no table of places.
    pub without_address: u64,
    /// Samples of addresses in the upper half.
    pub kernel: u64,
    /// In virtual machines.
    pub guest: u64,
    /// Distinct pages that samples touched, of 4K, and as if all were of 2M.
    pub pages_4k: u64,
    pub pages_2m: u64,
    /// The share of the weight that is on 4K pages of a single sample, 0 to 1. As much of what the
    /// program does, about, is on pages that no sample shows.
    pub once: f64,
    pub regions: SurveyTable,
    /// By the function that did it.
    pub symbols: SurveyTable,
    /// By the name of the data.
    pub objects: SurveyTable,
    pub processes: SurveyTable,
    /// By the size of the page that the processor used: `4K`, or nothing where it is not known.
    pub page_sizes: SurveyTable,
    /// The pages with the most weight.
    pub pages: Vec<SurveyPage>,
    pub popularity: Vec<SurveyPopularity>,
    pub ranges: SurveyRanges,
    pub bins: SurveyBins,
    /// Empty without a machine, and where samples are no accesses or no time.
    pub estimates: Vec<SurveyEstimate>,
}

/// Rows by falling weight, and what is left of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyTable {
    pub rows: Vec<SurveyRow>,
    /// Rows that are not listed, and their weight.
    pub omitted: u64,
    pub omitted_weight: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyRow {
    /// A symbol, a process, a page size; empty where it is not known, and of regions.
    pub name: String,
    /// The file of a symbol.
    pub file: String,
    pub region: Option<SurveyRegion>,
    pub counts: SurveyCounts,
    /// Distinct 4K pages, of regions.
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

/// How many pages have how much of the weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyPopularity {
    pub pages: PageSize,
    /// Distinct pages.
    pub total: u64,
    /// The n most popular pages, and the share of the weight that is on them; n rises.
    pub points: Vec<(u64, f64)>,
    /// How many of the most popular pages have 50, 90 and 99 % of the weight.
    pub cover: [u64; 3],
}

/// Samples over time, and how the footprint grew.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyBins {
    /// Parts are of the time; else of the samples, which have no times.
    pub by_time: bool,
    pub samples: Vec<u64>,
    /// Distinct 4K pages until the end of each part.
    pub pages: Vec<u64>,
}
