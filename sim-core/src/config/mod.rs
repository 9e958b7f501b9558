//! A machine as JSON. Each part of a machine defines its own configuration type; this file combines them.

mod check;
pub mod control;
mod costs;
pub mod cpu;
mod overlap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::caches::memory::MemoryConfig;
use crate::caches::pom::PomConfig;
use crate::caches::psc::PscConfig;
use crate::caches::tlb::ArrayConfig;
use crate::caches::tlb_prefetch::TlbPrefetchConfig;
use crate::caches::victima::VictimaConfig;
use crate::caches::virt::VirtConfig;
use crate::config::control::ControlConfig;
use crate::page_table::EcptConfig;
pub use costs::EventCosts;
pub use overlap::{OUTSTANDING_MISSES, Overlap};
use pagewalk_base::addr::{AddressTags, PageSize, Paging, TableFormat};
use pagewalk_base::error::{Error, Result};
pub use pagewalk_base::json::parse_json;
use pagewalk_base::json::read_tree;
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::trace::Kind;

/// The inclusion of the two TLB levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Inclusion {
    /// Non-inclusive, non-exclusive: a walk fills both levels, and a victim of either level is dropped.
    #[default]
    Nine,
    /// Inclusive: a victim of level 2 leaves level 1, too.
    Inclusive,
    /// Exclusive: level 2 holds the victims of level 1.
    Exclusive,
}

/// The cycles of a level-2 hit: one number, or one for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number of cycles or {\"fetch\": n, \"load\": n, \"store\": n}"
)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum L2Hit {
    All(u32),
    ByKind(ByKind),
}

/// The cycles of a lookup in level 2 of the TLB, by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct L2Cycles {
    pub(crate) hit: u64,
    /// The cycles of a miss, before its walk.
    pub(crate) miss: u64,
}

/// A number of cycles for each access kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ByKind {
    pub fetch: u32,
    pub load: u32,
    pub store: u32,
}

impl Default for ByKind {
    fn default() -> Self {
        Self { fetch: 7, load: 7, store: 7 }
    }
}

/// The latencies of the cycle model, each 0 to 100,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct LatencyConfig {
    /// The cycles of a level-2 hit. A level-2 miss takes as many cycles, before its walk.
    pub l2_hit: L2Hit,
    /// The cycles of each walk in addition to its references and to the level-2 miss.
    pub walk_overhead: u32,
}

impl Default for LatencyConfig {
    fn default() -> Self {
        Self { l2_hit: L2Hit::All(7), walk_overhead: 0 }
    }
}

/// A machine. Every field has a default: `{}` is one fully associative 64-entry TLB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct MachineConfig {
    pub name: String,
    /// The number of levels, 4 or 5, as a shorthand for Intel's paging.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paging: Option<Paging>,
    /// Page sizes that TLB entries coalesce: `{"4K": 4}` (AMD Zen) lets 4 aligned neighbouring pages share one
    /// TLB entry if they map consecutive memory. Arrays list the size of such a group, here 16K, in `pages`.
    #[serde(skip_serializing_if = "SmallMap::is_empty")]
    #[cfg_attr(
        any(test, feature = "ts"),
        ts(optional, as = "Option<std::collections::BTreeMap<PageSize, u32>>")
    )]
    pub coalescing: SmallMap<PageSize, u32>,
    pub l1: Vec<ArrayConfig>,
    pub l2: Vec<ArrayConfig>,
    pub inclusion: Inclusion,
    /// The prefetcher of TLB entries. Missing = none.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub tlb_prefetch: Option<TlbPrefetchConfig>,
    /// A large TLB in memory, behind level 2: `{"size": "16M"}`.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub pom_tlb: Option<PomConfig>,
    /// TLB blocks in the second memory cache: `{}` writes them for costly pages.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub victima: Option<VictimaConfig>,
    /// Hashed page tables instead of radix trees, with their own walk caches: `{}` gives those of the paper.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub ecpt: Option<EcptConfig>,
    pub psc: PscConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virt: Option<VirtConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlConfig>,
    pub latency: LatencyConfig,
    /// The number of page walks that the core does at the same time, 1 to 64. Translations are simulated one after
    /// the other, and the cycles of all walks are added up. The number changes only the bound with overlap.
    pub walkers: u32,
    /// The number of level-1 misses that the core has in flight, 1 to 1,024. It changes only the bound with overlap.
    /// Missing = [`OUTSTANDING_MISSES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outstanding_misses: Option<u32>,
    /// The cycles of page faults, VM exits and shootdowns, shown apart from translation cycles. Missing = not priced.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    pub event_costs: Option<EventCosts>,
    pub memory: MemoryConfig,
    /// The seed of `random` replacement.
    pub seed: u64,
}

impl Default for MachineConfig {
    fn default() -> Self {
        let l1 = ArrayConfig {
            name: "L1 TLB".to_owned(),
            serves: None,
            pages: None,
            fragments: None,
            entries: 64,
            ways: None,
            ways_of: SmallMap::new(),
            caps: None,
            index: crate::caches::tlb::Index::LowBits,
            replacement: crate::caches::policy::Policy::Lru,
        };
        Self {
            name: String::new(),
            levels: None,
            paging: None,
            coalescing: SmallMap::new(),
            l1: vec![l1],
            l2: Vec::new(),
            inclusion: Inclusion::Nine,
            tlb_prefetch: None,
            pom_tlb: None,
            victima: None,
            ecpt: None,
            psc: PscConfig::default(),
            virt: None,
            control: None,
            latency: LatencyConfig::default(),
            walkers: 1,
            outstanding_misses: None,
            event_costs: None,
            memory: MemoryConfig::default(),
            seed: 1,
        }
    }
}

/// The most arrays that one level may have.
pub const MAX_ARRAYS: usize = 8;

impl MachineConfig {
    /// Reads a configuration.
    ///
    /// # Errors
    /// `bad-config` with the field, or with the line if the text is no JSON.
    #[inline(never)]
    pub fn parse(json: &str) -> Result<Self> {
        parse_json(json)
    }

    /// Reads a configuration from a tree. Each crate that calls `read_tree` instead has its own copy of the code, 60 KB.
    ///
    /// # Errors
    /// `bad-config` with the field.
    #[inline(never)]
    pub fn from_tree(tree: &Value) -> Result<Self> {
        read_tree(tree)
    }

    /// Returns the vocabulary for the tables of this geometry (x86, AMD, Arm), including the host's.
    pub fn words(&self, paging: &Paging) -> TableFormat {
        let tables = paging.table_format();
        self.virt.as_ref().map_or(tables, |virt| virt.words(tables))
    }

    /// Returns the tags that the machine ignores in the address of an access.
    pub fn address_tags(&self) -> Option<AddressTags> {
        self.paging.as_ref()?.tags
    }

    /// Returns the geometry of the page table: `paging`, else that of `levels`, else 4 levels.
    ///
    /// # Errors
    /// `bad-config` if both are given or one is out of range.
    pub fn geometry(&self) -> Result<Paging> {
        let paging = match (&self.paging, self.levels) {
            (Some(_), Some(_)) => {
                Err(Error::config("levels", "levels is shorthand for paging: give one of the two"))
            }
            (Some(paging), None) => Ok(paging.clone()),
            (None, None | Some(4)) => Ok(Paging::x86(4)),
            (None, Some(5)) => Ok(Paging::x86(5)),
            (None, Some(n)) => Err(Error::config(
                "levels",
                format!("{n} levels: must be 4 or 5; use paging for other geometries"),
            )),
        }?;
        paging.resolve(&self.coalescing)
    }

    /// Returns the cycles of a level-2 lookup for a kind of access. A miss takes as many cycles as a hit, because
    /// the walk starts after the lookup. Without a level-2 array for the kind, a miss takes none.
    ///
    /// A kind without an array at level 1 starts at level 2. Its lookup then takes no cycles.
    pub(crate) fn l2_cycles(&self, kind: Kind) -> L2Cycles {
        let hit =
            if is_served(&self.l1, kind) { u64::from(self.latency.l2_hit.of(kind)) } else { 0 };
        L2Cycles { hit, miss: if is_served(&self.l2, kind) { hit } else { 0 } }
    }

    /// Returns the smallest page size, or `None` if the geometry is wrong.
    pub fn smallest_pages(&self) -> Option<PageSize> {
        self.geometry().ok()?.sizes().first().copied()
    }
}

pub(crate) fn is_served(arrays: &[ArrayConfig], kind: Kind) -> bool {
    // A prefetch is served as a load.
    let kind = if kind == Kind::Prefetch { Kind::Load } else { kind };
    arrays.iter().any(|array| array.serves.as_ref().is_none_or(|kinds| kinds.contains(&kind)))
}

impl L2Hit {
    /// Returns the cycles for a kind. A prefetch counts as a load.
    pub fn of(self, kind: Kind) -> u32 {
        match (self, kind) {
            (Self::All(cycles), _) => cycles,
            (Self::ByKind(by), Kind::Fetch) => by.fetch,
            (Self::ByKind(by), Kind::Load | Kind::Prefetch) => by.load,
            (Self::ByKind(by), Kind::Store) => by.store,
        }
    }
}
