//! Heads of page runs through the machine, in batches, stage by stage.
//!
//! ```text
//! heads ─▶ fetches ─▶ level 1 ─┐ misses,
//!       └▶ data ────▶ level 1 ─┴ in order ─▶ level 2 ─▶ walks
//! ```
//!
//! A level-1 array is filled by every miss, whatever comes of it, so what it holds follows
//! from the heads alone and need not wait for the walks. The same is true of a level-2 array
//! that holds nothing but pages. Each stage is a short loop over one array, whose steps hardly
//! depend on each other, which processors like. Only what a filled entry knows of its page's
//! dirty flag comes from beyond: it is told afterwards.
//!
//! Heads of one kind, without others between them, go through both levels in one loop: see `both_levels`.
//!
//! Where translations may be counted in sums, the walks have a shorter way: see `walks`, and `nested` for
//! walks in two dimensions. Where the accesses
//! themselves go through memory caches, they do so between the walks: see `touches`.

mod again;
mod both_levels;
mod each;
mod heads;
mod learned;
mod level_1;
mod level_2;
mod nested;
mod news;
mod packed;
mod reads;
mod references;
mod touches;
mod walk_caches;
mod walks;

use crate::config::MAX_ARRAYS;
use crate::machine::probe::{Outcome, Probe, Translation};
use crate::machine::structures::StructureId;
use crate::machine::translate::walk::Start;
use crate::machine::{Machine, mark_dirty};
use heads::{Alike, Heads};
use learned::Learned;
use packed::{Packed, Stage};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::{Head, Kind, Lines, OpRecord, RUN_PAGE_BITS, RunVisitor};
use touches::Touches;

/// Heads that wait together: few enough to stay in the nearest cache.
const BATCH: usize = 256;

/// A head, and the repeats on its page.
#[derive(Clone, Copy, Default)]
struct Waiting {
    page: Packed,
    index: u32,
    n_repeats: u32,
}

/// What level 1 cannot do alone.
#[derive(Clone, Copy, Default)]
struct Miss {
    page: Packed,
    index: u32,
    /// Of a walk that is no news: the number of the last table.
    table: u32,
}

/// Runs heads and counts repeats.
pub(crate) struct Batch<'a, P: Probe> {
    machine: &'a mut Machine,
    probe: &'a mut P,
    counts: Counts,
    heads: Heads,
    /// The bits of an address that translation looks at.
    va_mask: u64,
    /// Pages of one leaf, as far as they are known since the machine last did something.
    alike: Alike,
    misses: [Vec<Miss>; 2],
    /// All misses, in order.
    merged: Vec<Miss>,
    /// Where their walks start, if the paging-structure caches have been asked.
    starts: Vec<Start>,
    nested: nested::Work,
    beside: Beside<'a>,
}

/// What goes along with the misses of a batch.
struct Beside<'a> {
    /// Where accesses go through memory caches.
    touches: Option<Touches<'a>>,
    learned: Learned,
}

/// What levels 1 and 2 did, told to the probe when the batch is finished.
#[derive(Default)]
struct Counts {
    /// By kind and array.
    l1_hits: [[u32; MAX_ARRAYS]; 4],
    l1: [ArrayCounts; MAX_ARRAYS],
    l2: [ArrayCounts; MAX_ARRAYS],
}

#[derive(Clone, Copy, Default)]
struct ArrayCounts {
    hits: u32,
    fills: u32,
    evictions: u32,
}

impl ArrayCounts {
    fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.fills += other.fills;
        self.evictions += other.evictions;
    }
}

impl<'a, P: Probe> Batch<'a, P> {
    /// `lines`: what the accesses of a chunk touch, and the number of its first, where they go through memory caches.
    pub(crate) fn new(
        machine: &'a mut Machine,
        probe: &'a mut P,
        lines: Option<(u32, Lines<'a>)>,
    ) -> Self {
        let touches = lines.map(|(first, lines)| Touches::new(first, lines, machine));
        Self {
            va_mask: machine.plan.va_mask,
            machine,
            probe,
            counts: Counts::default(),
            heads: Heads::new(),
            alike: Alike::NONE,
            misses: [0; 2].map(|_| Vec::with_capacity(BATCH)),
            merged: Vec::with_capacity(2 * BATCH),
            starts: Vec::with_capacity(2 * BATCH),
            nested: nested::Work::default(),
            beside: Beside { touches, learned: Learned::default() },
        }
    }

    /// Does and tells everything that still waits.
    pub(crate) fn finish(&mut self) {
        self.settle();
        touches::finish(&mut self.beside.touches, self.machine);
        let Counts { l1_hits, l1, l2 } = std::mem::take(&mut self.counts);
        for kind in Kind::SERVED {
            for (array, n) in l1_hits[kind.index()].iter().enumerate().filter(|(_, n)| **n > 0) {
                self.probe.repeats(kind, StructureId(array), u64::from(*n));
            }
        }
        let n_l1 = self.machine.plan.n_l1;
        let numbered = StructureId(0).number(l1.into_iter().take(n_l1).chain(l2));
        for (structure, ArrayCounts { hits, fills, evictions }) in numbered {
            if hits > 0 {
                self.probe.hits(structure, u64::from(hits));
            }
            if fills > 0 {
                self.probe.fills(structure, u64::from(fills), u64::from(evictions));
            }
        }
    }

    /// Takes what waits through all stages.
    #[inline(never)]
    fn settle(&mut self) {
        for (kind, n) in Kind::ALL.into_iter().zip(self.heads.end()) {
            if n > 0 {
                self.repeat_last(kind, n);
            }
        }
        self.alike = Alike::NONE;
        let is_apart = self.machine.level_2_is_apart();
        let is_done = is_apart && self.go_through_both_levels();
        if !is_done {
            for (group, misses) in self.misses.iter_mut().enumerate() {
                level_1::run(self.machine, self.heads.of(group), &mut self.counts, misses);
            }
            self.merge();
        }
        self.heads.clear();
        self.starts.clear();
        self.beside.learned.clear();
        if is_apart {
            if !is_done {
                level_2::run(self.machine, &mut self.merged, &mut self.counts);
            }
            if walks::serves(self.machine, self.probe) {
                walks::run(
                    self.machine,
                    &mut self.merged,
                    &mut self.starts,
                    &mut self.beside,
                    self.probe,
                );
                self.merged.clear();
                return;
            }
            if nested::serves(self.machine, self.probe) {
                let Self { machine, merged, starts, nested, beside, probe, .. } = self;
                nested::run(machine, merged, starts, nested, beside, *probe);
                self.merged.clear();
                return;
            }
            if self.machine.plan.walk_caches_are_apart() {
                walk_caches::run(self.machine, &mut self.merged, &mut self.starts, self.probe);
            }
        }
        for (at, miss) in self.merged.iter().enumerate() {
            let start = self.starts.get(at).copied().unwrap_or_default();
            translate(self.machine, miss, start, &mut self.beside, self.probe);
        }
        self.merged.clear();
    }

    /// Takes all heads through levels 1 and 2 at once, and lists what misses, if they are of one group.
    fn go_through_both_levels(&mut self) -> bool {
        let ([[], heads] | [heads, []]) = [0, 1].map(|group| self.heads.of(group)) else {
            return false;
        };
        both_levels::run(self.machine, heads, &mut self.counts, &mut self.merged)
    }

    /// The leaf of the page at an address, where it is not known to be like its neighbours.
    #[inline(never)]
    fn find_leaf(&mut self, kind: Kind, va: u64) -> u8 {
        let (_, leaf) = self.machine.leaf_of(kind, va);
        let (first, last) = self.machine.os.stretch();
        let is_in = (first..=last).contains(&va);
        self.alike = if is_in { Alike { first, beyond: last - first, leaf } } else { Alike::NONE };
        leaf
    }

    /// Repeats of a head that is done.
    #[cold]
    fn repeat_last(&mut self, kind: Kind, n: u32) {
        let last = self.machine.structures.last[kind.index()];
        if let Some(used) = self.machine.structures.l1.get_mut(usize::from(last.array)) {
            used.entries.entry(last.slot).add_hits(n);
            self.counts.l1_hits[kind.index()][usize::from(last.array) % MAX_ARRAYS] += n;
        }
    }

    /// Puts the misses of fetches and data in one order.
    fn merge(&mut self) {
        let [fetches, data] = &mut self.misses;
        if fetches.is_empty() {
            std::mem::swap(&mut self.merged, data);
        } else if data.is_empty() {
            std::mem::swap(&mut self.merged, fetches);
        } else {
            let (mut a, mut b) = (fetches.iter().peekable(), data.iter().peekable());
            while let (Some(fetch), Some(datum)) = (a.peek(), b.peek()) {
                let next = if fetch.index < datum.index { a.next() } else { b.next() };
                self.merged.extend(next);
            }
            self.merged.extend(a.chain(b));
            fetches.clear();
            data.clear();
        }
    }
}

/// What the stages before have left of one miss. `start` is known where it [`Stage::Walks`].
#[inline(always)]
fn translate<P: Probe>(
    machine: &mut Machine,
    miss: &Miss,
    start: Start,
    Beside { touches, learned }: &mut Beside<'_>,
    probe: &mut P,
) {
    let page = miss.page.page(&machine.plan, &machine.page_class);
    let stage = miss.page.stage();
    if matches!(stage, Stage::MissedLevel1 | Stage::MissedLevel2 | Stage::Walks) {
        touches::before(touches, miss.index, machine);
        touches::walked(touches, miss.index);
    }
    let mut done = Translation::new(miss.index, page.kind, page.va, page.leaf);
    let dirty = match stage {
        Stage::Stored => {
            probe.updates(machine.set_dirty(&page));
            return;
        }
        Stage::MissedLevel1 => machine.lookup_l2_or_walk(&page, &mut done, probe),
        Stage::HitClean | Stage::HitFresh | Stage::HitDirty | Stage::HitWithNews => {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = machine.plan.l2_hit[page.kind.index()];
            if stage == Stage::HitWithNews {
                done.add(machine.set_dirty(&page));
            }
            Some(match stage {
                Stage::HitClean => false,
                Stage::HitFresh => learned.knew(machine, miss),
                _ => true,
            })
        }
        Stage::MissedLevel2 => machine.walk(None, &page, &mut done, probe),
        Stage::Walks => machine.walk(Some(start), &page, &mut done, probe),
    };
    let Some(dirty) = dirty else { return };
    if dirty && stage >= Stage::MissedLevel2 {
        learned.walked(machine, miss);
    } else if dirty && page.kind != Kind::Store {
        mark_dirty(
            &machine.plan,
            &mut machine.structures.l1,
            &mut machine.structures.l2,
            &page,
            false,
        );
    }
    probe.translated(&done);
}

impl<P: Probe> RunVisitor for Batch<'_, P> {
    #[inline(always)]
    fn repeats(&mut self, n: [u32; 3]) {
        self.heads.repeat(n);
    }

    fn process(&mut self, pid: u32) {
        self.settle();
        self.machine.enter(pid, self.probe);
    }

    #[inline(never)]
    fn op(&mut self, record: &OpRecord) {
        self.settle();
        self.machine.execute(record, self.probe);
    }

    #[inline(always)]
    fn head(&mut self, index: u32, kind: Kind, page: u64) {
        let va = page << RUN_PAGE_BITS & self.va_mask;
        let is_alike = self.alike.has(va);
        let leaf = if is_alike { self.alike.leaf } else { self.find_leaf(kind, va) };
        if self.heads.push(kind, Packed::new(va, kind, leaf), index) {
            self.settle();
        }
    }

    #[inline(never)]
    fn heads(&mut self, first: u32, kind: Kind, base: u64, offsets: &[u32]) {
        let (mut first, mut rest) = (first, offsets);
        while !rest.is_empty() {
            let (va_mask, alike) = (self.va_mask, self.alike);
            let n = self.heads.push_alike((first, kind), (base, rest), va_mask, alike);
            first += small(n);
            rest = &rest[n..];
            // Its neighbours are other pages, or not known to be alike.
            if let Some((offset, others)) = rest.split_first() {
                self.head(first, kind, base + u64::from(*offset));
                first += 1;
                rest = others;
            }
        }
    }

    /// A head that is translated by itself.
    #[inline(never)]
    fn special(&mut self, Head { index, kind, page, distance }: Head) {
        self.settle();
        touches::before(&mut self.beside.touches, index, self.machine);
        touches::walked(&mut self.beside.touches, index);
        let address = page << RUN_PAGE_BITS;
        let leaf = self.machine.translate(index, kind, address, self.probe);
        let last = (page + u64::from(distance)) << RUN_PAGE_BITS;
        let shift = self.machine.page_shift(leaf);
        if last >> shift != address >> shift {
            self.machine.translate_end(index, kind, last, self.probe);
        }
    }
}
