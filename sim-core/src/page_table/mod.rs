//! Radix page tables in simulated physical memory: every entry has an address.
//!
//! ```text
//! physical memory   0x20_0000 ┌ tables, one after the other, in order of creation
//!                0x10_0000_0000 ┌ data frames, each page size in 2M (1G) blocks of its own
//! ```
//!
//! Recorded frames can be anywhere. Then tables and other frames begin above them.
//!
//! A machine with a memory of its own has both in one [`Memory`]. Then an entry leads to its table by the table's
//! number, and [`PageTables::seen`] puts the address in.
//!
//! The tables hold entries and flags. They do not depend on the walker that reads them, or on the cost of a
//! read. Entry format: Intel SDM vol. 3, tables 4-15 to 4-20.
//!
//! With [`Hashed`] tables, the trees are books of the operating system: walks read hashed tables, which follow them.

mod change;
mod format;
mod frame;
pub mod hashed;
mod journal;
mod map;
mod memory;
mod settled;
mod share;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::rc::Rc;

use crate::caches::memory::{FRAMES_BIT, LINE, apart};
use crate::entry::ADDRESS;
pub(crate) use crate::entry::{ACCESSED, DIRTY, PRESENT};
pub(crate) use change::FreedTable;
pub(crate) use format::{EPT, Format, NATIVE};
pub(crate) use frame::Frame;
pub use hashed::EcptConfig;
#[cfg(any(feature = "fast", feature = "ts"))]
pub use hashed::MAX_CWC;
pub(crate) use hashed::{Hashed, Spot};
use journal::OldValue;
pub(crate) use journal::{Place, Written};
pub(crate) use memory::Memory;
use pagewalk_base::addr::{Leaf, Level, Paging, PerLeaf, PerLevel};
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::narrow;
use settled::Settled;
pub(crate) use settled::{SETTLED, WRITTEN};

/// The address at which the pool of tables starts, unless recorded frames move it. It is 2M-aligned.
const TABLES_AT: u64 = 0x20_0000;
/// The address at which data frames start and the pool of tables ends.
pub(crate) const FRAMES_AT: u64 = 0x10_0000_0000;
/// Memory caches leave this bit out of their shortest tags.
const _: () = assert!(FRAMES_AT / LINE == 1 << FRAMES_BIT);

/// The most bytes of tables that a machine may have. Tables take real memory of the simulating computer.
pub(crate) const MAX_TABLES: u64 = 1 << 30;

/// The number of a table, in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table(pub(crate) u32);

/// All tables of all address spaces. Clones share tables until one is written to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PageTables {
    paging: Rc<Paging>,
    pub(crate) format: Format,
    /// The shift and index mask of each level.
    steps: PerLevel<(u32, u64)>,
    /// For each leaf: the level of the entries that map a page, and the number of these entries.
    leaves: PerLeaf<(Level, usize)>,
    tables: Vec<Rc<[u64]>>,
    settled: Settled,
    /// The address at which the pool starts.
    tables_at: u64,
    /// The place of each table.
    places: Vec<Place>,
    /// log2 of the bytes of a table. Tables of all levels have the size of the largest, at least 4K.
    table_bits: u32,
    /// The shift of frames in entries for pages smaller than 4K. The shift keeps the bits of the flags free.
    scale: u32,
    /// The roots of each address space: of the lower half and of the upper half. `None` before the first page. Only
    /// Arm's machines have two.
    roots: Vec<[Option<Table>; 2]>,
    /// The shift of the address bit that chooses the root.
    half_shift: u8,
    /// The tables that are not in use. The last one is used again first.
    free: Vec<Table>,
    /// The physical memory, if its size is limited or its contents are given.
    pub(crate) memory: Option<Memory>,
    /// The addresses of the tables in `memory`.
    homes: Vec<u64>,
    /// log2 of the bytes of an entry.
    entry_shift: u32,
    /// The number of entries that software has written. Flags that the processor sets are not counted.
    n_written: u64,
    /// The number of entries in use that software has written over.
    n_replaced: u64,
    /// The old values of written entries, while the journal is on.
    journal: Option<Vec<OldValue>>,
    /// The tables that walks read instead of these, if the machine has hashed tables.
    hashed: Option<Hashed>,
}

impl PageTables {
    pub(crate) fn new(paging: Rc<Paging>, format: Format) -> Self {
        let most = paging.levels().map(|l| paging.bits(l)).max().expect("a level");
        let mut steps = PerLevel::default();
        for level in paging.levels() {
            steps[level] = (paging.shift(Leaf::of(level)), (1 << paging.bits(level)) - 1);
        }
        let mut leaves = PerLeaf::new(|_| (Level::default(), 1));
        for leaf in paging.leaves() {
            leaves[leaf] = (paging.entry_level(leaf), 1 << paging.group_bits(leaf));
        }
        let half_shift = paging.rule().half_shift();
        let entry_shift = paging.entry_shift();
        let scale = 12u32.saturating_sub(u32::from(paging.offset_bits));
        Self {
            paging,
            format,
            steps,
            leaves,
            tables: Vec::new(),
            settled: Settled::default(),
            tables_at: TABLES_AT,
            places: Vec::new(),
            table_bits: (most + 3).max(12),
            scale,
            roots: Vec::new(),
            half_shift,
            free: Vec::new(),
            memory: None,
            homes: Vec::new(),
            entry_shift,
            n_written: 0,
            n_replaced: 0,
            journal: None,
            hashed: None,
        }
    }

    /// Adds hashed tables, if there are any, before there is a page. Walks read them instead.
    pub(crate) fn add_hashed(&mut self, config: Option<EcptConfig>) {
        self.hashed = config.map(|config| Hashed::new(config, self.tables_at));
    }

    /// Returns the tables that walks read instead of these.
    #[inline]
    pub(crate) fn hashed(&self) -> Option<&Hashed> {
        self.hashed.as_ref()
    }

    /// Moves the pool of tables, before there is a table.
    pub(crate) fn move_to(&mut self, start: u64) {
        debug_assert!(self.tables.is_empty(), "entries have the addresses of tables");
        self.tables_at = start;
    }

    /// Returns the root of the tables for an address. The first call for an address creates its root.
    ///
    /// # Errors
    /// `too-large` if the pool of tables is full.
    #[inline]
    pub(crate) fn root(&mut self, space: u32, address: u64) -> Result<Table> {
        match self.existing_root(space, address) {
            Some(root) => Ok(root),
            None => self.make_root(space, address),
        }
    }

    fn make_root(&mut self, space: u32, address: u64) -> Result<Table> {
        let (level, half) = (self.paging.root_level(), self.half_of(address));
        let root = self.make_table(Place { space, level, base: self.base_of(half) })?;
        let at = space as usize;
        if self.roots.len() <= at {
            self.roots.resize(at + 1, [None; 2]);
        }
        self.roots[at][half] = Some(root);
        Ok(root)
    }

    /// Returns the root of the tables for an address, if it has been created.
    #[inline]
    pub(crate) fn existing_root(&self, space: u32, address: u64) -> Option<Table> {
        self.roots.get(space as usize)?[self.half_of(address)]
    }

    /// Returns whether an address space has no table yet.
    pub(crate) fn is_new(&self, space: u32) -> bool {
        self.roots_of(space).next().is_none()
    }

    /// Returns the roots of an address space, and the first address of each.
    pub(crate) fn roots_of(&self, space: u32) -> impl Iterator<Item = (Table, u64)> + '_ {
        let roots = self.roots.get(space as usize).copied().unwrap_or_default();
        let bases = [0, 1].map(|half| self.base_of(half));
        roots.into_iter().zip(bases).filter_map(|(root, base)| Some((root?, base)))
    }

    #[inline]
    fn half_of(&self, address: u64) -> usize {
        usize::from(address >> self.half_shift & 1 == 1)
    }

    fn base_of(&self, half: usize) -> u64 {
        (half as u64) << self.half_shift
    }

    /// Returns the lowest address bit of the index of a level's tables, and the index's mask.
    pub(crate) fn step(&self, level: Level) -> (u32, u64) {
        self.steps[level]
    }

    #[inline]
    pub(crate) fn index(&self, address: u64, level: Level) -> usize {
        let (shift, mask) = self.steps[level];
        narrow::index(address >> shift & mask)
    }

    #[inline]
    pub(crate) fn read(&self, table: Table, index: usize) -> u64 {
        self.tables[table.0 as usize][index]
    }

    /// Returns the entries of a table.
    pub(crate) fn entries(&self, table: Table) -> &[u64] {
        &self.tables[table.0 as usize]
    }

    /// Sets flags of a present entry. Returns true if one of them was clear before.
    #[inline]
    pub(crate) fn set_flags(&mut self, table: Table, index: usize, flags: u64) -> bool {
        let entry = self.read(table, index);
        if entry & flags == flags {
            return false;
        }
        self.put(table, index, entry | flags);
        true
    }

    /// Sets flags of the page of `leaf` that the entry at `index` maps. Returns true if one of them was clear
    /// before. The entries of a contiguous page share their flags, so one update sets them in all entries.
    #[inline]
    pub(crate) fn set_page_flags(
        &mut self,
        table: Table,
        index: usize,
        leaf: Leaf,
        flags: u64,
    ) -> bool {
        let changed = self.set_flags(table, index, flags);
        if changed && leaf.is_group() {
            for at in self.group_of(index, leaf) {
                self.set_flags(table, at, flags);
            }
        }
        changed
    }

    /// Returns the indices of all entries that map the page of `leaf` that the entry at `index` maps.
    pub(crate) fn group_of(&self, index: usize, leaf: Leaf) -> Range<usize> {
        let n = self.leaves[leaf].1;
        let first = index & !(n - 1);
        first..first + n
    }

    /// Sets the accessed flag of a mapped page.
    pub(crate) fn set_accessed(&mut self, space: u32, address: u64, leaf: Leaf) {
        if let Some((table, at)) = self.leaf(space, address, leaf) {
            self.set_page_flags(table, at, leaf, self.format.accessed);
        }
    }

    /// Sets the dirty flag of a mapped page. Returns 1 if the flag was clear before, otherwise 0.
    #[inline(never)]
    pub(crate) fn set_dirty(&mut self, space: u32, address: u64, leaf: Leaf) -> u32 {
        let Some((table, at)) = self.leaf(space, address, leaf) else { return 0 };
        u32::from(self.set_page_flags(table, at, leaf, self.format.dirty))
    }

    /// Returns the physical address of a table.
    #[inline]
    pub(crate) fn address(&self, table: Table) -> u64 {
        if self.homes.is_empty() { self.link(table) } else { self.homes[table.0 as usize] }
    }

    /// Returns the address bits of an entry that leads to a table. Without [`Memory`], they are its address.
    #[inline]
    fn link(&self, table: Table) -> u64 {
        self.tables_at + (u64::from(table.0) << self.table_bits)
    }

    /// Returns an entry as the processor sees it: an entry that leads to a table has the address of the table, shifted
    /// as frames are.
    pub(crate) fn seen(&self, entry: u64, is_leaf: bool) -> u64 {
        if self.homes.is_empty() || is_leaf || entry & self.format.present == 0 {
            return entry;
        }
        entry & !ADDRESS | self.address(self.next(entry)) << self.scale
    }

    /// Returns the physical address of an entry.
    #[inline]
    pub(crate) fn entry_address(&self, table: Table, index: usize) -> u64 {
        self.address(table) + self.offset_of(index)
    }

    /// Returns the bytes before an entry in its table.
    #[inline]
    pub(crate) fn offset_of(&self, index: usize) -> u64 {
        (index as u64) << self.entry_shift
    }

    /// Returns whether the address in an entry above the leaf is in the pool of tables. Walks use this check
    /// for entries that may come from a freed table.
    #[inline]
    pub(crate) fn leads_on(&self, entry: u64) -> bool {
        let at = (entry & ADDRESS).wrapping_sub(self.tables_at) >> self.table_bits;
        at < self.tables.len() as u64
    }

    /// Returns the table that a non-leaf entry points to.
    #[inline]
    pub(crate) fn next(&self, entry: u64) -> Table {
        // Tables are numbered in 32 bits.
        Table(narrow::low32(((entry & ADDRESS) - self.tables_at) >> self.table_bits))
    }

    /// Returns the frame that one leaf entry maps.
    pub(crate) fn frame(&self, entry: u64) -> Frame {
        Frame::at((entry & ADDRESS) >> self.scale)
    }

    /// Returns whether the entries at `indices` map pages of `leaf` in consecutive frames, and are equal in all
    /// other bits. The first frame must be aligned to the size of all pages together.
    pub(crate) fn lie_together(&self, table: Table, indices: Range<usize>, leaf: Leaf) -> bool {
        let step = self.paging.size_of(leaf).bytes();
        let first = self.read(table, indices.start);
        let whole = step * indices.len() as u64;
        if first & self.format.present == 0 || !self.frame(first).start().is_multiple_of(whole) {
            return false;
        }
        let wanted = |n: usize| first + ((step << self.scale) * n as u64);
        indices.enumerate().all(|(n, at)| self.read(table, at) == wanted(n))
    }

    #[inline]
    fn write(&mut self, table: Table, index: usize, entry: u64) {
        self.n_written += 1;
        self.note(table, index);
        if self.hashed.is_some() {
            self.follow(table, index, entry);
        }
        let old = self.put(table, index, entry);
        self.n_replaced += u64::from(old != 0);
    }

    /// Makes the hashed tables follow the write of an entry, before it is written.
    #[inline(never)]
    fn follow(&mut self, table: Table, index: usize, entry: u64) {
        let Place { space, level, base } = self.places[table.0 as usize];
        let maps = |entry: u64| entry != 0 && self.is_leaf(entry, level);
        let (was, now) = (maps(self.read(table, index)), maps(entry));
        let address = base | (index as u64) << self.steps[level].0;
        if let Some(hashed) = self.hashed.as_mut().filter(|_| was != now) {
            hashed.set((space, address), level, now);
        }
    }

    /// Returns the number of entries that software has written so far.
    pub(crate) fn n_written(&self) -> u64 {
        self.n_written
    }

    /// Returns the number of tables in use, or of the pages of 4K that hashed tables take.
    pub(crate) fn n_tables(&self) -> u64 {
        if let Some(hashed) = &self.hashed {
            return hashed.bytes().div_ceil(4096);
        }
        (self.tables.len() - self.free.len()) as u64
    }

    /// Returns the bytes of the tables in use.
    pub(crate) fn bytes_in_use(&self) -> u64 {
        if let Some(hashed) = &self.hashed {
            return hashed.bytes();
        }
        match self.memory {
            Some(_) => self.n_tables() * self.paging.table_bytes(),
            None => self.n_tables() << self.table_bits,
        }
    }

    /// Returns the number of entries in use that software has written over so far. While it stays the same, every walk
    /// goes through the same tables as before.
    pub(crate) fn n_replaced(&self) -> u64 {
        self.n_replaced
    }

    fn make_table(&mut self, place: Place) -> Result<Table> {
        if let Some(table) = self.free.pop() {
            self.places[table.0 as usize] = place;
            return Ok(table);
        }
        let number = self.tables.len();
        let bytes = (number as u64 + 1) << self.table_bits;
        let (Ok(number), true) = (u32::try_from(number), bytes <= MAX_TABLES) else {
            return Err(Error::new(
                ErrorCode::TooLarge,
                "the page tables of this trace need more than 1 GiB: use larger pages, or a shorter part of the trace",
            ));
        };
        if let Some(memory) = &mut self.memory {
            self.homes.push(memory.take_table(self.paging.table_bytes())?);
        }
        self.tables.push(self.empty_table());
        self.settled.extend_to(self.entries_of(self.tables.len()));
        self.places.push(place);
        Ok(Table(number))
    }

    fn empty_table(&self) -> Rc<[u64]> {
        vec![0; self.entries_of(1)].into()
    }

    /// Returns the number of bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let theirs = other.map_or(&[][..], |other| &other.tables);
        let trees = apart(&self.tables, theirs, size_of_val::<[u64]>);
        let hashed = self.hashed.as_ref().map_or(0, |hashed| {
            hashed.bytes_apart_from(other.and_then(|other| other.hashed.as_ref()))
        });
        let settled = self.settled.bytes_apart_from(other.map(|other| &other.settled));
        trees + settled + hashed
    }
}
