//! The last stage: what level 2 has left, one miss after the other, as long as nothing is news.
//!
//! Most walks only read: the tables are there, and their flags are set. Such a walk is done here. Its tables
//! are read before the paging-structure caches are asked, which changes nothing, and so a miss that is news
//! is known before anything is done for it: it is left to the machine, which can do everything. The
//! others are counted, and told in sums.

use super::touches::{Mapped, Touches};
use super::{ArrayCounts, Miss, Stage, translate, walk_caches};
use crate::config::MAX_ARRAYS;
use crate::machine::{Machine, know_dirty};
use crate::memory::{MAX_CACHES, Memory};
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use crate::plan::Plan;
use crate::probe::{Probe, Sums};
use crate::psc::Place;
use crate::set_assoc::{EMPTY, Fours};
use crate::tlb::{Entry, Indexing, TlbArray};
use crate::trace::Kind;

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
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    touches: &mut Option<Touches<'_>>,
    probe: &mut P,
) {
    let mut done = Done::default();
    let mut rest = misses;
    loop {
        let reader = Reader::new(machine, &mut done);
        let n = reader.map_or(0, |reader| reader.run(rest, touches));
        let Some(special) = rest.get(n) else { break };
        translate(machine, special, touches, probe);
        rest = &mut rest[n + 1..];
        if n < FEW {
            walk_caches::run(machine, rest, probe);
            for miss in rest {
                translate(machine, miss, touches, probe);
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
    /// What references cost, and what served them: counted where there are memory caches.
    cycles: [u64; 4],
    served: [u32; N_SERVERS],
    /// By paging-structure cache.
    caches: [ArrayCounts; MAX_ARRAYS],
}

impl Done {
    fn tell<P: Probe>(&mut self, machine: &Machine, probe: &mut P) {
        let plan = &machine.plan;
        if !machine.memory.has_caches() {
            self.served[0] = self.refs.iter().sum();
            self.cycles = self.refs.map(|n| u64::from(n) * machine.memory.dram());
        }
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
    /// The paging-structure caches, the deepest first; the `None`s last.
    caches: [Option<Cache<'a>>; 4],
    latest: Path,
    has_caches: bool,
    space: u32,
}

/// The paging-structure cache of one level.
struct Cache<'a> {
    entries: Fours<'a, Entry>,
    indexing: Indexing,
    /// Of the tables that its entries lead to.
    level: u8,
    row: usize,
    /// What makes numbers of addresses, and tags of numbers.
    shift: u32,
    class: u64,
    counts: ArrayCounts,
}

/// The tables on the way to a page. The next one that is read often shares some.
struct Path {
    va: u64,
    /// The lowest level whose table is known; none is if this is above the root's.
    lowest: u8,
    /// By level, modulo 8.
    tables: [Table; 8],
}

impl<'a> Reader<'a> {
    /// `None` if there are no tables yet.
    fn new(machine: &'a mut Machine, done: &'a mut Done) -> Option<Self> {
        let Machine { plan, l1, l2, psc, tables, memory, space, table_class, .. } = machine;
        let n_levels = plan.n_levels;
        let mut latest = Path { va: 0, lowest: n_levels, tables: [Table(0); 8] };
        latest.tables[usize::from(n_levels) % 8] = tables.existing_root(*space)?;
        let mut caches = [None, None, None, None];
        for (row, entries) in psc.iter_mut().enumerate() {
            let indexing = entries.indexing();
            let own = |level: &u8| matches!(plan.psc.places[usize::from(*level)], Place::Own(other) if usize::from(other) == row);
            if let (Some(level), Some(entries)) = ((1..n_levels).find(own), entries.fours()) {
                let at = usize::from(level);
                let (shift, class) = (plan.shift[at + 1], table_class[at]);
                let counts = ArrayCounts::default();
                let cache = Cache { entries, indexing, level, row, shift, class, counts };
                caches[(at - 1) % 4] = Some(cache);
            }
        }
        caches.sort_by_key(Option::is_none);
        let has_caches = memory.has_caches();
        Some(Self {
            plan,
            l1,
            l2,
            tables,
            memory,
            done,
            n_levels,
            caches,
            latest,
            has_caches,
            space: *space,
        })
    }

    /// Does misses as far as they are nothing special; returns how many.
    #[inline(always)]
    fn run(mut self, misses: &[Miss], touches: &mut Option<Touches<'_>>) -> usize {
        let n = self.run_on(misses, touches);
        for Cache { row, counts, .. } in self.caches.iter().flatten() {
            let sum = &mut self.done.caches[row % MAX_ARRAYS];
            sum.hits += counts.hits;
            sum.fills += counts.fills;
            sum.evictions += counts.evictions;
        }
        n
    }

    #[inline(always)]
    fn run_on(&mut self, misses: &[Miss], touches: &mut Option<Touches<'_>>) -> usize {
        for (at, miss) in misses.iter().enumerate() {
            let kind = miss.kind.index();
            let dirty = match miss.stage {
                Stage::HitClean | Stage::HitDirty => {
                    self.done.l2_hits[kind] += 1;
                    miss.stage == Stage::HitDirty
                }
                Stage::MissedLevel2 => {
                    let lowest = self.plan.entry_level[usize::from(miss.leaf) % 8];
                    let Some(entry) = self.read(miss, lowest) else { return at };
                    let level = self.ask(miss, lowest);
                    if let Some(touches) = touches {
                        let Self { tables, space, plan, .. } = *self;
                        let mapped = Mapped { tables, space, va_mask: plan.va_mask };
                        touches.before(miss.index, mapped, self.memory);
                        touches.walked(miss.index);
                    }
                    self.count(miss, level, lowest);
                    entry & DIRTY != 0
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

    /// Finds the entry that maps a page, at level `lowest`, by way of `latest`. `None` if a walk would
    /// have to change something.
    #[inline(always)]
    fn read(&mut self, miss: &Miss, lowest: u8) -> Option<u64> {
        let Self { tables, latest, plan, .. } = self;
        let apart = miss.va ^ latest.va;
        let mut level = latest.lowest.max(lowest);
        while level < self.n_levels && apart >> plan.shift[usize::from(level + 1) % 8] != 0 {
            level += 1;
        }
        latest.va = miss.va;
        let mut table = latest.tables[usize::from(level) % 8];
        while level > lowest {
            let entry = tables.read(table, tables.index(miss.va, level));
            if !has(entry, PRESENT | ACCESSED) {
                latest.lowest = level;
                return None;
            }
            table = tables.next(entry);
            level -= 1;
            latest.tables[usize::from(level) % 8] = table;
        }
        latest.lowest = lowest;
        let entry = tables.read(table, tables.index(miss.va, lowest));
        let flags = if miss.kind == Kind::Store { DIRTY } else { 0 };
        has(entry, PRESENT | ACCESSED | flags).then_some(entry)
    }

    /// Asks the paging-structure caches until one hits, and fills the others; the level of the table at
    /// which the walk starts.
    #[inline(always)]
    fn ask(&mut self, miss: &Miss, lowest: u8) -> u8 {
        for cache in self.caches.iter_mut().map_while(Option::as_mut) {
            let level = cache.level;
            if level < lowest {
                continue;
            }
            let table = self.latest.tables[usize::from(level) % 8];
            let number = miss.va >> cache.shift;
            let tag = number | cache.class;
            let set = cache.indexing.set_of(number);
            if let Some((_, entry)) = cache.entries.lookup(set, tag) {
                debug_assert_eq!(entry.data(), table.0, "what is cached is what is there");
                entry.add_hits(1);
                entry.set_used_at(miss.index);
                cache.counts.hits += 1;
                return level;
            }
            let entry = Entry::new(miss.index, table.0);
            let filled = cache.entries.insert_absent(set, tag, entry);
            cache.counts.fills += 1;
            cache.counts.evictions += u32::from(filled.evicted != EMPTY);
        }
        self.n_levels
    }

    /// Counts the reads of a walk from the table of `level` on; from memory caches if there are any.
    #[inline(always)]
    fn count(&mut self, miss: &Miss, level: u8, lowest: u8) {
        let kind = miss.kind.index();
        self.done.walks[kind] += 1;
        self.done.refs[kind] += u32::from(level - lowest) + 1;
        if !self.has_caches {
            return;
        }
        for level in (lowest..=level).rev() {
            let table = self.latest.tables[usize::from(level) % 8];
            let at = self.tables.index(miss.va, level);
            let served = self.memory.read(self.tables.entry_address(table, at));
            self.done.served[served.server % N_SERVERS] += 1;
            self.done.cycles[kind] += served.cycles;
        }
    }
}

#[inline(always)]
fn has(entry: u64, flags: u64) -> bool {
    entry & flags == flags
}
