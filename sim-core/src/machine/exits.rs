//! The exits of a virtual machine to its host, and their counters.

use serde::Serialize;

/// The reason why a virtual machine exits. The reasons of shadow paging belong to a model in which the guest's page
/// tables are always write-protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ExitReason {
    /// EPT: an entry is not present or lacks a right.
    EptViolation,
    /// EPT: the processor does not understand an entry.
    EptMisconfiguration,
    /// EPT: the page-modification log was full.
    LogFull,
    /// The host lets another virtual machine run on the core.
    VmSwitch,
    /// The host has changed its tables. Every core that runs the virtual machine drops the affected entries.
    Flush,
    /// Shadow paging: the guest writes an entry of a page table.
    PageTableWrite,
    /// Shadow paging: the guest switches to other page tables.
    Cr3Load,
    /// Shadow paging: INVLPG or INVPCID. A range that the kernel drops counts once.
    Invlpg,
    /// Shadow paging: the guest has mapped the page, but the shadow table does not have it yet.
    HiddenFault,
}

/// The exits of a run, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExitsReport {
    pub total: u64,
    /// EPT: entries that were not present, or lacked a right.
    pub ept_violations: u64,
    /// EPT: entries that the processor did not understand. The access ended there.
    pub ept_misconfigurations: u64,
    /// EPT: the page-modification log was full.
    pub log_full: u64,
    /// The host let another virtual machine run on the core.
    pub vm_switches: u64,
    /// The host had changed its tables (INVEPT): one exit for each core that ran the virtual machine, whose entries
    /// were dropped.
    pub flushes: u64,
    /// Shadow paging: entries of page tables that the guest wrote.
    pub page_table_writes: u64,
    /// Shadow paging: switches to other page tables.
    pub cr3_loads: u64,
    /// Shadow paging: INVLPG and INVPCID. A range that the kernel drops counts once.
    pub invlpg: u64,
    /// Shadow paging: pages that the guest had mapped and the shadow table did not have.
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
