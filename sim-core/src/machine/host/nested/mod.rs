//! The host's side of a walk: it translates guest-physical addresses to host-physical ones.
//!
//! [`Host`] is the walker's interface: it translates the address of each table of the guest, and of the data. Without
//! virtualisation, the address stays the same ([`Native`]). [`Nested`] walks the host's tables, shortened by the nested
//! TLB, the EPT paging-structure caches and the page walk cache.
//!
//! ```text
//! guest-physical address ─▶ nested TLB ─hit────────────────▶ host-physical address
//!                              └miss─▶ ept_psc ─▶ host tables ┘
//! ```

mod build;
mod caches;
mod change;
mod host;
mod plain;
mod shadow;
mod translate;

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::caches::psc::Layout;
use crate::caches::tlb::{Entries, TagLayout};
use crate::machine::probe::HostWork;
use crate::machine::structures::StructureId;
use crate::os::Os;
use crate::page_table::PageTables;
use pagewalk_base::addr::{Leaf, Level, Paging, PerLeaf, PerLevel};
use pagewalk_base::error::Result;

pub(crate) use change::{Needs, Obstacle, missing};
pub(crate) use host::{GuestTable, Host, Native, Walking, read};
pub(crate) use shadow::Shadow;
pub(crate) use translate::qualification;

/// The entries that the page walk cache keeps, in addition to the guest's entries that lead to tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// The page walk cache keeps no further entries.
    Guest,
    /// The host's entries that lead to tables.
    Tables,
    /// The host's entries that lead to tables, or map tables of the guest.
    TablesAndLeaves,
}

/// The fixed part of a host, computed from the configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostPlan {
    pub(crate) paging: Rc<Paging>,
    pub(crate) root_level: Level,
    /// The page shift of each leaf, as in the machine's plan.
    pub(crate) shift: PerLeaf<u32>,
    pub(crate) entry_level: PerLeaf<Level>,
    pub(crate) tags: TagLayout,
    /// Whether the host's entries are Intel's EPT entries. Otherwise they have the format of the machine's own
    /// entries.
    pub(crate) is_ept: bool,
    /// The entries of the log of written pages (page-modification log, Intel SDM vol. 3C, 28.2.5). 0 = no log, as on
    /// AMD and Arm.
    pub(crate) log_entries: u16,
    pub(crate) psc: Layout,
    /// The numbers of the structures among those of the machine.
    pub(crate) tlb_at: StructureId,
    pub(crate) psc_at: StructureId,
    pub(crate) pwc_at: StructureId,
    /// Whether the nested TLB serves the address of the data.
    pub(crate) tlb_serves_data: bool,
    /// If the nested TLB is inside a TLB array: for each leaf, the leaf at whose page size the array keeps it.
    pub(crate) tlb_holds: Option<PerLeaf<Option<Leaf>>>,
    pub(crate) pwc_keeps: Keeps,
    /// Whether the host's tables have accessed and dirty flags.
    pub(crate) has_flags: bool,
    /// For each leaf of the guest and of the host: the leaf of the page that the TLB holds; `None` if it can hold
    /// none.
    smaller: PerLeaf<PerLeaf<Option<Leaf>>>,
    /// The leaf of all the host's pages, if they have one size.
    pub(crate) only_leaf: Option<Leaf>,
}

/// The caches of one core for the walks of virtual machines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostCaches {
    pub(crate) tlb: Option<Entries>,
    /// The paging-structure caches, in the order of the plan.
    pub(crate) psc: Vec<Entries>,
    pub(crate) pwc: Option<Entries>,
}

impl HostCaches {
    /// Returns all caches, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Entries> {
        self.tlb.iter().chain(&self.psc).chain(&self.pwc)
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Entries> {
        self.tlb.iter_mut().chain(&mut self.psc).chain(&mut self.pwc)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all().map(Entries::bytes).sum()
    }
}

/// The state of the host for one virtual machine, without its memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OfGuest {
    /// The host-physical address of each table of the guest, by number. 0 = not translated yet.
    homes: Vec<u64>,
    /// Pages that the host unmapped and has not mapped again, by their first address.
    unmapped: BTreeSet<u64>,
    /// The number of free entries of the page-modification log.
    log_left: u16,
    /// Whether the log was full and its exit is still pending.
    log_was_full: bool,
    /// Under shadow paging: the number of page-table entries that the guest had written at its last exit.
    pub(crate) n_written: u64,
}

impl OfGuest {
    pub(crate) fn new() -> Self {
        Self {
            homes: Vec::new(),
            unmapped: BTreeSet::new(),
            log_left: LOG_ENTRIES,
            log_was_full: false,
            n_written: 0,
        }
    }

    /// Clears the addresses of the guest's tables, because the host has moved them.
    pub(crate) fn clear_homes(&mut self) {
        self.homes.clear();
    }

    /// Returns whether the log was full since the last call.
    pub(crate) fn take_log_was_full(&mut self) -> bool {
        std::mem::take(&mut self.log_was_full)
    }

    pub(crate) fn bytes(&self) -> usize {
        std::mem::size_of_val::<[u64]>(&self.homes)
    }
}

/// The host of virtual machines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Nested {
    pub(crate) plan: Rc<HostPlan>,
    pub(crate) tables: PageTables,
    pub(crate) os: Os,
    pub(crate) caches: HostCaches,
    /// The number of the running virtual machine: the address space in `tables` of its memory.
    pub(crate) vm: u32,
    pub(crate) own: OfGuest,
    /// The bits that turn the numbers of pages, and of entries that lead to tables, into tags.
    pub(crate) page_class: PerLeaf<u64>,
    pub(crate) table_class: PerLevel<u64>,
    /// Whether the guest mapped the page in question before the TLB lookup: see `machine::mapped_page`.
    pub(crate) just_mapped: bool,
    /// Whether accesses need a permission check: an operation has changed what the host's entries allow, or the host
    /// copies pages on write.
    pub(crate) checks_permissions: bool,
    /// The shadow table. Under shadow paging the processor walks this table; `tables` only locate the guest's
    /// memory.
    pub(crate) shadow: Option<Shadow>,
}

/// The distance between the memories of virtual machines, if the host's configuration gives none.
const MEMORY_BITS: u32 = 44;

/// Returns the physical address of a mapped virtual address of an address space. `nested` maps the guest's memory,
/// if there is a guest.
pub(crate) fn physical(
    tables: &PageTables,
    nested: Option<&Nested>,
    space: u32,
    va: u64,
) -> Option<u64> {
    let address = tables.locate(space, va)?;
    nested.map_or(Some(address), |nested| nested.locate(address))
}

/// The number of entries of the page-modification log (Intel SDM vol. 3C, 28.2.5).
const LOG_ENTRIES: u16 = 512;

impl Nested {
    /// Switches to a virtual machine. Its memory may be pretouched.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(crate) fn enter(&mut self, vm: u32) -> Result<()> {
        self.vm = vm;
        self.os.enter(vm);
        let tags = self.plan.tags;
        self.page_class = PerLeaf::new(|leaf| tags.page_class(leaf, vm));
        self.table_class = PerLevel::new(|level| tags.table_class(level, vm));
        if self.os.pretouches() && self.tables.is_new(vm) {
            self.os.pretouch(&mut self.tables, vm)?;
        }
        Ok(())
    }

    /// Returns whether the host has pages of several sizes, so that the size depends on the address.
    pub(crate) fn is_mixed(&self) -> bool {
        self.plan.only_leaf.is_none()
    }

    /// Returns the leaf at which the TLB holds a guest's page. `place` is the guest-physical address of the page, if
    /// it is mapped.
    pub(crate) fn tlb_leaf(&self, guest_leaf: Leaf, place: Option<u64>) -> Leaf {
        self.tlb_leaf_of(guest_leaf, place.map(|place| self.os.leaf_at(self.vm, place)))
    }

    /// Returns the leaf at which the TLB holds a guest's page. `host_leaf` is the leaf of the host's page, if it is
    /// mapped.
    pub(crate) fn tlb_leaf_of(&self, guest_leaf: Leaf, host_leaf: Option<Leaf>) -> Leaf {
        let host = self.plan.only_leaf.or(host_leaf);
        host.and_then(|host| self.plan.smaller[guest_leaf][host]).unwrap_or(guest_leaf)
    }

    /// Returns whether the processor walks the host's tables. It does not under shadow paging.
    pub(crate) fn is_walked(&self) -> bool {
        self.shadow.is_none()
    }

    /// Returns the leaf levels of the pages that the TLB holds, for pages of the guest of these levels.
    pub(crate) fn tlb_leaves(&self, guest: &[Leaf]) -> Vec<Leaf> {
        let host = self.os.leaf_levels();
        let pairs = guest.iter().flat_map(|guest| host.iter().map(move |host| (*guest, *host)));
        let smaller = |(guest, host): (Leaf, Leaf)| self.plan.smaller[guest][host];
        Leaf::distinct(pairs.filter_map(smaller))
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        self.caches.bytes()
            + self.own.bytes()
            + self.tables.bytes_apart_from(other.map(|other| &other.tables))
            + self.shadow.as_ref().map_or(0, |shadow| {
                let twin = other.and_then(|other| other.shadow.as_ref());
                shadow.tables.bytes_apart_from(twin.map(|twin| &twin.tables))
            })
    }

    /// Returns the host-physical address of a guest-physical address, from the tables alone.
    pub(crate) fn locate(&self, address: u64) -> Option<u64> {
        if self.shadow.as_ref().is_some_and(|shadow| shadow.as_guest) {
            return Some(address + (u64::from(self.vm) << MEMORY_BITS));
        }
        let leaf = self.os.leaf_at(self.vm, address);
        let (table, at) = self.tables.leaf(self.vm, address, leaf)?;
        let lowest = self.plan.entry_level[leaf];
        let offset = address & ((1 << self.plan.shift[Leaf::of(lowest)]) - 1);
        Some(self.tables.frame(self.tables.read(table, at)).byte(offset))
    }

    /// Sets the dirty flag of the page of a guest-physical address, and counts it in `work`.
    pub(crate) fn set_dirty(&mut self, address: u64, work: &mut HostWork) {
        if !self.plan.has_flags {
            return;
        }
        let leaf = self.os.leaf_at(self.vm, address);
        let Some((table, at)) = self.tables.leaf(self.vm, address, leaf) else { return };
        if self.tables.set_page_flags(table, at, leaf, self.tables.format.dirty) {
            work.dirty += 1;
            work.log_full += self.log();
        }
    }

    /// Takes an entry of the page-modification log, if there is a log. Returns 1 if the log was full and had to be
    /// emptied first.
    pub(crate) fn log(&mut self) -> u8 {
        if self.plan.log_entries == 0 {
            return 0;
        }
        let full = self.own.log_left == 0;
        self.own.log_was_full |= full;
        self.own.log_left = if full { LOG_ENTRIES } else { self.own.log_left } - 1;
        u8::from(full)
    }
}
