//! The last stage: what level 2 has left, as long as nothing is news: no table is new, and no memory is short.
//!
//! Most walks only read, or write nothing but the last entry. Their tables are read before the paging-structure
//! caches are asked (`reads`), and so a miss that is news is known before anything is done for it: it is left to
//! the machine, which can do everything. Those before it go through the caches here, one cache at a time; what they
//! do is counted, and told in sums.

use super::again::Again;
use super::packed::{Leaves, N_SORTS, Packed, Stage};
use super::reads::{self, Path};
use super::touches::Touches;
use super::{ArrayCounts, Beside, Miss, news, references};
use crate::caches::memory::ServedMany;
use crate::caches::psc::Place;
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::{Entry, Indexing};
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::probe::{Probe, Sums};
use crate::machine::translate::walk::Start;
use pagewalk_base::trace::Kind;

/// Whether the walks of a batch may be done here.
#[inline]
pub(super) fn serves<P: Probe>(machine: &Machine, probe: &P) -> bool {
    probe.takes_sums()
        && machine.level_2_is_apart()
        && machine.plan.walk_caches_are_apart()
        && machine.nested.is_none()
        && !machine.os.counts_walks()
}

/// Does misses, in order.
#[inline(never)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    beside: &mut Beside<'_>,
    probe: &mut P,
) {
    let mut done = Done::default();
    news::run(machine, misses, starts, beside, probe, |machine, misses, beside, probe| {
        let n_before = done.n_walks();
        let n = reads::run(machine, misses, beside, &mut done, probe);
        let n_walks = done.n_walks() - n_before;
        ask(machine, &mut misses[..n], n_walks, &mut beside.touches, &mut done);
        n
    });
    done.tell(machine, probe);
}

/// What was done, in sums.
#[derive(Default)]
pub(super) struct Done {
    /// By kind.
    pub(super) l2_hits: [u32; 4],
    pub(super) walks: [u32; 4],
    pub(super) refs: [u32; 4],
    pub(super) ad_updates: [u32; 4],
    /// Those of the host's tables.
    pub(super) host_refs: [u32; 4],
    /// What served references: counted where there are memory caches.
    pub(super) served: ServedMany,
    /// By paging-structure cache.
    pub(super) caches: [ArrayCounts; MAX_ARRAYS],
}

impl Done {
    fn n_walks(&self) -> u32 {
        self.walks.iter().sum()
    }

    pub(super) fn tell<P: Probe>(&mut self, machine: &Machine, probe: &mut P) {
        let plan = &machine.plan;
        if !machine.memory.has_caches() {
            self.served.by[0] = self.refs.iter().sum();
            self.served.cycles = self.refs.map(|n| u64::from(n) * machine.memory.dram());
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
                host_refs: u64::from(self.host_refs[at]),
                ad_updates: u64::from(self.ad_updates[at]),
                walk_cycles: walks * plan.walk_overhead + self.served.cycles[at],
            });
        }
        for (server, n) in self.served.by.iter().enumerate().filter(|(_, n)| **n > 0) {
            probe.served(server, u64::from(*n));
        }
        let first = plan.psc_id(0);
        for (row, ArrayCounts { hits, fills, evictions }) in self.caches.iter().enumerate() {
            if hits + fills > 0 {
                probe.psc_lookups(first.plus(row), u64::from(hits + fills), u64::from(*hits));
                probe.fills(first.plus(row), u64::from(*fills), u64::from(*evictions));
            }
        }
    }
}

/// Asks the paging-structure caches about walks whose last tables are known, until one hits, and fills the
/// others; then reads the entries from the memory caches, if there are any.
fn ask(
    machine: &mut Machine,
    misses: &mut [Miss],
    n_walks: u32,
    touches: &mut Option<Touches<'_>>,
    done: &mut Done,
) {
    let mut n_left = n_walks;
    let Some(root) = machine.tables.existing_root(machine.space) else { return };
    let Machine { plan, structures, tables, table_class, .. } = machine;
    let psc = &mut structures.psc;
    for level in 1..plan.n_levels {
        let at = usize::from(level);
        let Place::Own(row) = plan.psc.places[at] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut psc[usize::from(row)];
        let lookups = Lookups {
            misses,
            path: Path { root, n_levels: plan.n_levels, tables },
            level,
            asked: Leaves::at(Stage::MissedLevel2, |leaf| plan.entry_level[leaf] <= level),
            entry_level: plan.entry_level,
            shift: plan.shift[at + 1],
            class: table_class[at],
            indexing: entries.indexing(),
            refs: &mut done.refs,
        };
        let counts = entries.with(lookups);
        n_left -= counts.hits;
        done.caches[usize::from(row) % MAX_ARRAYS].add(counts);
    }
    if n_left > 0 {
        begin_at_root(machine, misses, done);
    }
    if machine.memory.has_caches() {
        references::run(machine, root, misses, touches, done);
    }
}

/// The lookups of one cache.
struct Lookups<'a> {
    misses: &'a mut [Miss],
    path: Path<'a>,
    /// Of the tables that its entries lead to.
    level: u8,
    /// Walks that no deeper cache has served, and whose last entry is below what this one holds.
    asked: Leaves,
    /// By leaf.
    entry_level: [u8; 8],
    shift: u32,
    class: u64,
    indexing: Indexing,
    /// By kind: the entries that walks read.
    refs: &'a mut [u32; 4],
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { misses, path, level, asked, entry_level, shift, class, indexing, refs } = self;
        let mut hits = [0; N_SORTS];
        let (mut fills, mut n_empty) = (0, 0);
        let mut again = Again::new();
        for miss in misses {
            if !asked.has(miss.page) {
                continue;
            }
            let number = miss.page.number(shift);
            if !again.is(number, miss.index) {
                again.tell(number, (indexing, class), sets, policy);
                let (set, tag) = (indexing.set_of(number), number | class);
                if let Some((_, entry)) = sets.lookup_rare(set, tag, policy) {
                    debug_assert!(
                        level != entry_level[miss.page.leaf()] || entry.data() == miss.table,
                        "what is cached is there"
                    );
                    entry.add_hits(1);
                    entry.set_used_at(miss.index);
                } else {
                    let is_last = level == entry_level[miss.page.leaf()];
                    let table = if is_last { miss.table } else { path.known(miss.page, level).0 };
                    let entry = Entry::new(miss.index, table);
                    if !sets.insert_absent(set, tag, entry, policy).was_full {
                        n_empty += 1;
                    }
                    fills += 1;
                    continue;
                }
            }
            hits[miss.page.sort() as usize % N_SORTS] += 1;
            miss.page = miss.page.at_stage(Stage::Walks).starting_at(level);
        }
        again.tell(u64::MAX, (indexing, class), sets, policy);
        for (sort, n) in hits.iter().enumerate().filter(|(_, n)| **n > 0) {
            let (kind, leaf) = Packed::of_sort(sort);
            refs[kind.index()] += n * (u32::from(level - entry_level[leaf]) + 1);
        }
        ArrayCounts { hits: hits.iter().sum(), fills, evictions: fills - n_empty }
    }
}

/// Counts what the walks read that no cache shortens.
fn begin_at_root(machine: &Machine, misses: &mut [Miss], done: &mut Done) {
    let n_levels = machine.plan.n_levels;
    for miss in misses.iter_mut().filter(|miss| miss.page.is_at(Stage::MissedLevel2)) {
        let lowest = machine.plan.entry_level[miss.page.leaf()];
        miss.page = miss.page.at_stage(Stage::Walks).starting_at(n_levels);
        done.refs[miss.page.kind().index()] += u32::from(n_levels - lowest) + 1;
    }
}
