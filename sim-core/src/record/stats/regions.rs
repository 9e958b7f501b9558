//! The memory map of a run: its regions, the source of each, and the pages that it got.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::machine::Machine;
use crate::os::{PagePolicy, RegionSource};
use pagewalk_base::addr::Hex;
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::RegionKind;

/// A region, and its pages at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct RegionReport {
    /// The process; missing = every process without a recorded memory map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    pub start: Hex,
    /// The first address after the region.
    pub end: Hex,
    /// The contents of the region. Missing = unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<RegionKind>,
    /// The name of the file, or another name. It may be empty.
    pub name: String,
    pub source: RegionSource,
    /// The policy of the region.
    pub policy: PagePolicy,
    /// The number of mapped pages by size. A size without pages is left out.
    #[cfg_attr(any(test, feature = "ts"), ts(as = "std::collections::BTreeMap<String, u64>"))]
    pub pages: SmallMap<String, u64>,
    /// The reason why the region does not get the huge pages of its policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Returns the regions of every process, by rising address. Some addresses are in no region.
pub(super) fn of(machine: &Machine) -> Vec<RegionReport> {
    let os = &machine.os;
    let mut counts = BTreeMap::new();
    for (os, tables, spaces) in machine.systems() {
        for (place, n) in os.pages_by_area(tables, spaces) {
            *counts.entry(place).or_insert(0) += n;
        }
    }
    let mut reports = Vec::new();
    for (number, (pid, map)) in os.maps().into_iter().enumerate() {
        for (at, area) in map.areas().iter().enumerate().skip(1) {
            let mut pages = SmallMap::new();
            for leaf in machine.plan.paging.leaves() {
                if let Some(n) = counts.get(&(number, at, leaf)) {
                    pages.insert(machine.plan.paging.size_of(leaf).to_string(), *n);
                }
            }
            reports.push(RegionReport {
                pid,
                start: Hex(area.start),
                end: Hex(area.end),
                kind: area.kind,
                name: area.name.clone(),
                source: area.source,
                policy: area.pages,
                pages,
                note: area.note.map(str::to_owned),
            });
        }
    }
    let process = |pid: Option<u32>| pid.map_or(0, |pid| u64::from(pid) + 1);
    sort_by_numbers(&mut reports, |report| (process(report.pid), report.start.0));
    reports
}
