//! Accesses that end as page faults: the program lacks a right, or the processor's modes forbid the access.

use crate::entry::{Format, SHARED, WRITABLE};
use crate::machine::Machine;
use crate::machine::exception::{Exception, PageFaultCode};
use crate::machine::operations::invalidate::Held;
use crate::machine::probe::Probe;
use crate::os::Rights;
use pagewalk_base::addr::Level;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::{ControlBit, Kind};

/// The flags of an entry that a trace may change. Address bits belong to the operating system.
const CHANGEABLE: u64 = !(0x000f_ffff_ffff_f000 | 1 | 1 << 7);

/// Returns whether a store to the page of an entry copies the page.
fn is_shared(entry: u64) -> bool {
    entry & (SHARED | WRITABLE) == SHARED
}

impl Machine {
    /// Returns the page fault that ends an access to `address`, or `None` if the access is allowed.
    pub(crate) fn page_fault(&mut self, kind: Kind, address: u64) -> Option<Exception> {
        let rights = self.cached_rights(address);
        let is_mapped = self.tables.leaf_of(self.space, address).is_some();
        let spared = kind == Kind::Store && rights.read && self.modes.ignores_read_only();
        if !rights.allow(kind) && !spared {
            let present = if is_mapped && rights.read { PageFaultCode::PRESENT } else { 0 };
            return Some(Exception::PageFault(PageFaultCode(self.modes.code(kind) | present)));
        }
        if !is_mapped
            && self.os.ends_access(&self.tables, self.space, address)
            && !self.holds(address)
        {
            return Some(Exception::PageFault(PageFaultCode(self.modes.code(kind))));
        }
        if !self.checks_entries || !is_mapped {
            return None;
        }
        let path = self.tables.path(self.space, address);
        let modes = self.modes.of_entries();
        let levels = self.plan.paging.levels().rev();
        let reserved = levels.zip(&path).any(|(level, entry)| {
            Format::new(&self.plan.paging, level, modes).reserved(*entry) & entry != 0
        });
        let code = self.modes.page_fault(kind, &path, reserved)?;
        let read_only = PageFaultCode::PRESENT | PageFaultCode::WRITE;
        let is_copied = code.0 & !PageFaultCode::USER == read_only
            && path.last().copied().is_some_and(is_shared);
        (!is_copied).then_some(Exception::PageFault(code))
    }

    /// Returns the rights that the processor uses: an entry without a shootdown keeps its old rights.
    fn cached_rights(&mut self, address: u64) -> Rights {
        if let Some(rights) = self.stale.rights_at(self.space, address) {
            if self.holds(address) {
                return rights;
            }
            self.stale.remove_rights(self.space, address);
        }
        self.os.rights_at(self.space, address)
    }

    /// Removes the stale rights of addresses that no TLB array of this core holds.
    pub(crate) fn remove_unheld_rights(&mut self, addresses: [u64; 2]) {
        if !self.stale.is_empty() {
            for address in addresses {
                self.cached_rights(address);
                self.missed_shootdown(address);
            }
        }
    }

    /// Returns whether a TLB array of this core holds a translation for `address`.
    pub(crate) fn holds(&self, address: u64) -> bool {
        let is_held = |tag| {
            Held::new(&self.plan, &self.contexts, tag).is_some_and(|held| {
                held.serves(self.context(self.pcid)) && held.meets((address, address))
            })
        };
        if self.pom_tlb.as_ref().is_some_and(|pom_tlb| pom_tlb.tags().any(is_held)) {
            return true;
        }
        if self.memory.blocks().is_some_and(|blocks| blocks.tags().any(is_held)) {
            return true;
        }
        self.structures.all().any(|entries| {
            let geometry = entries.geometry();
            let sets = 0..geometry.n_sets as usize;
            let mut slots = sets.flat_map(|set| (0..geometry.n_ways).map(move |way| (set, way)));
            slots.any(|(set, way)| entries.at(set, way).is_some_and(|(tag, _)| is_held(tag)))
        })
    }

    /// Changes the rights of a range, as mprotect(2) does.
    pub(crate) fn protect(
        &mut self,
        (start, length): (u64, u64),
        rights: Rights,
        key: Option<u8>,
        flush: bool,
        probe: &mut dyn Probe,
    ) {
        let Some((start, last)) = self.range(start, length) else { return };
        if !flush {
            let space = self.space;
            let pages = self.os.pages_in(&self.tables, space, start, last).into_iter();
            let known: Vec<_> = pages
                .map(|(page, leaf)| {
                    let last = page | ((1 << self.page_shift(leaf)) - 1);
                    ((page, last), self.os.rights_at(space, page))
                })
                .collect();
            if !known.is_empty() {
                for stale in self.stale_on_all_cores(space) {
                    for (page, was) in &known {
                        stale.keep(space, *page, *was);
                    }
                }
            }
        }
        self.checks_entries |= key.is_some();
        match self.os.protect(&mut self.tables, self.space, (start, last), rights, key) {
            Ok(Some(gone)) if flush => self.shoot_down(&gone, probe),
            Ok(Some(gone)) => self.unshadow_without_shootdown(&gone, probe),
            Ok(None) => {}
            Err(error) => self.fail(error),
        }
    }

    /// Writes a bit of a control register that decides which accesses are allowed.
    pub(crate) fn set_mode(&mut self, bit: ControlBit, on: bool, probe: &mut dyn Probe) {
        let was = self.modes;
        self.modes.set(bit, on);
        self.checks_entries = true;
        self.os.watch_rights();
        // SDM 4.10.4.1: of these bits only CR4.SMEP drops entries, when it is set.
        if bit == ControlBit::Smep && on && was != self.modes {
            self.drop_vpid(probe);
        }
    }

    pub(crate) fn set_pkru(&mut self, value: u32) {
        self.modes.pkru = value;
        self.checks_entries = true;
        self.os.watch_rights();
    }

    /// Changes flags of a page-table entry. Drops no TLB entry.
    ///
    /// An empty entry may also be made to point to an existing table, for example to its own table
    /// (a recursive mapping).
    pub(crate) fn set_entry(
        &mut self,
        address: u64,
        level: Level,
        (set, clear): (u64, u64),
        probe: &mut dyn Probe,
    ) {
        if self.tables.hashed().is_some() {
            let message = "hashed page tables have no entries above those of pages: leave out set-entry, or ecpt in the machine";
            self.fail(Error::new(ErrorCode::Unsupported, message));
            return;
        }
        let va = address & self.plan.va_mask;
        if clear != 0 || !self.tables.link_to_table(self.space, va, level, set) {
            if (set | clear) & !CHANGEABLE != 0 {
                let message = "only the operating system changes the address, P and PS: use munmap to unmap the page";
                self.fail(Error::new(ErrorCode::Unsupported, message));
                return;
            }
            if !self.tables.change_entry(self.space, va, level, set, clear) {
                let message = format!(
                    "there is no entry of level {level} at {address:#x} yet: access the page first, or choose another level"
                );
                self.fail(Error::new(ErrorCode::BadTrace, message));
                return;
            }
        }
        self.unshadow_entry(va, level, probe);
        self.checks_entries = true;
        self.os.watch_rights();
    }
}
