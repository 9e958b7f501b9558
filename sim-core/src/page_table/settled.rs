//! Two bits for each entry of all tables: whether a walk need not change the entry, and whether its page is dirty.
//!
//! The small wasm module reads the entries themselves, and keeps no bits.
//!
//! The walks of a batch read entries anywhere in memory, and most of them need no more than these bits. The bits of 512
//! tables take 16 pages of the simulating processor, and 1,024 of its cache lines, the entries 32 times as many.

use std::rc::Rc;

use super::{Format, PageTables, Table};
use crate::caches::memory::{apart, own};
use crate::entry::ADDRESS;
use pagewalk_base::narrow;
use pagewalk_base::whole::IS_WHOLE;

/// The bit of an entry that is present and has the accessed flag.
pub(crate) const SETTLED: u64 = 1;
/// The bit of an entry that also has the dirty flag.
pub(crate) const WRITTEN: u64 = 2;

/// The number of entries whose bits are in one word.
const IN_WORD: usize = 32;
/// The number of words in a block: the bits of 64 tables of 512 entries. Clones share blocks until they are written to.
const WORDS: usize = 1024;

/// The bits of all entries, in the order of their tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Settled(Vec<Rc<[u64; WORDS]>>);

/// The place of the two bits of an entry.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    word: usize,
    shift: usize,
}

impl Settled {
    /// Makes room for the bits of `n` entries.
    pub(super) fn extend_to(&mut self, n: usize) {
        while IS_WHOLE && self.0.len() * WORDS * IN_WORD < n {
            self.0.push(Rc::new([0; WORDS]));
        }
    }

    /// Clears the bits of `n` entries from `first` on. Both are multiples of [`IN_WORD`].
    pub(super) fn clear(&mut self, first: usize, n: usize) {
        let words = first / IN_WORD..(first + n) / IN_WORD;
        for word in words.filter(|_| IS_WHOLE) {
            Rc::make_mut(&mut self.0[word / WORDS])[word % WORDS] = 0;
        }
    }

    /// Returns the bits of an entry, given its place among all entries.
    #[cfg_attr(feature = "fast", inline(always))]
    fn at(&self, entry: usize) -> u64 {
        let Place { block, word, shift } = Place::of(entry);
        self.0[block][word] >> shift & (SETTLED | WRITTEN)
    }

    /// Returns the number of bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        if !IS_WHOLE {
            return 0;
        }
        let theirs = other.map_or(&[][..], |other| &other.0);
        apart(&self.0, theirs, size_of_val::<[u64; WORDS]>)
    }
}

impl Place {
    #[cfg_attr(feature = "fast", inline(always))]
    fn of(entry: usize) -> Self {
        let word = entry / IN_WORD;
        Self { block: word / WORDS, word: word % WORDS, shift: 2 * (entry % IN_WORD) }
    }
}

impl PageTables {
    /// Returns the number of entries for which `n` tables have room.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn entries_of(&self, n: usize) -> usize {
        n << (self.table_bits - 3)
    }

    /// Returns the bits of an entry: [`SETTLED`], both bits, or 0.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn settled(&self, table: Table, index: usize) -> u64 {
        if !IS_WHOLE {
            return bits_of(self.read(table, index), self.format);
        }
        self.settled.at(self.entries_of(table.0 as usize) | index)
    }

    /// Returns the bits of an entry in the table that another entry leads to.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn settled_below(&self, above: u64, index: usize) -> u64 {
        if !IS_WHOLE {
            return self.settled(self.next(above), index);
        }
        // Links are in the order of the tables' numbers. Two neighbouring links differ by 8 for each entry that a table has
        // room for.
        let first = narrow::index((above & ADDRESS) - self.tables_at) / 8;
        self.settled.at(first | index)
    }

    /// Writes an entry and its bits. Returns the old entry.
    #[inline]
    pub(super) fn put(&mut self, table: Table, index: usize, entry: u64) -> u64 {
        if IS_WHOLE {
            let bits = bits_of(entry, self.format);
            let Place { block, word, shift } = Place::of(self.entries_of(table.0 as usize) | index);
            let word = &mut own_block(&mut self.settled.0[block])[word];
            *word = *word & !((SETTLED | WRITTEN) << shift) | bits << shift;
        }
        std::mem::replace(&mut own(&mut self.tables[table.0 as usize])[index], entry)
    }
}

/// Returns a block for writing. Copies it first if a clone shares it.
#[inline]
fn own_block(block: &mut Rc<[u64; WORDS]>) -> &mut [u64; WORDS] {
    if Rc::get_mut(block).is_none() {
        copy_block(block);
    }
    Rc::get_mut(block).expect("no clone shares the block")
}

#[cold]
#[inline(never)]
fn copy_block(block: &mut Rc<[u64; WORDS]>) {
    *block = Rc::new(**block);
}

/// Returns the bits of an entry.
#[inline]
fn bits_of(entry: u64, format: Format) -> u64 {
    let is_settled = entry & format.present != 0 && entry & format.accessed == format.accessed;
    let is_written = is_settled && entry & format.dirty == format.dirty;
    (u64::from(is_settled) * SETTLED) | (u64::from(is_written) * WRITTEN)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{SETTLED, WRITTEN};
    use crate::page_table::{EPT, FRAMES_AT, Frame, NATIVE, PageTables, Table};
    use cases::cases;
    use pagewalk_base::addr::{Leaf, Level, Paging};
    use pagewalk_base::narrow::small;

    /// Reads the bits from the entries themselves.
    fn check(tables: &PageTables) {
        let format = tables.format;
        for table in (0..small(tables.tables.len())).map(Table) {
            for (index, entry) in tables.entries(table).iter().enumerate() {
                let has = |flags: u64| entry & flags == flags;
                let bits = match (entry & format.present != 0, has(format.accessed)) {
                    (true, true) if has(format.dirty) => SETTLED | WRITTEN,
                    (true, true) => SETTLED,
                    _ => 0,
                };
                assert_eq!(tables.settled(table, index), bits, "{table:?} {index} {entry:#x}");
                assert_eq!(tables.settled_below(tables.link(table), index), bits);
            }
        }
    }

    /// Changes tables at random: maps, unmaps, splits, joins and copies pages, and sets their flags. A clone keeps its
    /// own bits.
    #[test]
    fn the_bits_follow_the_entries() {
        let (small, large) = (Leaf::SMALLEST, Leaf::of(Level::new(2)));
        for format in [NATIVE, EPT] {
            cases(800).check(|u| {
                let mut tables = PageTables::new(Rc::new(Paging::x86(4)), format);
                let mut before = None;
                for _ in 0..u.int_in_range(0..=30)? {
                    if before.is_none() && u.ratio(1, 8)? {
                        before = Some(tables.clone());
                    }
                    let block = u.int_in_range(0..=2u64)? << 21;
                    let page = block | u.int_in_range(0..=3u64)? << 12;
                    let mapped = tables.leaf_of(0, page);
                    match (u.int_in_range(0..=8)?, mapped) {
                        (0 | 1, None) if tables.n_used_below(0, block, Level::new(2)).is_none() => {
                            tables.map(0, block, large, Frame::at(FRAMES_AT + block)).unwrap();
                        }
                        (_, None) => {
                            tables.map(0, page, small, Frame::at(FRAMES_AT + page)).unwrap();
                        }
                        (1, Some(leaf)) => tables.unmap(0, page, leaf, &mut Vec::new()),
                        (2, Some(leaf)) => tables.set_accessed(0, page, leaf),
                        (3, Some(leaf)) => {
                            tables.set_accessed(0, page, leaf);
                            tables.set_dirty(0, page, leaf);
                        }
                        (4, Some(leaf)) => {
                            let flags = format.accessed | format.dirty;
                            tables.change_entry(0, page, Level::new(leaf.number()), 0, flags);
                        }
                        (5, Some(leaf)) if leaf == large => tables.split(0, block, large).unwrap(),
                        (5, Some(_)) => {
                            tables.collapse(0, block, large, Frame::at(FRAMES_AT));
                        }
                        (6, Some(leaf)) => {
                            tables.map(1, 0, small, Frame::at(FRAMES_AT)).unwrap();
                            if tables.leaf_of(2, page).is_none() && leaf == small {
                                tables.copy_page((0, 2), page, leaf).unwrap();
                            }
                        }
                        (7, Some(leaf)) if leaf == small => {
                            tables.zap(0, block, large);
                        }
                        (_, Some(leaf)) => tables.make_read_only(0, page, leaf),
                    }
                    check(&tables);
                }
                before.iter().for_each(check);
                Ok(())
            });
        }
    }
}
