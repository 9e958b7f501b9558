//! The translations behind level 2. A miss of level 2 reads the set of the page, through all memory caches but the
//! nearest. A hit avoids the walk; a walk fills the set.

use crate::caches::pom::{Place, PomTlb};
use crate::machine::operations::invalidate::Held;
use crate::machine::probe::{Outcome, PomFact, PomFillFact, Probe, Translation};
use crate::machine::translate::victima::take_out_of_blocks;
use crate::machine::{Machine, Page};
use pagewalk_base::trace::Kind;

/// The nearest memory cache that holds lines of translations. L1D is not looked up.
const NEAREST_CACHE: usize = 1;

/// The result of a lookup.
struct Looked {
    place: Place,
    cycles: u64,
    /// After a hit: whether the page is known to be dirty.
    hit: Option<bool>,
}

impl Machine {
    /// Looks up a page behind level 2, and walks on a miss. Returns whether the page is known to be dirty.
    #[inline(never)]
    pub(crate) fn look_up_pom_or_walk(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut dyn Probe,
    ) -> Option<bool> {
        // One copy of the code serves all observers.
        let probe = &mut { probe };
        let Some(looked) = self.look_up_pom(page, done, probe) else {
            return self.walk_checked(page, done, probe);
        };
        if let Some(dirty) = looked.hit {
            done.outcome = Outcome::L2Hit;
            done.l2_cycles = self.plan.l2_miss[page.kind.index()] + looked.cycles;
            return Some(dirty);
        }
        let dirty = self.walk_checked(page, done, probe)?;
        done.l2_miss_cycles += looked.cycles;
        if let Some(pom_tlb) = &mut self.pom_tlb {
            let entry = (done.index, u32::from(dirty));
            let (way, evicted) = pom_tlb.fill(looked.place, page.key.tag, entry);
            probe.pom_fill(&PomFillFact { way, evicted });
        }
        Some(dirty)
    }

    /// Reads the set of a page. Returns `None` if pages of this size are not held.
    fn look_up_pom<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<Looked> {
        let pom_tlb = self.pom_tlb.as_mut()?;
        let place = pom_tlb.place(page.leaf, page.key.number)?;
        let mut served = self.memory.read_from(NEAREST_CACHE, place.address());
        if served.server == self.plan.config.memory.caches.len() {
            served.cycles = pom_tlb.dram().unwrap_or(served.cycles);
        }
        let found = pom_tlb.look_up(place, page.key.tag).map(|(way, entry)| {
            let (first_store, dirty) = entry.hit(done.index, page.kind == Kind::Store);
            (way, first_store, dirty)
        });
        probe.pom_lookup(&PomFact {
            kind: page.kind,
            number: page.key.number,
            leaf: page.leaf,
            place,
            way: found.map(|(way, ..)| way),
            server: served.server,
            cycles: served.cycles,
        });
        if let Some((_, true, _)) = found {
            done.add(self.set_dirty(page));
        }
        let hit = found.map(|(_, _, dirty)| dirty);
        Some(Looked { place, cycles: served.cycles, hit })
    }

    /// Drops the translations behind level 2 for which `is_dropped` holds.
    pub(crate) fn invalidate_behind(
        &mut self,
        probe: &mut dyn Probe,
        is_dropped: &dyn Fn(&Held) -> bool,
    ) {
        let Self { plan, contexts, pom_tlb, memory, .. } = self;
        let is_gone = |tag| Held::new(plan, contexts, tag).is_some_and(|held| is_dropped(&held));
        take_out(pom_tlb.as_mut(), probe, &is_gone);
        take_out_of_blocks(memory.blocks_mut().map(|(sets, _)| sets), probe, &is_gone);
    }
}

/// Takes the translations out whose tags are gone, and returns their number.
pub(crate) fn take_out(
    pom_tlb: Option<&mut PomTlb>,
    probe: &mut dyn Probe,
    is_gone: &dyn Fn(u64) -> bool,
) -> u32 {
    let Some(pom_tlb) = pom_tlb else { return 0 };
    let n = pom_tlb.take_out(is_gone);
    probe.pom_left(n);
    n
}
