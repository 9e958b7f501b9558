//! One core's address translation: TLB lookups, paging-structure caches, the walk, the fills.
//!
//! ```text
//! access ─▶ level 1 ─hit──────────────────────────────▶ done
//!              └miss─▶ level 2 ─hit─▶ fill level 1 ────▶ done
//!                         └miss─▶ walk ─▶ fill both ───▶ done
//!                                  └ paging-structure caches say where it starts,
//!                                    the OS maps a page that is missing
//! ```
//!
//! The parts return facts; the machine alone makes events of them, for a [`Probe`]: here,
//! in `levels` and in `walk`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::config::MachineConfig;
use crate::context::{Context, Contexts};
use crate::cores::{Last, NOWHERE, Parked};
use crate::error::{Error, ErrorCode, Result};
use crate::exception::Exception;
use crate::guests::{Guest, Vcpus, Vms};
use crate::memory::{LINE, Memory};
use crate::nested::{Nested, OfGuest};
use crate::os::{MemoryMap, Os, OsConfig, Rights};
use crate::page_table::{NATIVE, PageTables};
use crate::pcids::Pcids;
use crate::plan::{Plan, Target};
use crate::probe::{Outcome, Probe, Translation, Updates};
use crate::rights::{Modes, changes_rights};
use crate::tlb::{Entries, TlbArray};
use crate::trace::{Access, Chunk, Kind, LineRuns, Op};

/// The state of one core and of the memory that its tables are in. A clone is a checkpoint.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) plan: Rc<Plan>,
    pub(crate) l1: Vec<TlbArray>,
    pub(crate) l2: Vec<TlbArray>,
    /// The storage of the paging-structure caches; unused where one lives in a TLB array.
    pub(crate) psc: Vec<Entries>,
    pub(crate) memory: Memory,
    pub(crate) tables: PageTables,
    pub(crate) os: Os,
    /// The host of a virtual machine. `tables` and `os` are the guest's then.
    pub(crate) nested: Option<Box<Nested>>,
    /// Page tables by process, numbered in order of appearance.
    pub(crate) spaces: BTreeMap<u32, u32>,
    /// Page tables that have a number, in all virtual machines.
    n_spaces: u32,
    pub(crate) pcids: Pcids,
    /// The process that runs, `None` before the first.
    pub(crate) pid: Option<u32>,
    /// The number of the page tables in use.
    pub(crate) space: u32,
    pub(crate) pcid: u32,
    /// What the entries of the process that runs are tagged with.
    pub(crate) context_number: u32,
    pub(crate) contexts: Contexts,
    /// The virtual machines on this core.
    pub(crate) vcpus: Vcpus,
    /// Those that do not run, where there is a host.
    pub(crate) vms: Option<Box<Vms>>,
    /// What makes tags of numbers, by level, for the process that runs.
    pub(crate) page_class: [u64; 8],
    pub(crate) table_class: [u64; 8],
    /// The level-1 array and slot that the last translation of each kind used.
    pub(crate) last: [Last; 4],
    /// Whether repeats may be skipped with this operating system's page sizes.
    may_skip: bool,
    level_2_is_apart: bool,
    /// The other cores, where a trace uses several.
    pub(crate) cores: Option<Box<Parked>>,
    pub(crate) modes: Modes,
    /// Whether the bits of entries decide what is allowed, beside the program's rights.
    pub(crate) checks_entries: bool,
    /// Pages whose rights have changed while nothing was dropped, by page table and first address: the
    /// last address, and the rights before.
    pub(crate) stale: BTreeMap<(u32, u64), (u64, Rights)>,
    /// The smallest pages that may be written no more since a fork, while nothing was dropped: page table
    /// and number.
    pub(crate) untold: BTreeSet<(u32, u64)>,
    pub(crate) failure: Option<Error>,
}

/// Lines that one access reads of a page; real ones read one or two.
const MAX_LINES: usize = 64;

/// A page to translate, and its key.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) kind: Kind,
    /// What maps it: the level of one entry, or a group of entries.
    pub(crate) leaf: u8,
    /// The address, without the bits that translation does not look at.
    pub(crate) va: u64,
    pub(crate) number: u64,
    pub(crate) tag: u64,
}

impl Page {
    /// The number and tag under which a target keeps the page.
    #[inline(always)]
    pub(crate) fn key(&self, target: Target, plan: &Plan) -> (u64, u64) {
        if target.held == self.leaf {
            (self.number, self.tag)
        } else {
            self.piece(target.held, plan)
        }
    }

    /// The key of a piece of the page, of the size of leaf `held`.
    #[inline(never)]
    fn piece(&self, held: u8, plan: &Plan) -> (u64, u64) {
        let number = self.va >> plan.shift[usize::from(held)];
        (number, number | plan.tags.page_class(held, plan.tags.space(self.tag)))
    }
}

impl Machine {
    /// # Errors
    /// `bad-config` with the field that is wrong; fields of the OS start with `os.`.
    pub fn new(config: &MachineConfig, os: &OsConfig) -> Result<Self> {
        Self::with_map(config, os, &MemoryMap::default())
    }

    /// A machine for a trace of whose memory something is known.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with_map(config: &MachineConfig, os: &OsConfig, known: &MemoryMap<'_>) -> Result<Self> {
        config.check()?;
        let paging = config.geometry()?;
        let level = |field: &str,
                     arrays: &[crate::tlb::ArrayConfig],
                     first: usize|
         -> Result<Vec<TlbArray>> {
            let seeded = arrays.iter().enumerate().map(|(at, array)| {
                // One draw sequence per array: the seed is moved on by the array's number.
                let seed =
                    crate::policy::xorshift(config.seed.wrapping_add((first + at) as u64).max(1));
                TlbArray::new(array, &paging, seed).map_err(|e| e.within(&format!("{field}[{at}]")))
            });
            seeded.collect()
        };
        let l1 = level("l1", &config.l1, 0)?;
        let l2 = level("l2", &config.l2, l1.len())?;
        let plan = Plan::new(config, os.virt, &l1, &l2)?;
        let psc = plan
            .psc
            .caches
            .iter()
            .map(|cache| cache.entries(config.seed))
            .collect::<Result<_>>()?;
        os.check_host().map_err(|e| e.within("os"))?;
        let system = Os::new(os, &plan.paging, known).map_err(|e| e.within("os"))?;
        let nested = Nested::of(config, os, &system, &plan)?.map(Box::new);
        let leaves = match &nested {
            None => system.leaf_levels(),
            Some(nested) => nested.tlb_leaves(&system.leaf_levels()),
        };
        let tables = PageTables::new(Rc::clone(&plan.paging), NATIVE);
        let vms = nested.is_some().then(|| {
            Box::new(Vms::new(Guest {
                tables: tables.clone(),
                os: system.clone(),
                spaces: BTreeMap::new(),
                modes: Modes::default(),
                checks_entries: false,
                of_host: OfGuest::new(),
            }))
        });
        let vpid = u16::from(nested.is_some() && !plan.untagged);
        let is_mixed = nested.as_ref().is_some_and(|nested| nested.is_mixed());
        Ok(Self {
            psc,
            memory: Memory::new(&config.memory).map_err(|e| e.within("memory"))?,
            tables,
            may_skip: !system.judges() && !is_mixed && plan.may_skip_repeats(&leaves),
            level_2_is_apart: plan.level_2_is_apart(&leaves),
            os: system,
            nested,
            spaces: BTreeMap::new(),
            n_spaces: 0,
            contexts: Contexts::new(plan.tags, vpid),
            vcpus: Vcpus::new(vpid),
            vms,
            pcids: Pcids::new(config.control.as_ref().and_then(|control| control.pcids)),
            pid: None,
            space: 0,
            pcid: 0,
            context_number: 0,
            page_class: classes(|level| plan.tags.page_class(level, 0)),
            table_class: classes(|level| plan.tags.table_class(level, 0)),
            last: [NOWHERE; 4],
            cores: None,
            modes: Modes::default(),
            checks_entries: false,
            stale: BTreeMap::new(),
            untold: BTreeSet::new(),
            failure: None,
            plan: Rc::new(plan),
            l1,
            l2,
        })
    }

    /// Translates one access; `index` is its number in the trace.
    pub fn access<P: Probe>(&mut self, index: u32, access: &Access, probe: &mut P) {
        self.enter_core(access.tid, access.cpu, probe);
        self.enter(access.pid, probe);
        probe.accesses(access.kind, 1);
        if !self.is_canonical(access) {
            general_protection(access, probe);
            return;
        }
        let user = self.enter_kernel_for(access.address);
        self.go_on(index, access, probe);
        self.leave_kernel(user);
    }

    /// Translates an access of the process that runs, or of the kernel.
    #[inline(always)]
    fn go_on<P: Probe>(&mut self, index: u32, access: &Access, probe: &mut P) {
        if self.is_guarded() && !self.may_go_on(access, probe) {
            return;
        }
        if self.os.judges() && !self.admit(index, access, probe) {
            return;
        }
        let leaf = self.translate(index, access.kind, access.address, probe);
        let last = access.last();
        let shift = self.plan.reach[access.kind.index()][usize::from(leaf)];
        if last >> shift != access.address >> shift {
            self.translate_end(index, access.kind, last, probe);
        }
        if self.plan.config.memory.data {
            self.read_data(access);
        }
        if self.plan.untagged {
            self.exit_if_log_was_full(probe);
        }
    }

    /// Whether the addresses of an access are such that the processor translates them.
    #[inline]
    fn is_canonical(&self, access: &Access) -> bool {
        let bits = self.plan.canonical_bits;
        access.va_bits() <= bits
    }

    /// The number of a process's page tables.
    pub(crate) fn space_of(&mut self, pid: u32) -> u32 {
        let next = self.n_spaces;
        let space = *self.spaces.entry(pid).or_insert(next);
        self.n_spaces += u32::from(space == next);
        space
    }

    /// The number that tags have for a context; `None` if there are no more: the machine has failed then.
    pub(crate) fn number_of(&mut self, context: Context) -> Option<u32> {
        let number = self.contexts.number(context);
        if number.is_none() {
            let message = "the trace has more processes than tags can tell apart";
            self.fail(Error::new(ErrorCode::TooLarge, message));
        }
        number
    }

    /// Makes a process the one whose addresses are translated, under `pcid`.
    pub(crate) fn set_process(&mut self, process: u32, pcid: u32) {
        let space = self.space_of(process);
        let Vcpus { vm, vpid, .. } = self.vcpus;
        let context = Context { vm, vpid, pcid, global: false };
        let Some(number) = self.number_of(context) else { return };
        (self.pid, self.space) = (Some(process), space);
        (self.pcid, self.context_number) = (pcid, number);
        self.os.enter(process);
        let tags = self.plan.tags;
        self.page_class = classes(|level| tags.page_class(level, number));
        self.table_class = classes(|level| tags.table_class(level, number));
        self.last = [NOWHERE; 4];
        if self.os.pretouches() && self.tables.existing_root(space).is_none() {
            self.pretouch();
        }
    }

    /// Translates one address; returns the leaf level of its page.
    #[inline(always)]
    pub(crate) fn translate<P: Probe>(
        &mut self,
        index: u32,
        kind: Kind,
        address: u64,
        probe: &mut P,
    ) -> u8 {
        let page = self.page_of(kind, address);
        if let Some(Updates { flags, host }) = self.lookup_l1(&page, index, probe) {
            let hit = Translation::new(index, kind, address, page.leaf);
            probe.translated(&Translation { ad_updates: flags, host, ..hit });
            page.leaf
        } else {
            self.translate_beyond_l1(page, index, address, probe)
        }
    }

    /// The same for the last byte of an access that straddles two pages, which is rare.
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
    fn translate_beyond_l1<P: Probe>(
        &mut self,
        page: Page,
        index: u32,
        address: u64,
        probe: &mut P,
    ) -> u8 {
        let page = if index >= self.khugepaged_due() {
            self.run_khugepaged(page, index, probe)
        } else {
            page
        };
        if (self.plan.untagged || self.is_guarded()) && !self.fault_in(&page, probe) {
            return page.leaf;
        }
        let mut done = Translation::new(index, page.kind, address, page.leaf);
        if self.plan.depends {
            self.translate_depending(page, &mut done, probe);
        } else if let Some(dirty) = self.beyond_l1(&page, &mut done, probe) {
            self.fill_l1(&page, index, dirty, probe);
            probe.translated(&done);
        }
        if self.os.adapts_text() {
            self.os.translated_in(done.l2_cycles + done.walk_cycles);
        }
        page.leaf
    }

    /// Level 2, then a walk. Tells whether the page is known to be dirty; `None` if there is no
    /// translation: the machine has failed, or a prefetch was dropped.
    #[inline(always)]
    pub(crate) fn beyond_l1<P: Probe>(
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
        let dirty = self.walk_if_mapped(page, done, probe)?;
        self.fill_l2(page, done.index, dirty, probe);
        Some(dirty)
    }

    /// The walk of a page that is mapped or may be: a prefetch of a page that is not is dropped.
    #[inline(always)]
    pub(crate) fn walk_if_mapped<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        if page.kind == Kind::Prefetch && !self.is_walkable(page.va) {
            probe.dropped();
            return None;
        }
        let dirty = self.walk(None, page, done, probe)?;
        Some(dirty && (!self.is_guarded() || self.may_write(page.va)))
    }

    /// The address without the bits that translation does not look at, and the leaf of its page.
    #[inline(always)]
    pub(crate) fn leaf_of(&mut self, kind: Kind, address: u64) -> (u64, u8) {
        let va = address & self.plan.va_mask;
        let mut leaf = self.os.leaf_of(self.space, va, kind != Kind::Prefetch);
        if self.plan.is_virtual() {
            leaf = self.tlb_leaf(kind, va, leaf);
        }
        (va, leaf)
    }

    #[inline(always)]
    pub(crate) fn page_of(&mut self, kind: Kind, address: u64) -> Page {
        let (va, leaf) = self.leaf_of(kind, address);
        let number = va >> self.plan.shift[usize::from(leaf) % 8];
        let tag = number | self.page_class[usize::from(leaf) % 8];
        Page { kind, leaf, va, number, tag }
    }

    /// Takes the access itself through the memory caches: the lines of its first page, then
    /// those of its last, at most [`MAX_LINES`] of each.
    fn read_data(&mut self, access: &Access) {
        let (first, last) = (access.address, access.last());
        // Pages are as large as a line, or larger: such an access has one line, of one page.
        if first / LINE == last / LINE && 1 << self.plan.shift[1] >= LINE {
            if let Some(physical) = self.physical(first) {
                self.memory.read(physical);
            }
            return;
        }
        let page = 1 << self.page_shift_of(first);
        let end_of_first = (first | (page - 1)).min(last);
        self.read_lines(first, end_of_first);
        if end_of_first < last {
            let page = 1 << self.page_shift_of(last);
            self.read_lines((last & !(page - 1)).max(end_of_first + 1), last);
        }
    }

    fn read_lines(&mut self, first: u64, last: u64) {
        for line in (first / LINE..=last / LINE).take(MAX_LINES) {
            let Some(physical) = self.physical(first.max(line * LINE)) else { break };
            self.memory.read(physical);
        }
    }

    /// Whether a process has a page mapped at `address`.
    pub(crate) fn is_mapped(&self, pid: u32, address: u64) -> bool {
        let space = self.spaces.get(&pid);
        space
            .is_some_and(|space| self.tables.leaf_of(*space, address & self.plan.va_mask).is_some())
    }

    #[inline]
    pub(crate) fn page_shift(&self, leaf: u8) -> u32 {
        self.plan.shift[usize::from(leaf)]
    }

    /// Whether the repeats of a chunk may be counted instead of simulated: khugepaged, which works
    /// only where accesses come one by one, must not be due before its end.
    pub(crate) fn may_skip(&self, chunk: &Chunk) -> bool {
        self.may_skip
            && !self.os.judges()
            && !chunk.has_op(changes_rights)
            && self.cores.is_none()
            && !self.is_guarded()
            && !self.plan.untagged
            && !(chunk.has_op(switches_vm)
                && self.vms.as_ref().is_some_and(|vms| vms.are_watched()))
            && chunk.first + chunk.n <= self.khugepaged_due()
            && chunk.va_bits() <= self.plan.canonical_bits
            && (!self.plan.touches_lines || self.lines_of(chunk).is_some())
    }

    /// The lines that the accesses of a chunk touch, where they go through caches and no page is moved meanwhile.
    pub(crate) fn lines_of<'a>(&self, chunk: &'a Chunk) -> Option<&'a LineRuns> {
        let is_still = !self.os.adapts_text() && !self.os.shares_kernel();
        if self.plan.touches_lines && is_still { chunk.lines() } else { None }
    }

    /// Whether what level 2 holds follows from the misses of level 1 alone.
    pub(crate) fn level_2_is_apart(&self) -> bool {
        self.level_2_is_apart
    }

    /// What made the machine stop, if something did: memory used up, too many processes.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    pub(crate) fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    /// Bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let arrays = self.l1.iter().chain(&self.l2).map(|array| array.entries.bytes());
        arrays.chain(self.psc.iter().map(Entries::bytes)).sum::<usize>()
            + parked(self).map_or(0, |cores| cores.bytes_apart_from(other.and_then(parked)))
            + self.memory.bytes_apart_from(other.map(|other| &other.memory))
            + self.tables.bytes_apart_from(other.map(|other| &other.tables))
            + self
                .vms
                .as_ref()
                .map_or(0, |vms| vms.bytes_apart_from(other.and_then(|other| other.vms.as_deref())))
            + self.os.bytes_apart_from(other.map(|other| &other.os))
            + self.nested.as_ref().map_or(0, |nested| {
                nested.bytes_apart_from(other.and_then(|other| other.nested.as_deref()))
            })
    }
}

/// Tells the entries of level 1, and of level 2 too if `both`, that have been filled for a page
/// and are still there that it is dirty.
#[inline(never)]
pub(crate) fn know_dirty(
    plan: &Plan,
    l1: &mut [TlbArray],
    l2: &mut [TlbArray],
    page: &Page,
    both: bool,
) {
    let (kind, leaf) = (page.kind.index(), usize::from(page.leaf) % 8);
    let filled = l1.get_mut(usize::from(plan.only_l1[kind][leaf])).into_iter();
    let second = l2.get_mut(usize::from(plan.only_l2[kind][leaf])).filter(|_| both);
    for array in filled.chain(second) {
        if let Some(entry) = array.entries.known(page.number, page.tag) {
            entry.know_dirty();
        }
    }
}

fn switches_vm(op: &Op) -> bool {
    matches!(op, Op::VmSwitch { .. })
}

fn parked(machine: &Machine) -> Option<&Parked> {
    machine.cores.as_deref()
}

pub(crate) fn classes(of: impl Fn(u8) -> u64) -> [u64; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(of)
}

#[cold]
fn general_protection<P: Probe>(access: &Access, probe: &mut P) {
    if access.kind == Kind::Prefetch {
        probe.dropped();
    } else {
        probe.excepted(Exception::GeneralProtection, access.address);
    }
}
