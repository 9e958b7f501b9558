//! The counters of the operating system during a run, and the memory that it mapped.

use serde::Serialize;

use crate::machine::Machine;
use crate::machine::probe::SystemEvent;
use crate::os::MapSource;
use pagewalk_base::addr::PageSize;

/// The events of the operating system other than page faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SystemReport {
    /// The huge pages that replaced small pages, by khugepaged or for code.
    pub promotions: u64,
    /// The small pages that huge pages replaced.
    pub promoted_pages: u64,
    /// The huge pages of code that were split into small pages.
    pub demotions: u64,
    /// How often khugepaged found no free block of memory.
    pub failed_promotions: u64,
    /// The copy-on-write faults on pages that no other process shared any more. These pages were kept, not copied.
    pub reused_pages: u64,
    /// The number of shootdowns after changes of mappings.
    pub shootdowns: u64,
    /// The entries of TLB arrays and walk caches that shootdowns dropped.
    pub dropped_entries: u64,
}

impl SystemReport {
    /// Counts an event. Returns true for a bus error, which the caller counts.
    pub(super) fn count(&mut self, event: SystemEvent) -> bool {
        match event {
            SystemEvent::BusError => return true,
            SystemEvent::Promotion { n_small } => {
                self.promotions += 1;
                self.promoted_pages += n_small;
            }
            SystemEvent::Demotion => self.demotions += 1,
            SystemEvent::NoBlock { n } => self.failed_promotions += u64::from(n),
            SystemEvent::Reused => self.reused_pages += 1,
            SystemEvent::Shootdown { n_dropped } => {
                self.shootdowns += 1;
                self.dropped_entries += u64::from(n_dropped);
            }
        }
        false
    }
}

/// The memory at the end of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct MemoryReport {
    /// The source of the regions that the configuration does not list. `trace` = the trace's records of memory maps,
    /// `inferred` = the addresses of its accesses, `none` = there are no such regions.
    pub map: MapSource,
    /// The bytes of all mapped pages.
    pub mapped_bytes: u64,
    /// The bytes of the smallest mapped pages that accesses used. Missing if they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_bytes: Option<u64>,
    /// The memory lost to huge pages and to touching in advance: `mapped_bytes` - `used_bytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waste_bytes: Option<u64>,
    /// The bytes that forks save: memory that several processes map after a fork exists once.
    pub shared_bytes: u64,
    /// The bytes of page tables.
    pub table_bytes: u64,
    /// The pages that were mapped before their process ran. They took no fault in the run.
    pub pretouched_pages: u64,
    /// The limit of huge pages for code after the last window, if the system adapts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_cap: Option<u32>,
    /// The pools of huge pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<PoolReport>>"))]
    pub hugetlb: Vec<PoolReport>,
}

/// A pool of huge pages at the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PoolReport {
    pub size: PageSize,
    pub pages: u64,
    pub free: u64,
}

impl MemoryReport {
    /// Makes the report. `used_bytes` comes from a [`crate::record::touched::Touched`]. Without it, all mapped bytes
    /// are used if every page has the smallest size and was touched by an access.
    pub(super) fn new(machine: &Machine, used_bytes: Option<u64>) -> Self {
        let os = &machine.os;
        let mapped_bytes: u64 = machine.systems().map(|(os, ..)| os.mapped_bytes()).sum();
        let in_memory = machine.systems().map(|(os, tables, spaces)| {
            let spaces: Vec<u32> = spaces.values().copied().collect();
            os.bytes_in_memory(tables, &spaces)
        });
        let in_memory: u64 = in_memory.sum();
        let used_bytes = used_bytes.or((!os.may_waste()).then_some(mapped_bytes));
        let mut hugetlb: Vec<PoolReport> = Vec::new();
        for (os, ..) in machine.systems() {
            for (size, pages, free) in os.pools() {
                match hugetlb.iter_mut().find(|pool| pool.size == size) {
                    Some(pool) => (pool.pages, pool.free) = (pool.pages + pages, pool.free + free),
                    None => hugetlb.push(PoolReport { size, pages, free }),
                }
            }
        }
        Self {
            map: os.map_source(),
            mapped_bytes,
            used_bytes,
            waste_bytes: used_bytes.map(|used| mapped_bytes.saturating_sub(used)),
            shared_bytes: mapped_bytes - in_memory,
            table_bytes: machine.systems().map(|(_, tables, _)| tables.bytes_in_use()).sum(),
            pretouched_pages: machine.systems().map(|(os, ..)| os.n_pretouched()).sum(),
            text_cap: os.text_cap(),
            hugetlb,
        }
    }
}
