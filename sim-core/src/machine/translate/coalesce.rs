//! Coalescing: aligned runs of pages that lie together in physical memory share one TLB entry.
//!
//! ```text
//! virtual    0x10   0x11   0x12   0x13        walk of 0x12 ─▶ entry 0x10–0x13 (16K)
//! physical  0x744  0x745  0x746  0x747   ✓
//! ```
//!
//! When a walk ends, the walker has the line of the entry that it has read. If all entries of the
//! run are present there, map consecutive frames from an aligned one on, and agree in every
//! other bit, accessed and dirty flags included, then the arrays that list the size of the run are
//! filled with one entry for all of it; it takes the place of those of single pages. This costs no
//! reference. Under a host, the entries of both dimensions must agree so, where they are of single pages. An array that holds runs is asked for the run first, then for the single page. A
//! store that hits a clean run sets the dirty flag of its own page; the entry stays clean, so
//! that the next page's first store is noticed too. An access across the border of two pages is
//! two translations, also inside a run.
//!
//! Source: AMD, Software Optimization Guide for Family 19h, as quoted publicly: 16K of four 4K
//! pages "may" be coalesced where they are "16-Kbyte aligned" and have "the same attributes". What
//! it leaves open (which flags count, what happens to entries of single pages) is as said here.

use crate::caches::tlb::{Entries, Entry, Slot};
use crate::machine::plan::Target;
use crate::machine::probe::{Leaving, LeftFact, LookupFact, Probe, Translation, Updates};
use crate::machine::structures::Last;
use crate::machine::structures::StructureId;
use crate::machine::{Machine, Page};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// What asking the arrays of a level for a run came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunHits {
    /// By bit: the arrays that hit. They are not asked for the single page.
    pub(crate) arrays: u8,
    /// Flags of the page tables that were set.
    pub(crate) updates: Updates,
    /// Whether the entry says that its pages are dirty.
    pub(crate) dirty: bool,
}

impl Machine {
    /// The page as the run that it may be part of, `None` if such pages are not coalesced.
    fn run_of(&self, page: &Page) -> Option<Page> {
        let leaf = self.plan.coalesced[usize::from(page.leaf) % 8];
        if leaf == 0 {
            return None;
        }
        let number = page.va >> self.plan.shift[usize::from(leaf)];
        let tag = number | self.plan.tags.page_class(leaf, self.plan.tags.space(page.tag));
        Some(Page { leaf, number, tag, ..*page })
    }

    /// The run of a page that has just been walked, if its entries lie together; else the page.
    pub(crate) fn coalesce(&self, page: Page) -> Page {
        let Some(run) = self.run_of(&page) else { return page };
        if self.lies_together(&page, &run) { run } else { page }
    }

    /// Asks the arrays of level 1 for the run of a page.
    pub(crate) fn lookup_run_l1<P: Probe>(
        &mut self,
        page: &Page,
        now: u32,
        probe: &mut P,
    ) -> RunHits {
        let mut hits = RunHits::default();
        let Some(run) = self.run_of(page) else { return hits };
        for target in self.plan.l1_runs[page.kind.index()][usize::from(page.leaf)].get() {
            let structure = StructureId::l1(target.array);
            let entries = &mut self.structures.l1[structure.index()].entries;
            let Some((slot, entry)) = ask_for_run(entries, structure, &run, probe) else {
                continue;
            };
            entry.add_hits(1);
            let used = Last { array: target.array, slot };
            let last = &mut self.structures.last[page.kind.index()];
            if *last != used {
                *last = used;
                entry.set_used_at(now);
            }
            hits.dirty = entry.is_known_dirty();
            hits.arrays |= 1 << target.array;
        }
        self.know_store(page, &mut hits);
        hits
    }

    /// The same for level 2.
    pub(crate) fn lookup_run_l2<P: Probe>(
        &mut self,
        page: &Page,
        now: u32,
        probe: &mut P,
    ) -> RunHits {
        let mut hits = RunHits::default();
        let Some(run) = self.run_of(page) else { return hits };
        for target in self.plan.l2_runs[page.kind.index()][usize::from(page.leaf)].get() {
            let structure = self.plan.l2_id(target.array);
            let entries = &mut self.structures.l2[usize::from(target.array)].entries;
            let Some((_, entry)) = ask_for_run(entries, structure, &run, probe) else { continue };
            entry.add_hits(1);
            entry.set_used_at(now);
            hits.dirty = entry.is_known_dirty();
            hits.arrays |= 1 << target.array;
        }
        self.know_store(page, &mut hits);
        hits
    }

    fn know_store(&mut self, page: &Page, hits: &mut RunHits) {
        if hits.arrays != 0 && page.kind == Kind::Store && !hits.dirty {
            hits.updates = self.set_dirty(page);
        }
    }

    /// Level 2 of a machine that coalesces: what hit, the run or the page, and whether it is dirty.
    pub(crate) fn lookup_l2_with_runs<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<(Page, bool)> {
        let hits = self.lookup_run_l2(page, done.index, probe);
        done.add(hits.updates);
        let single = self.lookup_several_l2(page, hits.arrays, done, probe);
        match self.run_of(page) {
            Some(run) if hits.arrays != 0 => Some((run, hits.dirty)),
            _ => single.map(|dirty| (*page, dirty)),
        }
    }

    /// Drops the entries of single pages from the array that a run is about to enter.
    pub(crate) fn supersede<P: Probe>(
        &mut self,
        structure: StructureId,
        target: Target,
        page: &Page,
        probe: &mut P,
    ) {
        let plan = &self.plan;
        let (va, pcid) = (page.va, plan.tags.space(page.tag));
        let (run, level) = (target.held, plan.entry_level[usize::from(target.held)]);
        if plan.coalesced[usize::from(level)] != run {
            return;
        }
        let (shift, run_shift) = (plan.shift[usize::from(level)], plan.shift[usize::from(run)]);
        let first = va >> run_shift << (run_shift - shift);
        let class = plan.tags.page_class(level, pcid);
        for number in first..first + (1 << (run_shift - shift)) {
            let tag = number | class;
            let entries = &mut self.structures.array_mut(structure).entries;
            let Some((slot, entry)) = entries.take(number, tag) else { continue };
            probe.left(&LeftFact { structure, slot, tag, entry, why: Leaving::Coalesced });
            self.structures.forget(structure, slot);
        }
    }
}

/// Looks a run up. A miss is not told: the array is asked for the single page next.
fn ask_for_run<'a, P: Probe>(
    entries: &'a mut Entries,
    structure: StructureId,
    run: &Page,
    probe: &mut P,
) -> Option<(Slot, &'a mut Entry)> {
    let set = entries.set_of(run.number);
    let (way, entry) = entries.lookup(run.number, run.tag)?;
    let (number, level) = (run.number, run.leaf);
    probe.tlb_lookup(&LookupFact { structure, number, level, set, way: Some(way) });
    Some((Slot { set: small(set), way }, entry))
}
