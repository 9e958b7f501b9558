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

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::config::MachineConfig;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{LINE, Memory};
use crate::os::{Os, OsConfig};
use crate::page_table::PageTables;
use crate::plan::{Plan, Target};
use crate::probe::{Outcome, Probe, Translation};
use crate::tlb::{Entries, Slot, TlbArray};
use crate::trace::{Access, Kind};

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
    /// Address spaces by process, numbered in order of appearance.
    spaces: BTreeMap<u32, u32>,
    pid: u32,
    pub(crate) space: u32,
    /// What makes tags of numbers, by level, in the current address space.
    page_class: [u64; 8],
    pub(crate) table_class: [u64; 8],
    /// The level-1 array and slot that the last translation of each kind used.
    pub(crate) last: [Last; 4],
    /// Whether repeats may be skipped with this operating system's page sizes.
    may_skip: bool,
    failure: Option<Error>,
}

/// Lines that one access reads of a page; real ones read one or two.
const MAX_LINES: usize = 64;

/// The level-1 entry that a kind used last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    pub(crate) array: u8,
    pub(crate) slot: Slot,
}

/// No entry: no level has so many arrays.
pub(crate) const NOWHERE: Last = Last { array: u8::MAX, slot: Slot { set: 0, way: 0 } };

/// A page to translate, and its key.
pub(crate) struct Page {
    pub(crate) kind: Kind,
    pub(crate) leaf: u8,
    /// The address, without the bits that translation does not look at.
    pub(crate) va: u64,
    pub(crate) number: u64,
    pub(crate) tag: u64,
}

impl Page {
    /// The number and tag under which a target keeps the page.
    #[inline(always)]
    pub(crate) fn key(&self, target: Target, plan: &Plan, space: u32) -> (u64, u64) {
        if target.held == self.leaf {
            (self.number, self.tag)
        } else {
            self.piece(target.held, plan, space)
        }
    }

    /// The key of a piece of the page, of the size of leaf level `held`.
    #[inline(never)]
    fn piece(&self, held: u8, plan: &Plan, space: u32) -> (u64, u64) {
        let number = self.va >> plan.shift[usize::from(held)];
        (number, number | plan.tags.page_class(held, space))
    }
}

impl Machine {
    /// # Errors
    /// `bad-config` with the field that is wrong; fields of the OS start with `os.`.
    pub fn new(config: &MachineConfig, os: &OsConfig) -> Result<Self> {
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
        let plan = Plan::new(config, &l1, &l2)?;
        let psc = plan
            .psc
            .caches
            .iter()
            .map(|cache| cache.entries(config.seed))
            .collect::<Result<_>>()?;
        let os = Os::new(os, &paging).map_err(|e| e.within("os"))?;
        Ok(Self {
            psc,
            memory: Memory::new(&config.memory).map_err(|e| e.within("memory"))?,
            tables: PageTables::new(Rc::clone(&plan.paging)),
            may_skip: plan.may_skip_repeats(&os.leaf_levels()),
            os,
            spaces: BTreeMap::from([(0, 0)]),
            pid: 0,
            space: 0,
            page_class: classes(|level| plan.tags.page_class(level, 0)),
            table_class: classes(|level| plan.tags.table_class(level, 0)),
            last: [NOWHERE; 4],
            failure: None,
            plan: Rc::new(plan),
            l1,
            l2,
        })
    }

    /// Translates one access; `index` is its number in the trace.
    pub fn access<P: Probe>(&mut self, index: u32, access: &Access, probe: &mut P) {
        self.enter(access.pid);
        probe.accesses(access.kind, 1);
        let leaf = self.translate(index, access.kind, access.address, probe);
        let last = access.last();
        let shift = self.plan.reach[access.kind.index()][usize::from(leaf)];
        if last >> shift != access.address >> shift {
            self.translate_end(index, access.kind, last, probe);
        }
        if self.plan.config.memory.data {
            self.read_data(access);
        }
    }

    /// Makes `pid` the process whose addresses are translated. Nothing is flushed.
    pub(crate) fn enter(&mut self, pid: u32) {
        if self.pid == pid {
            return;
        }
        let next = u32::try_from(self.spaces.len()).unwrap_or(u32::MAX);
        let space = *self.spaces.entry(pid).or_insert(next);
        if space >= self.plan.tags.max_spaces() {
            self.fail(Error::new(
                ErrorCode::TooLarge,
                "the trace has more processes than tags can tell apart",
            ));
            return;
        }
        self.pid = pid;
        self.space = space;
        let (tags, space) = (self.plan.tags, self.space);
        self.page_class = classes(|level| tags.page_class(level, space));
        self.table_class = classes(|level| tags.table_class(level, space));
        self.last = [NOWHERE; 4];
    }

    /// Counts `n` accesses of `kind` on the page that the last one of the kind used.
    #[inline]
    pub(crate) fn repeat<P: Probe>(&mut self, kind: Kind, n: u32, probe: &mut P) {
        let Last { array, slot } = self.last[kind.index()];
        // There is no entry only if the machine has failed.
        let Some(used) = self.l1.get_mut(usize::from(array)) else { return };
        used.entries.entry(slot).add_hits(n);
        probe.repeats(kind, usize::from(array), u64::from(n));
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
        let mut done = Translation::new(index, kind, address, page.leaf);
        if self.lookup_l1(&page, &mut done, probe) {
            probe.translated(&done);
        } else {
            self.translate_beyond_l1(&page, &mut done, probe);
        }
        page.leaf
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
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) {
        let dirty = if let Some(dirty) = self.lookup_l2(page, done, probe) {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = self.plan.l2_hit[page.kind.index()];
            dirty
        } else {
            if page.kind == Kind::Prefetch
                && self.tables.leaf(self.space, page.va, page.leaf).is_none()
            {
                probe.dropped();
                return;
            }
            let Some(dirty) = self.walk(page, done, probe) else { return };
            self.fill_l2(page, done.index, dirty, probe);
            dirty
        };
        self.fill_l1(page, done.index, dirty, probe);
        probe.translated(done);
    }

    #[inline(always)]
    fn page_of(&mut self, kind: Kind, address: u64) -> Page {
        let va = address & self.plan.va_mask;
        let leaf = self.os.leaf_of(va);
        let number = va >> self.plan.shift[usize::from(leaf) % 8];
        let tag = number | self.page_class[usize::from(leaf) % 8];
        Page { kind, leaf, va, number, tag }
    }

    /// Takes the access itself through the memory caches: the lines of its first page, then
    /// those of its last, at most [`MAX_LINES`] of each.
    fn read_data(&mut self, access: &Access) {
        let page = 1 << self.page_shift_of(access.address);
        let (first, last) = (access.address, access.last());
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

    /// The physical address of a mapped virtual one.
    pub(crate) fn physical(&mut self, address: u64) -> Option<u64> {
        let va = address & self.plan.va_mask;
        let leaf = self.os.leaf_of(va);
        let (table, at) = self.tables.leaf(self.space, va, leaf)?;
        let offset = va & ((1 << self.plan.shift[usize::from(leaf)]) - 1);
        Some(self.tables.frame(self.tables.read(table, at)) + offset)
    }

    #[inline]
    pub(crate) fn page_shift(&self, leaf: u8) -> u32 {
        self.plan.shift[usize::from(leaf)]
    }

    /// log2 of the size of the page that holds `address`.
    pub(crate) fn page_shift_of(&self, address: u64) -> u32 {
        self.page_shift(self.os.segment(address & self.plan.va_mask).2)
    }

    pub(crate) fn may_skip(&self) -> bool {
        self.may_skip
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
            + self.memory.bytes_apart_from(other.map(|other| &other.memory))
            + self.tables.bytes_apart_from(other.map(|other| &other.tables))
    }
}

fn classes(of: impl Fn(u8) -> u64) -> [u64; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(of)
}
