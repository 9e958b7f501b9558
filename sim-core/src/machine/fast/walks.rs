//! The last stage for walks without a host: ordinary misses of level 2, many at a time.
//!
//! Most walks only read, or write only the last entry. Their tables are read before the paging-structure caches are
//! looked up (`table_reads`). So an exceptional miss is known before its lookups begin: the machine's own code
//! translates it. The misses before it go through the caches here, one cache at a time. Their lookups, fills and
//! reads are counted, and reported in sums.
//!
//! Bench row: (b) random loads.

use super::batch::{ArrayCounts, BatchState, Miss};
use super::late_dirty::LateDirty;
use super::line_touches::LineTouches;
use super::lookups::{Lookups, Query, Repeats};
use super::table_reads::{self, Found, Path};
use super::{exceptional, references};
use crate::caches::memory::ServedReads;
use crate::caches::psc::Place;
use crate::config::MAX_ARRAYS;
use crate::machine::Machine;
use crate::machine::probe::{Probe, Sums};
use crate::machine::translate::walk::Start;
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// Processes misses in order, and then hits of level 2 that change no page table.
#[inline(never)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    (misses, hits): (&mut [Miss], &[Miss]),
    starts: &mut Vec<Start>,
    state: &mut BatchState<'_>,
    probe: &mut P,
) {
    let (mut sums, mut found) = (WalkSums::default(), Found::default());
    exceptional::run(machine, misses, starts, state, probe, |machine, misses, state, probe| {
        let mut n = 0;
        // Walks to pages of one leaf go through the caches together.
        while let Some(next) = misses.get_mut(n..).filter(|next| !next.is_empty()) {
            let before = sums.walks;
            let is_over = table_reads::run(machine, next, state, &mut found, &mut sums, probe);
            let walks = (&mut next[..found.n], found.is_below_one);
            look_up_caches(machine, walks, before, &mut state.touches, &mut sums);
            n += found.n;
            if is_over {
                break;
            }
        }
        n
    });
    sums.count_hits(machine, hits, &state.late_dirty);
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
    /// Counts hits of level 2 that change no page table. Their entries in level 1 get the dirty flags that the walks of
    /// the batch have found.
    pub(super) fn count_hits(&mut self, machine: &mut Machine, hits: &[Miss], late: &LateDirty) {
        for hit in hits {
            self.l2_hits[hit.page.kind().index()] += 1;
            late.copy_to_level_1(machine, hit);
        }
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

/// Looks walks to pages of one leaf up in the paging-structure caches, the deepest first, until one hits. Fills the
/// caches that missed. Then reads the entries through the memory caches, if there are any. `before` is the
/// number of walks that were counted earlier in this batch, by kind of access. [`Found`] explains `is_below_one`.
fn look_up_caches(
    machine: &mut Machine,
    (misses, is_below_one): (&mut [Miss], bool),
    before: [u32; 4],
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    let Some(root) = machine.tables.existing_root(machine.space, 0) else { return };
    let Some(first) = misses.first() else { return };
    let Machine { plan, structures, tables, table_class, memory, .. } = machine;
    let (root_level, lowest) = (plan.root_level, plan.entry_level[first.page.leaf()]);
    let path = Path { root, root_level, tables };
    let kind = first.page.kind().index();
    let is_of_one_kind = sums.walks[kind] - before[kind] == small(misses.len());
    // Whether something reads the starts of walks.
    let has_starts = !is_of_one_kind || memory.has_caches();
    let mut n_left = small(misses.len());
    for level in lowest.until(root_level) {
        let Place::Own(row) = plan.psc.places[level] else { continue };
        if n_left == 0 {
            break;
        }
        let entries = &mut structures.psc[usize::from(row)];
        let (queries, more) = if is_below_one && level > lowest {
            first_of_one(misses, n_left, has_starts.then_some(level))
        } else {
            (&mut *misses, Repeats::default())
        };
        let counts = entries.with(Lookups {
            queries,
            asks: |miss: &Miss| !miss.page.has_start(),
            data: move |miss: &Miss| {
                if level == lowest { miss.table } else { path.existing_table(miss.page, level).0 }
            },
            start: level.number(),
            shift: plan.shift[Leaf::of(level.above())],
            class: table_class[level],
            set_mask: entries.set_mask(),
            more,
        });
        n_left -= counts.hits;
        sums.refs[kind] += counts.hits * level.reads_down_to(lowest);
        sums.caches[usize::from(row) % MAX_ARRAYS].add(counts);
    }
    sums.refs[kind] += n_left * root_level.reads_down_to(lowest);
    if n_left > 0 && has_starts {
        for miss in misses.iter_mut().filter(|miss| !miss.page.has_start()) {
            miss.page = miss.page.starting_at(root_level);
        }
    }
    if !is_of_one_kind {
        move_reads(misses, lowest, kind, sums);
    }
    if machine.memory.has_caches() {
        let only = is_of_one_kind.then_some(kind);
        references::run(machine, root, (misses, only), touches, sums);
    }
}

/// Returns the first of the `n` walks without a start, which all ask for one number. The others repeat its lookup, so they
/// hit, and get the start `level`, if something reads it.
fn first_of_one(misses: &mut [Miss], n: u32, level: Option<Level>) -> (&mut [Miss], Repeats) {
    let asks = |miss: &Miss| !miss.page.has_start();
    let [first, last] = [misses.iter().position(asks), misses.iter().rposition(asks)]
        .map(Option::unwrap_or_default);
    let more = Repeats { n: n - 1, access: misses[last].index };
    if let Some(level) = level {
        for miss in misses[first + 1..].iter_mut().filter(|miss| asks(miss)) {
            miss.page = miss.page.starting_at(level);
        }
    }
    (&mut misses[first..=first], more)
}

/// Moves the reads that are counted for walks of `kind` to the kinds of the walks.
#[inline(never)]
fn move_reads(misses: &[Miss], lowest: Level, kind: usize, sums: &mut WalkSums) {
    for miss in misses {
        let n = miss.page.start().reads_down_to(lowest);
        sums.refs[kind] -= n;
        sums.refs[miss.page.kind().index()] += n;
    }
}

impl Query for Miss {
    #[cfg_attr(feature = "fast", inline(always))]
    fn number(&self, shift: u32) -> u64 {
        self.page.number(shift)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn access(&self) -> u32 {
        self.index
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn serve(&mut self, start: u8) {
        self.page = self.page.starting_at(Level::new(start));
    }
}
