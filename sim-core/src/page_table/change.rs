//! Changes of mappings: unmapping pages, freeing tables, joining small pages to a huge page, and splitting it.
//!
//! An EPT entry without rights is not present for the processor, but it still holds an address for software.
//! The functions here ignore only empty entries.

use super::{Frame, PageTables, Place, Table};
use crate::entry::{ADDRESS, NO_EXECUTE, PAGE, PRESENT, SHARED, WRITABLE};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::error::Result;

/// A freed table. Every cached entry that leads to it must be invalidated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FreedTable {
    pub(crate) level: Level,
    /// An address that the table translated.
    pub(crate) address: u64,
}

impl PageTables {
    /// Returns the leaf entries in `start..=last`, by rising address: the address and the level of each. Every
    /// entry of a contiguous page is listed.
    pub(crate) fn entries_in(&self, space: u32, start: u64, last: u64) -> Vec<(u64, Level)> {
        let mut found = Vec::new();
        for (root, base) in self.roots_of(space) {
            self.collect(root, self.paging.root_level(), base, (start, last), &mut found);
        }
        found
    }

    /// Returns every page of an address space, by rising address: its start and its leaf.
    pub(crate) fn pages(&self, space: u32) -> Vec<(u64, Leaf)> {
        let entries = self.entries_in(space, 0, u64::MAX).into_iter();
        let mut pages: Vec<(u64, Leaf)> = entries
            .map(|(address, level)| {
                let leaf = self.leaf_of(space, address).unwrap_or(Leaf::of(level));
                let shift = self.paging.shift(leaf);
                (address >> shift << shift, leaf)
            })
            .collect();
        // The entries of a contiguous page are adjacent.
        pages.dedup();
        pages
    }

    fn collect(
        &self,
        table: Table,
        level: Level,
        base: u64,
        range: (u64, u64),
        found: &mut Vec<(u64, Level)>,
    ) {
        let shift = self.paging.shift(Leaf::of(level));
        for (index, entry) in (0..1u64 << self.paging.bits(level)).zip(self.entries(table)) {
            let first = base | index << shift;
            if first > range.1 {
                break;
            }
            if *entry == 0 || first + ((1 << shift) - 1) < range.0 {
                continue;
            }
            if self.is_leaf(*entry, level) {
                found.push((first, level));
            } else {
                self.collect(self.next(*entry), level.below(), first, range, found);
            }
        }
    }

    pub(crate) fn is_leaf(&self, entry: u64, level: Level) -> bool {
        level == Level::LOWEST || self.paging.leaf_levels.contains(&level) && entry & PAGE != 0
    }

    /// Unmaps the page of `address`, of `leaf`. Frees the tables without entries, except the root, and adds them to
    /// `freed`, the lowest first.
    pub(crate) fn unmap(
        &mut self,
        space: u32,
        address: u64,
        leaf: Leaf,
        freed: &mut Vec<FreedTable>,
    ) {
        self.clear(space, address, leaf);
        let lowest = self.paging.entry_level(leaf);
        let Some(mut table) = self.existing_root(space, address) else { return };
        let mut path = Vec::new();
        for level in lowest.above().up_to(self.paging.root_level()).rev() {
            let entry = self.read(table, self.index(address, level));
            if entry == 0 {
                return;
            }
            path.push((table, level));
            table = self.next(entry);
        }
        while let Some((upper, level)) = path.pop() {
            if self.n_used(table) > 0 {
                break;
            }
            self.free_table(table);
            freed.push(FreedTable { level: level.below(), address });
            self.write(upper, self.index(address, level), 0);
            table = upper;
        }
    }

    /// Clears the entries that map the page of `address`. Tables stay, even if they are empty.
    pub(crate) fn clear(&mut self, space: u32, address: u64, leaf: Leaf) {
        let Some((table, index)) = self.leaf_of_any_rights(space, address, leaf) else { return };
        for at in self.group_of(index, leaf) {
            self.write(table, at, 0);
        }
    }

    /// Returns the table and index of the entry that maps `address` in a page of `leaf`, even if the entry has
    /// no rights.
    pub(crate) fn leaf_of_any_rights(
        &self,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) -> Option<(Table, usize)> {
        let found = self.entry_at(space, address, self.paging.entry_level(leaf));
        found.filter(|(table, index)| self.read(*table, *index) != 0)
    }

    pub(crate) fn is_writable(&self, table: Table, index: usize) -> bool {
        self.read(table, index) & WRITABLE != 0
    }

    /// Makes the page of `address` read-only.
    pub(crate) fn make_read_only(&mut self, space: u32, address: u64, leaf: Leaf) {
        self.change_page(space, address, leaf, (0, WRITABLE));
    }

    /// Sets and clears flags of the page of `address`, in each entry that maps it.
    pub(super) fn change_page(
        &mut self,
        space: u32,
        address: u64,
        leaf: Leaf,
        (set, clear): (u64, u64),
    ) {
        let Some((table, index)) = self.leaf(space, address, leaf) else { return };
        for at in self.group_of(index, leaf) {
            self.write(table, at, (self.read(table, at) | set) & !clear);
        }
    }

    /// Sets the rights of the page of `address`: to write (`None` = unchanged), to execute, and the protection
    /// key (`None` = unchanged).
    pub(crate) fn set_rights(
        &mut self,
        space: u32,
        address: u64,
        leaf: Leaf,
        (write, execute, key): (Option<bool>, bool, Option<u8>),
    ) {
        let Some((table, index)) = self.leaf(space, address, leaf) else { return };
        for at in self.group_of(index, leaf) {
            let mut entry = self.read(table, at);
            match write {
                Some(true) => entry |= WRITABLE,
                Some(false) => entry &= !WRITABLE,
                None => {}
            }
            entry = if execute { entry & !NO_EXECUTE } else { entry | NO_EXECUTE };
            if let Some(key) = key {
                entry = entry & !(0xf << 59) | u64::from(key & 0xf) << 59;
            }
            self.write(table, at, entry);
        }
    }

    /// Returns the entries on the way to `address`, from the root down to the leaf entry.
    pub(crate) fn path(&self, space: u32, address: u64) -> Vec<u64> {
        let mut path = Vec::new();
        let Some(mut table) = self.existing_root(space, address) else { return path };
        for level in self.paging.levels().rev() {
            let entry = self.read(table, self.index(address, level));
            path.push(entry);
            if entry & PRESENT == 0 || self.is_leaf(entry, level) {
                break;
            }
            table = self.next(entry);
        }
        path
    }

    /// Sets and clears flags of the entry of `level` for `address`. Returns false if there is no such entry.
    pub(crate) fn change_entry(
        &mut self,
        space: u32,
        address: u64,
        level: Level,
        set: u64,
        clear: u64,
    ) -> bool {
        let Some(mut table) = self.existing_root(space, address) else { return false };
        for above in level.up_to(self.paging.root_level()).rev() {
            let index = self.index(address, above);
            let entry = self.read(table, index);
            if entry & PRESENT == 0 {
                return false;
            }
            if above == level {
                self.write(table, index, (entry | set) & !clear);
                return true;
            }
            if self.is_leaf(entry, above) {
                return false;
            }
            table = self.next(entry);
        }
        false
    }

    /// Returns the number of entries in use in the table to which the entry of `level` for `address` leads, or
    /// `None` if the entry leads to no table.
    pub(crate) fn n_used_below(&self, space: u32, address: u64, level: Level) -> Option<u64> {
        let (table, index) = self.leaf_of_any_rights(space, address, Leaf::of(level))?;
        let entry = self.read(table, index);
        (!self.is_leaf(entry, level)).then(|| self.n_used(self.next(entry)))
    }

    /// Makes the entry of `leaf` that leads to a table map a page instead, and frees the table. The page gets
    /// the accessed and dirty flags that any of the replaced pages had. Returns the number of replaced pages.
    pub(crate) fn collapse(&mut self, space: u32, address: u64, leaf: Leaf, frame: Frame) -> u64 {
        debug_assert!(!leaf.is_group() && leaf > Leaf::SMALLEST, "a single entry above level 1");
        let Some((upper, index)) = self.leaf_of_any_rights(space, address, leaf) else { return 0 };
        let (n, flags) = self.free_below(upper, index);
        self.map_entry((upper, index), leaf, frame, 0);
        self.set_flags(upper, index, flags & (self.format.accessed | self.format.dirty));
        n
    }

    /// Clears the entry of `leaf` that leads to a table, and frees the table. Returns the number of pages that
    /// the table mapped.
    pub(crate) fn zap(&mut self, space: u32, address: u64, leaf: Leaf) -> u64 {
        let Some((upper, index)) = self.leaf_of_any_rights(space, address, leaf) else { return 0 };
        let (n, _) = self.free_below(upper, index);
        self.write(upper, index, 0);
        n
    }

    /// Frees the table that an entry leads to. Returns the number of its entries in use, and all flags that any
    /// of them had.
    fn free_below(&mut self, upper: Table, index: usize) -> (u64, u64) {
        let lower = self.next(self.read(upper, index));
        let entries = self.entries(lower).iter().filter(|entry| **entry != 0);
        let found = entries.fold((0, 0), |(n, flags), entry| (n + 1, flags | entry));
        self.free_table(lower);
        found
    }

    /// Splits a page of `leaf`: its entry leads to a new table that maps the same memory, in pages of the next
    /// lower level, with the same rights.
    ///
    /// # Errors
    /// `too-large` if the pool of tables is full.
    pub(crate) fn split(&mut self, space: u32, address: u64, leaf: Leaf) -> Result<()> {
        let Some((upper, index)) = self.leaf_of_any_rights(space, address, leaf) else {
            return Ok(());
        };
        let entry = self.read(upper, index);
        let (frame, level) = (self.frame(entry), self.paging.entry_level(leaf).below());
        let smaller = Leaf::of(level);
        let base = address >> self.paging.shift(leaf) << self.paging.shift(leaf);
        let lower = self.make_table(Place { space, level, base })?;
        let size = self.paging.size_of(smaller).bytes();
        for (at, number) in (0..1usize << self.paging.bits(level)).zip(0u64..) {
            self.map_entry((lower, at), smaller, frame.plus(number * size), 0);
            self.set_flags(lower, at, entry & (self.format.accessed | self.format.dirty));
            let rights = self.format.present | WRITABLE | SHARED | NO_EXECUTE | 0xf << 59;
            let kept = self.read(lower, at) & !rights;
            self.write(lower, at, kept | entry & rights);
        }
        self.write(upper, index, self.link(lower) | self.format.table);
        Ok(())
    }

    /// Returns the number of entries of a table that are not empty.
    pub(crate) fn n_used(&self, table: Table) -> u64 {
        self.entries(table).iter().filter(|entry| **entry != 0).count() as u64
    }

    /// Returns the table and index of the entry of a level for an address, even if the entry is empty. Returns
    /// `None` if there is no table.
    pub(crate) fn entry_at(
        &self,
        space: u32,
        address: u64,
        level: Level,
    ) -> Option<(Table, usize)> {
        let table = self.table_at(space, address, level)?;
        Some((table, self.index(address, level)))
    }

    /// Returns the table of a level on the way to an address.
    pub(crate) fn table_at(&self, space: u32, address: u64, level: Level) -> Option<Table> {
        let mut table = self.existing_root(space, address)?;
        for upper in level.above().up_to(self.paging.root_level()).rev() {
            let entry = self.read(table, self.index(address, upper));
            if entry == 0 || self.is_leaf(entry, upper) {
                return None;
            }
            table = self.next(entry);
        }
        self.paging.levels().any(|known| known == level).then_some(table)
    }

    /// Writes `entry`, which leads to an existing table, to an empty entry above level 1. Returns false if the
    /// place is not empty or `entry` leads to no table.
    pub(crate) fn link_to_table(
        &mut self,
        space: u32,
        address: u64,
        level: Level,
        entry: u64,
    ) -> bool {
        let found = self.entry_at(space, address, level).filter(|_| level > Level::LOWEST);
        let Some((table, index)) = found.filter(|(table, index)| self.read(*table, *index) == 0)
        else {
            return false;
        };
        let leads = entry & self.format.present != 0
            && !self.is_leaf(entry, level)
            && self.leads_to_table(entry);
        if leads {
            self.write(table, index, entry);
        }
        leads
    }

    /// Sets and clears bits of an entry, as software does.
    pub(crate) fn change(&mut self, table: Table, index: usize, set: u64, clear: u64) {
        let entry = self.read(table, index);
        let changed = (entry | set) & !clear;
        if changed != entry {
            self.write(table, index, changed);
        }
    }

    /// Returns whether the address in an entry is the address of a table. A trace cannot write addresses of a machine
    /// with [`super::Memory`].
    pub(crate) fn leads_to_table(&self, entry: u64) -> bool {
        if self.memory.is_some() {
            return false;
        }
        let offset = (entry & ADDRESS).checked_sub(self.tables_at);
        offset.is_some_and(|offset| {
            offset.trailing_zeros() >= self.table_bits
                && offset >> self.table_bits < self.tables.len() as u64
        })
    }

    /// Frees a table. The next new table reuses its memory. Until then, a walk that uses a stale walk-cache entry
    /// finds an empty table there.
    fn free_table(&mut self, table: Table) {
        if self.hashed.is_some() {
            for index in 0..self.entries_of(1) {
                self.follow(table, index, 0);
            }
        }
        self.tables[table.0 as usize] = self.empty_table();
        self.settled.clear(self.entries_of(table.0 as usize), self.entries_of(1));
        self.free.push(table);
    }
}
