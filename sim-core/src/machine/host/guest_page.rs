//! What a page is under a host: which size the TLB holds of it, where it is in the host's memory.
//! Without virtualisation each answer is that of the only page table.

use crate::machine::host::nested;
use crate::machine::probe::{HostWork, Updates};
use crate::machine::{Machine, Page};
use crate::page_table::PageTables;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

impl Machine {
    /// The leaf level of what the TLB holds of a page of the guest: the smaller of the guest's
    /// and the host's page.
    ///
    /// Where the host has pages of several sizes, only the frame tells, so the guest maps a page
    /// that is missing now. The walk that follows reports the fault.
    #[inline(never)]
    pub(crate) fn tlb_leaf(&mut self, kind: Kind, va: u64, leaf: u8) -> u8 {
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
        let frame = self.frame(self.space, va, leaf);
        let Some(nested) = &mut self.nested else { return leaf };
        let host_leaf = frame.map(|frame| nested.os.leaf_of(nested.vm, frame, true));
        nested.tlb_leaf_of(leaf, host_leaf)
    }

    fn just_mapped(&mut self) {
        if let Some(nested) = &mut self.nested {
            nested.just_mapped = true;
        }
    }

    /// First touch: the operating system maps a page of `leaf` and the tables that are missing.
    pub(crate) fn map_page(&mut self, va: u64, leaf: u8, store: bool) -> Result<()> {
        let is_new = self.os.map(&mut self.tables, self.space, va, leaf)?;
        if self.os.checks_rights() {
            self.os.settle(&mut self.tables, self.space, va, (leaf, is_new), store);
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
            && let Some(frame) = self.frame(self.space, page.va, leaf)
            && let Some(nested) = &mut self.nested
        {
            nested.set_dirty(frame, &mut host);
        }
        Updates { flags, host }
    }

    /// The physical address of a mapped virtual one, for whoever reads the data.
    pub(crate) fn physical(&self, address: u64) -> Option<u64> {
        let va = address & self.plan.va_mask;
        nested::physical(&self.tables, self.nested.as_deref(), self.space, va)
    }

    /// The same in the guest's memory, if there is a guest.
    pub(crate) fn frame(&self, space: u32, va: u64, leaf: u8) -> Option<u64> {
        self.frame_in(&self.tables, space, va, leaf)
    }

    fn frame_in(&self, tables: &PageTables, space: u32, va: u64, leaf: u8) -> Option<u64> {
        let (table, at) = tables.leaf(space, va, leaf)?;
        let level = self.plan.entry_level[usize::from(leaf)];
        let offset = va & ((1 << self.plan.shift[usize::from(level)]) - 1);
        Some(tables.frame(tables.read(table, at)) + offset)
    }

    /// The leaf of what the TLB holds of the page that is mapped at an address.
    pub(crate) fn mapped_leaf(&self, space: u32, va: u64) -> Option<u8> {
        let leaf = self.tables.leaf_of(space, va)?;
        let Some(nested) = &self.nested else { return Some(leaf) };
        Some(nested.tlb_leaf(leaf, self.frame(space, va, leaf)))
    }

    /// The same in a virtual machine that may be another than the one that runs.
    pub(crate) fn mapped_leaf_in(&self, vm: u32, space: u32, va: u64) -> Option<u8> {
        let guest = self.vms.as_ref().and_then(|vms| vms.parked(vm));
        let (Some(guest), Some(nested)) = (guest, &self.nested) else {
            return self.mapped_leaf(space, va);
        };
        let leaf = guest.tables.leaf_of(space, va)?;
        let frame = self.frame_in(&guest.tables, space, va, leaf);
        let host = frame.map(|frame| nested.os.leaf_at(vm, frame));
        Some(nested.tlb_leaf_of(leaf, host))
    }

    /// Whether the pages of a run lie together, in each dimension that maps single ones of them.
    pub(crate) fn lies_together(&self, page: &Page, run: &Page) -> bool {
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
        let Some(frame) = self.frame(self.space, page.va, leaf) else { return false };
        let host_leaf = nested.os.leaf_at(nested.vm, frame);
        nested.plan.shift[usize::from(host_leaf)] > self.page_shift(page.leaf)
            || together(&nested.tables, nested.vm, frame, host_leaf)
    }

    /// log2 of the size of the page, as the TLB holds it, of an address that is mapped.
    pub(crate) fn page_shift_of(&self, address: u64) -> u32 {
        let va = address & self.plan.va_mask;
        let leaf = self.os.leaf_at(self.space, va);
        let held = match &self.nested {
            None => leaf,
            Some(nested) => nested.tlb_leaf(leaf, self.frame(self.space, va, leaf)),
        };
        self.page_shift(held)
    }
}
