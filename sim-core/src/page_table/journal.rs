//! What software writes to tables, written down while somebody wants to know.

use std::collections::BTreeSet;

use super::{PageTables, Table};
use pagewalk_base::addr::Level;

/// Where a table hangs in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) space: u32,
    pub(crate) level: Level,
    /// The first address that it translates.
    pub(crate) base: u64,
}

/// An entry that is not what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// Where its table hangs.
    pub(crate) place: Place,
    pub(crate) index: u64,
    /// Physical address of the entry.
    pub(crate) address: u64,
    pub(crate) was: u64,
    pub(crate) now: u64,
}

/// What an entry held before it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Before {
    table: Table,
    place: Place,
    index: usize,
    was: u64,
}

impl PageTables {
    /// Begins to write down what is written, if `on`.
    pub(crate) fn record(&mut self, on: bool) {
        self.journal = on.then(Vec::new);
    }

    /// Returns the entries that have changed since [`Self::record`], in the order in which they were first written.
    pub(crate) fn take_written(&mut self) -> Vec<Written> {
        let before = self.journal.take().unwrap_or_default();
        let mut seen = BTreeSet::new();
        let first = before.into_iter().filter(|before| seen.insert((before.table.0, before.index)));
        let written = first.map(|Before { table, place, index, was }| Written {
            place,
            index: index as u64,
            address: self.entry_address(table, index),
            was,
            now: self.read(table, index),
        });
        written.filter(|written| written.was != written.now).collect()
    }

    /// An entry is about to be written.
    #[inline]
    pub(super) fn note(&mut self, table: Table, index: usize) {
        if self.journal.is_some() {
            self.write_down(table, index);
        }
    }

    #[inline(never)]
    fn write_down(&mut self, table: Table, index: usize) {
        let (was, place) = (self.read(table, index), self.places[table.0 as usize]);
        self.journal.get_or_insert_default().push(Before { table, place, index, was });
    }
}
