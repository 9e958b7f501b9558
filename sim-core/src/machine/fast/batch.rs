//! A batch: up to 256 run heads of each part on their way through the stages. [`super`] describes all stages.
//!
//! Bench rows: (a) strided loads and (c) recorded trace.

use super::late_dirty::LateDirty;
use super::level_1::last_of;
use super::line_touches::{self, LineTouches};
use super::list::List;
use super::packed_page::{PackedPage, Stage};
use super::route::{self, Levels, Runs, Walks};
use super::run_heads::{LeafRange, PARTS, RunHead, RunHeads};
use super::{level_1, level_2, nested, one_sort, walk_caches, walks};
use crate::caches::tlb::TlbArray;
use crate::config::MAX_ARRAYS;
use crate::machine::probe::{Outcome, Probe, Translation};
use crate::machine::structures::StructureId;
use crate::machine::translate::walk::Start;
use crate::machine::{Machine, mark_dirty};
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::{
    Chunk, Head, Kind, OpRecord, PageNumber, RunVisitor, SlotHead, SlotVisitor, group,
};

/// The most run heads of a part of a batch. So few fit in the nearest cache of the processor that simulates.
pub(super) const BATCH: usize = 256;
/// The most misses of a batch.
pub(super) const MOST_MISSES: usize = PARTS * BATCH;

/// A run head that level 1 cannot serve alone: a miss, or a store that hit an entry that was not dirty.
#[derive(Clone, Copy, Default)]
pub(super) struct Miss {
    pub(super) page: PackedPage,
    /// The number of the access.
    pub(super) index: u32,
    /// The number of the last table of the walk, for an ordinary miss.
    pub(super) table: u32,
}

/// Simulates run heads, and counts repeats.
pub(super) struct Batch<'a, P: Probe> {
    machine: &'a mut Machine,
    probe: &'a mut P,
    levels: Levels,
    walks: Walks,
    counts: Counts,
    heads: RunHeads,
    /// The bits of an address that translation reads.
    va_mask: u64,
    /// Addresses whose leaf level is known. The machine may change the leaf level, so the range is cleared after
    /// each batch.
    known_leaf: LeafRange,
    /// The misses of level 1, by part of the batch.
    misses: [Vec<Miss>; PARTS],
    /// Room for the misses of two parts, while they are merged.
    spare: Vec<Miss>,
    /// All misses of level 1, in order.
    merged: List<Miss>,
    /// The hits of level 2 that change no page table, which are counted after the walks. Empty on routes that report
    /// each translation.
    hits: Vec<Miss>,
    /// The starts of the walks of `merged`. Empty unless the paging-structure caches have been looked up.
    starts: Vec<Start>,
    nested: nested::Work,
    state: BatchState<'a>,
}

/// The state of a batch that its walks need.
pub(super) struct BatchState<'a> {
    /// The touches, if the accesses themselves go through the memory caches.
    pub(super) touches: Option<LineTouches<'a>>,
    pub(super) late_dirty: LateDirty,
}

/// The lookups and fills of levels 1 and 2. The probe receives them at the end of the chunk.
#[derive(Default)]
pub(super) struct Counts {
    /// The hits of level 1, by kind and array.
    pub(super) l1_hits: [[u32; MAX_ARRAYS]; 4],
    pub(super) l1: [ArrayCounts; MAX_ARRAYS],
    pub(super) l2: [ArrayCounts; MAX_ARRAYS],
}

#[derive(Clone, Copy, Default)]
pub(super) struct ArrayCounts {
    pub(super) hits: u32,
    pub(super) fills: u32,
    pub(super) evictions: u32,
}

impl ArrayCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.fills += other.fills;
        self.evictions += other.evictions;
    }
}

impl<'a, P: Probe> Batch<'a, P> {
    pub(super) fn new(
        machine: &'a mut Machine,
        probe: &'a mut P,
        chunk: &Chunk,
        route: &Runs<'a>,
    ) -> Self {
        let touches = LineTouches::new(chunk.first, route.touches, machine);
        let stores_apart = machine.plan.serves_stores_apart();
        Self {
            va_mask: machine.plan.va_mask,
            machine,
            probe,
            levels: route.levels,
            walks: route.walks,
            counts: Counts::default(),
            heads: RunHeads::new(route.slots.is_some(), stores_apart),
            known_leaf: LeafRange::EMPTY,
            misses: [0; PARTS].map(|_| Vec::with_capacity(BATCH)),
            spare: Vec::new(),
            merged: List::default(),
            hits: Vec::new(),
            starts: Vec::with_capacity(MOST_MISSES),
            nested: nested::Work::default(),
            state: BatchState { touches, late_dirty: LateDirty::default() },
        }
    }

    /// Simulates the last batch and the last touches, and reports the counts of levels 1 and 2.
    pub(super) fn finish(&mut self) {
        self.simulate();
        line_touches::finish(&mut self.state.touches, self.machine);
        let Counts { l1_hits, l1, l2 } = std::mem::take(&mut self.counts);
        let Some(tally) = self.probe.tally() else { return };
        for kind in Kind::SERVED {
            for (array, n) in l1_hits[kind.index()].iter().enumerate().filter(|(_, n)| **n > 0) {
                tally.repeats(kind, StructureId(array), u64::from(*n));
            }
        }
        let n_l1 = self.machine.plan.n_l1;
        let numbered = StructureId(0).number(l1.into_iter().take(n_l1).chain(l2));
        for (structure, ArrayCounts { hits, fills, evictions }) in numbered {
            if hits > 0 {
                tally.hits(structure, u64::from(hits));
            }
            if fills > 0 {
                // Every miss fills, because fast paths do not run machines with other rules.
                tally.misses(structure, u64::from(fills));
                tally.fills(structure, u64::from(fills), u64::from(evictions));
            }
        }
    }

    /// Simulates the batch, stage by stage.
    #[inline(never)]
    fn simulate(&mut self) {
        for (kind, n) in Kind::ALL.into_iter().zip(self.heads.end()) {
            self.count_repeats(kind, n);
        }
        self.known_leaf = LeafRange::EMPTY;
        self.simulate_levels();
        self.heads.clear();
        self.starts.clear();
        self.state.late_dirty.clear();
        let Self { machine, merged, hits, starts, nested, state, probe, .. } = self;
        let merged = merged.values_mut();
        match self.walks {
            Walks::Native => walks::run(machine, (merged, hits), starts, state, *probe),
            Walks::Nested => nested::run(machine, (merged, hits), starts, nested, state, *probe),
            Walks::Single | Walks::CachesFirst => {
                if self.walks == Walks::CachesFirst {
                    walk_caches::run(machine, merged, starts, *probe);
                }
                for (at, miss) in merged.iter().enumerate() {
                    let start = starts.get(at).copied().unwrap_or_default();
                    translate(machine, miss, start, state, *probe);
                }
            }
        }
        self.merged.truncate(0);
        self.hits.clear();
    }

    /// Simulates the TLB levels of the route, and lists the misses in order.
    fn simulate_levels(&mut self) {
        let Self { machine, heads, counts, misses, spare, merged, hits, .. } = self;
        let is_both = self.levels == Levels::Both;
        let in_sums = matches!(self.walks, Walks::Native | Walks::Nested);
        if is_both && let Some(of_one_sort) = route::of_one_sort(machine, heads) {
            let heads = (of_one_sort, heads.form);
            one_sort::run(machine, heads, counts, merged, in_sums.then_some(hits));
            return;
        }
        for (part, misses) in misses.iter_mut().enumerate() {
            level_1::run(machine, (heads.of(part), heads.form), counts, misses);
        }
        merge(misses, spare, merged);
        if is_both {
            level_2::run(machine, merged.values_mut(), counts);
        }
        if in_sums {
            merged.move_to(hits, |miss| miss.page.is_plain_hit());
        }
    }

    /// Finds the leaf level of the page at an address, and the range of addresses that share it.
    #[inline(never)]
    fn find_leaf(&mut self, kind: Kind, va: u64) -> Leaf {
        let (_, leaf) = self.machine.leaf_of(kind, va);
        self.known_leaf = LeafRange::around(va, leaf, self.machine.os.last_range());
        leaf
    }

    /// Translates a run head with the machine's own code. Only a miss of level 1 may walk, and needs the touches before
    /// it.
    #[inline(never)]
    fn translate_alone(&mut self, index: u32, kind: Kind, address: u64) {
        for kind in Kind::SERVED.into_iter().filter(|other| group(*other) == group(kind)) {
            let n = self.heads.take_repeats(kind);
            self.count_repeats(kind, n);
        }
        let Self { machine, state, probe, .. } = self;
        let page = machine.page_of(kind, address);
        if let Some(updates) = machine.lookup_l1(&page, index, *probe) {
            let hit = Translation::new(index, kind, address, page.leaf);
            probe.translated(&Translation { ad_updates: updates.flags, host: updates.host, ..hit });
        } else {
            line_touches::touch_until(&mut state.touches, index, machine);
            line_touches::note_walk(&mut state.touches, index);
            machine.translate_l1_miss(&page, index, address, *probe);
        }
    }

    /// Counts repeats of a run head of an earlier batch, or of one that was translated alone.
    #[cfg_attr(feature = "fast", inline(always))]
    fn count_repeats(&mut self, kind: Kind, n: u32) {
        if n == 0 {
            return;
        }
        let last = self.machine.structures.last[kind.index()];
        if let Some(used) = self.machine.structures.l1.get_mut(usize::from(last.array)) {
            used.entries.entry(last.slot).add_hits(n);
            self.counts.l1_hits[kind.index()][usize::from(last.array) % MAX_ARRAYS] += n;
        }
    }
}

/// Merges the misses of all parts in the order of the accesses. `spare` is room for a list.
fn merge(misses: &mut [Vec<Miss>; PARTS], spare: &mut Vec<Miss>, merged: &mut List<Miss>) {
    let [fetches, data, stores] = misses;
    if !stores.is_empty() {
        spare.clear();
        merge_two(data, stores, |miss| spare.push(miss));
        std::mem::swap(data, spare);
    }
    merged.begin(MOST_MISSES);
    merge_two(fetches, data, |miss| merged.push(miss));
    misses.iter_mut().for_each(Vec::clear);
}

/// Merges two lists in the order of the accesses.
#[cfg_attr(feature = "fast", inline(always))]
fn merge_two(a: &[Miss], b: &[Miss], mut push: impl FnMut(Miss)) {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(first), Some(second)) = (a.peek(), b.peek()) {
        let next = if first.index < second.index { a.next() } else { b.next() };
        if let Some(miss) = next {
            push(*miss);
        }
    }
    a.chain(b).for_each(|miss| push(*miss));
}

/// Translates one miss with the machine's own code, from the stage that the miss has reached. `start` is used at
/// [`Stage::Walks`] only.
#[cfg_attr(feature = "fast", inline(always))]
pub(super) fn translate<P: Probe>(
    machine: &mut Machine,
    miss: &Miss,
    start: Start,
    BatchState { touches, late_dirty }: &mut BatchState<'_>,
    probe: &mut P,
) {
    let page = miss.page.page(&machine.plan, &machine.page_class);
    let stage = miss.page.stage();
    if matches!(stage, Stage::MissedLevel1 | Stage::MissedLevel2 | Stage::Walks) {
        line_touches::touch_until(touches, miss.index, machine);
        line_touches::note_walk(touches, miss.index);
    }
    let mut done = Translation::new(miss.index, page.kind, page.va, page.leaf);
    let dirty = match stage {
        Stage::Stored => {
            probe.updates(machine.set_dirty(&page));
            return;
        }
        Stage::MissedLevel1 => machine.lookup_l2_or_walk(&page, &mut done, probe),
        Stage::HitClean | Stage::HitFresh | Stage::HitDirty | Stage::HitNowDirty => {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = machine.plan.l2_hit[page.kind.index()];
            if stage == Stage::HitNowDirty {
                done.add(machine.set_dirty(&page));
            }
            Some(match stage {
                Stage::HitClean => false,
                Stage::HitFresh => late_dirty.was_dirty(machine, miss),
                _ => true,
            })
        }
        Stage::MissedLevel2 => machine.walk(None, &page, &mut done, probe),
        Stage::Walks => machine.walk(Some(start), &page, &mut done, probe),
    };
    let Some(dirty) = dirty else { return };
    if dirty && stage >= Stage::MissedLevel2 {
        late_dirty.record_walk(machine, miss);
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
    #[cfg_attr(feature = "fast", inline(always))]
    fn repeats(&mut self, n: [u32; 3]) {
        self.heads.repeat(n);
    }

    fn process(&mut self, pid: u32) {
        self.simulate();
        self.machine.enter(pid, self.probe);
    }

    #[inline(never)]
    fn op(&mut self, record: &OpRecord) {
        self.simulate();
        self.nested.known.forget();
        self.machine.execute(record, self.probe);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn run_head(&mut self, index: u32, kind: Kind, page: PageNumber) {
        if self.levels == Levels::Alone {
            self.translate_alone(index, kind, page.start());
            return;
        }
        let va = page.start() & self.va_mask;
        let is_known = self.known_leaf.has(va);
        let leaf = if is_known { self.known_leaf.leaf } else { self.find_leaf(kind, va) };
        if self.heads.push(kind, PackedPage::new(va, kind, leaf), index) {
            self.simulate();
        }
    }

    #[inline(never)]
    fn run_heads(&mut self, first: u32, kind: Kind, base: PageNumber, offsets: &[u32]) {
        let (mut first, mut rest) = (first, offsets);
        if self.levels == Levels::Alone {
            for (index, offset) in (first..).zip(offsets) {
                self.run_head(index, kind, base.plus(u64::from(*offset)));
            }
            return;
        }
        while !rest.is_empty() {
            let (va_mask, range) = (self.va_mask, self.known_leaf);
            let n = self.heads.push_range((first, kind), (base.0, rest), va_mask, range);
            first += small(n);
            rest = &rest[n..];
            // The page lies outside the known range, or the batch is nearly full.
            if let Some((offset, others)) = rest.split_first() {
                self.run_head(first, kind, base.plus(u64::from(*offset)));
                first += 1;
                rest = others;
            }
        }
    }

    /// Translates a special run head: a prefetch, which may need no translation, or an access across pages, which
    /// may need two.
    #[inline(never)]
    fn special_head(&mut self, Head { index, kind, page, distance }: Head) {
        self.simulate();
        line_touches::touch_until(&mut self.state.touches, index, self.machine);
        line_touches::note_walk(&mut self.state.touches, index);
        let address = page.start();
        let leaf = self.machine.translate(index, kind, address, self.probe);
        let last = page.plus(u64::from(distance)).start();
        let shift = self.machine.page_shift(leaf);
        if last >> shift != address >> shift {
            self.machine.translate_end(index, kind, last, self.probe);
        }
    }
}

impl<P: Probe> SlotVisitor for Batch<'_, P> {
    #[cfg_attr(feature = "fast", inline(always))]
    fn slot_head(&mut self, head: SlotHead) {
        let SlotHead { index, kind, page, n_repeats, used_at } = head;
        // Only machines whose pages are all as small as the pages of runs have slots.
        let page = PackedPage::new(page.start() & self.va_mask, kind, Leaf::SMALLEST);
        if self.heads.push_in_slot(kind, RunHead { page, index, n_repeats, used_at }) {
            self.simulate();
        }
    }

    #[inline(never)]
    fn used_last(&mut self, kind: Kind, page: PageNumber) {
        self.simulate();
        let page = self.machine.page_of(kind, page.start());
        let array = self.machine.plan.only_l1[kind.index()][page.leaf];
        let structures = &mut self.machine.structures;
        if let Some(TlbArray { entries, .. }) = structures.l1.get(usize::from(array)) {
            let class = self.machine.page_class[page.leaf];
            structures.last[kind.index()] = last_of(entries, array, page.key.tag, class);
        }
    }

    #[inline(never)]
    fn repeats_of_heads(&mut self, kind: Kind, n: u32) {
        let array = self.machine.plan.only_l1[kind.index()][Leaf::SMALLEST];
        self.counts.l1_hits[kind.index()][usize::from(array) % MAX_ARRAYS] += n;
    }
}
