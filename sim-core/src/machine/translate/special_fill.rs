//! Level-1 misses on machines where a fill is not simply "one entry, any way": exclusive levels, coalesced
//! pages, way partitioning by page size (`ways_of`), prefetched entries, and TLB blocks.
//!
//! On all other machines `levels` fills the arrays.

use crate::caches::tlb::{Entry, Placed};
use crate::config::Inclusion;
use crate::machine::plan::Target;
use crate::machine::probe::{FillFact, Outcome, Probe, Translation};
use crate::machine::structures::{Last, NOWHERE, StructureId};
use crate::machine::translate::prefetch::note_useless;
use crate::machine::{Machine, Page};
use pagewalk_base::whole::IS_WHOLE;

impl Machine {
    /// Looks up level 2, walks on a miss, and fills both levels.
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
            self.use_prefetched(&found.0, probe);
            if exclusive && has_l1 {
                self.take_from_l2(&found.0, probe);
            }
            found
        } else {
            self.note_l2_miss(&page, done.address);
            let (page, dirty) = if let Some(dirty) = self.take_from_buffer(&page, done, probe) {
                done.outcome = Outcome::L2Hit;
                done.l2_cycles = self.plan.l2_hit[page.kind.index()];
                (page, dirty)
            } else {
                let Some(dirty) = self.walk_or_drop_prefetch(&page, done, probe) else { return };
                (self.coalesce(page), dirty)
            };
            // Without a level-1 array for the page, a walk fills level 2 even if the levels are exclusive.
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
        self.plan.l1[page.kind.index()][page.leaf].get().first().copied()
    }

    /// Fills the first level-1 array that can hold the page, and returns the victim. `fill` is the number of the
    /// access, and the data of the entry.
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
        let tag = page.key_in(target, &self.plan).tag;
        self.structures.last[page.kind.index()] =
            Last { array: target.array, tag, slot: placed.slot };
        placed.evicted()
    }

    /// Fills a level-2 array with a page that it does not hold.
    pub(crate) fn place_l2<P: Probe>(
        &mut self,
        target: Target,
        page: &Page,
        fill: (u32, u32),
        probe: &mut P,
    ) {
        let structure = self.plan.l2_id(target.array);
        let placed = self.place(structure, target, page, fill, probe);
        let Some((tag, _)) = placed.evicted() else { return };
        if self.plan.inclusion == Inclusion::Inclusive {
            self.structures.back_invalidate(&self.plan, target.array, tag, probe);
        }
        if IS_WHOLE && self.victima.is_some() {
            self.write_evicted(tag, page.kind, probe);
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
        let key = page.key_in(target, &self.plan);
        let placed =
            self.structures.array_mut(structure).place(target.held, page.kind, key, now, data);
        probe.fill(&FillFact { structure, number: key.number, leaf: target.held, placed });
        note_useless(&placed, probe);
        placed
    }
}
