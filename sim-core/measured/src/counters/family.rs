//! Families of processors. The name of an event counts different things in different families.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use pagewalk::config::cpu;
use pagewalk_sources::perf_stat::{Counter, EventName, State};

/// A group of processors on which events have the same meaning (Linux 6.12, `arch/x86/events/intel/core.c` and
/// `amd/core.c`, `drivers/perf/arm_pmuv3.c`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "EventFamily"))]
pub enum Family {
    /// Nehalem and Westmere: `dTLB-load-misses` are misses of level 1.
    IntelNehalem,
    /// Sandy Bridge to Broadwell: `dTLB-load-misses` are walks that were started.
    IntelSandyBridge,
    /// Skylake to Ice Lake: `dTLB-load-misses` are walks that were completed.
    IntelSkylake,
    /// Golden Cove and later, and the `cpu_core` of hybrids: like Skylake, but without `iTLB-loads`.
    IntelGoldenCove,
    /// Atom, E-cores and the `cpu_atom` of hybrids.
    IntelAtom,
    /// AMD before Zen.
    AmdK10,
    /// AMD since Zen, and Hygon.
    AmdZen,
    /// All processors with Arm's PMU version 3.
    Arm,
}

/// A family, and its name for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FamilyName {
    pub id: Family,
    pub name: &'static str,
}

impl Family {
    pub const ALL: [Self; 8] = [
        Self::IntelNehalem,
        Self::IntelSandyBridge,
        Self::IntelSkylake,
        Self::IntelGoldenCove,
        Self::IntelAtom,
        Self::AmdK10,
        Self::AmdZen,
        Self::Arm,
    ];

    /// Returns all families with their names, sorted by vendor and age.
    pub fn names() -> [FamilyName; 8] {
        Self::ALL.map(|id| FamilyName { id, name: id.name() })
    }

    /// Returns the family of a CPU model, by its id, with or without a variant; `None` if there is no such model.
    pub fn of_model(id: &str) -> Option<Self> {
        let events = Value::String(cpu::model(id).ok()?.events);
        serde_json::from_value(events).ok()
    }

    /// Returns the family that the names of events show. Names that only one vendor has show it, and names of
    /// perf that only one vendor can count.
    pub fn of_counters(counters: &[Counter]) -> Option<Self> {
        let names = counters.iter().map(|counter| &counter.name);
        Self::of_names(names).or_else(|| {
            let counted = counters.iter().filter(|counter| counter.state == State::Counted);
            counted.into_iter().find_map(|counter| match counter.name.event.as_str() {
                "dTLB-stores" | "dTLB-store-misses" => Some(Self::IntelSkylake),
                "L1-dcache-prefetches" => Some(Self::AmdZen),
                _ => None,
            })
        })
    }

    fn of_names<'a>(names: impl Iterator<Item = &'a EventName>) -> Option<Self> {
        const TELLING: [(&str, Family); 13] = [
            ("dtlb_load_misses.", Family::IntelSkylake),
            ("dtlb_store_misses.", Family::IntelSkylake),
            ("itlb_misses.", Family::IntelSkylake),
            ("mem_inst_retired.", Family::IntelSkylake),
            ("mem_uops_retired.", Family::IntelSkylake),
            ("cpu_clk_unhalted.", Family::IntelSkylake),
            ("ept.walk", Family::IntelSkylake),
            ("page_walker_loads.", Family::IntelSandyBridge),
            ("ls_", Family::AmdZen),
            ("bp_l1_tlb_", Family::AmdZen),
            ("ex_ret_", Family::AmdZen),
            ("l1d_tlb", Family::Arm),
            ("l2d_tlb", Family::Arm),
        ];
        let of_event = |name: &EventName| {
            let event = name.event.to_ascii_lowercase();
            let by_pmu = match name.pmu.as_str() {
                "cpu_core" => Some(Self::IntelGoldenCove),
                "cpu_atom" => Some(Self::IntelAtom),
                pmu if pmu.starts_with("armv") => Some(Self::Arm),
                _ => None,
            };
            by_pmu.or_else(|| {
                let is_old = event.ends_with(".walk_duration") || event.ends_with(".stlb_hit_4k");
                let is_arm = matches!(
                    event.as_str(),
                    "l1i_tlb" | "l1i_tlb_refill" | "dtlb_walk" | "itlb_walk"
                );
                if is_old {
                    return Some(Self::IntelSandyBridge);
                }
                if is_arm {
                    return Some(Self::Arm);
                }
                let known = TELLING.iter().find(|(start, _)| event.starts_with(start));
                known.map(|(_, family)| *family)
            })
        };
        let mut found = None;
        for family in names.filter_map(of_event) {
            // A name of one generation counts more than a name of a vendor. On a hybrid processor the large
            // cores count.
            found = match (found, family) {
                (None | Some(Self::IntelSkylake), family) => Some(family),
                (Some(Self::IntelAtom), Self::IntelGoldenCove) => Some(family),
                (found, _) => found,
            };
        }
        found
    }

    /// Returns the family of one counter. Counters of hybrids name one of two kinds of core.
    #[must_use]
    pub fn of_counter(self, name: &EventName) -> Self {
        match name.pmu.as_str() {
            "cpu_core" => Self::IntelGoldenCove,
            "cpu_atom" => Self::IntelAtom,
            _ => self,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::IntelNehalem => "Intel, Nehalem and Westmere",
            Self::IntelSandyBridge => "Intel, Sandy Bridge to Broadwell",
            Self::IntelSkylake => "Intel, Skylake to Ice Lake",
            Self::IntelGoldenCove => "Intel, Golden Cove and later",
            Self::IntelAtom => "Intel, E-cores",
            Self::AmdK10 => "AMD before Zen",
            Self::AmdZen => "AMD Zen",
            Self::Arm => "Arm",
        }
    }

    /// Returns the events of perf stat that give the share of the cycles with a walk under way; `None` if the processors
    /// count no cycles of walks (Linux 6.12, `tools/perf/pmu-events/arch/`). Of Arm's, only newer ones have the events.
    pub fn walk_events(self) -> Option<&'static str> {
        match self {
            Self::IntelNehalem => {
                Some("cycles,dtlb_load_misses.walk_cycles,itlb_misses.walk_cycles")
            }
            Self::IntelSandyBridge => Some(
                "cycles,dtlb_load_misses.walk_duration,dtlb_store_misses.walk_duration,itlb_misses.walk_duration",
            ),
            Self::IntelSkylake | Self::IntelGoldenCove => Some(
                "cycles,dtlb_load_misses.walk_active,dtlb_store_misses.walk_active,itlb_misses.walk_active",
            ),
            Self::IntelAtom => Some(
                "cycles,dtlb_load_misses.walk_pending,dtlb_store_misses.walk_pending,itlb_misses.walk_pending",
            ),
            Self::Arm => Some("cycles,dtlb_walk_percyc,itlb_walk_percyc"),
            Self::AmdK10 | Self::AmdZen => None,
        }
    }

    pub(super) fn is_intel(self) -> bool {
        self <= Self::IntelAtom
    }

    pub(super) fn vendor(self) -> &'static str {
        match self {
            Self::AmdK10 | Self::AmdZen => "AMD",
            Self::Arm => "Arm",
            _ => "Intel",
        }
    }
}
