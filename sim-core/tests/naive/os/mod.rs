//! A second operating system that is slow and obvious. It keeps every page separately, and computes every answer
//! from the configuration. Its processor has one TLB, a list in order of use.

#![allow(clippy::pedantic, reason = "brevity: this is a specification")]

mod climb;
mod counts;
mod fault;
mod fork;
mod khugepaged;
mod layout;
mod unmap;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use counts::Counts;
use layout::{HUGE, Layout, Way};
use pagewalk::os::{MemoryMap, OsConfig, PagePolicy};
use pagewalk_base::trace::{Access, Kind};

#[derive(Clone, Copy)]
struct Page {
    shift: u32,
    writable: bool,
    /// The number of the first memory cell of the page. A small page has one cell, a huge page 512.
    cell: u64,
}

pub(crate) struct Twin<'a> {
    os: &'a OsConfig,
    known: &'a MemoryMap<'a>,
    layouts: BTreeMap<u32, Layout>,
    /// The processes in order of appearance.
    order: Vec<u32>,
    /// The TLB entries, the most recently used one last.
    tlb: Vec<(u32, u32, u64)>,
    entries: usize,
    /// The pages by process and address.
    pages: BTreeMap<(u32, u64), Page>,
    /// The tables by process, level, and address divided by the range of the table.
    tables: BTreeSet<(u32, u32, u64)>,
    /// Whether one huge page maps each decided block.
    blocks: BTreeMap<(u32, u64), bool>,
    /// The walks that ended in each block since khugepaged last ran. The key has the process's place in the
    /// order.
    walks: BTreeMap<(usize, u64), u64>,
    climb: climb::Climb,
    draws: u64,
    due: u64,
    /// The number of free pages of each size.
    pub(crate) pools: BTreeMap<u32, u64>,
    touched: BTreeSet<(u32, u64)>,
    /// The rights of each process and small page: whether it may be read, written, executed. Missing = all
    /// rights.
    rights: BTreeMap<(u32, u64), (bool, bool, bool)>,
    next_cell: u64,
    /// Cells that are also shared with processes outside the trace.
    outside: BTreeSet<u64>,
    /// The families of processes that are related by forks.
    families: Vec<Vec<u32>>,
    /// Small pages whose translation in the TLB is stale.
    stale: BTreeSet<(u32, u64)>,
    /// The copies whose page faults are not complete. khugepaged waits for them.
    copying: Vec<u64>,
    /// The number of page faults for each error code.
    pub(crate) page_faults: BTreeMap<u32, u64>,
    pub(crate) counts: Counts,
    /// Whether an operation that the system does not support has ended the run.
    pub(crate) failed: bool,
}

impl<'a> Twin<'a> {
    pub(crate) fn new(os: &'a OsConfig, known: &'a MemoryMap<'a>, entries: usize) -> Self {
        Self {
            os,
            known,
            layouts: BTreeMap::new(),
            order: Vec::new(),
            tlb: Vec::new(),
            entries,
            pages: BTreeMap::new(),
            tables: BTreeSet::new(),
            blocks: BTreeMap::new(),
            walks: BTreeMap::new(),
            climb: climb::Climb::new(),
            draws: os.thp.seed.max(1),
            due: os.thp.khugepaged.map_or(u64::MAX, |k| k.every.into()),
            pools: os.hugetlb.iter().map(|pool| (pool.size.shift(), pool.pages)).collect(),
            touched: BTreeSet::new(),
            rights: BTreeMap::new(),
            next_cell: 0,
            outside: BTreeSet::new(),
            families: Vec::new(),
            stale: BTreeSet::new(),
            copying: Vec::new(),
            page_faults: BTreeMap::new(),
            counts: Counts::default(),
            failed: false,
        }
    }

    /// Returns whether there is a free block, drawn by xorshift64* modulo 100.
    fn has_block(&mut self) -> bool {
        let fragmentation = u64::from(self.os.thp.fragmentation);
        if fragmentation == 0 {
            return true;
        }
        self.draws ^= self.draws >> 12;
        self.draws ^= self.draws << 25;
        self.draws ^= self.draws >> 27;
        self.draws.wrapping_mul(2_685_821_657_736_338_717) % 100 >= fragmentation
    }

    fn enter(&mut self, pid: u32) {
        if !self.layouts.contains_key(&pid) {
            self.layouts.insert(pid, Layout::new(self.os, self.known, pid));
            self.order.push(pid);
            let pieces = self.layouts[&pid].pieces.clone();
            for piece in pieces {
                let pretouched = piece.config.is_some_and(|at| self.os.regions[at].pretouch);
                let mut va = piece.start;
                while pretouched && va < piece.end {
                    let shift = self.shift_of(pid, va, true);
                    let first = va >> shift << shift;
                    if !self.pages.contains_key(&(pid, first)) {
                        let cell = self.new_cell(shift);
                        self.map(pid, first, Page { shift, writable: true, cell });
                        self.counts.pretouched += 1;
                    }
                    va = first + (1 << shift);
                }
            }
        }
    }

    /// Returns log2 of the page that `va` has or gets. With `demand`, the size of an undecided block is
    /// decided.
    fn shift_of(&mut self, pid: u32, va: u64, demand: bool) -> u32 {
        let layout = &self.layouts[&pid];
        let (way, block) = (layout.piece(va).way, va >> HUGE);
        let fits = layout.fits(va, HUGE);
        let decided = self.blocks.get(&(pid, block)).copied();
        match way {
            Way::Sizes(most) => {
                *[30, 21, 12].iter().find(|s| **s <= most && layout.fits(va, **s)).unwrap_or(&12)
            }
            Way::Small => 12,
            Way::Code => {
                let adapted = self.os.hugetext.adaptive.is_some();
                if layout.code.contains(&block) && (!adapted || decided == Some(true)) {
                    HUGE
                } else {
                    12
                }
            }
            _ if !fits => 12,
            Way::Huge => {
                if decided == Some(false) {
                    12
                } else {
                    HUGE
                }
            }
            Way::Open => match decided {
                Some(huge) => {
                    if huge {
                        HUGE
                    } else {
                        12
                    }
                }
                None if !demand => 12,
                None => {
                    let huge = self.os.thp.at_fault && self.has_block();
                    self.blocks.insert((pid, block), huge);
                    if huge { HUGE } else { 12 }
                }
            },
        }
    }

    fn map(&mut self, pid: u32, first: u64, page: Page) {
        self.pages.insert((pid, first), page);
        for spans in [21, 30, 39, 48].into_iter().filter(|spans| *spans > page.shift) {
            self.tables.insert((pid, spans, first >> spans));
        }
    }

    fn region(&self, pid: u32, va: u64) -> Option<&pagewalk::os::RegionConfig> {
        let piece = self.layouts[&pid].piece(va);
        piece.config.map(|at| &self.os.regions[at])
    }

    fn is_shared_until_written(&self, pid: u32, va: u64) -> bool {
        self.region(pid, va).is_some_and(|region| region.copy_on_write)
    }

    /// Returns the free pages of the pool that a page comes from, if there is a pool.
    fn pool_of(&self, pid: u32, va: u64, shift: u32) -> Option<u64> {
        let hugetlb = matches!(self.layouts[&pid].piece(va).policy, PagePolicy::Hugetlb(_));
        self.pools.get(&shift).copied().filter(|_| hugetlb)
    }

    pub(crate) fn access(&mut self, index: u64, access: &Access) {
        if self.failed {
            return;
        }
        let (pid, first, last) = (access.pid, access.address, access.last());
        self.enter(pid);
        self.adapt(index);
        if access.kind == Kind::Fetch {
            self.fetched(pid, first);
        }
        let store = access.kind == Kind::Store;
        if access.kind != Kind::Prefetch {
            self.touched.extend([(pid, first >> 12), (pid, last >> 12)]);
            for va in [first, last] {
                if let Some(code) = self.page_fault(pid, access.kind, va) {
                    *self.page_faults.entry(code).or_insert(0) += 1;
                    // The fault drops the TLB entry of the page.
                    self.tlb.retain(|(of, shift, number)| *of != pid || va >> shift != *number);
                    return;
                }
            }
            if !self.check_rights(pid, first, last, store) {
                self.counts.bus_errors += 1;
                return;
            }
        } else {
            // The new TLB entry has the current rights, so it is not stale.
            for va in [first, last] {
                self.missed_shootdown(pid, va);
            }
        }
        let shift = self.translate(index, access.kind, pid, first);
        if first >> shift != last >> shift {
            self.translate(index, access.kind, pid, last);
        }
    }

    fn translate(&mut self, index: u64, kind: Kind, pid: u32, va: u64) -> u32 {
        let mut shift = self.shift_of(pid, va, kind != Kind::Prefetch);
        let key = (pid, shift, va >> shift);
        if let Some(at) = self.tlb.iter().position(|entry| *entry == key) {
            self.tlb.remove(at);
            self.tlb.push(key);
            return shift;
        }
        if index >= self.due && self.copying.is_empty() {
            self.khugepaged(index);
            shift = self.shift_of(pid, va, kind != Kind::Prefetch);
        }
        let first = va >> shift << shift;
        self.copying.retain(|page| *page != first);
        if !self.pages.contains_key(&(pid, first)) {
            if kind == Kind::Prefetch {
                return shift;
            }
            let store = kind == Kind::Store;
            self.fault(pid, first, shift, store, self.cause(pid, va, store));
        }
        self.costs(shift);
        self.counts.walks += u64::from(kind != Kind::Prefetch);
        self.count_walk(pid, va);
        if self.tlb.len() == self.entries {
            self.tlb.remove(0);
        }
        self.tlb.push((pid, shift, va >> shift));
        shift
    }

    /// Drops the TLB entries of a range.
    fn shoot_down(&mut self, pid: u32, start: u64, last: u64) {
        let n = self.tlb.len();
        self.tlb.retain(|(of, shift, number)| {
            let (from, to) = (number << shift, (number << shift) + (1 << shift) - 1);
            *of != pid || to < start || last < from
        });
        self.counts.shootdowns += 1;
        self.counts.dropped += (n - self.tlb.len()) as u64;
    }

    /// Returns the limit of huge pages for code, if it is adapted.
    pub(crate) fn text_cap(&self) -> Option<u32> {
        self.os.hugetext.adaptive.map(|_| self.climb.cap as u32)
    }

    /// Returns the number of pages with 2^`shift` bytes.
    pub(crate) fn n_pages(&self, shift: u32) -> u64 {
        self.pages.values().filter(|page| page.shift == shift).count() as u64
    }

    pub(crate) fn n_tables(&self) -> u64 {
        self.tables.len() as u64
    }

    pub(crate) fn mapped_bytes(&self) -> u64 {
        self.pages.values().map(|page| 1u64 << page.shift).sum()
    }

    /// Returns the bytes of the small pages that are mapped and were used.
    pub(crate) fn used_bytes(&self) -> u64 {
        let is_mapped = |pid: u32, va: u64| {
            [12, 21, 30].iter().any(|shift| {
                let page = self.pages.get(&(pid, va >> shift << shift));
                page.is_some_and(|page| page.shift == *shift)
            })
        };
        self.touched.iter().filter(|(pid, page)| is_mapped(*pid, page << 12)).count() as u64 * 4096
    }
}
