//! The caches of the host's side: nested TLB, EPT paging-structure caches, page walk cache.

use super::{Nested, Walking};
use crate::caches::psc::Place;
use crate::caches::tlb::Key;
use crate::machine::probe::{FillFact, LookupFact, Probe};
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

    /// Returns the key of the page of an address in the nested TLB.
    #[cfg_attr(feature = "fast", inline(always))]
    fn page(&self, address: u64, leaf: Leaf) -> Key {
        let number = address >> self.plan.shift[leaf];
        Key::new(number, self.page_class[leaf])
    }

    /// Looks a page up in the nested TLB. Returns whether the entry is marked dirty, or `None` on a miss.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn look_up_tlb<P: Probe>(
        &mut self,
        address: u64,
        written: bool,
        walking: &mut Walking<'_, P>,
    ) -> Option<bool> {
        let leaf = self.os.leaf_of(self.vm, address, true);
        let key = self.page(address, leaf);
        let number = key.number;
        let structure = self.plan.tlb_at;
        let tlb = self.caches.tlb.as_mut()?;
        let set = tlb.set_of(number);
        let found = tlb.lookup(key);
        let way = found.as_ref().map(|(way, _)| *way);
        walking.probe.psc_lookup(&LookupFact { structure, number, leaf, set, way });
        let (_, entry) = found?;
        entry.add_hits(1);
        entry.set_used_at(walking.done.index);
        let dirty = entry.data() == 1;
        if written && !dirty {
            entry.set_data(1);
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
        let leaf = self.os.leaf_of(self.vm, address, true);
        let key = self.page(address, leaf);
        let number = key.number;
        let structure = self.plan.tlb_at;
        let Some(tlb) = &mut self.caches.tlb else { return };
        let placed = tlb.fill(key, walking.done.index, u32::from(dirty));
        walking.probe.fill(&FillFact { structure, number, leaf, placed });
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
