//! The two TLB levels: looks a page up in the arrays that can hold it, and fills one array of each level.

use crate::caches::tlb::{Entries, Entry, Key, Slot};
use crate::config::Inclusion;
use crate::machine::plan::Target;
use crate::machine::probe::{FillFact, LookupFact, Probe, Translation, Updates};
use crate::machine::structures::{Last, NOWHERE, StructureId};
use crate::machine::{Machine, Page};
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

impl Machine {
    /// Looks a page up in level 1. Returns the page-table flags that a hit set, or `None` on a miss.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn lookup_l1<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        probe: &mut P,
    ) -> Option<Updates> {
        let only = self.plan.only_l1[page.kind.index()][page.leaf];
        if let Some(array) = self.structures.l1.get_mut(usize::from(only)) {
            let structure = StructureId::l1(only);
            let (slot, entry) = look_up(&mut array.entries, structure, page.key, page.leaf, probe)?;
            let used = Last { array: only, tag: page.key.tag, slot };
            let first_store = hit_l1(page, entry, used, index, &mut self.structures.last);
            return Some(if first_store { self.set_dirty(page) } else { Updates::default() });
        }
        self.lookup_several_l1(*page, index, probe)
    }

    #[inline(never)]
    fn lookup_several_l1<P: Probe>(
        &mut self,
        page: Page,
        index: u32,
        probe: &mut P,
    ) -> Option<Updates> {
        let coalesced = self.lookup_coalesced_l1(&page, index, probe);
        let (mut hit, mut first_store) = (coalesced.arrays != 0, false);
        for target in self.plan.l1[page.kind.index()][page.leaf].get() {
            if coalesced.arrays >> target.array & 1 == 1 {
                continue;
            }
            let key = page.key_in(*target, &self.plan);
            let structure = StructureId::l1(target.array);
            let found = look_up(
                &mut self.structures.l1[structure.index()].entries,
                structure,
                key,
                target.held,
                probe,
            );
            let Some((slot, entry)) = found else { continue };
            let used = Last { array: target.array, tag: key.tag, slot };
            first_store |= hit_l1(&page, entry, used, index, &mut self.structures.last);
            hit = true;
        }
        let mut updates = coalesced.updates;
        if first_store {
            updates.add(self.set_dirty(&page));
        }
        hit.then_some(updates)
    }

    /// Looks a page up in level 2. Returns whether the hit entry is marked dirty, or `None` on a miss.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn lookup_l2<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let only = self.plan.only_l2[page.kind.index()][page.leaf];
        if let Some(array) = self.structures.l2.get_mut(usize::from(only)) {
            let structure = self.plan.l2_id(only);
            let (_, entry) = look_up(&mut array.entries, structure, page.key, page.leaf, probe)?;
            let (first_store, dirty) = entry.hit(done.index, page.kind == Kind::Store);
            if first_store {
                self.first_store(page, done);
            }
            return Some(dirty);
        }
        self.lookup_several_l2(page, 0, done, probe)
    }

    /// Looks a page up in every level-2 array that can hold it, except the arrays whose bits are set in `looked_up`.
    /// All arrays are looked up in the order of the configuration, even after a hit. They work in parallel, and only
    /// the log shows the order. Fast paths have their own lookup (`fast/level_2.rs`, `fast/one_sort.rs`), which
    /// must agree.
    #[inline(never)]
    pub(crate) fn lookup_several_l2<P: Probe>(
        &mut self,
        page: &Page,
        looked_up: u8,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let (mut hit, mut first_store) = (None, false);
        for target in self.plan.l2[page.kind.index()][page.leaf].get() {
            if looked_up >> target.array & 1 == 1 {
                continue;
            }
            let key = page.key_in(*target, &self.plan);
            let structure = self.plan.l2_id(target.array);
            let entries = &mut self.structures.l2[usize::from(target.array)].entries;
            let found = look_up(entries, structure, key, target.held, probe);
            let Some((_, entry)) = found else { continue };
            let (first, dirty) = entry.hit(done.index, page.kind == Kind::Store);
            first_store |= first;
            hit = Some(dirty);
        }
        if first_store {
            self.first_store(page, done);
        }
        hit
    }

    #[inline(never)]
    pub(crate) fn first_store(&mut self, page: &Page, done: &mut Translation) {
        done.add(self.set_dirty(page));
    }

    /// Fills the first level-1 array that can hold the page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn fill_l1<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        dirty: bool,
        probe: &mut P,
    ) {
        let kind = page.kind.index();
        let Some(target) = self.plan.l1[kind][page.leaf].get().first() else {
            self.structures.last[kind] = NOWHERE;
            return;
        };
        let key = page.key_in(*target, &self.plan);
        let structure = StructureId::l1(target.array);
        let placed =
            self.structures.l1[structure.index()].entries.fill_inline(key, index, u32::from(dirty));
        self.structures.last[kind] = Last { array: target.array, tag: key.tag, slot: placed.slot };
        probe.fill(&FillFact { structure, number: key.number, leaf: target.held, placed });
    }

    /// Fills the level-2 array that the page belongs to. If k arrays can hold the page, pages take turns: page n
    /// belongs to array (n / sets) mod k.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn fill_l2<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        dirty: bool,
        probe: &mut P,
    ) {
        let Some(target) = self.l2_target(page) else { return };
        let key = page.key_in(target, &self.plan);
        let placed = self.structures.l2[usize::from(target.array)].entries.fill_inline(
            key,
            index,
            u32::from(dirty),
        );
        let structure = self.plan.l2_id(target.array);
        probe.fill(&FillFact { structure, number: key.number, leaf: target.held, placed });
        if self.plan.inclusion == Inclusion::Inclusive
            && let Some((tag, _)) = placed.evicted()
        {
            self.structures.back_invalidate(&self.plan, target.array, tag, probe);
        }
    }

    /// Returns the level-2 array that a page belongs to.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn l2_target(&self, page: &Page) -> Option<Target> {
        match self.plan.l2[page.kind.index()][page.leaf].get() {
            [] => None,
            [only] => Some(*only),
            several => Some(self.choose_l2(page, several)),
        }
    }

    #[inline(never)]
    fn choose_l2(&self, page: &Page, several: &[Target]) -> Target {
        let first = several[0];
        let sets =
            u64::from(self.structures.l2[usize::from(first.array)].entries.geometry().n_sets);
        let turn = page.key_in(first, &self.plan).number / sets % several.len() as u64;
        several[usize::try_from(turn).expect("below the number of arrays")]
    }
}

/// Looks a key up in one array, and reports the lookup. `leaf` is the leaf whose shift makes the number from the
/// address.
#[cfg_attr(feature = "fast", inline(always))]
fn look_up<'a, P: Probe>(
    entries: &'a mut Entries,
    structure: StructureId,
    key: Key,
    leaf: Leaf,
    probe: &mut P,
) -> Option<(Slot, &'a mut Entry)> {
    let number = key.number;
    let set = entries.set_of(number);
    let found = entries.lookup_inline(key);
    let way = found.as_ref().map(|(way, _)| *way);
    probe.tlb_lookup(&LookupFact { structure, number, leaf, set, way });
    found.map(|(way, entry)| (Slot { set: small(set), way }, entry))
}

/// Records a level-1 hit. Returns whether it is the first store to a page that the entry holds as clean.
#[cfg_attr(feature = "fast", inline(always))]
fn hit_l1(page: &Page, entry: &mut Entry, used: Last, index: u32, last: &mut [Last; 4]) -> bool {
    entry.add_hits(1);
    let last = &mut last[page.kind.index()];
    // Repeated hits keep the time of the first hit. Fast paths skip the repeats, and must record equal times.
    if *last != used {
        entry.set_used_at(index);
    }
    *last = used;
    let first_store = page.kind == Kind::Store && !entry.is_known_dirty();
    if first_store {
        entry.mark_dirty();
    }
    first_store
}
