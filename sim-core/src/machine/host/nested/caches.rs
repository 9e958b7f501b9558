//! The caches of the host's side: nested TLB, EPT paging-structure caches, page walk cache.

use super::{Nested, Walking};
use crate::caches::psc::Place;
use crate::caches::tlb::{Entries, Key};
use crate::config::Inclusion;
use crate::machine::probe::{FillFact, LookupFact, Probe};
use crate::machine::translate::prefetch::note_useless;
use crate::page_table::Table;
use pagewalk_base::addr::{Leaf, Level};

impl Nested {
    /// Looks an address up in the EPT paging-structure caches, deepest first.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn start<P: Probe>(
        &mut self,
        address: u64,
        lowest: Level,
        walking: &mut Walking<'_, P>,
    ) -> Option<(Table, Level)> {
        for level in lowest.until(self.plan.root_level) {
            let Place::Own(row) = self.plan.psc.places[level] else { continue };
            let key = self.prefix(address, level);
            let number = key.number;
            let entries = &mut self.caches.psc[usize::from(row)];
            let structure = self.plan.psc_at.plus(usize::from(row));
            let set = entries.set_of(number);
            let found = entries.lookup(key);
            let way = found.as_ref().map(|(way, _)| *way);
            let fact = LookupFact { structure, number, leaf: Leaf::of(level.above()), set, way };
            walking.probe.psc_lookup(&fact);
            if let Some((_, entry)) = found {
                entry.add_hits(1);
                entry.set_used_at(walking.done.index);
                return Some((Table(entry.data()), level));
            }
        }
        match self.tables.root(self.vm, address) {
            Ok(root) => Some((root, self.plan.root_level)),
            Err(error) => {
                walking.failure.get_or_insert(error);
                None
            }
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn fill_psc<P: Probe>(
        &mut self,
        address: u64,
        level: Level,
        table: Table,
        walking: &mut Walking<'_, P>,
    ) {
        let Place::Own(row) = self.plan.psc.places[level] else { return };
        let key = self.prefix(address, level);
        let number = key.number;
        let placed = self.caches.psc[usize::from(row)].fill(key, walking.done.index, table.0);
        let structure = self.plan.psc_at.plus(usize::from(row));
        walking.probe.fill(&FillFact { structure, number, leaf: Leaf::of(level.above()), placed });
    }

    /// Returns the key of the host entry that leads to the table of `level`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn prefix(&self, address: u64, level: Level) -> Key {
        let number = address >> self.plan.shift[Leaf::of(level.above())];
        Key::new(number, self.table_class[level])
    }

    /// Returns the key of the page of an address in the nested TLB, with the leaf at whose page size it is kept. Returns
    /// `None` if the nested TLB holds no such page.
    #[cfg_attr(feature = "fast", inline(always))]
    fn page<P>(&mut self, address: u64, walking: &Walking<'_, P>) -> Option<(Leaf, Key)> {
        let leaf = self.os.leaf_of(self.vm, address, true);
        let (leaf, class) = match (walking.plan.nested_in(), &self.plan.tlb_holds) {
            (Some(_), Some(holds)) => {
                let held = holds[leaf]?;
                (held, walking.plan.tags.host_page_class(held, self.vm))
            }
            _ => (leaf, self.page_class[leaf]),
        };
        Some((leaf, Key::new(address >> self.plan.shift[leaf], class)))
    }

    /// Returns the storage of the nested TLB, if there is one.
    #[cfg_attr(feature = "fast", inline(always))]
    fn tlb<'a, P>(&'a mut self, walking: &'a mut Walking<'_, P>) -> Option<&'a mut Entries> {
        match walking.plan.nested_in() {
            Some(array) => Some(&mut walking.structures.l2[usize::from(array)].entries),
            None => self.caches.tlb.as_mut(),
        }
    }

    /// Looks a page up in the nested TLB. Returns whether the entry is marked dirty, or `None` on a miss.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn look_up_tlb<P: Probe>(
        &mut self,
        address: u64,
        written: bool,
        walking: &mut Walking<'_, P>,
    ) -> Option<bool> {
        let (leaf, key) = self.page(address, walking)?;
        let number = key.number;
        let (structure, now) = (self.plan.tlb_at, walking.done.index);
        let tlb = self.tlb(walking)?;
        let set = tlb.set_of(number);
        let found = tlb.lookup(key).map(|(way, entry)| {
            entry.add_hits(1);
            entry.set_used_at(now);
            let dirty = entry.data() == 1;
            if written {
                entry.set_data(1);
            }
            (way, dirty)
        });
        let way = found.map(|(way, _)| way);
        walking.probe.psc_lookup(&LookupFact { structure, number, leaf, set, way });
        let (_, dirty) = found?;
        if written && !dirty {
            self.set_dirty(address, &mut walking.done.host);
        }
        Some(dirty || written)
    }

    /// Fills the nested TLB with a page that has just missed.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn fill_tlb<P: Probe>(
        &mut self,
        address: u64,
        dirty: bool,
        walking: &mut Walking<'_, P>,
    ) {
        let Some((leaf, key)) = self.page(address, walking) else { return };
        let number = key.number;
        let (structure, now) = (self.plan.tlb_at, walking.done.index);
        let Some(tlb) = self.tlb(walking) else { return };
        let placed = tlb.fill(key, now, u32::from(dirty));
        walking.probe.fill(&FillFact { structure, number, leaf, placed });
        if let (Some(array), Some((tag, _))) = (walking.plan.nested_in(), placed.evicted()) {
            note_useless(&placed, walking.probe);
            if walking.plan.inclusion == Inclusion::Inclusive {
                walking.structures.back_invalidate(walking.plan, array, tag, walking.probe);
            }
        }
    }

    /// Looks the entry at an address up in the page walk cache. Returns whether it hit. A miss fills the cache if it
    /// `keeps` such entries.
    pub(super) fn look_up_pwc<P: Probe>(
        &mut self,
        address: u64,
        (level, host): (Level, bool),
        keeps: bool,
        walking: &mut Walking<'_, P>,
    ) -> bool {
        let structure = self.plan.pwc_at;
        let Some(pwc) = &mut self.caches.pwc else { return false };
        let number = address >> 3;
        let key = Key::new(number, 0);
        let set = pwc.set_of(number);
        let found = pwc.lookup(key);
        let way = found.as_ref().map(|(way, _)| *way);
        let leaf = Leaf::of(level);
        walking.probe.pwc_lookup(&LookupFact { structure, number, leaf, set, way }, host);
        if let Some((_, entry)) = found {
            entry.add_hits(1);
            entry.set_used_at(walking.done.index);
        } else if keeps {
            let placed = pwc.fill(key, walking.done.index, 0);
            walking.probe.fill(&FillFact { structure, number, leaf, placed });
        }
        way.is_some()
    }
}
