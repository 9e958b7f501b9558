//! Heads of page runs through the machine, in batches: level 1 for all of them, then level 2
//! and the walks for those that missed.
//!
//! ```text
//! head, head, head … ─▶ level 1: hit or fill ─misses─▶ [ batch ] ─▶ level 2 ─▶ walk
//! ```
//!
//! A level-1 array is filled by every miss, whatever comes of it, so what it holds follows
//! from the heads alone and need not wait for the walks. Each of the two loops is short, and
//! its steps hardly depend on each other, which processors like. Only what a filled
//! entry knows of its page's dirty flag comes from beyond level 1: it is told afterwards.

use crate::config::MAX_ARRAYS;
use crate::cores::Last;
use crate::machine::{Machine, Page};
use crate::narrow::small;
use crate::probe::{Probe, Translation};
use crate::tlb::{Slot, TlbArray};
use crate::trace::{Head, Kind, OpRecord, RUN_PAGE_BITS, RunVisitor};

/// Misses that wait together: few enough to stay in the nearest cache.
const BATCH: usize = 256;

/// What waits for its turn beyond level 1.
#[derive(Clone, Copy)]
struct Waiting {
    page: Page,
    index: u32,
    /// The entry that the miss filled; `None` for a store that hit an entry which did not know
    /// its page to be dirty.
    filled: Option<Last>,
}

/// Runs heads and counts repeats.
pub(crate) struct Batch<'a, P: Probe> {
    machine: &'a mut Machine,
    probe: &'a mut P,
    counts: Counts,
    waiting: Vec<Waiting>,
}

/// What level 1 did, told to the probe when the batch is finished.
#[derive(Default)]
struct Counts {
    /// By kind: hits of the entry that the kind used last, not yet told to it.
    pending: [u32; 4],
    /// By kind and array.
    hits: [[u32; MAX_ARRAYS]; 4],
    /// By array.
    fills: [u32; MAX_ARRAYS],
    evictions: [u32; MAX_ARRAYS],
}

impl Counts {
    /// Tells the entry that a kind used last of its hits, before it may have to leave or is forgotten.
    #[inline(always)]
    fn flush(&mut self, kind: usize, l1: &mut [TlbArray], last: Last) {
        let n = std::mem::take(&mut self.pending[kind]);
        if n > 0
            && let Some(used) = l1.get_mut(usize::from(last.array))
        {
            used.entries.entry(last.slot).add_hits(n);
            self.hits[kind][usize::from(last.array) % MAX_ARRAYS] += n;
        }
    }
}

impl<'a, P: Probe> Batch<'a, P> {
    pub(crate) fn new(machine: &'a mut Machine, probe: &'a mut P) -> Self {
        Self { machine, probe, counts: Counts::default(), waiting: Vec::with_capacity(BATCH) }
    }

    /// Does and tells everything that still waits.
    pub(crate) fn finish(&mut self) {
        self.settle();
        let Counts { hits, fills, evictions, .. } = &mut self.counts;
        for kind in Kind::SERVED {
            for (array, n) in hits[kind.index()].iter().enumerate().filter(|(_, n)| **n > 0) {
                self.probe.repeats(kind, array, u64::from(*n));
            }
        }
        for (array, (n, evicted)) in fills.iter().zip(evictions).enumerate() {
            if *n > 0 {
                self.probe.fills(array, u64::from(*n), u64::from(*evicted));
            }
        }
        self.counts = Counts::default();
    }

    /// Tells all hits to their entries, and takes what waits through level 2 and the walks, in order.
    #[inline(never)]
    fn settle(&mut self) {
        for kind in Kind::SERVED {
            let last = self.machine.last[kind.index()];
            self.counts.flush(kind.index(), &mut self.machine.l1, last);
        }
        for Waiting { page, index, filled } in self.waiting.drain(..) {
            if let Some(filled) = filled {
                let mut done = Translation::new(index, page.kind, page.va, page.leaf);
                let Some(dirty) = self.machine.beyond_l1(&page, &mut done, self.probe) else {
                    continue;
                };
                if dirty && page.kind != Kind::Store {
                    self.machine.know_dirty(filled, page.tag);
                }
                self.probe.translated(&done);
            } else {
                self.probe.updates(self.machine.set_dirty(&page));
            }
        }
    }

    #[inline(always)]
    fn wait(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
        if self.waiting.len() == BATCH {
            self.settle();
        }
    }
}

impl<P: Probe> RunVisitor for Batch<'_, P> {
    #[inline(always)]
    fn repeats(&mut self, n: [u32; 3]) {
        for (pending, n) in self.counts.pending.iter_mut().zip(n) {
            *pending += n;
        }
    }

    fn process(&mut self, pid: u32) {
        self.settle();
        self.machine.enter(pid, self.probe);
    }

    #[inline(never)]
    fn op(&mut self, record: &OpRecord) {
        self.settle();
        self.machine.perform(record, self.probe);
    }

    #[inline(always)]
    fn head(&mut self, index: u32, kind: Kind, page: u64) {
        let machine = &mut *self.machine;
        let page = machine.page_of(kind, page << RUN_PAGE_BITS);
        let at = kind.index();
        // A machine that may skip repeats holds each page in one array of level 1.
        let only = machine.plan.only_l1[at][usize::from(page.leaf) % 8] % 8;
        let store = kind == Kind::Store;
        let (l1, last) = (&mut machine.l1, &mut machine.last);
        let array = usize::from(only);
        let entries = &mut l1[array].entries;
        let set = entries.set_of(page.number);
        if let Some((way, entry)) = entries.lookup_in(set, page.tag) {
            let used = Last { array: only, slot: Slot { set: small(set), way } };
            let news = store && !entry.knows_dirty();
            if news {
                entry.know_dirty();
            }
            if last[at] != used {
                entry.set_used_at(index);
                self.counts.flush(at, l1, last[at]);
                last[at] = used;
            }
            self.counts.pending[at] += 1;
            if news {
                self.wait(Waiting { page, index, filled: None });
            }
            return;
        }
        if kind.is_fetch() {
            self.counts.flush(0, l1, last[0]);
        } else {
            self.counts.flush(1, l1, last[1]);
            self.counts.flush(2, l1, last[2]);
        }
        let placed = l1[array].entries.fill_in(set, page.tag, index, u32::from(store));
        self.counts.fills[array] += 1;
        self.counts.evictions[array] += u32::from(placed.has_evicted());
        let used = Last { array: only, slot: placed.slot };
        last[at] = used;
        self.wait(Waiting { page, index, filled: Some(used) });
    }

    /// A head that is translated by itself.
    #[inline(never)]
    fn special(&mut self, Head { index, kind, page, distance }: Head) {
        self.settle();
        let address = page << RUN_PAGE_BITS;
        let leaf = self.machine.translate(index, kind, address, self.probe);
        let last = (page + u64::from(distance)) << RUN_PAGE_BITS;
        let shift = self.machine.page_shift(leaf);
        if last >> shift != address >> shift {
            self.machine.translate_end(index, kind, last, self.probe);
        }
    }
}
