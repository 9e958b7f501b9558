//! The report of a run: plain numbers, as `pagewalk run --json` prints them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{MemoryReport, RegionReport, SystemReport, VirtReport, WalkCacheReport};
use crate::machine::exception::ExceptionsReport;
use crate::os::FaultCause;
use crate::record::invalidations::InvalidationsReport;
use pagewalk_base::json::is_false;
use pagewalk_base::trace::Completeness;

/// Counts of the simulated part of the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TraceCounts {
    /// Fetches, loads and stores counted (warm-up and prefetches are not).
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    pub fetch: u64,
    pub load: u64,
    pub store: u64,
    pub prefetch: u64,
    pub completeness: Completeness,
    /// Whether the trace is partial: the file has more accesses, or the run counts only a window of them.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub part: bool,
}

/// Outcomes of one kind of access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct KindReport {
    pub translations: u64,
    pub l1_hits: u64,
    pub l2_hits: u64,
    pub walks: u64,
}

/// Outcomes by kind of access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct KindsReport {
    pub fetch: KindReport,
    pub load: KindReport,
    pub store: KindReport,
    pub prefetch: KindReport,
}

/// Counters of one TLB array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct StructureReport {
    pub name: String,
    pub level: u8,
    pub lookups: u64,
    pub hits: u64,
    pub fills: u64,
    pub evictions: u64,
    /// Entries that left without being replaced.
    pub invalidations: u64,
}

/// Counters of one paging-structure cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PscReport {
    pub name: String,
    pub lookups: u64,
    pub hits: u64,
}

/// Counters of one core, if a trace uses several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CoreReport {
    /// The trace's number of the thread or processor.
    pub id: u32,
    /// Fetches, loads and stores.
    pub accesses: u64,
    pub l1_hits: u64,
    pub l2_hits: u64,
    pub walks: u64,
    /// Translation cycles: level-2 hits, level-2 misses and walks.
    pub cycles: u64,
}

/// Page walks and their references.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct WalksReport {
    pub walks: u64,
    /// Page-table entries read.
    pub refs: u64,
    /// References to the guest's tables; 0 without virtualisation.
    pub guest_refs: u64,
    /// References to the host's tables.
    pub host_refs: u64,
    pub psc: Vec<PscReport>,
    /// The nested TLB, under EPT, if the machine has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nested_tlb: Option<WalkCacheReport>,
    /// The EPT paging-structure caches, under EPT, in the style `combined`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<WalkCacheReport>>"))]
    pub ept_psc: Vec<WalkCacheReport>,
    /// The page walk cache, under EPT, in the styles that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pwc: Option<WalkCacheReport>,
    /// References by the cache that served them; the last is DRAM.
    pub served_by: Vec<ServedReport>,
    /// Accessed and dirty flags set in the page tables, without the host's tables.
    pub ad_updates: u64,
}

/// References that one cache served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ServedReport {
    pub name: String,
    pub refs: u64,
}

/// Page faults of the program. `minor` and `major` are sums of the fields below them, without `hidden`, which
/// only a hypervisor sees, and `bus_errors`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FaultsReport {
    pub minor: u64,
    pub major: u64,
    /// Minor: anonymous memory used for the first time.
    pub first_touch: u64,
    /// Minor: pages of files and of other processes that are in memory already.
    pub shared: u64,
    /// Minor: private pages written for the first time.
    pub copy_on_write: u64,
    /// Major: pages that were not in memory.
    pub swap_in: u64,
    pub hidden: u64,
    /// Accesses that found a pool of huge pages empty. They ended there, without a translation.
    pub bus_errors: u64,
}

impl FaultsReport {
    /// Sums counts by cause.
    pub(super) fn of(counts: [u64; FaultCause::ALL.len()]) -> Self {
        let [first_touch, shared, copy_on_write, swap_in, hidden] = counts;
        let (minor, major) = (first_touch + shared + copy_on_write, swap_in);
        Self { minor, major, first_touch, shared, copy_on_write, swap_in, hidden, bus_errors: 0 }
    }
}

/// Translation cycles: a stated model, not a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CyclesReport {
    /// Look-ups of level 2 that hit.
    pub l2_hit: u64,
    /// Look-ups of level 2 that missed. Each costs as much as a hit, and comes before a walk.
    pub l2_miss: u64,
    /// Overheads and references of all walks.
    pub walk: u64,
    pub total: u64,
}

impl CyclesReport {
    pub(super) fn new(l2_hit: u64, l2_miss: u64, walk: u64) -> Self {
        Self { l2_hit, l2_miss, walk, total: l2_hit + l2_miss + walk }
    }
}

/// The result of a run: `pagewalk run --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct RunReport {
    pub trace: TraceCounts,
    pub kinds: KindsReport,
    pub structures: Vec<StructureReport>,
    pub walks: WalksReport,
    pub faults: FaultsReport,
    /// Pages mapped by size (`"4K"`, `"2M"`, …), and `table_pages`.
    pub pages: BTreeMap<String, u64>,
    pub memory: MemoryReport,
    /// The memory map: the regions, and the pages that each got.
    pub regions: Vec<RegionReport>,
    pub system: SystemReport,
    pub cycles: CyclesReport,
    pub exceptions: ExceptionsReport,
    pub invalidations: InvalidationsReport,
    /// By core, in order of appearance; missing on a single core.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<CoreReport>>"))]
    pub cores: Vec<CoreReport>,
    /// Counters of the host, under virtualisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virt: Option<VirtReport>,
}
