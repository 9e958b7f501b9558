//! Shadow paging: the processor walks one table, which the host keeps in step with the guest's.
//!
//! ```text
//! guest's tables   virtual ─▶ guest-physical ┐ the host joins both when the
//! host             guest-physical ─▶ host    ┘ processor finds nothing: a hidden fault
//! shadow table     virtual ─────────▶ host     of the smaller of the two pages
//! ```
//!
//! The stated model: the guest's tables are write-protected always, so each entry that the guest
//! writes is an exit, and what it takes back leaves the shadow table at once. Loads of CR3 and
//! INVLPG exit too. The processor sets accessed and dirty flags in the shadow table, without an exit.
//! A walk costs what a native one does.

use crate::machine::exits::ExitReason;
use crate::machine::host::nested::{Native, Shadow};
use crate::machine::probe::{Probe, Translation};
use crate::machine::{Machine, Page};
use crate::os::{FaultCause, Shootdown};
use crate::page_table::PageTables;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

impl Machine {
    /// The shadow table, if there is one.
    pub(crate) fn shadow(&self) -> Option<&Shadow> {
        self.nested.as_ref()?.shadow.as_ref()
    }

    fn shadow_mut(&mut self) -> Option<&mut Shadow> {
        self.nested.as_mut()?.shadow.as_mut()
    }

    /// The tables that the processor walks for a virtual address.
    pub(crate) fn walked_tables(&self) -> &PageTables {
        self.shadow().map_or(&self.tables, |shadow| &shadow.tables)
    }

    /// The leaf of the page of an address in those tables.
    pub(crate) fn walked_leaf(&self, va: u64) -> u8 {
        let shadowed = self.shadow().and_then(|shadow| shadow.tables.leaf_of(self.space, va));
        shadowed.unwrap_or_else(|| self.os.leaf_at(self.space, va))
    }

    /// Whether a walk would find the page of an address.
    pub(crate) fn is_walkable(&self, va: u64) -> bool {
        match self.shadow() {
            Some(shadow) => shadow.tables.leaf_of(self.space, va).is_some(),
            None => self.physical(va).is_some(),
        }
    }

    /// The walk of the shadow table, after the page was put there if it was missing.
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

    /// Puts the shadow table where the walker finds the tables, or back.
    fn exchange_tables(&mut self) {
        if let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) {
            std::mem::swap(&mut self.tables, &mut shadow.tables);
        }
    }

    /// Sees to it that the shadow table has the page. Tells whether the guest mapped it for that.
    fn fill_shadow(&mut self, page: &Page, probe: &mut dyn Probe) -> Result<bool> {
        let (space, va) = (self.space, page.va);
        let leaf = self.os.leaf_of(space, va, true);
        let mut just_mapped =
            self.nested.as_mut().is_some_and(|nested| std::mem::take(&mut nested.just_mapped));
        if self.tables.leaf(space, va, leaf).is_none() {
            self.map_page(va, leaf, page.kind == Kind::Store)?;
            just_mapped = true;
        }
        let first = va & !((1 << self.page_shift(page.leaf)) - 1);
        let frame = self.frame(space, first, leaf);
        let entry = self.tables.leaf(space, va, leaf);
        let is_writable = entry.is_some_and(|(table, at)| self.tables.is_writable(table, at));
        if let (Some(frame), Some(nested)) = (frame, &mut self.nested) {
            let place = nested.back(frame)?;
            if let Some(shadow) = &mut nested.shadow
                && shadow.tables.leaf(space, va, page.leaf).is_none()
            {
                shadow.tables.map(space, first, page.leaf, place)?;
                if !is_writable {
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

    /// Takes back what shadows a mapping that the guest has changed, for which the guest exits.
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

    /// Counts the exits for entries that the guest has written since it was last asked.
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

    /// An exit of shadow paging; without it nothing.
    pub(crate) fn exit_if_shadowed(&mut self, reason: ExitReason, probe: &mut dyn Probe) {
        if self.shadow().is_some() {
            probe.exited(reason, 1);
            self.drop_for_exit(probe);
        }
    }
}
