//! Radix page tables in simulated physical memory: every entry has an address.
//!
//! ```text
//! physical memory   0x20_0000 ┌ tables, one after the other, in order of creation
//!                0x10_0000_0000 ┌ data frames, each page size in 2M (1G) blocks of its own
//! ```
//!
//! The tables know entries and flags. They do not know who reads them or what
//! a read costs. Entry format: Intel SDM vol. 3, tables 4-15 to 4-20.

use std::rc::Rc;

use crate::addr::Paging;
use crate::error::{Error, ErrorCode, Result};
use crate::narrow;

/// Where the pool of tables starts; 2M-aligned.
const TABLES_AT: u64 = 0x20_0000;
/// Where data frames start: the pool of tables ends here.
pub(crate) const FRAMES_AT: u64 = 0x10_0000_0000;

/// Bytes of tables that a machine may have: they are real memory here.
const MAX_TABLES: u64 = 1 << 30;

/// Flags of an entry.
pub(crate) const PRESENT: u64 = 1;
const WRITABLE: u64 = 1 << 1;
const USER: u64 = 1 << 2;
pub(crate) const ACCESSED: u64 = 1 << 5;
pub(crate) const DIRTY: u64 = 1 << 6;
const PAGE: u64 = 1 << 7;
const ADDRESS: u64 = 0x000f_ffff_ffff_f000;

/// The number of a table, in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table(pub(crate) u32);

/// All tables of all address spaces. Clones share tables until one is written to.
#[derive(Clone, Debug)]
pub(crate) struct PageTables {
    paging: Rc<Paging>,
    /// The shift and index mask of each level; `[0]` is unused.
    steps: [(u32, u64); 8],
    tables: Vec<Rc<[u64]>>,
    /// log2 of a table's bytes; tables of all levels have the size of the largest, at least 4K.
    table_bits: u32,
    /// Pages below 4K: how far frames are shifted up in entries, to keep the flags' bits free.
    scale: u32,
    /// The root of each address space, `None` before its first page.
    roots: Vec<Option<Table>>,
}

impl PageTables {
    pub(crate) fn new(paging: Rc<Paging>) -> Self {
        let most = (1..=paging.n_levels()).map(|l| paging.bits(l)).max().expect("a level");
        let mut steps = [(0, 0); 8];
        for level in 1..=paging.n_levels() {
            steps[usize::from(level)] = (paging.shift(level), (1 << paging.bits(level)) - 1);
        }
        let scale = 12u32.saturating_sub(u32::from(paging.offset_bits));
        Self {
            paging,
            steps,
            tables: Vec::new(),
            table_bits: (most + 3).max(12),
            scale,
            roots: Vec::new(),
        }
    }

    /// The root of an address space; it is made when it is first asked for.
    ///
    /// # Errors
    /// `too-large` if the pool of tables is full.
    #[inline]
    pub(crate) fn root(&mut self, space: u32) -> Result<Table> {
        match self.roots.get(space as usize) {
            Some(Some(root)) => Ok(*root),
            _ => self.make_root(space),
        }
    }

    fn make_root(&mut self, space: u32) -> Result<Table> {
        let root = self.make_table()?;
        let at = space as usize;
        if self.roots.len() <= at {
            self.roots.resize(at + 1, None);
        }
        self.roots[at] = Some(root);
        Ok(root)
    }

    /// The root if the address space has one yet.
    pub(crate) fn existing_root(&self, space: u32) -> Option<Table> {
        self.roots.get(space as usize).copied().flatten()
    }

    #[inline]
    pub(crate) fn index(&self, address: u64, level: u8) -> usize {
        let (shift, mask) = self.steps[usize::from(level) % 8];
        narrow::index(address >> shift & mask)
    }

    #[inline]
    pub(crate) fn read(&self, table: Table, index: usize) -> u64 {
        self.tables[table.0 as usize][index]
    }

    /// Sets flags of a present entry; true if one was clear before.
    #[inline]
    pub(crate) fn set_flags(&mut self, table: Table, index: usize, flags: u64) -> bool {
        let shared = &mut self.tables[table.0 as usize];
        if shared[index] & flags == flags {
            return false;
        }
        Rc::make_mut(shared)[index] |= flags;
        true
    }

    /// Sets the dirty flag of a mapped page; returns how many flags changed.
    #[inline(never)]
    pub(crate) fn set_dirty(&mut self, space: u32, address: u64, leaf: u8) -> u32 {
        let Some((table, at)) = self.leaf(space, address, leaf) else { return 0 };
        u32::from(self.set_flags(table, at, DIRTY))
    }

    /// The physical address of a table.
    #[inline]
    pub(crate) fn address(&self, table: Table) -> u64 {
        TABLES_AT + (u64::from(table.0) << self.table_bits)
    }

    /// The physical address of an entry.
    #[inline]
    pub(crate) fn entry_address(&self, table: Table, index: usize) -> u64 {
        self.address(table) + 8 * index as u64
    }

    /// The table that a non-leaf entry points to.
    #[inline]
    pub(crate) fn next(&self, entry: u64) -> Table {
        // Tables are numbered in 32 bits.
        Table(narrow::low32(((entry & ADDRESS) - TABLES_AT) >> self.table_bits))
    }

    /// The physical address of the page that a leaf entry maps.
    pub(crate) fn frame(&self, entry: u64) -> u64 {
        (entry & ADDRESS) >> self.scale
    }

    /// Maps the page of `address`, whose entry is in the table of level `leaf`, making the tables that are missing.
    ///
    /// # Errors
    /// `too-large` if the pool of tables is full.
    pub(crate) fn map(&mut self, space: u32, address: u64, leaf: u8, frame: u64) -> Result<()> {
        let mut table = self.root(space)?;
        for level in (leaf + 1..=self.paging.n_levels()).rev() {
            let index = self.index(address, level);
            let mut entry = self.read(table, index);
            if entry & PRESENT == 0 {
                let made = self.make_table()?;
                entry = self.address(made) | PRESENT | WRITABLE | USER;
                Rc::make_mut(&mut self.tables[table.0 as usize])[index] = entry;
            }
            table = self.next(entry);
        }
        self.map_entry(table, self.index(address, leaf), leaf, frame);
        Ok(())
    }

    /// Makes an entry of a table of level `leaf` map a page.
    #[inline]
    pub(crate) fn map_entry(&mut self, table: Table, index: usize, leaf: u8, frame: u64) {
        let large = if leaf > 1 { PAGE } else { 0 };
        let entry = frame << self.scale | PRESENT | WRITABLE | USER | large;
        Rc::make_mut(&mut self.tables[table.0 as usize])[index] = entry;
    }

    /// The table and index of the leaf entry of a mapped page.
    pub(crate) fn leaf(&self, space: u32, address: u64, leaf: u8) -> Option<(Table, usize)> {
        let mut table = self.existing_root(space)?;
        for level in (leaf + 1..=self.paging.n_levels()).rev() {
            let entry = self.read(table, self.index(address, level));
            if entry & PRESENT == 0 {
                return None;
            }
            table = self.next(entry);
        }
        let index = self.index(address, leaf);
        (self.read(table, index) & PRESENT != 0).then_some((table, index))
    }

    pub(crate) fn n_tables(&self) -> u64 {
        self.tables.len() as u64
    }

    fn make_table(&mut self) -> Result<Table> {
        let number = self.tables.len();
        let end = TABLES_AT + ((number as u64 + 1) << self.table_bits);
        let (Ok(number), true) = (u32::try_from(number), end <= TABLES_AT + MAX_TABLES) else {
            return Err(Error::new(
                ErrorCode::TooLarge,
                "the page tables of this trace need more than 1 GiB: use larger pages, or a shorter part of the trace",
            ));
        };
        self.tables.push(vec![0; 1 << (self.table_bits - 3)].into());
        Ok(Table(number))
    }

    /// Bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let apart = self.tables.iter().enumerate().filter(|(at, table)| {
            let twin = other.and_then(|other| other.tables.get(*at));
            !twin.is_some_and(|twin| Rc::ptr_eq(table, twin))
        });
        (apart.count() << self.table_bits) + std::mem::size_of::<Rc<[u64]>>() * self.tables.len()
    }
}
