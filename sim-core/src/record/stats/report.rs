//! The report of a run: plain numbers, as `pagewalk run --json` prints them.

use serde::Serialize;

use super::{
    EcptReport, MemoryReport, PomReport, RegionReport, SystemReport, TlbPrefetchReport,
    VictimaReport, VirtReport, WalkCacheReport,
};
use crate::config::{EventCosts, Overlap};
use crate::machine::exception::ExceptionsReport;
use crate::os::FaultCause;
use crate::record::invalidations::InvalidationsReport;
use pagewalk_base::json::is_false;
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::trace::Completeness;
use pagewalk_base::whole::IS_WHOLE;

/// The counts of the simulated part of the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TraceCounts {
    /// The fetches, loads and stores that were counted, without the warm-up and without prefetches.
    pub accesses: u64,
    /// The number of translations: one for each access, and one more if it straddles two pages.
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

/// The outcomes of one kind of access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct KindReport {
    pub translations: u64,
    pub l1_hits: u64,
    pub l2_hits: u64,
    pub walks: u64,
}

/// The outcomes by kind of access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct KindsReport {
    pub fetch: KindReport,
    pub load: KindReport,
    pub store: KindReport,
    pub prefetch: KindReport,
}

/// The counters of one TLB array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct StructureReport {
    pub name: String,
    pub level: u8,
    /// All lookups: the arrays of a level are looked up together, whatever the size of the page.
    pub lookups: u64,
    pub hits: u64,
    /// The misses of pages whose size the array can hold. The other lookups could not hit.
    pub misses: u64,
    pub fills: u64,
    pub evictions: u64,
    /// The entries that left without an eviction.
    pub invalidations: u64,
}

/// The counters of one paging-structure cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PscReport {
    pub name: String,
    pub lookups: u64,
    pub hits: u64,
}

/// The counters of one core, if a trace uses several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CoreReport {
    /// The trace's number of the thread or processor.
    pub id: u32,
    /// The fetches, loads and stores of the core.
    pub accesses: u64,
    pub l1_hits: u64,
    pub l2_hits: u64,
    pub walks: u64,
    /// The translation cycles: level-2 hits, level-2 misses and walks.
    pub cycles: u64,
}

/// The page walks and their references.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct WalksReport {
    pub walks: u64,
    /// The page-table entries that walks read.
    pub refs: u64,
    /// The references to the guest's tables, or 0 without virtualisation.
    pub guest_refs: u64,
    /// The references to the host's tables.
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
    /// The references by the cache that served them. The last is DRAM.
    pub served_by: Vec<ServedReport>,
    /// The accessed and dirty flags that were set in the page tables, without the host's tables.
    pub ad_updates: u64,
}

/// The references that one cache served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ServedReport {
    pub name: String,
    pub refs: u64,
}

/// The page faults of the program. `minor` and `major` are sums of the fields below them. They do not include
/// `hidden`, which only a hypervisor sees, and `bus_errors`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FaultsReport {
    pub minor: u64,
    pub major: u64,
    /// The minor faults at the first use of anonymous memory.
    pub first_touch: u64,
    /// The minor faults at pages of files and of other processes that were already in memory.
    pub shared: u64,
    /// The minor faults at the first write to private pages.
    pub copy_on_write: u64,
    /// The major faults at pages that were not in memory.
    pub swap_in: u64,
    pub hidden: u64,
    /// The accesses that found a pool of huge pages empty. They ended there, without a translation.
    pub bus_errors: u64,
}

impl FaultsReport {
    /// Adds the counts of the causes up to a report.
    pub(super) fn of(counts: [u64; FaultCause::ALL.len()]) -> Self {
        let [first_touch, shared, copy_on_write, swap_in, hidden] = counts;
        let (minor, major) = (first_touch + shared + copy_on_write, swap_in);
        Self { minor, major, first_touch, shared, copy_on_write, swap_in, hidden, bus_errors: 0 }
    }
}

/// The translation cycles. They come from a stated model, not from a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CyclesReport {
    /// The cycles of level-2 lookups that hit.
    pub l2_hit: u64,
    /// The cycles of level-2 lookups that missed. Each takes as many cycles as a hit, and comes before a walk.
    pub l2_miss: u64,
    /// The overheads and references of all walks.
    pub walk: u64,
    /// The sum: translations one after the other.
    pub total: u64,
    /// A lower bound of the cycles, if all walkers and all outstanding misses of the core are always busy. Missing in
    /// results of version 0.1.0.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub overlapped: u64,
}

impl CyclesReport {
    pub(super) fn new([l2_hit, l2_miss, walk]: [u64; 3], overlap: Overlap) -> Self {
        let overlapped = overlap.bound(l2_hit + l2_miss, walk);
        Self { l2_hit, l2_miss, walk, total: l2_hit + l2_miss + walk, overlapped }
    }
}

/// The cycles of events outside of translation, each the number of events times its cost in the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EventCycles {
    pub minor_faults: u64,
    pub major_faults: u64,
    pub vm_exits: u64,
    pub shootdowns: u64,
    pub total: u64,
}

impl RunReport {
    /// Returns the events that can be priced: minor faults, major faults, VM exits and shootdowns, also those of a host.
    pub fn events(&self) -> [u64; 4] {
        let of_host = |count: fn(&VirtReport) -> u64| self.virt.as_ref().map_or(0, count);
        [
            self.faults.minor,
            self.faults.major,
            of_host(|host| host.exits.total),
            self.system.shootdowns + of_host(|host| host.host_system.shootdowns),
        ]
    }

    /// Returns the cycles of the events in this report at these costs.
    pub(super) fn event_cycles_at(&self, costs: Option<EventCosts>) -> Option<EventCycles> {
        let costs = costs.filter(|_| IS_WHOLE)?.named().map(|(_, cycles)| u64::from(cycles));
        let [a, b, c, d] = self.events();
        let cycles = [(a, 0), (b, 1), (c, 2), (d, 3)].map(|(n, at)| costs[at].saturating_mul(n));
        let [minor_faults, major_faults, vm_exits, shootdowns] = cycles;
        let total = cycles.into_iter().fold(0, u64::saturating_add);
        Some(EventCycles { minor_faults, major_faults, vm_exits, shootdowns, total })
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
    /// The prefetches of TLB entries, if the machine prefetches them.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub tlb_prefetch: Option<TlbPrefetchReport>,
    pub faults: FaultsReport,
    /// The mapped pages by size (`"4K"`, `"2M"`, …), and `table_pages`.
    #[cfg_attr(any(test, feature = "ts"), ts(as = "std::collections::BTreeMap<String, u64>"))]
    pub pages: SmallMap<String, u64>,
    pub memory: MemoryReport,
    /// The memory map: the regions with the pages that each got.
    pub regions: Vec<RegionReport>,
    pub system: SystemReport,
    /// The translations behind level 2, if the machine has a POM-TLB. Its hits are also level-2 hits.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub pom_tlb: Option<PomReport>,
    /// The TLB blocks in a memory cache, if the machine has them. Their hits are also level-2 hits.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub victima: Option<VictimaReport>,
    /// The hashed page tables, if the machine has them.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub ecpt: Option<EcptReport>,
    pub cycles: CyclesReport,
    /// The cycles of page faults, VM exits and shootdowns, if the machine prices them. No other number has them.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub event_cycles: Option<EventCycles>,
    pub exceptions: ExceptionsReport,
    pub invalidations: InvalidationsReport,
    /// The counters of each core, in order of appearance. Missing on a single core.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<CoreReport>>"))]
    pub cores: Vec<CoreReport>,
    /// The counters of the host, under virtualisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virt: Option<VirtReport>,
}
