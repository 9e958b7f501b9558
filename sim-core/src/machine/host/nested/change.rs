//! The host's entries: what they allow, and how they change while the guest runs.

use super::Nested;
use crate::entry::ept;
use crate::entry::{self, ADDRESS};
use crate::os::FaultCause;
use crate::page_table::Table;
use pagewalk_base::addr::{Hex, Leaf, Level};
use pagewalk_base::error::{Error, ErrorCode, Result};

/// The rights that a use of guest-physical memory needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) fetch: bool,
}

/// The reason why a use of guest-physical memory exits to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A violation: an entry is not present, or lacks a right. `rights` has the rights that all entries together
    /// allow: bits 0 to 2 for reads, writes and fetches. It is 0 if an entry is not present.
    Violation { rights: u64 },
    /// A misconfiguration: the processor does not understand an entry.
    Misconfigured,
}

impl Nested {
    /// Returns the obstacle of a use of a guest-physical address. The check for present and for valid entries goes
    /// from one entry to the next; the check of rights looks at all entries together (Intel SDM vol. 3C, 28.2.3.1 to
    /// 28.2.3.3).
    pub(crate) fn obstacle(&self, address: u64, needs: Needs) -> Option<Obstacle> {
        let mut table = self.tables.existing_root(self.vm, address)?;
        let mut rights = ept::RIGHTS;
        for level in self.plan.paging.levels().rev() {
            let value = self.tables.read(table, self.tables.index(address, level));
            if value & self.tables.format.present == 0 {
                return Some(Obstacle::Violation { rights: 0 });
            }
            let (allowed, is_valid, is_leaf) = self.meaning(value, level);
            if !is_valid {
                return Some(Obstacle::Misconfigured);
            }
            rights &= allowed;
            if is_leaf {
                break;
            }
            table = self.tables.next(value);
        }
        let bit = |needed: bool, bit: u64| if needed { bit } else { 0 };
        let needed = bit(needs.read, ept::READ)
            | bit(needs.write, ept::WRITE)
            | bit(needs.fetch, ept::EXECUTE);
        (rights & needed != needed).then_some(Obstacle::Violation { rights })
    }

    /// Returns the rights of a present entry, whether the processor understands the entry, and whether it maps a
    /// page.
    fn meaning(&self, value: u64, level: Level) -> (u64, bool, bool) {
        if self.plan.is_ept {
            let format = ept::Format::new(&self.plan.paging, level, ept::Modes::default());
            let is_valid = format.misconfigured(value).is_none();
            return (value & ept::RIGHTS, is_valid, format.is_leaf(value));
        }
        let format = entry::Format::new(&self.plan.paging, level, entry::Modes::default());
        let bit = |on: bool, bit: u64| if on { bit } else { 0 };
        let rights = ept::READ
            | bit(value & entry::WRITABLE != 0, ept::WRITE)
            | bit(value & entry::NO_EXECUTE == 0, ept::EXECUTE);
        (rights, value & format.reserved(value) == 0, format.is_leaf(value))
    }

    /// Returns the bits that make an entry misconfigured when it is present, without moving its memory.
    fn reserved(&self, value: u64, level: Level) -> u64 {
        let value = value | self.tables.format.present;
        if self.plan.is_ept {
            ept::Format::new(&self.plan.paging, level, ept::Modes::default()).reserved(value)
        } else {
            entry::Format::new(&self.plan.paging, level, entry::Modes::default()).reserved(value)
        }
    }

    /// Removes the cause of a violation. The host maps the page, copies a shared page that is `written`, or restores
    /// all rights. Returns the reason why the page could not be used, and whether it was copied.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(crate) fn handle_violation(
        &mut self,
        address: u64,
        written: bool,
    ) -> Result<(FaultCause, bool)> {
        let leaf = self.os.leaf_of(self.vm, address, true);
        self.own.unmapped.remove(&self.page_around(address).0);
        if written && self.os.shares_huge_page(&self.tables, self.vm, address) {
            return Ok((self.copy(address)?, false));
        }
        let (given, taken) = self.all_rights();
        for level in self.plan.entry_level[leaf].up_to(self.plan.root_level).rev() {
            let found = self.tables.entry_at(self.vm, address, level);
            let Some((table, at)) = found.filter(|(table, at)| self.tables.read(*table, *at) != 0)
            else {
                return Ok((self.map_missing(address, leaf, written, None)?, false));
            };
            if !self.tables.is_shared(table, at) {
                self.tables.change(table, at, given, taken);
            } else if written {
                return Ok((self.copy(address)?, true));
            } else {
                self.tables.change(table, at, given & !ept::WRITE, taken);
            }
        }
        Ok((FaultCause::Shared, false))
    }

    /// Maps the missing page of a guest-physical address. `at` is the address of its entry, if the table exists. A
    /// page that is not `written` may be shared. Returns the reason why the page was missing.
    ///
    /// # Errors
    /// `too-large` if memory is used up; `bad-config` if a pool of huge pages is empty.
    pub(crate) fn map_missing(
        &mut self,
        address: u64,
        leaf: Leaf,
        written: bool,
        at: Option<(Table, usize)>,
    ) -> Result<FaultCause> {
        self.os.take_from_pool(address, leaf)?;
        let is_new = match at {
            Some(at) => self.os.map_entry(&mut self.tables, (self.vm, address), at, leaf, 0)?,
            None => self.os.map(&mut self.tables, self.vm, address, leaf)?,
        };
        if is_new && !written {
            self.os.share_if_copied(&mut self.tables, self.vm, address, leaf);
        }
        Ok(if is_new { self.os.cause_of(address, written) } else { FaultCause::Shared })
    }

    /// Copies a shared page, and maps the copy.
    fn copy(&mut self, address: u64) -> Result<FaultCause> {
        self.os.unshare(&mut self.tables, self.vm, address)?;
        let leaf = self.os.leaf_of(self.vm, address, true);
        self.map_missing(address, leaf, true, None)
    }

    /// Returns the flags that are set, and the flags that are clear, in an entry with all rights.
    fn all_rights(&self) -> (u64, u64) {
        if self.plan.is_ept {
            (ept::RIGHTS, 0)
        } else {
            (entry::PRESENT | entry::WRITABLE | entry::USER, entry::NO_EXECUTE)
        }
    }

    /// Unmaps the page of a guest-physical address. Returns false if there is none. Tables that become empty are
    /// freed only with `flush`, when all cores drop their entries. Without it, walks may still read these tables.
    ///
    /// # Errors
    /// Those of munmap.
    pub(crate) fn unmap_page(&mut self, address: u64, flush: bool) -> Result<bool> {
        self.own.homes.clear();
        let page = self.page_around(address);
        let was_there = self.os.unmap(&mut self.tables, self.vm, page, !flush)?.is_some();
        if was_there {
            self.own.unmapped.insert(page.0);
        }
        Ok(was_there)
    }

    /// Returns the first and the last address of the host's page of a guest-physical address.
    pub(crate) fn page_around(&self, address: u64) -> (u64, u64) {
        let bits = (1 << self.plan.shift[self.os.leaf_at(self.vm, address)]) - 1;
        (address & !bits, address | bits)
    }

    /// Returns whether the host has never mapped the page of a guest-physical address.
    pub(crate) fn is_untouched(&self, address: u64) -> bool {
        let is_unmapped = self.own.unmapped.contains(&self.page_around(address).0);
        let lowest = self.plan.entry_level[self.os.leaf_at(self.vm, address)];
        let entry = self.tables.entry_at(self.vm, address, lowest);
        !is_unmapped && entry.is_none_or(|(table, at)| self.tables.read(table, at) == 0)
    }

    /// Returns the addresses of the host's entries on the way to a guest-physical address.
    pub(crate) fn entries_to(&self, address: u64) -> Vec<u64> {
        let levels = self.plan.paging.levels();
        let found = levels.filter_map(|level| self.tables.entry_at(self.vm, address, level));
        found.map(|(table, at)| self.tables.entry_address(table, at)).collect()
    }

    /// Sets the rights of the entry that maps a guest-physical address. Returns false if no entry does.
    pub(crate) fn protect(&mut self, address: u64, [read, write, execute]: [bool; 3]) -> bool {
        let leaf = self.os.leaf_at(self.vm, address);
        let Some((table, at)) = self.tables.leaf_of_any_rights(self.vm, address, leaf) else {
            return false;
        };
        let bit = |on: bool, bit: u64| if on { bit } else { 0 };
        let (given, taken) = if self.plan.is_ept {
            let rights = bit(read, ept::READ) | bit(write, ept::WRITE) | bit(execute, ept::EXECUTE);
            (rights, ept::RIGHTS & !rights)
        } else {
            let set = bit(read || write || execute, entry::PRESENT)
                | bit(write, entry::WRITABLE)
                | bit(!execute, entry::NO_EXECUTE);
            let all = entry::PRESENT | entry::WRITABLE | entry::NO_EXECUTE;
            (set, all & !set)
        };
        for at in self.tables.group_of(at, leaf) {
            self.tables.change(table, at, given, taken);
        }
        true
    }

    /// Sets and clears flags of the entry of a level for a guest-physical address.
    ///
    /// # Errors
    /// `unsupported` if there is no such entry, if an empty entry would become present, or if the entry would map or
    /// lead to other memory than before.
    pub(crate) fn set_entry(
        &mut self,
        address: u64,
        level: Level,
        flags: (u64, u64),
    ) -> Result<()> {
        let found = self.tables.entry_at(self.vm, address, level);
        let (table, at) = found.ok_or_else(|| missing(address, level))?;
        let before = self.tables.read(table, at);
        let after = (before | flags.0) & !flags.1;
        if before == 0 {
            // Other flags of an entry that is not present have no meaning.
            if after & self.tables.format.present == 0 {
                return Ok(());
            }
            // An empty entry with the present flag would map the memory at address 0 (Intel SDM vol. 3C, 28.2.2).
            let message = format!(
                "{}: the host's entry of level {level} for this address is empty, and flags alone would map the host's memory at address 0: access the page first, so that the host maps it",
                Hex(address)
            );
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        let [was_leaf, is_leaf] = [before, after].map(|value| self.meaning(value, level).2);
        let moved = (before ^ after) & ADDRESS & !self.reserved(before, level);
        if moved != 0 || was_leaf != is_leaf {
            let message = format!(
                "the entry would be {}: its address and whether it maps a page are the host's: use host-unmap",
                Hex(after)
            );
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        self.tables.change(table, at, flags.0, flags.1);
        Ok(())
    }
}

pub(crate) fn missing(address: u64, level: Level) -> Error {
    let message = format!(
        "{}: there is no table of level {level} on the way to this address yet: access the page first, or choose another level",
        Hex(address)
    );
    Error::new(ErrorCode::Unsupported, message)
}
