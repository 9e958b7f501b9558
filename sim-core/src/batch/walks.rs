//! The last stage: what level 2 has left, one miss after the other, as long as nothing is news.
//!
//! Most walks only read: the tables are there, and their flags are set. Such a walk is done here,
//! with the paging-structure caches that it asks and fills, if these have up to 4 ways; it and hits of level 2 are counted, and
//! told in sums. A miss that changes a table is left to the machine, which can do everything.

use super::{ArrayCounts, Miss, Stage, translate, walk_caches};
use crate::config::MAX_ARRAYS;
use crate::machine::{Machine, know_dirty};
use crate::memory::{MAX_CACHES, Memory};
use crate::narrow::{low16, small};
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use crate::plan::Plan;
use crate::probe::{Probe, Sums};
use crate::psc::Place;
use crate::set_assoc::{EMPTY, Fours};
use crate::tlb::{Entry, Indexing, Slot, TlbArray};
use crate::trace::Kind;
use crate::walk::Start;

/// Memory caches, and DRAM.
const N_SERVERS: usize = MAX_CACHES + 1;

/// Whether the walks of a batch may be done here.
#[inline]
pub(super) fn serves<P: Probe>(machine: &mut Machine, probe: &P) -> bool {
    probe.takes_sums()
        && machine.level_2_is_apart()
        && machine.plan.walk_caches_are_apart()
        && machine.psc.iter_mut().all(|cache| cache.fours().is_some())
        && machine.nested.is_none()
        && !machine.os.counts_walks()
}

/// If not even so many misses were nothing special before one that was, the rest of the batch is
/// expected to be news, too: first touches come together. It is left to the machine at once.
const FEW: usize = 3;

/// Does misses, in order.
#[inline(never)]
pub(super) fn run<P: Probe>(machine: &mut Machine, misses: &mut [Miss], probe: &mut P) {
    let mut done = Done::default();
    let mut rest = misses;
    loop {
        let n = Reader::new(machine, &mut done).run(rest);
        let Some(special) = rest.get(n) else { break };
        translate(machine, special, probe);
        rest = &mut rest[n + 1..];
        if n < FEW {
            walk_caches::run(machine, rest, probe);
            for miss in rest {
                translate(machine, miss, probe);
            }
            break;
        }
    }
    done.tell(machine, probe);
}

/// What was done, in sums.
#[derive(Default)]
struct Done {
    /// By kind.
    l2_hits: [u32; 4],
    walks: [u32; 4],
    refs: [u32; 4],
    cycles: [u64; 4],
    /// References by what served them.
    served: [u32; N_SERVERS],
    /// By paging-structure cache.
    caches: [ArrayCounts; MAX_ARRAYS],
}

impl Done {
    fn tell<P: Probe>(&self, machine: &Machine, probe: &mut P) {
        let plan = &machine.plan;
        for kind in Kind::SERVED {
            let at = kind.index();
            let (l2_hits, walks) = (u64::from(self.l2_hits[at]), u64::from(self.walks[at]));
            if l2_hits + walks == 0 {
                continue;
            }
            probe.sums(&Sums {
                kind,
                l2_hits,
                l2_cycles: l2_hits * plan.l2_hit[at],
                walks,
                refs: u64::from(self.refs[at]),
                walk_cycles: walks * plan.walk_overhead + self.cycles[at],
            });
        }
        for (server, n) in self.served.iter().enumerate().filter(|(_, n)| **n > 0) {
            probe.served(server, u64::from(*n));
        }
        let first = plan.first_psc();
        for (row, ArrayCounts { hits, fills, evictions }) in self.caches.iter().enumerate() {
            if hits + fills > 0 {
                probe.psc_lookups(first + row, u64::from(hits + fills), u64::from(*hits));
                probe.fills(first + row, u64::from(*fills), u64::from(*evictions));
            }
        }
    }
}

/// What walks that only read need of the machine.
struct Reader<'a> {
    plan: &'a Plan,
    l1: &'a mut [TlbArray],
    l2: &'a mut [TlbArray],
    tables: &'a PageTables,
    memory: &'a mut Memory,
    done: &'a mut Done,
    n_levels: u8,
    /// By level of the table that the entries of a paging-structure cache lead to, modulo 4.
    levels: [Option<Level<'a>>; 4],
    root: Option<Table>,
    has_caches: bool,
    dram: u64,
}

/// The paging-structure cache of one level.
struct Level<'a> {
    entries: Fours<'a, Entry>,
    indexing: Indexing,
    row: usize,
    /// What makes numbers of addresses, and tags of numbers.
    shift: u32,
    class: u64,
    counts: ArrayCounts,
}

/// Where a walk starts, and its entries in the paging-structure caches by level.
struct Asked {
    level: u8,
    lowest: u8,
    slots: [Slot; 4],
}

impl<'a> Reader<'a> {
    fn new(machine: &'a mut Machine, done: &'a mut Done) -> Self {
        let Machine { plan, l1, l2, psc, tables, memory, space, table_class, .. } = machine;
        let mut levels = [None, None, None, None];
        for (row, entries) in psc.iter_mut().enumerate() {
            let indexing = entries.indexing();
            let own = |level: &usize| matches!(plan.psc.places[*level], Place::Own(other) if usize::from(other) == row);
            let level = (1..usize::from(plan.n_levels)).find(own);
            if let (Some(level), Some(entries)) = (level, entries.fours()) {
                let (shift, class) = (plan.shift[level + 1], table_class[level]);
                let counts = ArrayCounts::default();
                levels[level % 4] = Some(Level { entries, indexing, row, shift, class, counts });
            }
        }
        Self {
            n_levels: plan.n_levels,
            levels,
            root: tables.existing_root(*space),
            has_caches: memory.has_caches(),
            dram: memory.dram(),
            plan,
            l1,
            l2,
            tables,
            memory,
            done,
        }
    }

    /// Does misses as far as they are nothing special; returns how many.
    #[inline(always)]
    fn run(mut self, misses: &mut [Miss]) -> usize {
        let n = self.run_on(misses);
        for Level { row, counts, .. } in self.levels.iter().flatten() {
            let sum = &mut self.done.caches[row % MAX_ARRAYS];
            sum.hits += counts.hits;
            sum.fills += counts.fills;
            sum.evictions += counts.evictions;
        }
        n
    }

    #[inline(always)]
    fn run_on(&mut self, misses: &mut [Miss]) -> usize {
        for (at, miss) in misses.iter_mut().enumerate() {
            let kind = miss.kind.index();
            let dirty = match miss.stage {
                Stage::HitClean | Stage::HitDirty => {
                    self.done.l2_hits[kind] += 1;
                    miss.stage == Stage::HitDirty
                }
                Stage::MissedLevel2 => {
                    let asked = self.ask(miss);
                    let Some(dirty) = self.read(miss, &asked) else {
                        miss.stage = Stage::Walks;
                        miss.start = asked.into_start();
                        return at;
                    };
                    self.done.walks[kind] += 1;
                    dirty
                }
                _ => return at,
            };
            if dirty && miss.kind != Kind::Store {
                let page = miss.page(self.plan);
                let both = miss.stage == Stage::MissedLevel2;
                know_dirty(self.plan, self.l1, self.l2, &page, both);
            }
        }
        misses.len()
    }

    /// Asks the paging-structure caches, the deepest first, until one hits; fills the others. What
    /// filled entries lead to is not known yet.
    #[inline(always)]
    fn ask(&mut self, miss: &Miss) -> Asked {
        let lowest = self.plan.entry_level[usize::from(miss.leaf) % 8];
        let mut asked = Asked { level: self.n_levels, lowest, slots: [Slot::default(); 4] };
        for level in lowest..self.n_levels {
            let Some(cache) = &mut self.levels[usize::from(level) % 4] else { continue };
            let number = miss.va >> cache.shift;
            let tag = number | cache.class;
            let set = cache.indexing.set_of(number);
            let found = cache.entries.lookup(set, tag).map(|(way, entry)| {
                entry.add_hits(1);
                entry.set_used_at(miss.index);
                way
            });
            let way = found.unwrap_or_else(|| {
                let filled = cache.entries.insert_absent(set, tag, Entry::new(miss.index, 0));
                cache.counts.fills += 1;
                cache.counts.evictions += u32::from(filled.evicted != EMPTY);
                filled.way
            });
            asked.slots[usize::from(level) % 4] = Slot { set: small(set), way };
            if found.is_some() {
                cache.counts.hits += 1;
                asked.level = level;
                break;
            }
        }
        asked
    }

    /// Walks, and tells the filled entries where they lead; whether the page is dirty. `None` if
    /// something has to be changed on the way.
    #[inline(always)]
    fn read(&mut self, miss: &Miss, asked: &Asked) -> Option<bool> {
        let mut level = asked.level;
        let mut table = if level == self.n_levels {
            self.root?
        } else {
            Table(self.entry(asked, level)?.data())
        };
        let mut places = [0; 8];
        while level > asked.lowest {
            let entry = self.entry_of(table, level, miss, &mut places);
            if !has(entry, PRESENT | ACCESSED) {
                return None;
            }
            table = self.tables.next(entry);
            level -= 1;
            if let Some(entry) = self.entry(asked, level) {
                entry.set_data(table.0);
            }
        }
        let entry = self.entry_of(table, level, miss, &mut places);
        let flags = if miss.kind == Kind::Store { DIRTY } else { 0 };
        if !has(entry, PRESENT | ACCESSED | flags) {
            return None;
        }
        self.count(miss.kind, asked, &places);
        Some(entry & DIRTY != 0)
    }

    /// The entry of a table of `level`; where it is goes to `places`, if that matters.
    #[inline(always)]
    fn entry_of(&self, table: Table, level: u8, miss: &Miss, places: &mut [u64; 8]) -> u64 {
        let at = self.tables.index(miss.va, level);
        if self.has_caches {
            places[usize::from(level) % 8] = self.tables.entry_address(table, at);
        }
        self.tables.read(table, at)
    }

    /// The entry of the paging-structure cache of a level.
    #[inline(always)]
    fn entry(&mut self, asked: &Asked, level: u8) -> Option<&mut Entry> {
        let cache = self.levels[usize::from(level) % 4].as_mut()?;
        let Slot { set, way } = asked.slots[usize::from(level) % 4];
        Some(cache.entries.data(set as usize, way))
    }

    /// Counts what a walk has read; from memory caches if there are any, at `places` by level.
    #[inline(always)]
    fn count(&mut self, kind: Kind, asked: &Asked, places: &[u64; 8]) {
        let n = u32::from(asked.level - asked.lowest) + 1;
        let kind = kind.index();
        self.done.refs[kind] += n;
        if !self.has_caches {
            self.done.served[0] += n;
            self.done.cycles[kind] += u64::from(n) * self.dram;
            return;
        }
        for level in (asked.lowest..=asked.level).rev() {
            let served = self.memory.read(places[usize::from(level) % 8]);
            self.done.served[served.server % N_SERVERS] += 1;
            self.done.cycles[kind] += served.cycles;
        }
    }
}

impl Asked {
    fn into_start(self) -> Start {
        Start {
            level: self.level,
            lowest: self.lowest,
            ways: self.slots.map(|slot| low16(slot.way)),
        }
    }
}

#[inline(always)]
fn has(entry: u64, flags: u64) -> bool {
    entry & flags == flags
}
