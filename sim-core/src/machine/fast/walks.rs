//! The last stage for walks without a host: ordinary misses of level 2, many at a time.
//!
//! Most walks only read, or write only the last entry. Their tables are read before the paging-structure caches are
//! looked up (`table_reads`). So an exceptional miss is known before its lookups begin: the machine's own code
//! translates it. The misses before it go through the caches here, one cache at a time. Their lookups, fills and
//! reads are counted, and reported in sums.
//!
//! Bench row: (b) random loads.

use super::batch::{ArrayCounts, BatchState, Miss};
use super::line_touches::LineTouches;
use super::packed_page::{Leaves, N_SORTS, PackedPage, Stage};
use super::repeated_lookups::RepeatedLookups;
use super::table_reads::{self, Path};
use super::{exceptional, references};
use crate::caches::memory::ServedReads;
use crate::caches::psc::Place;
use crate::caches::set_assoc::{OnWays, Ways};
use crate::caches::tlb::Entry;
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::probe::{Probe, Sums};
use crate::machine::translate::walk::Start;
use pagewalk_base::addr::{Leaf, Level, PerLeaf};
use pagewalk_base::narrow::index;
use pagewalk_base::trace::Kind;

/// Processes misses in order.
#[inline(never)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    state: &mut BatchState<'_>,
    probe: &mut P,
) {
    let mut sums = WalkSums::default();
    exceptional::run(machine, misses, starts, state, probe, |machine, misses, state, probe| {
        let n_before = sums.n_walks();
        let n = table_reads::run(machine, misses, state, &mut sums, probe);
        let n_walks = sums.n_walks() - n_before;
        look_up_caches(machine, &mut misses[..n], n_walks, &mut state.touches, &mut sums);
        n
    });
    sums.report(machine, probe);
}

/// The sums of the walks of a batch. Arrays of four are by kind of access.
#[derive(Default)]
pub(super) struct WalkSums {
    pub(super) l2_hits: [u32; 4],
    pub(super) walks: [u32; 4],
    /// The number of entries that walks read.
    pub(super) refs: [u32; 4],
    pub(super) ad_updates: [u32; 4],
    /// The number of entries that walks read from the host's tables.
    pub(super) host_refs: [u32; 4],
    /// The caches that served the reads, if there are memory caches.
    pub(super) served: ServedReads,
    /// The lookups and fills of each paging-structure cache.
    pub(super) caches: [ArrayCounts; MAX_ARRAYS],
}

impl WalkSums {
    fn n_walks(&self) -> u32 {
        self.walks.iter().sum()
    }

    pub(super) fn report<P: Probe>(&mut self, machine: &Machine, probe: &mut P) {
        let Some(tally) = probe.tally() else { return };
        let plan = &machine.plan;
        if !machine.memory.has_caches() {
            self.served.by[0] = self.refs.iter().sum();
            self.served.cycles = self.refs.map(|n| u64::from(n) * machine.memory.dram());
        }
        for kind in Kind::SERVED {
            let at = kind.index();
            let (l2_hits, walks) = (u64::from(self.l2_hits[at]), u64::from(self.walks[at]));
            // The guest's part of a first touch may be done here, and the rest of the walk one by one.
            if l2_hits + walks + u64::from(self.ad_updates[at]) == 0 {
                continue;
            }
            tally.sums(&Sums {
                kind,
                l2_hits,
                l2_cycles: l2_hits * plan.l2_hit[at],
                l2_miss_cycles: walks * plan.l2_miss[at],
                walks,
                refs: u64::from(self.refs[at]),
                host_refs: u64::from(self.host_refs[at]),
                ad_updates: u64::from(self.ad_updates[at]),
                walk_cycles: walks * plan.walk_overhead + self.served.cycles[at],
            });
        }
        for (server, n) in self.served.by.iter().enumerate().filter(|(_, n)| **n > 0) {
            tally.served(server, u64::from(*n));
        }
        let first = plan.psc_id(0);
        for (row, ArrayCounts { hits, fills, evictions }) in self.caches.iter().enumerate() {
            if hits + fills > 0 {
                tally.psc_lookups(first.plus(row), u64::from(hits + fills), u64::from(*hits));
                tally.fills(first.plus(row), u64::from(*fills), u64::from(*evictions));
            }
        }
    }
}

/// Looks each walk up in the paging-structure caches, the deepest first, until one hits. Fills the caches that
/// missed. Then reads the entries through the memory caches, if there are any.
fn look_up_caches(
    machine: &mut Machine,
    misses: &mut [Miss],
    n_walks: u32,
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    let mut n_left = n_walks;
    let Some(root) = machine.tables.existing_root(machine.space, 0) else { return };
    let Machine { plan, structures, tables, table_class, .. } = machine;
    let psc = &mut structures.psc;
    for level in Level::LOWEST.until(plan.root_level) {
        let Place::Own(row) = plan.psc.places[level] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut psc[usize::from(row)];
        let lookups = Lookups {
            misses,
            path: Path { root, root_level: plan.root_level, tables },
            level,
            selected: Leaves::at(Stage::MissedLevel2, |leaf| plan.entry_level[leaf] <= level),
            entry_level: plan.entry_level,
            shift: plan.shift[Leaf::of(level.above())],
            class: table_class[level],
            set_mask: entries.set_mask(),
            refs: &mut sums.refs,
        };
        let counts = entries.with(lookups);
        n_left -= counts.hits;
        sums.caches[usize::from(row) % MAX_ARRAYS].add(counts);
    }
    if n_left > 0 {
        begin_at_root(machine, misses, sums);
    }
    if machine.memory.has_caches() {
        references::run(machine, root, misses, touches, sums);
    }
}

/// The lookups of a batch in one cache.
struct Lookups<'a> {
    misses: &'a mut [Miss],
    path: Path<'a>,
    /// The level of the tables that the cache's entries lead to.
    level: Level,
    /// The walks that are looked up: no deeper cache has hit, and their last entry is below this cache's tables.
    selected: Leaves,
    /// For each leaf: the level of the last entry.
    entry_level: PerLeaf<Level>,
    shift: u32,
    class: u64,
    set_mask: u64,
    /// For each kind: the number of entries that walks read.
    refs: &'a mut [u32; 4],
}

impl OnWays<Entry> for Lookups<'_> {
    type Done = ArrayCounts;

    #[inline(never)]
    fn run<R, S: Ways<Entry, R> + ?Sized>(self, sets: &mut S, policy: &mut R) -> ArrayCounts {
        let Self { misses, path, level, selected, entry_level, shift, class, set_mask, refs } =
            self;
        let mut hits = [0; N_SORTS];
        let (mut fills, mut n_empty) = (0, 0);
        let mut repeated = RepeatedLookups::new();
        for miss in misses {
            if !selected.has(miss.page) {
                continue;
            }
            let number = miss.page.number(shift);
            if !repeated.count(number, miss.index) {
                repeated.begin(number, (set_mask, class), sets, policy);
                let (set, tag) = (index(number & set_mask), number | class);
                if let Some((_, entry)) = sets.lookup(set, tag, policy) {
                    debug_assert!(
                        level != entry_level[miss.page.leaf()] || entry.data() == miss.table,
                        "the cache has the table that the walk found"
                    );
                    entry.add_hits(1);
                    entry.set_used_at(miss.index);
                } else {
                    let is_last = level == entry_level[miss.page.leaf()];
                    let table =
                        if is_last { miss.table } else { path.existing_table(miss.page, level).0 };
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
        repeated.begin(u64::MAX, (set_mask, class), sets, policy);
        for (sort, n) in hits.iter().enumerate().filter(|(_, n)| **n > 0) {
            let (kind, leaf) = PackedPage::of_sort(sort);
            refs[kind.index()] += n * level.reads_down_to(entry_level[leaf]);
        }
        ArrayCounts { hits: hits.iter().sum(), fills, evictions: fills - n_empty }
    }
}

/// Starts the walks without a hit at the root, and counts their reads.
fn begin_at_root(machine: &Machine, misses: &mut [Miss], sums: &mut WalkSums) {
    let root_level = machine.plan.root_level;
    for miss in misses.iter_mut().filter(|miss| miss.page.is_at(Stage::MissedLevel2)) {
        let lowest = machine.plan.entry_level[miss.page.leaf()];
        miss.page = miss.page.at_stage(Stage::Walks).starting_at(root_level);
        sums.refs[miss.page.kind().index()] += root_level.reads_down_to(lowest);
    }
}
