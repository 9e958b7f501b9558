//! Shadow paging: the processor walks one table, which the host keeps consistent with the guest's tables.
//!
//! ```text
//! guest's tables   virtual ─▶ guest-physical ┐ the host joins both when the
//! host             guest-physical ─▶ host    ┘ processor finds nothing: a hidden fault
//! shadow table     virtual ─────────▶ host     of the smaller of the two pages
//! ```
//!
//! The model: the guest's tables are always write-protected, so each write to an entry is an exit, and a removed
//! mapping leaves the shadow table at once. Loads of CR3 and INVLPG exit too. The processor sets accessed and
//! dirty flags in the shadow table without an exit. A walk costs as much as a native walk.

use crate::machine::exits::ExitReason;
use crate::machine::host::nested::{Native, Shadow};
use crate::machine::probe::{Probe, Translation};
use crate::machine::{Machine, Page};
use crate::os::{FaultCause, Shootdown};
use crate::page_table::{Frame, PageTables};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

impl Machine {
    /// Returns the shadow table, if there is one.
    pub(crate) fn shadow(&self) -> Option<&Shadow> {
        self.nested.as_ref()?.shadow.as_ref()
    }

    fn shadow_mut(&mut self) -> Option<&mut Shadow> {
        self.nested.as_mut()?.shadow.as_mut()
    }

    /// Returns the tables that the processor walks for a virtual address.
    pub(crate) fn walked_tables(&self) -> &PageTables {
        self.shadow().map_or(&self.tables, |shadow| &shadow.tables)
    }

    /// Returns the leaf of a page in the walked tables.
    pub(crate) fn walked_leaf(&self, va: u64) -> Leaf {
        let shadowed = self.shadow().and_then(|shadow| shadow.tables.leaf_of(self.space, va));
        shadowed.unwrap_or_else(|| self.os.leaf_at(self.space, va))
    }

    /// Returns whether a walk would find the page of an address.
    pub(crate) fn is_walkable(&self, va: u64) -> bool {
        match self.shadow() {
            Some(shadow) => shadow.tables.leaf_of(self.space, va).is_some(),
            None => self.physical(va).is_some(),
        }
    }

    /// Walks the shadow table. Adds the page to it first if it is missing.
    #[inline(never)]
    pub(crate) fn walk_shadow<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let just_mapped = match self.fill_shadow(page, probe) {
            Ok(just_mapped) => just_mapped,
            Err(error) => {
                self.fail(error);
                return None;
            }
        };
        self.exchange_tables();
        let dirty = self.walk_in(&mut Native { just_mapped }, page, page.leaf, None, done, probe);
        self.exchange_tables();
        dirty
    }

    /// Exchanges the shadow table with the tables that the walker uses.
    fn exchange_tables(&mut self) {
        if let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) {
            std::mem::swap(&mut self.tables, &mut shadow.tables);
        }
    }

    /// Adds a page to the shadow table if it is missing. Returns whether the guest mapped the page for this access.
    fn fill_shadow(&mut self, page: &Page, probe: &mut dyn Probe) -> Result<bool> {
        let (space, va) = (self.space, page.va);
        let leaf = self.os.leaf_of(space, va, true);
        let mut just_mapped =
            self.nested.as_mut().is_some_and(|nested| std::mem::take(&mut nested.just_mapped));
        let mut found = self.tables.leaf(space, va, leaf);
        if found.is_none() {
            self.map_page(va, leaf, page.kind == Kind::Store)?;
            just_mapped = true;
            found = self.tables.leaf(space, va, leaf);
        }
        let first = va & !((1 << self.page_shift(page.leaf)) - 1);
        if let (Some((table, at)), Some(nested)) = (found, &mut self.nested) {
            let guest_place = self.tables.place_in(table, first, leaf);
            let frame = Frame::at(nested.host_address(guest_place)?);
            if let Some(shadow) = &mut nested.shadow
                && shadow.tables.leaf(space, va, page.leaf).is_none()
            {
                shadow.tables.map(space, first, page.leaf, frame)?;
                if !self.tables.is_writable(table, at) {
                    shadow.tables.make_read_only(space, va, page.leaf);
                }
                probe.fault(FaultCause::Hidden);
                probe.exited(ExitReason::HiddenFault, 1);
                self.drop_for_exit(probe);
            }
        }
        self.count_table_writes(probe);
        Ok(just_mapped)
    }

    /// Exits for a mapping that the guest has changed, and removes its shadow entries.
    pub(crate) fn unshadow(
        &mut self,
        gone: &Shootdown,
        probe: &mut dyn Probe,
    ) -> Option<Shootdown> {
        let dropped = self.shadow_mut()?.drop(gone);
        self.count_table_writes(probe);
        probe.exited(ExitReason::Invlpg, 1);
        self.drop_for_exit(probe);
        Some(dropped)
    }

    /// Counts the exits for entries that the guest has written since the last call.
    pub(crate) fn count_table_writes(&mut self, probe: &mut dyn Probe) {
        let now = self.tables.n_written();
        let Some(nested) = self.nested.as_mut().filter(|nested| !nested.is_walked()) else {
            return;
        };
        let n = now - std::mem::replace(&mut nested.own.n_written, now);
        if n > 0 {
            probe.exited(ExitReason::PageTableWrite, n);
            self.drop_for_exit(probe);
        }
    }

    /// Counts an exit, if the machine uses shadow paging.
    pub(crate) fn exit_if_shadowed(&mut self, reason: ExitReason, probe: &mut dyn Probe) {
        if self.shadow().is_some() {
            probe.exited(reason, 1);
            self.drop_for_exit(probe);
        }
    }
}
