//! Entries that a walk need not change, two bits each: 32 times smaller than the entries, so that the processor that
//! simulates has them in its nearest caches. Writers of an entry clear its bits.
//! The small wasm module keeps none.
//!
//! ```text
//! 00 = not known, 01 = the entry is present and accessed, 11 = it is dirty, too
//! ```

use std::cell::Cell;
use std::fmt;

use super::{PageTables, Table};
use pagewalk_base::whole::IS_WHOLE;

/// The bits of all entries, table after table. They repeat what the entries say, so they are no part of the state of
/// the tables.
#[derive(Clone, Default)]
pub(super) struct Settled(Vec<Cell<u64>>);

impl fmt::Debug for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settled")
    }
}

impl PartialEq for Settled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Settled {
    pub(super) fn bytes(&self) -> usize {
        std::mem::size_of_val::<[Cell<u64>]>(&self.0)
    }
}

/// log2 of the entries whose bits share a word.
const IN_WORD_BITS: u32 = 5;
const IS_DIRTY: u64 = 2;

impl PageTables {
    /// Returns whether an entry is dirty, if it is known that a load need not change the entry.
    #[inline]
    pub(crate) fn settled(&self, table: Table, index: usize) -> Option<bool> {
        if !IS_WHOLE {
            return None;
        }
        let (word, shift) = self.place_in_settled(table, index);
        let bits = self.settled.0.get(word)?.get() >> shift;
        (bits & 1 != 0).then_some(bits & IS_DIRTY != 0)
    }

    /// Notes that a load need not change an entry, and whether the entry is dirty.
    pub(crate) fn settle(&self, table: Table, index: usize, is_dirty: bool) {
        let (word, shift) = self.place_in_settled(table, index);
        if let Some(word) = self.settled.0.get(word).filter(|_| IS_WHOLE) {
            word.set(word.get() | (1 | if is_dirty { IS_DIRTY } else { 0 }) << shift);
        }
    }

    /// Notes that an entry is written.
    #[inline]
    pub(super) fn unsettle(&self, table: Table, index: usize) {
        let (word, shift) = self.place_in_settled(table, index);
        if let Some(word) = self.settled.0.get(word).filter(|_| IS_WHOLE) {
            word.set(word.get() & !(3 << shift));
        }
    }

    /// Notes that a table is new, or empty again.
    pub(super) fn unsettle_all(&mut self, table: Table) {
        if !IS_WHOLE {
            return;
        }
        let n_words = 1 << (self.table_bits - 3 - IN_WORD_BITS);
        let first = table.0 as usize * n_words;
        let words = &mut self.settled.0;
        words.resize(words.len().max(first + n_words), Cell::new(0));
        words[first..first + n_words].fill(Cell::new(0));
    }

    /// Returns the word of an entry, and the shift of the entry's bits in this word.
    #[inline]
    fn place_in_settled(&self, table: Table, index: usize) -> (usize, usize) {
        let entry = ((table.0 as usize) << (self.table_bits - 3)) + index;
        (entry >> IN_WORD_BITS, 2 * (entry % (1 << IN_WORD_BITS)))
    }
}
