//! What a run reports of the host of a virtual machine.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Row, pages_of};
use crate::machine::Machine;
use crate::probe::HostWork;

/// What one cache of the host's side did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct WalkCacheReport {
    pub name: String,
    pub lookups: u64,
    pub hits: u64,
    pub fills: u64,
    pub evictions: u64,
}

/// What the host did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct VirtReport {
    /// EPT violations: one for each page of the host that was missing.
    pub ept_violations: u64,
    /// Accessed flags set in the host's tables.
    pub ept_accessed: u64,
    /// Dirty flags set there. A read of a guest's table is a write for the host.
    pub ept_dirty: u64,
    /// Entries of the page-modification log: one for each of those.
    pub pml_entries: u64,
    /// Exits because the log was full.
    pub pml_full_exits: u64,
    /// Pages of the host by size, and `table_pages`.
    pub host_pages: BTreeMap<String, u64>,
}

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HostCounts {
    violations: u64,
    accessed: u64,
    dirty: u64,
    log_full: u64,
}

impl HostCounts {
    #[inline(never)]
    pub(super) fn add(&mut self, work: HostWork) {
        self.violations += u64::from(work.violations);
        self.accessed += u64::from(work.accessed);
        self.dirty += u64::from(work.dirty);
        self.log_full += u64::from(work.log_full);
    }

    /// The report, if the machine has a host.
    pub(super) fn report(&self, machine: &Machine) -> Option<VirtReport> {
        let nested = machine.nested.as_ref()?;
        Some(VirtReport {
            ept_violations: self.violations,
            ept_accessed: self.accessed,
            ept_dirty: self.dirty,
            pml_entries: self.dirty,
            pml_full_exits: self.log_full,
            host_pages: pages_of(&nested.plan.paging, &nested.os, &nested.tables),
        })
    }
}

/// The caches of the host's side: the nested TLB, the EPT paging-structure caches, the page walk cache.
pub(super) fn caches(
    machine: &Machine,
    rows: &[Row],
) -> (Option<WalkCacheReport>, Vec<WalkCacheReport>, Option<WalkCacheReport>) {
    let Some(nested) = &machine.nested else { return (None, Vec::new(), None) };
    let report = |name: &str, at: usize| {
        let Row { lookups, hits, fills, evictions, .. } = rows[at];
        WalkCacheReport { name: name.to_owned(), lookups, hits, fills, evictions }
    };
    let plan = &nested.plan;
    let psc = (plan.psc_at..).zip(&plan.psc.caches).map(|(at, cache)| report(cache.name, at));
    (
        nested.caches.tlb.is_some().then(|| report("nested_tlb", plan.tlb_at)),
        psc.collect(),
        nested.caches.pwc.is_some().then(|| report("pwc", plan.pwc_at)),
    )
}
