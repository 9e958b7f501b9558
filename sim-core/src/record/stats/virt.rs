//! The report of the host of a virtual machine.

use serde::Serialize;

use super::summary::pages_of;
use super::{FaultsReport, PoolReport, Row, Rows, SystemReport};
use crate::machine::Machine;
use crate::machine::exits::{ExitReason, ExitsReport};
use crate::machine::probe::HostWork;
use crate::machine::structures::StructureId;
use crate::os::{FaultCause, Virt};
use pagewalk_base::small_map::SmallMap;

/// The counters of one cache of nested walks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct WalkCacheReport {
    pub name: String,
    pub lookups: u64,
    pub hits: u64,
    pub fills: u64,
    pub evictions: u64,
}

/// The counters of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct VirtReport {
    /// The kind of virtualisation: `ept` or `shadow`.
    pub mode: Virt,
    /// The EPT violations: one for each page of the host that was missing.
    pub ept_violations: u64,
    /// The accessed flags set in the host's tables.
    pub ept_accessed: u64,
    /// The dirty flags set in the host's tables. A read of a guest's table is a write for the host.
    pub ept_dirty: u64,
    /// The entries of the page-modification log: one for each dirty flag set, if the processor has a log.
    pub pml_entries: u64,
    /// The VM exits because the page-modification log was full.
    pub pml_full_exits: u64,
    /// The pages of the host that were mapped before the guest ran.
    pub host_pretouched_pages: u64,
    /// The host's pools of huge pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<PoolReport>>"))]
    pub host_hugetlb: Vec<PoolReport>,
    /// The VM exits by reason.
    pub exits: ExitsReport,
    /// The EPT violations by cause, with the names of page faults. `shared` = the page was already in the host's
    /// memory.
    pub host_faults: FaultsReport,
    /// The other events of the host: huge pages that its khugepaged made, and the entries that the shootdowns for
    /// huge pages and copies dropped.
    pub host_system: SystemReport,
    /// The pages of the host by size, and `table_pages`: the pages of its tables or, under shadow paging, of the
    /// shadow tables.
    #[cfg_attr(any(test, feature = "ts"), ts(as = "std::collections::BTreeMap<String, u64>"))]
    pub host_pages: SmallMap<String, u64>,
}

/// The counters of a [`VirtReport`] during a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HostCounts {
    violations: u64,
    accessed: u64,
    dirty: u64,
    log_full: u64,
    exits: ExitsReport,
    pub(super) faults: [u64; FaultCause::ALL.len()],
    pub(super) system: SystemReport,
}

impl HostCounts {
    #[inline(never)]
    pub(super) fn add(&mut self, work: HostWork) {
        self.violations += u64::from(work.violations);
        self.accessed += u64::from(work.accessed);
        self.dirty += u64::from(work.dirty);
        self.log_full += u64::from(work.log_full);
    }

    pub(super) fn exited(&mut self, reason: ExitReason, n: u64) {
        self.exits.add(reason, n);
    }

    /// Returns the report, if the machine has a host.
    pub(super) fn report(&self, machine: &Machine) -> Option<VirtReport> {
        let nested = machine.nested.as_ref()?;
        let mut exits = self.exits;
        exits.add(ExitReason::EptViolation, self.violations);
        exits.add(ExitReason::LogFull, self.log_full);
        let host_pages = match &nested.shadow {
            None => pages_of(&nested.plan.paging, [(&nested.os, &nested.tables)]),
            Some(shadow) if shadow.as_guest => {
                let systems = machine.systems().map(|(os, tables, _)| (os, tables));
                let mut pages = pages_of(&machine.plan.paging, systems);
                pages.insert("table_pages".to_owned(), shadow.tables.n_tables());
                pages
            }
            Some(shadow) => pages_of(&nested.plan.paging, [(&nested.os, &shadow.tables)]),
        };
        Some(VirtReport {
            mode: machine.plan.virt,
            ept_violations: exits.ept_violations,
            ept_accessed: self.accessed,
            ept_dirty: self.dirty,
            pml_entries: if nested.plan.log_entries > 0 { self.dirty } else { 0 },
            pml_full_exits: self.log_full,
            host_pretouched_pages: nested.os.n_pretouched(),
            host_hugetlb: nested
                .os
                .pools()
                .map(|(size, pages, free)| PoolReport { size, pages, free })
                .collect(),
            exits,
            host_faults: FaultsReport::of(self.faults),
            host_system: self.system,
            host_pages,
        })
    }
}

/// Returns the counters of the caches of nested walks: the nested TLB, the EPT paging-structure caches, the
/// page walk cache.
pub(super) fn caches(
    machine: &Machine,
    rows: &Rows,
) -> (Option<WalkCacheReport>, Vec<WalkCacheReport>, Option<WalkCacheReport>) {
    let Some(nested) = &machine.nested else { return (None, Vec::new(), None) };
    let report = |name: &str, at: StructureId| {
        let Row { lookups, hits, fills, evictions, .. } = rows[at];
        WalkCacheReport { name: name.to_owned(), lookups, hits, fills, evictions }
    };
    let plan = &nested.plan;
    let psc = plan.psc_at.number(&plan.psc.caches).map(|(at, cache)| report(cache.name, at));
    (
        nested.caches.tlb.is_some().then(|| report("nested_tlb", plan.tlb_at)),
        psc.collect(),
        nested.caches.pwc.is_some().then(|| report("pwc", plan.pwc_at)),
    )
}
