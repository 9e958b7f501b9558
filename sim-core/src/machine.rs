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
//! The parts return facts; this file alone makes events of them, for a [`Probe`].

use std::rc::Rc;

use crate::config::MachineConfig;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{LINE, Memory};
use crate::os::{Os, OsConfig};
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use crate::plan::{Plan, Target};
use crate::probe::{FillFact, LookupFact, Outcome, Probe, ReferenceFact, Translation};
use crate::psc::Place;
use crate::set_assoc::Tag;
use crate::tlb::{Entries, TlbArray};
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
    /// Process numbers by address space, in order of appearance.
    spaces: Vec<u32>,
    space: u32,
    /// The level-1 array and slot that the last translation of each kind used.
    last: [Option<(u8, u32)>; 4],
    /// Whether repeats may be skipped with this operating system's page sizes.
    may_skip: bool,
    failure: Option<Error>,
}

/// A page to translate, and its key.
struct Page {
    kind: Kind,
    leaf: u8,
    /// The address, without the bits that translation does not look at.
    va: u64,
    number: u64,
    tag: Tag,
    space: u32,
}

impl Page {
    /// The number and tag under which a target keeps the page.
    #[inline]
    fn key(&self, target: Target, plan: &Plan) -> (u64, Tag) {
        if target.held == self.leaf { (self.number, self.tag) } else { self.piece(target.held, plan) }
    }

    /// The key of a piece of the page, of the size of leaf level `held`.
    #[cold]
    fn piece(&self, held: u8, plan: &Plan) -> (u64, Tag) {
        let number = self.va >> plan.shift[usize::from(held)];
        (number, Tag::new(plan.tags.page(number, held, self.space)))
    }

    /// The key of the table entry that leads to the table of `level`.
    #[inline]
    fn prefix(&self, level: u8, plan: &Plan) -> (u64, Tag) {
        let number = self.va >> plan.shift[usize::from(level + 1)];
        (number, Tag::new(plan.tags.table(number, level, self.space)))
    }
}

impl Machine {
    /// # Errors
    /// `bad-config` with the field that is wrong; fields of the OS start with `os.`.
    pub fn new(config: &MachineConfig, os: &OsConfig) -> Result<Self> {
        config.check()?;
        let paging = config.geometry()?;
        let level = |field: &str, arrays: &[crate::tlb::ArrayConfig], first: usize| -> Result<Vec<TlbArray>> {
            let seeded = arrays.iter().enumerate().map(|(at, array)| {
                // One draw sequence per array: the seed is moved on by the array's number.
                let seed = crate::policy::xorshift(config.seed.wrapping_add((first + at) as u64).max(1));
                TlbArray::new(array, &paging, seed).map_err(|e| e.within(&format!("{field}[{at}]")))
            });
            seeded.collect()
        };
        let l1 = level("l1", &config.l1, 0)?;
        let l2 = level("l2", &config.l2, l1.len())?;
        let plan = Plan::new(config, &l1, &l2)?;
        let psc = plan.psc.caches.iter().map(|cache| cache.entries(config.seed)).collect::<Result<_>>()?;
        let os = Os::new(os, &paging).map_err(|e| e.within("os"))?;
        Ok(Self {
            psc,
            memory: Memory::new(&config.memory).map_err(|e| e.within("memory"))?,
            tables: PageTables::new(Rc::clone(&plan.paging)),
            may_skip: plan.may_skip_repeats(&os.leaf_levels()),
            os,
            spaces: vec![0],
            space: 0,
            last: [None; 4],
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
        let shift = self.page_shift(leaf);
        if last >> shift != access.address >> shift {
            self.translate(index, access.kind, last, probe);
        }
        if self.plan.config.memory.data {
            self.read_data(access);
        }
    }

    /// Makes `pid` the process whose addresses are translated. Nothing is flushed.
    pub(crate) fn enter(&mut self, pid: u32) {
        if self.spaces[self.space as usize] == pid {
            return;
        }
        let known = self.spaces.iter().position(|other| *other == pid);
        let space = known.unwrap_or_else(|| {
            self.spaces.push(pid);
            self.spaces.len() - 1
        });
        if space >= self.plan.tags.max_spaces() as usize {
            self.fail(Error::new(ErrorCode::TooLarge, "the trace has more processes than tags can tell apart"));
            return;
        }
        self.space = u32::try_from(space).expect("below the number of tags");
        self.last = [None; 4];
    }

    /// Counts `n` accesses of `kind` on the page that the last one of the kind used.
    #[inline]
    pub(crate) fn repeat<P: Probe>(&mut self, kind: Kind, n: u32, probe: &mut P) {
        let (array, slot) = self.last[kind.index()].expect("a repeat follows a translation of its kind");
        self.l1[usize::from(array)].entries.entry(slot as usize).hits += n;
        probe.accesses(kind, u64::from(n));
        probe.repeats(kind, usize::from(array), u64::from(n));
    }

    /// Translates one address; returns the leaf level of its page.
    #[inline]
    pub(crate) fn translate<P: Probe>(&mut self, index: u32, kind: Kind, address: u64, probe: &mut P) -> u8 {
        let page = self.page_of(kind, address);
        let mut done = Translation::new(index, kind, address, page.leaf);
        if !self.lookup_l1(&page, &mut done, probe) {
            match self.lookup_l2(&page, &mut done, probe) {
                Some(dirty) => {
                    done.outcome = Outcome::L2Hit;
                    done.l2_cycles = self.plan.l2_hit[kind.index()];
                    self.fill_l1(&page, index, dirty, probe);
                }
                None => {
                    if kind == Kind::Prefetch && self.tables.leaf(self.space, page.va, page.leaf).is_none() {
                        probe.dropped();
                        return page.leaf;
                    }
                    let Some(dirty) = self.walk(&page, &mut done, probe) else { return page.leaf };
                    self.fill_l2(&page, index, dirty, probe);
                    self.fill_l1(&page, index, dirty, probe);
                }
            }
        }
        probe.translated(&done);
        page.leaf
    }

    #[inline]
    fn page_of(&mut self, kind: Kind, address: u64) -> Page {
        let leaf = self.os.leaf_of(address);
        let va = address & self.plan.va_mask;
        let number = va >> self.plan.shift[usize::from(leaf)];
        let tag = Tag::new(self.plan.tags.page(number, leaf, self.space));
        Page { kind, leaf, va, number, tag, space: self.space }
    }

    /// True if an array of level 1 hits.
    #[inline]
    fn lookup_l1<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> bool {
        let mut hit = false;
        for target in self.plan.l1[page.kind.index()][usize::from(page.leaf)].get() {
            let (number, tag) = page.key(*target, &self.plan);
            let structure = usize::from(target.array);
            let entries = &mut self.l1[structure].entries;
            let slot = entries.lookup(number, tag);
            probe.lookup(&LookupFact { entries, structure, number, level: target.held, slot });
            let Some(slot) = slot else { continue };
            hit = true;
            let used = Some((target.array, to_u32(slot)));
            let entry = entries.entry(slot);
            entry.hits += 1;
            if self.last[page.kind.index()] != used {
                entry.used_at = done.index;
                self.last[page.kind.index()] = used;
            }
            if page.kind == Kind::Store && entry.data == 0 {
                entry.data = 1;
                done.ad_updates += set_dirty(&mut self.tables, page);
            }
        }
        hit
    }

    /// Whether a hit entry knows its page to be dirty, `None` if nothing hit.
    #[inline]
    fn lookup_l2<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> Option<bool> {
        let mut hit = None;
        for target in self.plan.l2[page.kind.index()][usize::from(page.leaf)].get() {
            let (number, tag) = page.key(*target, &self.plan);
            let entries = &mut self.l2[usize::from(target.array)].entries;
            let slot = entries.lookup(number, tag);
            let structure = self.plan.n_l1 + usize::from(target.array);
            probe.lookup(&LookupFact { entries, structure, number, level: target.held, slot });
            let Some(slot) = slot else { continue };
            let entry = entries.entry(slot);
            entry.hits += 1;
            entry.used_at = done.index;
            if page.kind == Kind::Store && entry.data == 0 {
                entry.data = 1;
                done.ad_updates += set_dirty(&mut self.tables, page);
            }
            hit = Some(entry.data == 1);
        }
        hit
    }

    /// Fills the first array of level 1 that holds the page.
    #[inline]
    fn fill_l1<P: Probe>(&mut self, page: &Page, index: u32, dirty: bool, probe: &mut P) {
        let kind = page.kind.index();
        let Some(target) = self.plan.l1[kind][usize::from(page.leaf)].get().first() else {
            self.last[kind] = None;
            return;
        };
        let (number, tag) = page.key(*target, &self.plan);
        let structure = usize::from(target.array);
        let entries = &mut self.l1[structure].entries;
        let placed = entries.fill(number, tag, index, u32::from(dirty));
        self.last[kind] = Some((target.array, to_u32(placed.slot)));
        probe.fill(&FillFact { entries, structure, number, level: target.held, placed });
    }

    /// Fills the array of level 2 that the page belongs to: where k hold it, number (n / sets) mod k.
    #[inline]
    fn fill_l2<P: Probe>(&mut self, page: &Page, index: u32, dirty: bool, probe: &mut P) {
        let target = match self.plan.l2[page.kind.index()][usize::from(page.leaf)].get() {
            [] => return,
            [only] => only,
            several => {
                let first = &several[0];
                let sets = u64::from(self.l2[usize::from(first.array)].entries.geometry().n_sets);
                let turn = page.key(*first, &self.plan).0 / sets % several.len() as u64;
                &several[usize::try_from(turn).expect("below the number of arrays")]
            }
        };
        let (number, tag) = page.key(*target, &self.plan);
        let entries = &mut self.l2[usize::from(target.array)].entries;
        let placed = entries.fill(number, tag, index, u32::from(dirty));
        let structure = self.plan.n_l1 + usize::from(target.array);
        probe.fill(&FillFact { entries, structure, number, level: target.held, placed });
    }

    /// Walks the tables of a page, from the deepest table that a paging-structure cache
    /// knows. Tells whether the page is dirty; `None` if memory is used up: the machine has failed then.
    #[inline]
    fn walk<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> Option<bool> {
        let (mut table, mut level) = self.start_of_walk(page, done.index, probe)?;
        done.outcome = Outcome::Walk;
        done.walk_cycles = self.plan.walk_overhead;
        loop {
            let at = self.tables.index(page.va, level);
            let mut entry = self.tables.read(table, at);
            if entry & PRESENT == 0 {
                done.outcome = Outcome::Fault;
                entry = self.map(page, table, at)?;
            }
            let server = self.memory.read(self.tables.entry_address(table, at));
            let cycles = self.memory.cycles(server);
            done.refs += 1;
            done.walk_cycles += cycles;
            probe.reference(&ReferenceFact { level, server, cycles });
            if entry & ACCESSED == 0 {
                self.tables.set_flags(table, at, ACCESSED);
                done.ad_updates += 1;
            }
            if level == page.leaf {
                let store = page.kind == Kind::Store;
                if store && entry & DIRTY == 0 {
                    self.tables.set_flags(table, at, DIRTY);
                    done.ad_updates += 1;
                }
                return Some(store || entry & DIRTY != 0);
            }
            table = self.tables.next(entry);
            level -= 1;
            self.fill_psc(page, done.index, level, table, probe);
        }
    }

    /// First touch: the OS maps the page, and the walk reads the entry that it wrote.
    #[cold]
    fn map(&mut self, page: &Page, table: Table, at: usize) -> Option<u64> {
        match self.os.map(&mut self.tables, page.space, page.va, page.leaf) {
            Ok(()) => Some(self.tables.read(table, at)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Asks the paging-structure caches, deepest first; the first hit says where the walk starts.
    #[inline]
    fn start_of_walk<P: Probe>(&mut self, page: &Page, index: u32, probe: &mut P) -> Option<(Table, u8)> {
        let n_levels = self.plan.n_levels;
        for level in page.leaf..n_levels {
            let (number, tag) = page.prefix(level, &self.plan);
            let (entries, row) = match self.plan.psc.places[usize::from(level)] {
                Place::Nowhere => continue,
                Place::Own(row) => (&mut self.psc[usize::from(row)], row),
                Place::InL2 { array, row } => (&mut self.l2[usize::from(array)].entries, row),
            };
            let slot = entries.lookup(number, tag);
            let structure = self.plan.first_psc() + usize::from(row);
            probe.lookup(&LookupFact { entries, structure, number, level: level + 1, slot });
            if let Some(slot) = slot {
                let entry = entries.entry(slot);
                entry.hits += 1;
                entry.used_at = index;
                return Some((Table(entry.data), level));
            }
        }
        match self.tables.root(page.space) {
            Ok(root) => Some((root, n_levels)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Remembers the entry that leads to `table`, of `level`.
    #[inline]
    fn fill_psc<P: Probe>(&mut self, page: &Page, index: u32, level: u8, table: Table, probe: &mut P) {
        let (entries, structure) = match self.plan.psc.places[usize::from(level)] {
            Place::Nowhere => return,
            Place::Own(row) => (&mut self.psc[usize::from(row)], self.plan.first_psc() + usize::from(row)),
            Place::InL2 { array, .. } => {
                (&mut self.l2[usize::from(array)].entries, self.plan.n_l1 + usize::from(array))
            }
        };
        let (number, tag) = page.prefix(level, &self.plan);
        let placed = entries.fill(number, tag, index, table.0);
        probe.fill(&FillFact { entries, structure, number, level: level + 1, placed });
    }

    /// Takes the access itself through the memory caches: every line of the two
    /// pages that it translated, in order.
    fn read_data(&mut self, access: &Access) {
        for line in access.address / LINE..=access.last() / LINE {
            match self.physical(line * LINE) {
                Some(physical) => self.memory.read(physical),
                None => break,
            };
        }
    }

    /// The physical address of a mapped virtual one.
    pub(crate) fn physical(&mut self, address: u64) -> Option<u64> {
        let leaf = self.os.leaf_of(address);
        let va = address & self.plan.va_mask;
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
        self.page_shift(self.os.segment(address).2)
    }

    pub(crate) fn may_skip(&self) -> bool {
        self.may_skip
    }

    pub(crate) fn space(&self) -> u32 {
        self.space
    }

    /// What made the machine stop, if something did: memory used up, too many processes.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    fn fail(&mut self, error: Error) {
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

/// Sets the dirty flag of a mapped page; returns how many flags changed.
#[cold]
fn set_dirty(tables: &mut PageTables, page: &Page) -> u32 {
    let Some((table, at)) = tables.leaf(page.space, page.va, page.leaf) else { return 0 };
    u32::from(tables.set_flags(table, at, DIRTY))
}

#[inline]
fn to_u32(slot: usize) -> u32 {
    u32::try_from(slot).expect("slots are counted in 32 bits")
}
