//! The shadow table of a virtual machine. The processor walks it instead of the guest's tables.

use super::Nested;
use crate::os::Shootdown;
use crate::page_table::PageTables;
use pagewalk_base::error::Result;

/// One page table for each of the guest's, from virtual addresses to the host's memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shadow {
    pub(crate) tables: PageTables,
    /// Whether the shadow table maps pages of the guest's sizes, because no page of the host is smaller.
    pub(crate) as_guest: bool,
}

impl Shadow {
    /// Removes the shadow of a mapping that the guest has changed. Returns what the processor must drop.
    pub(crate) fn drop(&mut self, gone: &Shootdown) -> Shootdown {
        let Shootdown { space, start, last, .. } = *gone;
        let mut freed = Vec::new();
        for (address, _) in self.tables.entries_in(space, start, last) {
            // A page of several entries is removed with its first entry.
            if let Some(leaf) = self.tables.leaf_of(space, address) {
                self.tables.unmap(space, address, leaf, &mut freed);
            }
        }
        Shootdown { freed, ..*gone }
    }
}

impl Nested {
    /// Returns the host-physical address of a guest-physical address. The host maps the page if it is missing.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(crate) fn host_address(&mut self, address: u64) -> Result<u64> {
        if let Some(place) = self.locate(address) {
            return Ok(place);
        }
        let leaf = self.os.leaf_of(self.vm, address, true);
        self.os.take_from_pool(address, leaf)?;
        self.os.map(&mut self.tables, self.vm, address, leaf)?;
        Ok(self.locate(address).expect("it has just been mapped"))
    }
}
