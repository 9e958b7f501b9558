//! The translation of one guest-physical address by the processor.

use super::{GuestTable, Host, Keeps, Needs, Nested, Walking, read};
use crate::machine::probe::{FlagFact, Probe, RowFact, ViolationFact};
use crate::os::FaultCause;
use crate::page_table::Table;
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::trace::Kind;

impl Host for Nested {
    #[cfg_attr(feature = "fast", inline(always))]
    fn just_mapped(&mut self) -> bool {
        std::mem::take(&mut self.just_mapped)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn table<P: Probe>(&mut self, guest: GuestTable, walking: &mut Walking<'_, P>) -> Option<u64> {
        let GuestTable { level, address, .. } = guest;
        walking.probe.row(&RowFact { row: Some(level) });
        if self.look_up_tlb(address, true, walking).is_some() {
            return Some(self.home(guest));
        }
        let (home, _) = self.translate(address, Some(level), walking)?;
        self.fill_tlb(address, true, walking);
        self.own.keep_home(guest.table, home);
        Some(home)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn home(&self, guest: GuestTable) -> u64 {
        match self.own.homes.get(guest.table.0 as usize) {
            Some(home) if *home != 0 => *home,
            _ => self.locate(guest.address).unwrap_or_default(),
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn holds<P: Probe>(
        &mut self,
        address: u64,
        level: Level,
        leaf: bool,
        walking: &mut Walking<'_, P>,
    ) -> bool {
        self.caches.pwc.is_some()
            && !leaf
            && self.look_up_pwc(address, (level, false), true, walking)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn data<P: Probe>(&mut self, address: u64, walking: &mut Walking<'_, P>) -> Option<bool> {
        walking.probe.row(&RowFact { row: None });
        let asks = self.plan.tlb_serves_data;
        if asks {
            let written = walking.done.kind == Kind::Store;
            if let Some(dirty) = self.look_up_tlb(address, written, walking) {
                return Some(dirty);
            }
        }
        let (_, dirty) = self.translate(address, None, walking)?;
        if asks {
            self.fill_tlb(address, dirty, walking);
        }
        Some(dirty)
    }
}

impl Nested {
    /// Translates a guest-physical address as the processor does: of the table of a level, or of the data (`None`).
    /// Returns the host-physical address, and whether the page is known to be dirty.
    #[cfg_attr(feature = "fast", inline(always))]
    fn translate<P: Probe>(
        &mut self,
        address: u64,
        row: Option<Level>,
        walking: &mut Walking<'_, P>,
    ) -> Option<(u64, bool)> {
        let is_table = row.is_some();
        let leaf = self.os.leaf_of(self.vm, address, true);
        let lowest = self.plan.entry_level[leaf];
        let (mut table, mut level) = self.start(address, lowest, walking)?;
        loop {
            let at = self.tables.index(address, level);
            let mut entry = self.tables.read(table, at);
            if entry & self.tables.format.present == 0 {
                entry = self.map(address, (leaf, row), (level == lowest, table, at), walking)?;
            }
            let place = self.tables.entry_address(table, at);
            let is_leaf = level == lowest;
            let kept = match self.plan.pwc_keeps {
                Keeps::Guest => false,
                Keeps::Tables => !is_leaf,
                Keeps::TablesAndLeaves => true,
            };
            let held =
                kept && self.look_up_pwc(place, (level, true), !is_leaf || is_table, walking);
            if !held {
                read(place, level, true, walking);
            }
            let format = self.tables.format;
            if self.plan.has_flags && entry & format.accessed == 0 {
                if is_leaf {
                    self.tables.set_page_flags(table, at, leaf, format.accessed);
                } else {
                    self.tables.set_flags(table, at, format.accessed);
                }
                walking.done.host.accessed += 1;
                walking.probe.flagged(&FlagFact { host: true, level, was: entry });
            }
            if is_leaf {
                let written = is_table || walking.done.kind == Kind::Store;
                let mut dirty = !self.plan.has_flags || entry & format.dirty != 0;
                if written && !dirty {
                    self.tables.set_page_flags(table, at, leaf, format.dirty);
                    walking.done.host.dirty += 1;
                    walking.probe.flagged(&FlagFact { host: true, level, was: entry });
                    walking.done.host.log_full += self.log();
                    dirty = true;
                }
                if self.os.counts_walks() {
                    self.os.walked(self.vm, address);
                }
                let offset = address & ((1 << self.plan.shift[Leaf::of(lowest)]) - 1);
                return Some((self.tables.frame(entry).byte(offset), dirty));
            }
            table = self.tables.next(entry);
            level = level.below();
            self.fill_psc(address, level, table, walking);
        }
    }

    /// Maps a guest-physical page at its first touch, after an EPT violation.
    #[inline(never)]
    fn map<P: Probe>(
        &mut self,
        address: u64,
        (leaf, row): (Leaf, Option<Level>),
        (lowest, table, at): (bool, Table, usize),
        walking: &mut Walking<'_, P>,
    ) -> Option<u64> {
        let (store, fetch) = (walking.done.kind == Kind::Store, walking.done.kind == Kind::Fetch);
        match self.map_missing(address, leaf, row.is_some() || store, lowest.then_some((table, at)))
        {
            Ok(cause) => walking.probe.host_fault(cause),
            Err(error) => {
                walking.failure.get_or_insert(error);
                return None;
            }
        }
        walking.done.host.violations += 1;
        walking.probe.fault(FaultCause::Hidden);
        let needs = if row.is_some() {
            Needs { read: true, write: self.plan.has_flags, fetch: false }
        } else {
            Needs { read: !store && !fetch, write: store, fetch }
        };
        let qualification = qualification(row.is_none(), needs);
        walking.probe.violation(&ViolationFact { address, row, qualification });
        Some(self.tables.read(table, at))
    }
}

/// Returns the exit qualification of a violation (Intel SDM vol. 3C, table 27-7), without bits 3 to 5, the rights of
/// the entries. Bits 0 to 2: the kind of access. Bit 7: there is a linear address. Bit 8: the access was to the data
/// page itself.
pub(crate) fn qualification(data: bool, needs: Needs) -> u64 {
    const LINEAR: u64 = 1 << 7;
    const TRANSLATED: u64 = 1 << 8;
    let bit = |on: bool, bit: u64| if on { bit } else { 0 };
    bit(needs.read, 1)
        | bit(needs.write, 1 << 1)
        | bit(needs.fetch, 1 << 2)
        | LINEAR
        | bit(data, TRANSLATED)
}
