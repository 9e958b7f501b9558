//! The interface to the memory that holds the walked tables.

use crate::caches::memory::Memory;
use crate::machine::plan::Plan;
use crate::machine::probe::{Probe, ReferenceFact, Translation};
use crate::machine::structures::Structures;
use crate::page_table::Table;
use pagewalk_base::addr::Level;
use pagewalk_base::error::Error;

/// The context of a walk: the memory that serves its reads, its observer, and the TLB arrays, which may hold entries of
/// the host.
pub(crate) struct Walking<'a, P> {
    pub(crate) plan: &'a Plan,
    pub(crate) structures: &'a mut Structures,
    pub(crate) memory: &'a mut Memory,
    pub(crate) done: &'a mut Translation,
    pub(crate) probe: &'a mut P,
    pub(crate) failure: &'a mut Option<Error>,
}

/// A table that is walked: the guest's under nested paging, else the process's.
#[derive(Clone, Copy)]
pub(crate) struct GuestTable {
    pub(crate) table: Table,
    pub(crate) level: Level,
    /// The guest-physical address under nested paging, otherwise the physical address.
    pub(crate) address: u64,
}

/// The memory that maps the walked tables. It returns the addresses that the walker reads.
pub(crate) trait Host {
    /// Returns whether the guest mapped the page for this translation, before the walk.
    fn just_mapped(&mut self) -> bool;
    /// Returns the address of a table of the guest, translated if needed. Returns `None` if memory is used up.
    fn table<P: Probe>(&mut self, table: GuestTable, walking: &mut Walking<'_, P>) -> Option<u64>;
    /// Returns the host-physical address of a table that [`Self::table`] has translated before.
    fn home(&self, table: GuestTable) -> u64;
    /// Returns whether the entry at an address need not be read, because the processor holds it.
    fn holds<P: Probe>(
        &mut self,
        address: u64,
        level: Level,
        leaf: bool,
        walking: &mut Walking<'_, P>,
    ) -> bool;
    /// Translates the address of the data. Returns whether the host has marked the page dirty.
    fn data<P: Probe>(&mut self, address: u64, walking: &mut Walking<'_, P>) -> Option<bool>;
}

/// One page table whose addresses need no translation: no virtualisation, or a shadow table.
pub(crate) struct Native {
    /// Whether the page was mapped for this translation, before the walk.
    pub(crate) just_mapped: bool,
}

impl Host for Native {
    #[cfg_attr(feature = "fast", inline(always))]
    fn just_mapped(&mut self) -> bool {
        self.just_mapped
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn table<P: Probe>(&mut self, table: GuestTable, _: &mut Walking<'_, P>) -> Option<u64> {
        Some(table.address)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn home(&self, table: GuestTable) -> u64 {
        table.address
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn holds<P: Probe>(&mut self, _: u64, _: Level, _: bool, _: &mut Walking<'_, P>) -> bool {
        false
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn data<P: Probe>(&mut self, _: u64, _: &mut Walking<'_, P>) -> Option<bool> {
        Some(true)
    }
}

/// Reads the entry at an address.
#[cfg_attr(feature = "fast", inline(always))]
pub(crate) fn read<P: Probe>(address: u64, level: Level, host: bool, walking: &mut Walking<'_, P>) {
    let served = walking.memory.read(address);
    walking.done.refs += 1;
    walking.done.host_refs += u32::from(host);
    walking.done.walk_cycles += served.cycles;
    walking.probe.reference(&ReferenceFact {
        kind: walking.done.kind,
        level,
        host,
        server: served.server,
        cycles: served.cycles,
    });
}
