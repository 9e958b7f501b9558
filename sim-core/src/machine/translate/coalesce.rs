//! Coalescing: aligned runs of pages that lie together in physical memory share one TLB entry.
//!
//! ```text
//! virtual    0x10   0x11   0x12   0x13        walk of 0x12 ─▶ entry 0x10–0x13 (16K)
//! physical  0x744  0x745  0x746  0x747   ✓
//! ```
//!
//! When a walk ends, the walker has the cache line of the entry that it has read. Pages are coalesced if
//! all entries of the run in that line are present, map consecutive frames from an aligned frame on,
//! and agree in every other bit, accessed and dirty flags included. The arrays that list the size of
//! the run then get one entry for the run, which replaces the entries of single pages. This costs no
//! reference. Under a host, entries of single pages must agree in both dimensions.
//!
//! An array that holds runs is looked up for the run first, then for the single page. A store that hits a
//! clean run sets the dirty flag of its own page. The entry stays clean, so that the next page's first
//! store is noticed too. An access that crosses pages is two translations, also inside a run.
//!
//! Source: AMD, Software Optimization Guide for Family 19h, as quoted publicly: 16K of four 4K
//! pages "may" be coalesced where they are "16-Kbyte aligned" and have "the same attributes". The
//! guide does not say which flags count, or what happens to entries of single pages; the rules above do.

use crate::caches::tlb::{Entries, Entry, Key, Slot};
use crate::machine::plan::Target;
use crate::machine::probe::{Leaving, LeftFact, LookupFact, Probe, Translation, Updates};
use crate::machine::structures::{Last, StructureId};
use crate::machine::{Machine, Page};
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// The result of looking a run up in the arrays of one level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunHits {
    /// One bit for each array that hit. These arrays are not looked up for the single page.
    pub(crate) arrays: u8,
    /// Page-table flags that the hit set.
    pub(crate) updates: Updates,
    /// Whether the entry is marked dirty.
    pub(crate) dirty: bool,
}

impl Machine {
    /// Returns the run that a page may join, or `None` if such pages are not coalesced.
    pub(crate) fn run_of(&self, page: &Page) -> Option<Page> {
        let leaf = self.plan.coalesced[page.leaf]?;
        let class = self.plan.tags.page_class(leaf, self.plan.tags.owner(page.key.tag));
        let key = Key::new(page.va >> self.plan.shift[leaf], class);
        Some(Page { leaf, key, ..*page })
    }

    /// Returns the run of a page that has just been walked, if its entries can be coalesced, otherwise the page.
    pub(crate) fn coalesce(&self, page: Page) -> Page {
        let Some(run) = self.run_of(&page) else { return page };
        if self.can_coalesce(&page, &run) { run } else { page }
    }

    /// Looks the run of a page up in level 1.
    pub(crate) fn lookup_coalesced_l1<P: Probe>(
        &mut self,
        page: &Page,
        now: u32,
        probe: &mut P,
    ) -> RunHits {
        let mut hits = RunHits::default();
        let Some(run) = self.run_of(page) else { return hits };
        for target in self.plan.l1_runs[page.kind.index()][page.leaf].get() {
            let structure = StructureId::l1(target.array);
            let entries = &mut self.structures.l1[structure.index()].entries;
            let Some((slot, entry)) = look_up_run(entries, structure, &run, probe) else {
                continue;
            };
            entry.add_hits(1);
            let used = Last { array: target.array, tag: run.key.tag, slot };
            let last = &mut self.structures.last[page.kind.index()];
            if *last != used {
                entry.set_used_at(now);
            }
            *last = used;
            hits.dirty = entry.is_known_dirty();
            hits.arrays |= 1 << target.array;
        }
        self.note_store(page, &mut hits);
        hits
    }

    /// Looks the run of a page up in level 2.
    pub(crate) fn lookup_run_l2<P: Probe>(
        &mut self,
        page: &Page,
        now: u32,
        probe: &mut P,
    ) -> RunHits {
        let mut hits = RunHits::default();
        let Some(run) = self.run_of(page) else { return hits };
        for target in self.plan.l2_runs[page.kind.index()][page.leaf].get() {
            let structure = self.plan.l2_id(target.array);
            let entries = &mut self.structures.l2[usize::from(target.array)].entries;
            let Some((_, entry)) = look_up_run(entries, structure, &run, probe) else { continue };
            entry.add_hits(1);
            entry.set_used_at(now);
            hits.dirty = entry.is_known_dirty();
            hits.arrays |= 1 << target.array;
        }
        self.note_store(page, &mut hits);
        hits
    }

    /// Sets the dirty flag of a page at the first store that hits its clean run.
    fn note_store(&mut self, page: &Page, hits: &mut RunHits) {
        if hits.arrays != 0 && page.kind == Kind::Store && !hits.dirty {
            hits.updates = self.set_dirty(page);
        }
    }

    /// Looks up level 2 of a machine that coalesces. Returns the hit run or page, and whether it is dirty.
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

    /// Drops the entries of single pages from an array before their run is filled.
    pub(crate) fn supersede<P: Probe>(
        &mut self,
        structure: StructureId,
        target: Target,
        page: &Page,
        probe: &mut P,
    ) {
        let plan = &self.plan;
        let (va, owner) = (page.va, plan.tags.owner(page.key.tag));
        let (run, single) = (target.held, Leaf::of(plan.entry_level[target.held]));
        if plan.coalesced[single] != Some(run) {
            return;
        }
        let (shift, run_shift) = (plan.shift[single], plan.shift[run]);
        let first = va >> run_shift << (run_shift - shift);
        let class = plan.tags.page_class(single, owner);
        for number in first..first + (1 << (run_shift - shift)) {
            let key = Key::new(number, class);
            let entries = &mut self.structures.array_mut(structure).entries;
            let Some((slot, entry)) = entries.take(key) else { continue };
            probe.left(&LeftFact { structure, slot, tag: key.tag, entry, why: Leaving::Coalesced });
            self.structures.clear_last_if(structure, key.tag);
        }
    }
}

/// Looks a run up. A miss is not reported, because a lookup of the single page follows.
fn look_up_run<'a, P: Probe>(
    entries: &'a mut Entries,
    structure: StructureId,
    run: &Page,
    probe: &mut P,
) -> Option<(Slot, &'a mut Entry)> {
    let (number, leaf) = (run.key.number, run.leaf);
    let set = entries.set_of(number);
    let (way, entry) = entries.lookup(run.key)?;
    probe.tlb_lookup(&LookupFact { structure, number, leaf, set, way: Some(way) });
    Some((Slot { set: small(set), way }, entry))
}
