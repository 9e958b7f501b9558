//! Rights of memory: mprotect(2), and `pkey_mprotect`(2).

use super::Os;
use super::blocks::{BlockId, State};
use super::check::HUGE;
use super::policy::PagePolicy;
use super::unmap::Shootdown;
use crate::page_table::PageTables;
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

/// The rights of a program to its memory. Memory without the right to read has no rights at all, because its entry
/// is not present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rights {
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) execute: bool,
}

impl Rights {
    pub(crate) const ALL: Self = Self { read: true, write: true, execute: true };

    pub(crate) fn new(read: bool, write: bool, execute: bool) -> Self {
        Self { read, write: read && write, execute: read && execute }
    }

    pub(crate) fn allow(self, kind: Kind) -> bool {
        match kind {
            Kind::Load | Kind::Prefetch => self.read,
            Kind::Store => self.write,
            Kind::Fetch => self.execute,
        }
    }
}

/// The rights of a range. A later record overrides an earlier one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Protection {
    pub(super) space: u32,
    pub(super) start: u64,
    pub(super) last: u64,
    pub(super) rights: Rights,
    /// The protection key, or `None` if it is unchanged.
    pub(super) key: Option<u8>,
}

impl Os {
    /// Returns the rights at `address`.
    pub(crate) fn rights_at(&self, space: u32, address: u64) -> Rights {
        let mut found = self.protections_at(space, address);
        found.next().map_or(Rights::ALL, |protection| protection.rights)
    }

    fn protections_at(&self, space: u32, address: u64) -> impl Iterator<Item = &Protection> {
        let covers =
            move |p: &&Protection| p.space == space && (p.start..=p.last).contains(&address);
        self.protections.iter().rev().filter(covers)
    }

    /// Changes the rights of `start..=last`, and returns the mappings whose entries are out of date. A transparent
    /// huge page that the range covers in part is split.
    ///
    /// # Errors
    /// `bad-trace` if the range covers another page in part; `too-large` if memory is used up.
    pub(crate) fn protect(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        (start, last): (u64, u64),
        rights: Rights,
        key: Option<u8>,
    ) -> Result<Option<Shootdown>> {
        self.split_edges(tables, space, (start, last), "give rights to")?;
        self.checks_rights = true;
        self.protections.push(Protection { space, start, last, rights, key });
        for edge in [start, last] {
            self.keep_small(space, edge, (start, last));
        }
        let pages = self.pages_in(tables, space, start, last);
        for (address, leaf) in &pages {
            self.apply_rights(tables, space, *address, *leaf);
        }
        self.clear_recent();
        let gone = Shootdown { space, start, last, freed: Vec::new() };
        Ok((!pages.is_empty()).then_some(gone))
    }

    /// Decides for small pages in an unmapped block that the range covers in part.
    fn keep_small(&mut self, space: u32, edge: u64, (start, last): (u64, u64)) {
        let id = BlockId { space, number: edge >> self.block_shift };
        let first = id.number << self.block_shift;
        let is_whole = start <= first && first | ((1 << self.block_shift) - 1) <= last;
        let is_thp = self.area_of(edge).pages == PagePolicy::Thp;
        if !is_whole && is_thp && self.blocks.state(id) == State::Untouched {
            self.blocks.set(id, State::Small);
        }
    }

    /// Returns whether rights change inside a block.
    pub(super) fn rights_differ_in(&self, id: BlockId) -> bool {
        let start = id.number << self.block_shift;
        let last = start | ((1 << self.block_shift) - 1);
        let at = |address: u64| {
            let key = self.protections_at(id.space, address).find_map(|protection| protection.key);
            (self.rights_at(id.space, address), key.unwrap_or(0))
        };
        let own = self.protections.iter().filter(|p| p.space == id.space);
        let mut borders = own.flat_map(|p| [p.start, p.last.saturating_add(1)]);
        borders.any(|border| (start..=last).contains(&border) && at(border) != at(start))
    }

    /// Writes the rights of a mapped page into its entries.
    pub(super) fn apply_rights(
        &self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) {
        if self.kernel == Some(space) {
            tables.make_global(space, address, leaf);
        }
        let mut found = self.protections_at(space, address).peekable();
        let Some(newest) = found.peek() else { return };
        let Rights { write, execute, .. } = newest.rights;
        // A shared page must be copied before it is written.
        let entry = tables.leaf(space, address, leaf);
        let is_shared = entry.is_some_and(|(table, index)| tables.is_shared(table, index));
        let write = (!is_shared).then_some(write);
        let key = found.find_map(|protection| protection.key);
        tables.set_rights(space, address, leaf, (write, execute, key));
    }

    /// Copies the rights of one address space to another, and replaces its rights.
    pub(super) fn inherit_rights(&mut self, from: u32, to: u32) {
        self.protections.retain(|protection| protection.space != to);
        let own = self.protections.iter().filter(|protection| protection.space == from);
        let inherited: Vec<Protection> = own.map(|p| Protection { space: to, ..*p }).collect();
        self.protections.extend(inherited);
    }

    /// Removes the rights of an unmapped range.
    pub(super) fn remove_rights(&mut self, space: u32, (start, last): (u64, u64)) {
        let meets = |p: &Protection| p.space == space && p.start <= last && start <= p.last;
        if self.protections.iter().any(meets) {
            let (rights, key) = (Rights::ALL, Some(0));
            self.protections.retain(|p| p.space != space || p.start < start || p.last > last);
            self.protections.push(Protection { space, start, last, rights, key });
        }
    }

    /// Makes the system check every access from now on.
    pub(crate) fn watch_rights(&mut self) {
        self.checks_rights = true;
    }

    /// Splits transparent huge pages that a range covers in part.
    ///
    /// # Errors
    /// Those of [`Self::protect`].
    pub(super) fn split_edges(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        (start, last): (u64, u64),
        what: &str,
    ) -> Result<()> {
        for (address, leaf) in self.pages_in(tables, space, start, last) {
            let bits = (1 << self.paging.shift(leaf)) - 1;
            if address >= start && address | bits <= last {
                continue;
            }
            let is_thp = self.area_of(address).pages == PagePolicy::Thp;
            if leaf != HUGE || !(is_thp || self.is_adapted(address)) {
                let size = self.paging.size_of(leaf);
                let message = format!(
                    "{start:#x} to {last:#x} covers the page of {size} at {address:#x} in part: {what} whole pages"
                );
                return Err(pagewalk_base::error::Error::new(
                    pagewalk_base::error::ErrorCode::BadTrace,
                    message,
                ));
            }
            self.split(tables, space, address)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Rights;

    #[test]
    fn memory_that_may_not_be_read_has_no_rights() {
        let none = Rights::new(false, false, false);
        assert_eq!(Rights::new(false, true, false), none);
        assert_eq!(Rights::new(false, false, true), none);
        assert_ne!(Rights::new(true, true, false), Rights::new(true, false, true));
    }
}
