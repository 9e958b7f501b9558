//! The host-physical addresses of the guest's tables, for nested walks that change no table: see
//! `machine::fast::nested`.

use super::{Nested, OfGuest};
use crate::page_table::Table;

impl Nested {
    /// Returns whether `home` is the kept host-physical address of a table of the guest, or no address is kept.
    #[inline]
    pub(crate) fn may_be_home(&self, table: Table, home: u64) -> bool {
        let known = self.own.homes.get(table.0 as usize);
        known.is_none_or(|known| *known == home || *known == 0)
    }

    /// Returns whether a host-physical address of a table of the guest is kept.
    pub(crate) fn keeps_home(&self, table: Table) -> bool {
        self.own.homes.get(table.0 as usize).is_some_and(|home| *home != 0)
    }
}

impl OfGuest {
    /// Keeps the host-physical address of a table of the guest.
    #[inline]
    pub(crate) fn keep_home(&mut self, table: Table, home: u64) {
        let number = table.0 as usize;
        if self.homes.len() <= number {
            self.homes.resize(number + 1, 0);
        }
        if self.homes[number] != home {
            self.homes[number] = home;
        }
    }
}
