//! A journal of the entries that software writes to tables. The journal is kept only while an observer needs it.

use std::collections::BTreeSet;

use super::{PageTables, Table};
use pagewalk_base::addr::Level;

/// The place of a table in the tree: its address space, level and first address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) space: u32,
    pub(crate) level: Level,
    /// The first address that the table translates.
    pub(crate) base: u64,
}

/// An entry that has changed, with its old and its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The place of the table that holds the entry.
    pub(crate) place: Place,
    pub(crate) index: u64,
    /// The physical address of the entry.
    pub(crate) address: u64,
    pub(crate) was: u64,
    pub(crate) now: u64,
}

/// The value of an entry before it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OldValue {
    table: Table,
    place: Place,
    index: usize,
    was: u64,
}

impl PageTables {
    /// Starts an empty journal if `on`, otherwise stops the journal.
    pub(crate) fn record(&mut self, on: bool) {
        self.journal = on.then(Vec::new);
    }

    /// Returns the entries that have changed since [`Self::record`], in the order in which they were first written.
    pub(crate) fn take_written(&mut self) -> Vec<Written> {
        let before = self.journal.take().unwrap_or_default();
        let mut seen = BTreeSet::new();
        let first = before.into_iter().filter(|before| seen.insert((before.table.0, before.index)));
        let written = first.map(|OldValue { table, place, index, was }| Written {
            place,
            index: index as u64,
            address: self.entry_address(table, index),
            was,
            now: self.read(table, index),
        });
        written.filter(|written| written.was != written.now).collect()
    }

    /// Adds an entry to the journal before the caller writes it.
    #[inline]
    pub(super) fn note(&mut self, table: Table, index: usize) {
        if self.journal.is_some() {
            self.write_down(table, index);
        }
    }

    #[inline(never)]
    fn write_down(&mut self, table: Table, index: usize) {
        let (was, place) = (self.read(table, index), self.places[table.0 as usize]);
        self.journal.get_or_insert_default().push(OldValue { table, place, index, was });
    }
}
