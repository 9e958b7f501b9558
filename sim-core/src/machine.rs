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
use crate::tlb::{Entries, Entry, Slot, TlbArray};
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
    /// What makes tags of numbers, by level, in the current address space.
    page_class: [u64; 8],
    table_class: [u64; 8],
    /// The level-1 array and slot that the last translation of each kind used.
    last: [Last; 4],
    /// Whether repeats may be skipped with this operating system's page sizes.
    may_skip: bool,
    failure: Option<Error>,
    /// Whether the last translation missed level 1.
    missed: bool,
    /// Keeps the compiler from dropping what is read ahead.
    ahead: u64,
}

/// The level-1 entry that a kind used last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Last {
    array: u8,
    slot: Slot,
}

/// No entry: no level has so many arrays.
const NOWHERE: Last = Last { array: u8::MAX, slot: Slot { set: 0, way: 0 } };

/// A page to translate, and its key.
struct Page {
    kind: Kind,
    leaf: u8,
    /// The address, without the bits that translation does not look at.
    va: u64,
    number: u64,
    tag: Tag,
}

impl Page {
    /// The number and tag under which a target keeps the page.
    #[inline(always)]
    fn key(&self, target: Target, plan: &Plan, space: u32) -> (u64, Tag) {
        if target.held == self.leaf { (self.number, self.tag) } else { self.piece(target.held, plan, space) }
    }

    /// The key of a piece of the page, of the size of leaf level `held`.
    #[inline(never)]
    fn piece(&self, held: u8, plan: &Plan, space: u32) -> (u64, Tag) {
        let number = self.va >> plan.shift[usize::from(held)];
        (number, Tag::new(number | plan.tags.page_class(held, space)))
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
            page_class: classes(|level| plan.tags.page_class(level, 0)),
            table_class: classes(|level| plan.tags.table_class(level, 0)),
            last: [NOWHERE; 4],
            failure: None,
            missed: false,
            ahead: 0,
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

    /// Reads the page table as a walk of `address` would, ahead of time and for nothing but
    /// the host's caches: random page tables are larger than those.
    #[inline]
    pub(crate) fn read_ahead(&mut self, address: u64) {
        let leaf = self.os.leaf_of(address);
        let va = address & self.plan.va_mask;
        self.ahead ^= self.tables.peek(self.space, va, leaf);
    }

    #[inline]
    pub(crate) fn missed(&self) -> bool {
        self.missed
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
        let (tags, space) = (self.plan.tags, self.space);
        self.page_class = classes(|level| tags.page_class(level, space));
        self.table_class = classes(|level| tags.table_class(level, space));
        self.last = [NOWHERE; 4];
    }

    /// Counts `n` accesses of `kind` on the page that the last one of the kind used.
    #[inline]
    pub(crate) fn repeat<P: Probe>(&mut self, kind: Kind, n: u32, probe: &mut P) {
        let Last { array, slot } = self.last[kind.index()];
        self.l1[usize::from(array)].entries.entry(slot).add_hits(n);
        probe.repeats(kind, usize::from(array), u64::from(n));
    }

    /// Translates one address; returns the leaf level of its page.
    #[inline]
    pub(crate) fn translate<P: Probe>(&mut self, index: u32, kind: Kind, address: u64, probe: &mut P) -> u8 {
        let page = self.page_of(kind, address);
        let mut done = Translation::new(index, kind, address, page.leaf);
        let hit = self.lookup_l1(&page, &mut done, probe);
        self.missed = !hit;
        if hit {
            probe.translated(&done);
        } else {
            self.translate_beyond_l1(&page, &mut done, probe);
        }
        page.leaf
    }

    #[inline(never)]
    fn translate_beyond_l1<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) {
        let dirty = if let Some(dirty) = self.lookup_l2(page, done, probe) {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = self.plan.l2_hit[page.kind.index()];
            dirty
        } else {
            if page.kind == Kind::Prefetch && self.tables.leaf(self.space, page.va, page.leaf).is_none() {
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
        let leaf = self.os.leaf_of(address);
        let va = address & self.plan.va_mask;
        let number = va >> self.plan.shift[usize::from(leaf) % 8];
        let tag = Tag::new(number | self.page_class[usize::from(leaf) % 8]);
        Page { kind, leaf, va, number, tag }
    }

    /// True if an array of level 1 hits.
    #[inline(always)]
    fn lookup_l1<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> bool {
        let only = self.plan.only_l1[page.kind.index()][usize::from(page.leaf) % 8];
        if let Some(array) = self.l1.get_mut(usize::from(only)) {
            let entries = &mut array.entries;
            let set = entries.set_of(page.number);
            let found = entries.lookup(page.number, page.tag);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.tlb_lookup(&LookupFact { structure: usize::from(only), number: page.number, level: page.leaf, set, way });
            let Some((way, entry)) = found else { return false };
            let used = Last { array: only, slot: Slot { set: set as u32, way } };
            done.ad_updates = hit_l1(page, entry, used, done.index, &mut self.last, &mut self.tables, self.space);
            return true;
        }
        self.lookup_several_l1(page, done, probe)
    }

    #[inline(never)]
    fn lookup_several_l1<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> bool {
        let mut hit = false;
        for target in self.plan.l1[page.kind.index()][usize::from(page.leaf)].get() {
            let (number, tag) = page.key(*target, &self.plan, self.space);
            let structure = usize::from(target.array);
            let entries = &mut self.l1[structure].entries;
            let set = entries.set_of(number);
            let found = entries.lookup(number, tag);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.tlb_lookup(&LookupFact { structure, number, level: target.held, set, way });
            let Some((way, entry)) = found else { continue };
            let used = Last { array: target.array, slot: Slot { set: set as u32, way } };
            done.ad_updates += hit_l1(page, entry, used, done.index, &mut self.last, &mut self.tables, self.space);
            hit = true;
        }
        hit
    }

    /// Whether a hit entry knows its page to be dirty, `None` if nothing hit.
    #[inline(always)]
    fn lookup_l2<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> Option<bool> {
        let only = self.plan.only_l2[page.kind.index()][usize::from(page.leaf) % 8];
        if let Some(array) = self.l2.get_mut(usize::from(only)) {
            let entries = &mut array.entries;
            let (number, level) = (page.number, page.leaf);
            let set = entries.set_of(number);
            let structure = self.plan.n_l1 + usize::from(only);
            let found = entries.lookup(number, page.tag);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.tlb_lookup(&LookupFact { structure, number, level, set, way });
            let (_, entry) = found?;
            let (dirty, ad_updates) = hit_l2(page, entry, done.index, &mut self.tables, self.space);
            done.ad_updates = ad_updates;
            return Some(dirty);
        }
        self.lookup_several_l2(page, done, probe)
    }

    #[inline(never)]
    fn lookup_several_l2<P: Probe>(&mut self, page: &Page, done: &mut Translation, probe: &mut P) -> Option<bool> {
        let mut hit = None;
        for target in self.plan.l2[page.kind.index()][usize::from(page.leaf)].get() {
            let (number, tag) = page.key(*target, &self.plan, self.space);
            let entries = &mut self.l2[usize::from(target.array)].entries;
            let set = entries.set_of(number);
            let structure = self.plan.n_l1 + usize::from(target.array);
            let found = entries.lookup(number, tag);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.tlb_lookup(&LookupFact { structure, number, level: target.held, set, way });
            let Some((_, entry)) = found else { continue };
            let (dirty, ad_updates) = hit_l2(page, entry, done.index, &mut self.tables, self.space);
            done.ad_updates += ad_updates;
            hit = Some(dirty);
        }
        hit
    }

    /// Fills the first array of level 1 that holds the page.
    #[inline(always)]
    fn fill_l1<P: Probe>(&mut self, page: &Page, index: u32, dirty: bool, probe: &mut P) {
        let kind = page.kind.index();
        let Some(target) = self.plan.l1[kind][usize::from(page.leaf) % 8].get().first() else {
            self.last[kind] = NOWHERE;
            return;
        };
        let (number, tag) = page.key(*target, &self.plan, self.space);
        let structure = usize::from(target.array);
        let placed = self.l1[structure].entries.fill(number, tag, index, u32::from(dirty));
        self.last[kind] = Last { array: target.array, slot: placed.slot };
        probe.fill(&FillFact { structure, number, level: target.held, placed });
    }

    /// Fills the array of level 2 that the page belongs to: where k hold it, number (n / sets) mod k.
    #[inline(always)]
    fn fill_l2<P: Probe>(&mut self, page: &Page, index: u32, dirty: bool, probe: &mut P) {
        let target = match self.plan.l2[page.kind.index()][usize::from(page.leaf) % 8].get() {
            [] => return,
            [only] => *only,
            several => self.choose_l2(page, several),
        };
        let (number, tag) = page.key(target, &self.plan, self.space);
        let placed = self.l2[usize::from(target.array)].entries.fill(number, tag, index, u32::from(dirty));
        let structure = self.plan.n_l1 + usize::from(target.array);
        probe.fill(&FillFact { structure, number, level: target.held, placed });
    }

    #[inline(never)]
    fn choose_l2(&self, page: &Page, several: &[Target]) -> Target {
        let first = several[0];
        let sets = u64::from(self.l2[usize::from(first.array)].entries.geometry().n_sets);
        let turn = page.key(first, &self.plan, self.space).0 / sets % several.len() as u64;
        several[usize::try_from(turn).expect("below the number of arrays")]
    }

    /// Walks the tables of a page, from the deepest table that a paging-structure cache
    /// knows. Tells whether the page is dirty; `None` if memory is used up: the machine has failed then.
    #[inline(always)]
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
            let served = self.memory.read(self.tables.entry_address(table, at));
            done.refs += 1;
            done.walk_cycles += served.cycles;
            probe.reference(&ReferenceFact { level, server: served.server, cycles: served.cycles });
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
        match self.os.map(&mut self.tables, self.space, page.va, page.leaf) {
            Ok(()) => Some(self.tables.read(table, at)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Asks the paging-structure caches, deepest first; the first hit says where the walk starts.
    #[inline(always)]
    fn start_of_walk<P: Probe>(&mut self, page: &Page, index: u32, probe: &mut P) -> Option<(Table, u8)> {
        let n_levels = self.plan.n_levels;
        for level in page.leaf..n_levels {
            let (number, tag) = self.prefix(page, level);
            let (entries, row) = match self.plan.psc.places[usize::from(level) % 8] {
                Place::Nowhere => continue,
                Place::Own(row) => (&mut self.psc[usize::from(row)], row),
                Place::InL2 { array, row } => (&mut self.l2[usize::from(array)].entries, row),
            };
            let set = entries.set_of(number);
            let structure = self.plan.first_psc() + usize::from(row);
            let found = entries.lookup(number, tag);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.psc_lookup(&LookupFact { structure, number, level: level + 1, set, way });
            if let Some((_, entry)) = found {
                entry.add_hits(1);
                entry.set_used_at(index);
                return Some((Table(entry.data()), level));
            }
        }
        match self.tables.root(self.space) {
            Ok(root) => Some((root, n_levels)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Remembers the entry that leads to `table`, of `level`.
    #[inline(always)]
    fn fill_psc<P: Probe>(&mut self, page: &Page, index: u32, level: u8, table: Table, probe: &mut P) {
        let (number, tag) = self.prefix(page, level);
        let (entries, structure) = match self.plan.psc.places[usize::from(level) % 8] {
            Place::Nowhere => return,
            Place::Own(row) => (&mut self.psc[usize::from(row)], self.plan.first_psc() + usize::from(row)),
            Place::InL2 { array, .. } => {
                (&mut self.l2[usize::from(array)].entries, self.plan.n_l1 + usize::from(array))
            }
        };
        let placed = entries.fill(number, tag, index, table.0);
        probe.fill(&FillFact { structure, number, level: level + 1, placed });
    }

    /// The key of the table entry that leads to the table of `level`.
    #[inline(always)]
    fn prefix(&self, page: &Page, level: u8) -> (u64, Tag) {
        let number = page.va >> self.plan.shift[usize::from(level + 1) % 8];
        (number, Tag::new(number | self.table_class[usize::from(level) % 8]))
    }

    /// Takes the access itself through the memory caches: every line of the two
    /// pages that it translated, in order.
    fn read_data(&mut self, access: &Access) {
        for line in access.address / LINE..=access.last() / LINE {
            let Some(physical) = self.physical(line * LINE) else { break };
            self.memory.read(physical);
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

/// Records a hit of level 1; returns how many flags of the page table it set.
#[inline(always)]
fn hit_l1(
    page: &Page,
    entry: &mut Entry,
    used: Last,
    index: u32,
    last: &mut [Last; 4],
    tables: &mut PageTables,
    space: u32,
) -> u32 {
    entry.add_hits(1);
    let last = &mut last[page.kind.index()];
    if *last != used {
        *last = used;
        entry.set_used_at(index);
    }
    if page.kind == Kind::Store && entry.data() == 0 {
        entry.set_data(1);
        return set_dirty(tables, page, space);
    }
    0
}

/// Records a hit of level 2; tells whether the page is dirty, and how many flags that set.
#[inline(always)]
fn hit_l2(page: &Page, entry: &mut Entry, index: u32, tables: &mut PageTables, space: u32) -> (bool, u32) {
    entry.add_hits(1);
    entry.set_used_at(index);
    if page.kind == Kind::Store && entry.data() == 0 {
        entry.set_data(1);
        return (true, set_dirty(tables, page, space));
    }
    (entry.data() == 1, 0)
}

/// Sets the dirty flag of a mapped page; returns how many flags changed.
#[inline(never)]
fn set_dirty(tables: &mut PageTables, page: &Page, space: u32) -> u32 {
    let Some((table, at)) = tables.leaf(space, page.va, page.leaf) else { return 0 };
    u32::from(tables.set_flags(table, at, DIRTY))
}

fn classes(of: impl Fn(u8) -> u64) -> [u64; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(of)
}
