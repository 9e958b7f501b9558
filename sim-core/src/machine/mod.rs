//! One machine. A running core translates an access: TLB lookups, paging-structure caches, the walk, the fills.
//!
//! ```text
//! access ─▶ tag bits are removed from the address
//!        ─▶ the core and the process of the access become the current ones
//!        ─▶ address rule, host permissions, rights ──not allowed─▶ an exception ends the access
//!        ─▶ level 1 ─hit──────────────────────────────▶ done
//!              └miss─▶ level 2 ─hit─▶ fill level 1 ────▶ done
//!                         └miss─▶ (POM-TLB or TLB blocks, if any) ─hit─▶ fill both ▶ done
//!                         └miss─▶ walk ─▶ fill both ───▶ done
//!                                  └ paging-structure caches say where it starts,
//!                                    the OS maps a page that is missing
//!        ─▶ the last byte, if it lies on another page, is translated in the same way
//!        ─▶ the data is read through the memory caches, if the machine has them for data
//!        ─▶ translations that the access makes likely are prefetched, if the machine does so
//! ```
//!
//! Two things differ from hardware:
//!
//! 1. A TLB entry holds neither a frame nor rights: both are read from the page tables. `stale` keeps the old rights where
//!    an operation omitted the shootdown. So rights are checked before the lookup, and only if something may limit them.
//! 2. Hardware finds the size of a page by the entry that hits. Here the size is part of the key, so `tlb_leaf` must return
//!    it before the lookup. Under a host with pages of several sizes, it depends on the frame. A page without a frame is
//!    then mapped there, before level 1 is looked up, and the walk reports the fault.
//!
//! [`Machine::access`] is the way in; read it first, then `translate/levels.rs` and
//! `translate/walk.rs`. The calls below leave this file:
//!
//! | call in this file | what it does | file |
//! |---|---|---|
//! | `enter_core` | makes the core of the access the current one, parks the other | `operations/core_switch.rs` |
//! | `enter` | switches to the process of the access | `operations/processes.rs` |
//! | `enter_kernel_for`, `leave_kernel` | uses the kernel's tables for the upper half | `operations/kernel.rs` |
//! | `is_permitted`, `map_or_fault`, `may_write` | checks EPT entries, reports EPT violations, lets the guest map a page | `host/permissions.rs` |
//! | `tlb_leaf` | the page size in the TLB | `mapped_page.rs` |
//! | `is_walkable` | whether a prefetch can be translated | `host/shadow.rs` |
//! | `exit_if_log_was_full` | exits of a full page-modification log | `host/vm_switch.rs` |
//! | `check_rights`, `run_khugepaged` | page faults, copies, huge pages | `operations/os_events.rs` |
//! | `lookup_l1`, `fill_l1`, `lookup_l2`, `fill_l2` | the TLB levels | `translate/levels.rs` |
//! | `translate_special` | fills of unusual machines | `translate/special_fill.rs` |
//! | `look_up_pom_or_walk` | the translations behind level 2 | `translate/pom.rs` |
//! | `look_up_block_or_walk` | the TLB blocks in a memory cache | `translate/victima.rs` |
//! | `walk` | the page walk | `translate/walk.rs` |
//! | `walk_hashed` | the walk of hashed page tables | `translate/hashed.rs` |
//! | `prefetch_translations` | prefetches of TLB entries | `translate/prefetch.rs` |
//! | `read_data` | the access itself, through the memory caches | `data.rs` |
//!
//! State and tables that every step uses: `plan` has the checked configuration as tables, `context` the tags, `structures` the arrays and
//! caches by number, `stale` what may be out of date, `pcids` the numbers of address spaces, `rights` the program's
//! rights, `page` the page of a lookup, `space` the address spaces. `build` makes a machine, `checkpoint` copies one, and
//! `contents` lists what its structures hold. `exception` and `exits` have the reasons that end an access or leave a guest.
//!
//! Words that recur:
//!
//! - *level 1* and *level 2* of the TLB are L1 and STLB. A *table level* counts page tables from the lowest: 1 = PTE, 2 = PDE.
//! - A *leaf* says which entry maps a page: its table level, or a number above the levels for a group of entries that one
//!   TLB entry covers.
//! - A *space* is the number of a set of page tables: one for each process, one for the kernel.
//! - A *context* is the owner of an entry: virtual machine, VPID and PCID. Tags carry its number. `page_class` and
//!   `table_class` are the finished bits that turn the number of a page or table into a tag of the current context.
//! - An entry is looked up by *number* (page number, which chooses the set) and *tag* (number, leaf and context).
//! - A *coalesced run* is several small pages in one TLB entry. It has nothing to do with page runs of a trace.
//! - *Permissions* are the host's (EPT). *Rights* are the program's (mprotect, entry bits, control registers).
//! - *Stale* entries come from operations that omit a shootdown (`flush` off). Walk caches may also keep tables of another
//!   context, or tables that are gone: see `leaves_stale_entries` in `fast/route.rs`.
//!
//! The key of an entry, for a load of `0x7f3a1c2b5e48` by process 7, whose PCID is 2:
//!
//! ```text
//! number   0x7f3a1c2b5          the page number of a 4K page; set = number mod sets
//! tag      context 2 │ leaf 1 │ 0x7f3a1c2b5
//!          └─ page_class[1] ─┘
//! ```
//!
//! Operations between accesses, such as munmap, come from the trace: the run calls [`Machine::execute`] before the next
//! access. For an operation that changes mappings, the operating system changes the tables, then `shootdown` drops entries
//! on this core and on the parked cores. INVLPG, INVPCID and control registers drop entries of this core only
//! (`invalidate`). The probe gets a fact for each entry. Operations are counted and cost no cycles.
//!
//! Structures return plain results (hit or miss, the evicted entry). The machine makes facts of them and reports these to a
//! [`Probe`]. A run does not call [`Machine::access`] for every access: `fast::route` chooses for each chunk of the trace
//! between it and loops over many accesses with equal results.

mod pcids;
pub mod exception;
pub mod exits;
pub(crate) mod rights;
pub(crate) mod stale;
pub mod probe;
pub(crate) mod plan;
pub(crate) mod context;
pub mod structures;
pub(crate) mod contents;
pub mod translate;
pub mod host;
pub mod operations;
pub mod fast;
mod build;
mod checkpoint;
mod data;
mod mapped_page;
mod given;
mod page;
mod space;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::caches::memory::Memory;
use crate::caches::pom::PomTlb;
use crate::caches::tlb::Key;
use crate::machine::context::Contexts;
use crate::machine::exception::Exception;
use crate::machine::fast::route::Allowed;
use crate::machine::host::nested::Nested;
use crate::machine::host::vm_state::{Vcpus, Vms};
use crate::machine::operations::cores::Parked;
use crate::machine::pcids::Pcids;
use crate::machine::plan::Plan;
use crate::machine::probe::{Outcome, Probe, Translation, Updates};
use crate::machine::rights::Modes;
use crate::machine::stale::Stale;
use crate::machine::structures::Structures;
use crate::machine::translate::victima::Victima;
use crate::os::Os;
use crate::page_table::PageTables;
use pagewalk_base::addr::{AddressTags, Leaf, PerLeaf, PerLevel};
use pagewalk_base::error::Error;
use pagewalk_base::trace::{Access, Kind};
use pagewalk_base::whole::IS_WHOLE;

pub(crate) use page::{Page, mark_dirty};

/// The running core, the parked cores, the operating system, and the memory that the page tables are in. A clone is a
/// checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    pub(crate) plan: Rc<Plan>,
    /// TLB arrays and paging-structure caches.
    pub(crate) structures: Structures,
    pub(crate) memory: Memory,
    /// The translations behind level 2, which all cores share.
    pub(crate) pom_tlb: Option<PomTlb>,
    /// The costs of pages, if a memory cache holds TLB blocks.
    pub(crate) victima: Option<Victima>,
    pub(crate) tables: PageTables,
    pub(crate) os: Os,
    /// The host of the virtual machines. With a host, `tables` and `os` are the guest's.
    pub(crate) nested: Option<Box<Nested>>,
    /// Page tables by process, numbered in order of appearance.
    pub(crate) spaces: BTreeMap<u32, u32>,
    /// The number of page tables numbered so far, in all virtual machines.
    n_spaces: u32,
    pub(crate) pcids: Pcids,
    /// The current process, `None` before the first access.
    pub(crate) pid: Option<u32>,
    /// The number of the page tables in use.
    pub(crate) space: u32,
    pub(crate) pcid: u32,
    /// The number of the current context in tags: it distinguishes the entries of this process in the TLBs.
    pub(crate) context_number: u32,
    pub(crate) contexts: Contexts,
    /// The virtual machine and VPID that this core runs, and the states of the other virtual machines that ran on
    /// it.
    pub(crate) vcpus: Vcpus,
    /// The virtual machines that are not running, if there is a host.
    pub(crate) vms: Option<Box<Vms>>,
    /// The bits that turn a page number of the current process into a tag.
    pub(crate) page_class: PerLeaf<u64>,
    /// The bits that turn an address prefix of the current process into a tag of a table entry.
    pub(crate) table_class: PerLevel<u64>,
    /// The fast paths that the configuration allows.
    pub(crate) allowed: Allowed,
    /// The other cores, if the trace uses several.
    pub(crate) cores: Option<Box<Parked>>,
    pub(crate) modes: Modes,
    /// Whether the bits of page-table entries that limit rights are checked, in addition to the rights of mprotect.
    pub(crate) checks_entries: bool,
    /// Changed mappings for which this core has had no shootdown.
    pub(crate) stale: Stale,
    /// The entries that the TLB gets when the first process runs.
    given: Rc<[given::TlbRow]>,
    /// The reason why the machine stopped: memory is used up, or too many processes.
    pub(crate) failure: Option<Error>,
    /// The number of operations executed so far.
    n_operations: u32,
    /// The number of the operation that failed, from 0.
    failed_operation: Option<u32>,
}

impl Machine {
    /// Translates one access; `index` is its number in the trace.
    pub fn access<P: Probe>(&mut self, index: u32, access: &Access, probe: &mut P) {
        let stripped = self.plan.rule.tags.map(|tags| access.without(Some(tags)));
        let access = stripped.as_ref().unwrap_or(access);
        self.enter_core(access.tid, access.cpu, probe);
        self.enter(access.pid, probe);
        probe.accesses(access.kind, 1);
        if !self.is_translated(access) {
            self.end_untranslated(index, access, probe);
            return;
        }
        let user = self.enter_kernel_for(access.address);
        self.access_here(index, access, probe);
        self.leave_kernel(user);
    }

    /// Returns the bits of a virtual address that a translation reads.
    pub fn va_mask(&self) -> u64 {
        self.plan.va_mask
    }

    /// Returns the tags that the machine ignores in the address of an access.
    pub fn address_tags(&self) -> Option<AddressTags> {
        self.plan.rule.tags
    }

    /// Returns log2 of the bytes of the smallest page.
    pub fn smallest_page_shift(&self) -> u32 {
        u32::from(self.plan.paging.offset_bits)
    }

    /// Returns whether a level-1 array serves each kind of access.
    pub fn has_l1(&self) -> [bool; 4] {
        self.plan.has_l1
    }

    /// Checks and translates an access in the current address space, then reads its data.
    #[cfg_attr(feature = "fast", inline(always))]
    fn access_here<P: Probe>(&mut self, index: u32, access: &Access, probe: &mut P) {
        if self.checks_permissions() && !self.is_permitted(access, probe)
            || self.os.checks_rights() && !self.check_rights(index, access, probe)
        {
            end_access(index, access.kind, access.address, probe);
            return;
        }
        let leaf = self.translate(index, access.kind, access.address, probe);
        let last = access.last();
        let shift = self.plan.reach[access.kind.index()][leaf];
        if last >> shift != access.address >> shift {
            self.translate_end(index, access.kind, last, probe);
        }
        if self.plan.config.memory.data {
            self.read_data(access);
        }
        if self.plan.has_aftermath {
            self.end_translated(index, access, leaf, probe);
        }
    }

    /// Does what follows some accesses: prefetches, and the exits of processors without VPIDs.
    #[inline(never)]
    fn end_translated<P: Probe>(&mut self, index: u32, access: &Access, leaf: Leaf, probe: &mut P) {
        if self.plan.prefetches_into().is_some() {
            self.prefetch_translations(index, access, leaf, probe);
        }
        // With VPIDs, an exit keeps the entries, so a full log is only counted.
        if self.plan.untagged {
            self.exit_if_log_was_full(probe);
        }
    }

    /// Returns whether the machine translates every address of the access.
    #[inline]
    fn is_translated(&self, access: &Access) -> bool {
        let rule = self.plan.rule;
        rule.accepts(access.address) && rule.accepts(access.last())
    }

    /// Ends an access to an address that the machine does not translate.
    #[cold]
    fn end_untranslated<P: Probe>(&self, index: u32, access: &Access, probe: &mut P) {
        if access.kind == Kind::Prefetch {
            probe.dropped();
        } else {
            let exception = Exception::Address(self.plan.rule.addresses);
            probe.ended_by_exception(exception, access.address);
        }
        end_access(index, access.kind, access.address, probe);
    }

    /// Translates one address, and returns the leaf of its page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn translate<P: Probe>(
        &mut self,
        index: u32,
        kind: Kind,
        address: u64,
        probe: &mut P,
    ) -> Leaf {
        let page = self.page_of(kind, address);
        if let Some(Updates { flags, host }) = self.lookup_l1(&page, index, probe) {
            let hit = Translation::new(index, kind, address, page.leaf);
            probe.translated(&Translation { ad_updates: flags, host, ..hit });
            page.leaf
        } else {
            self.translate_l1_miss(&page, index, address, probe)
        }
    }

    /// Translates the last byte of an access that straddles two pages. This is rare, so it is not inlined.
    #[inline(never)]
    pub(crate) fn translate_end<P: Probe>(
        &mut self,
        index: u32,
        kind: Kind,
        last: u64,
        probe: &mut P,
    ) {
        self.translate(index, kind, last, probe);
    }

    #[inline(never)]
    fn translate_l1_miss<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        address: u64,
        probe: &mut P,
    ) -> Leaf {
        let changed;
        let page = if index >= self.khugepaged_due() {
            changed = self.run_khugepaged(page, index, probe);
            &changed
        } else {
            page
        };
        // Faults come before the walk: without VPIDs, their exit drops the tables where the walk would start.
        if (self.plan.untagged || self.checks_permissions()) && !self.map_or_fault(page, probe) {
            end_access(index, page.kind, address, probe);
            return page.leaf;
        }
        let mut done = Translation::new(index, page.kind, address, page.leaf);
        if self.plan.special_fills {
            self.translate_special(*page, &mut done, probe);
        } else if let Some(dirty) = self.lookup_l2_or_walk(page, &mut done, probe) {
            self.fill_l1(page, index, dirty, probe);
            probe.translated(&done);
        }
        // An OS that chooses huge pages for code (text) by their cost needs the cycles.
        if self.os.adapts_text() {
            self.os.add_translation_cycles(done.cycles());
        }
        page.leaf
    }

    /// Looks up level 2, then walks. Returns whether the page is known to be dirty. Returns `None` without a
    /// translation: the machine has failed, or a prefetch was dropped.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn lookup_l2_or_walk<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        if let Some(dirty) = self.lookup_l2(page, done, probe) {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = self.plan.l2_hit[page.kind.index()];
            return Some(dirty);
        }
        let dirty = self.walk_or_drop_prefetch(page, done, probe)?;
        self.fill_l2(page, done.index, dirty, probe);
        Some(dirty)
    }

    /// Walks to a page. If the page is not mapped, drops a prefetch and returns `None`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn walk_or_drop_prefetch<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        if page.kind == Kind::Prefetch && !self.is_walkable(page.va) {
            probe.dropped();
            return None;
        }
        if self.pom_tlb.is_some() {
            return self.look_up_pom_or_walk(page, done, probe);
        }
        if IS_WHOLE && self.victima.is_some() {
            return self.look_up_block_or_walk(page, done, probe);
        }
        self.walk_checked(page, done, probe)
    }

    /// Walks to a page. Returns whether the page is known to be dirty.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn walk_checked<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let dirty = self.walk(None, page, done, probe)?;
        // A page that the host made read-only gets an entry that is not dirty, so that the next store is checked.
        Some(dirty && (!self.checks_permissions() || self.may_write(page.va)))
    }

    /// Returns the address bits that translation reads, and the leaf of the page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn leaf_of(&mut self, kind: Kind, address: u64) -> (u64, Leaf) {
        let va = address & self.plan.va_mask;
        let mut leaf = self.os.leaf_of(self.space, va, kind != Kind::Prefetch);
        if self.plan.is_virtual() {
            leaf = self.tlb_leaf(kind, va, leaf);
        }
        (va, leaf)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn page_of(&mut self, kind: Kind, address: u64) -> Page {
        let (va, leaf) = self.leaf_of(kind, address);
        let key = Key::new(va >> self.plan.shift[leaf], self.page_class[leaf]);
        Page { kind, leaf, va, key }
    }

    /// Returns log2 of the bytes of a page that this leaf maps.
    #[inline]
    pub fn page_shift(&self, leaf: Leaf) -> u32 {
        self.plan.shift[leaf]
    }

    /// Returns the reason why the machine stopped, if it did: memory is used up, or too many processes.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Returns the number of the operation that failed, from 0 among those executed.
    pub fn failed_operation(&self) -> Option<u32> {
        self.failed_operation
    }

    pub(crate) fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

/// Reports an access that ends without a translation. A prefetch without one is dropped and has no outcome.
#[cold]
fn end_access<P: Probe>(index: u32, kind: Kind, address: u64, probe: &mut P) {
    if kind != Kind::Prefetch {
        probe.ended(&Translation::none(index, kind, address));
    }
}
