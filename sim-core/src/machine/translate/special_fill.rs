//! Beyond level 1 in machines whose fills are more than one entry into any way of an array:
//! exclusive levels, coalesced pages, sizes that may be in some ways only.
//!
//! Other machines never come here: `levels` fills theirs.

use crate::caches::tlb::{Entry, Placed};
use crate::config::Inclusion;
use crate::machine::plan::Target;
use crate::machine::probe::{FillFact, Outcome, Probe, Translation};
use crate::machine::structures::{Last, NOWHERE, StructureId};
use crate::machine::{Machine, Page};

impl Machine {
    /// Level 2, then a walk, then the fills.
    #[inline(never)]
    pub(crate) fn translate_special<P: Probe>(
        &mut self,
        page: Page,
        done: &mut Translation,
        probe: &mut P,
    ) {
        let exclusive = self.plan.inclusion == Inclusion::Exclusive;
        let has_l1 = self.l1_target(&page).is_some();
        let (page, dirty) = if let Some(found) = self.lookup_l2_with_runs(&page, done, probe) {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = self.plan.l2_hit[page.kind.index()];
            if exclusive && has_l1 {
                self.take_from_l2(&found.0, probe);
            }
            found
        } else {
            let Some(dirty) = self.walk_if_mapped(&page, done, probe) else { return };
            let page = self.coalesce(page);
            // Without a level 1 above it, this is the level that walks fill.
            let passed = exclusive && has_l1;
            if let Some(target) = self.l2_target(&page).filter(|_| !passed) {
                let fill = (done.index, u32::from(dirty));
                self.place_l2(target, &page, fill, probe);
            }
            (page, dirty)
        };
        let evicted = self.place_l1(&page, (done.index, u32::from(dirty)), probe);
        if let Some((tag, entry)) = evicted
            && exclusive
        {
            self.move_down(page.kind, tag, entry, done.index, probe);
        }
        probe.translated(done);
    }

    fn l1_target(&self, page: &Page) -> Option<Target> {
        self.plan.l1[page.kind.index()][usize::from(page.leaf)].get().first().copied()
    }

    /// Fills the first array of level 1 that holds the page; returns what had to leave. `fill`
    /// is the access, and what the entry knows.
    fn place_l1<P: Probe>(
        &mut self,
        page: &Page,
        fill: (u32, u32),
        probe: &mut P,
    ) -> Option<(u64, Entry)> {
        let Some(target) = self.l1_target(page) else {
            self.structures.last[page.kind.index()] = NOWHERE;
            return None;
        };
        let structure = StructureId::l1(target.array);
        let placed = self.place(structure, target, page, fill, probe);
        self.structures.last[page.kind.index()] = Last { array: target.array, slot: placed.slot };
        placed.evicted()
    }

    /// Fills an array of level 2 with a page that it does not hold.
    pub(crate) fn place_l2<P: Probe>(
        &mut self,
        target: Target,
        page: &Page,
        fill: (u32, u32),
        probe: &mut P,
    ) {
        let structure = self.plan.l2_id(target.array);
        let placed = self.place(structure, target, page, fill, probe);
        if self.plan.inclusion == Inclusion::Inclusive
            && let Some((tag, _)) = placed.evicted()
        {
            self.back_invalidate(target.array, tag, probe);
        }
    }

    fn place<P: Probe>(
        &mut self,
        structure: StructureId,
        target: Target,
        page: &Page,
        (now, data): (u32, u32),
        probe: &mut P,
    ) -> Placed {
        self.supersede(structure, target, page, probe);
        let key = page.key(target, &self.plan);
        let placed = self.structures.array_mut(structure).place(target.held, key, now, data);
        probe.fill(&FillFact { structure, number: key.0, level: target.held, placed });
        placed
    }
}
