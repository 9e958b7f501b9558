//! Exits of a virtual machine to its host, and the counters of them.

use serde::Serialize;

/// Why a virtual machine exits. Those of shadow paging follow the stated model that the guest's page
/// tables are always write-protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ExitReason {
    /// EPT: an entry is not present, or lacks a right.
    EptViolation,
    /// EPT: an entry is one that the processor does not understand.
    EptMisconfiguration,
    /// EPT: the page-modification log was full.
    LogFull,
    /// The host lets another virtual machine run on the core.
    VmSwitch,
    /// The host has changed its tables, and every core that runs the virtual machine drops what it knew.
    Flush,
    /// Shadow paging: the guest writes an entry of a page table.
    PageTableWrite,
    /// Shadow paging: the guest switches to other page tables.
    Cr3Load,
    /// Shadow paging: INVLPG or INVPCID; a range that the kernel drops counts once.
    Invlpg,
    /// Shadow paging: the guest has mapped the page, and the shadow table has no entry of it yet.
    HiddenFault,
}

/// Exits of a run by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExitsReport {
    pub total: u64,
    /// EPT: entries that were not present, or lacked a right.
    pub ept_violations: u64,
    /// EPT: entries that the processor did not understand; the access ended there.
    pub ept_misconfigurations: u64,
    /// EPT: the page-modification log was full.
    pub log_full: u64,
    /// The host let another virtual machine run on the core.
    pub vm_switches: u64,
    /// The host had changed its tables: one for each core that ran the virtual machine, which dropped what
    /// it knew of it (INVEPT).
    pub flushes: u64,
    /// Shadow paging: entries of page tables that the guest wrote.
    pub page_table_writes: u64,
    /// Shadow paging: switches to other page tables.
    pub cr3_loads: u64,
    /// Shadow paging: INVLPG and INVPCID; a range that the kernel drops counts once.
    pub invlpg: u64,
    /// Shadow paging: pages that the guest had mapped and the shadow table had not.
    pub hidden_faults: u64,
}

impl ExitsReport {
    pub(crate) fn add(&mut self, reason: ExitReason, n: u64) {
        let count = match reason {
            ExitReason::EptViolation => &mut self.ept_violations,
            ExitReason::EptMisconfiguration => &mut self.ept_misconfigurations,
            ExitReason::LogFull => &mut self.log_full,
            ExitReason::VmSwitch => &mut self.vm_switches,
            ExitReason::Flush => &mut self.flushes,
            ExitReason::PageTableWrite => &mut self.page_table_writes,
            ExitReason::Cr3Load => &mut self.cr3_loads,
            ExitReason::Invlpg => &mut self.invlpg,
            ExitReason::HiddenFault => &mut self.hidden_faults,
        };
        *count += n;
        self.total += n;
    }
}
