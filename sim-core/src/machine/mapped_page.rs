//! A page in the tables: the size at which the TLB holds it, its physical address, its dirty flag. Without
//! virtualisation, one page table gives them; under a host, the guest's and the host's tables do.

use crate::machine::host::nested;
use crate::machine::probe::{HostWork, Updates};
use crate::machine::{Machine, Page};
use crate::page_table::PageTables;
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

impl Machine {
    /// Returns the leaf at which the TLB holds a page of the guest: the smaller of the guest's and the host's page.
    ///
    /// If the host has pages of several sizes, the size depends on the frame. Then the guest maps a missing page
    /// here, and the walk that follows reports the fault.
    #[inline(never)]
    pub(crate) fn tlb_leaf(&mut self, kind: Kind, va: u64, leaf: Leaf) -> Leaf {
        let Some(nested) = &mut self.nested else { return leaf };
        if !nested.is_mixed() {
            return nested.tlb_leaf_of(leaf, None);
        }
        if kind != Kind::Prefetch && self.tables.leaf(self.space, va, leaf).is_none() {
            match self.map_page(va, leaf, kind == Kind::Store) {
                Ok(()) => self.just_mapped(),
                Err(error) => self.fail(error),
            }
        }
        let place = self.locate(self.space, va, leaf);
        let Some(nested) = &mut self.nested else { return leaf };
        let host_leaf = place.map(|place| nested.os.leaf_of(nested.vm, place, true));
        nested.tlb_leaf_of(leaf, host_leaf)
    }

    fn just_mapped(&mut self) {
        if let Some(nested) = &mut self.nested {
            nested.just_mapped = true;
        }
    }

    /// Lets the operating system map a page of `leaf`, and missing tables, at first touch.
    pub(crate) fn map_page(&mut self, va: u64, leaf: Leaf, store: bool) -> Result<()> {
        let is_new = self.os.map(&mut self.tables, self.space, va, leaf)?;
        if self.os.checks_rights() {
            self.os.apply_verdict(&mut self.tables, self.space, va, (leaf, is_new), store);
        }
        Ok(())
    }

    /// Sets the dirty flag of the page in the tables of all dimensions.
    #[inline(never)]
    pub(crate) fn set_dirty(&mut self, page: &Page) -> Updates {
        if let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) {
            let flags = shadow.tables.set_dirty(self.space, page.va, page.leaf);
            return Updates { flags, host: HostWork::default() };
        }
        let leaf = self.os.leaf_of(self.space, page.va, true);
        let flags = self.tables.set_dirty(self.space, page.va, leaf);
        let mut host = HostWork::default();
        if self.nested.is_some()
            && let Some(place) = self.locate(self.space, page.va, leaf)
            && let Some(nested) = &mut self.nested
        {
            nested.set_dirty(place, &mut host);
        }
        Updates { flags, host }
    }

    /// Returns the physical address of a mapped virtual address.
    pub(crate) fn physical(&self, address: u64) -> Option<u64> {
        let va = address & self.plan.va_mask;
        nested::physical(&self.tables, self.nested.as_deref(), self.space, va)
    }

    /// Returns the guest-physical address of `va` in a page of `leaf`. Without a guest, returns the physical
    /// address.
    pub(crate) fn locate(&self, space: u32, va: u64, leaf: Leaf) -> Option<u64> {
        let (table, _) = self.tables.leaf(space, va, leaf)?;
        Some(self.tables.place_in(table, va, leaf))
    }

    /// Returns the leaf at which the TLB holds the page mapped at an address.
    pub(crate) fn mapped_leaf(&self, space: u32, va: u64) -> Option<Leaf> {
        let leaf = self.tables.leaf_of(space, va)?;
        let Some(nested) = &self.nested else { return Some(leaf) };
        Some(nested.tlb_leaf(leaf, self.locate(space, va, leaf)))
    }

    /// Returns the leaf at which the TLB holds a page of any virtual machine, running or parked.
    pub(crate) fn mapped_leaf_in(&self, vm: u32, space: u32, va: u64) -> Option<Leaf> {
        let guest = self.vms.as_ref().and_then(|vms| vms.parked(vm));
        let (Some(guest), Some(nested)) = (guest, &self.nested) else {
            return self.mapped_leaf(space, va);
        };
        let leaf = guest.tables.leaf_of(space, va)?;
        let found = guest.tables.leaf(space, va, leaf);
        let place = found.map(|(table, _)| guest.tables.place_in(table, va, leaf));
        let host = place.map(|place| nested.os.leaf_at(vm, place));
        Some(nested.tlb_leaf_of(leaf, host))
    }

    /// Returns whether the pages of a run can be coalesced, in each dimension that maps them as single pages.
    pub(crate) fn can_coalesce(&self, page: &Page, run: &Page) -> bool {
        let n = 1 << (self.page_shift(run.leaf) - self.page_shift(page.leaf));
        let leaf = self.os.leaf_at(self.space, page.va);
        let together = |tables: &PageTables, space, address, leaf| {
            let Some((table, at)) = tables.leaf(space, address, leaf) else { return false };
            let first = at & !(n - 1);
            tables.lie_together(table, first..first + n, leaf)
        };
        if let Some(shadow) = self.shadow() {
            return together(&shadow.tables, self.space, page.va, page.leaf);
        }
        if leaf == page.leaf && !together(&self.tables, self.space, page.va, leaf) {
            return false;
        }
        let Some(nested) = &self.nested else { return true };
        let Some(place) = self.locate(self.space, page.va, leaf) else { return false };
        let host_leaf = nested.os.leaf_at(nested.vm, place);
        nested.plan.shift[host_leaf] > self.page_shift(page.leaf)
            || together(&nested.tables, nested.vm, place, host_leaf)
    }

    /// Returns log2 of the page size at which the TLB holds a mapped address.
    pub(crate) fn page_shift_of(&self, address: u64) -> u32 {
        let va = address & self.plan.va_mask;
        let leaf = self.os.leaf_at(self.space, va);
        let held = match &self.nested {
            None => leaf,
            Some(nested) => nested.tlb_leaf(leaf, self.locate(self.space, va, leaf)),
        };
        self.page_shift(held)
    }
}
