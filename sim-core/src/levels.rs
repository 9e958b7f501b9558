//! The two levels of TLB: looking a page up in the arrays that hold it, and filling one of each.

use crate::machine::{Last, Machine, NOWHERE, Page};
use crate::narrow::small;
use crate::page_table::PageTables;
use crate::plan::Target;
use crate::probe::{FillFact, LookupFact, Probe, Translation};
use crate::tlb::{Entries, Entry, Slot};
use crate::trace::Kind;

impl Machine {
    /// True if an array of level 1 hits.
    #[inline(always)]
    pub(crate) fn lookup_l1<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> bool {
        let only = self.plan.only_l1[page.kind.index()][usize::from(page.leaf) % 8];
        if let Some(array) = self.l1.get_mut(usize::from(only)) {
            let key = (page.number, page.tag);
            let found = ask(&mut array.entries, usize::from(only), key, page.leaf, probe);
            let Some((slot, entry)) = found else { return false };
            let used = Last { array: only, slot };
            done.ad_updates =
                hit_l1(page, entry, used, done.index, &mut self.last, &mut self.tables, self.space);
            return true;
        }
        self.lookup_several_l1(page, done, probe)
    }

    #[inline(never)]
    fn lookup_several_l1<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> bool {
        let mut hit = false;
        for target in self.plan.l1[page.kind.index()][usize::from(page.leaf)].get() {
            let key = page.key(*target, &self.plan, self.space);
            let structure = usize::from(target.array);
            let found = ask(&mut self.l1[structure].entries, structure, key, target.held, probe);
            let Some((slot, entry)) = found else { continue };
            let used = Last { array: target.array, slot };
            done.ad_updates +=
                hit_l1(page, entry, used, done.index, &mut self.last, &mut self.tables, self.space);
            hit = true;
        }
        hit
    }

    /// Whether a hit entry knows its page to be dirty, `None` if nothing hit.
    #[inline(always)]
    pub(crate) fn lookup_l2<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let only = self.plan.only_l2[page.kind.index()][usize::from(page.leaf) % 8];
        if let Some(array) = self.l2.get_mut(usize::from(only)) {
            let structure = self.plan.n_l1 + usize::from(only);
            let key = (page.number, page.tag);
            let (_, entry) = ask(&mut array.entries, structure, key, page.leaf, probe)?;
            let (dirty, ad_updates) = hit_l2(page, entry, done.index, &mut self.tables, self.space);
            done.ad_updates = ad_updates;
            return Some(dirty);
        }
        self.lookup_several_l2(page, done, probe)
    }

    #[inline(never)]
    fn lookup_several_l2<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let mut hit = None;
        for target in self.plan.l2[page.kind.index()][usize::from(page.leaf)].get() {
            let key = page.key(*target, &self.plan, self.space);
            let structure = self.plan.n_l1 + usize::from(target.array);
            let entries = &mut self.l2[usize::from(target.array)].entries;
            let found = ask(entries, structure, key, target.held, probe);
            let Some((_, entry)) = found else { continue };
            let (dirty, ad_updates) = hit_l2(page, entry, done.index, &mut self.tables, self.space);
            done.ad_updates += ad_updates;
            hit = Some(dirty);
        }
        hit
    }

    /// Fills the first array of level 1 that holds the page.
    #[inline(always)]
    pub(crate) fn fill_l1<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        dirty: bool,
        probe: &mut P,
    ) {
        let kind = page.kind.index();
        let Some(target) = self.plan.l1[kind][usize::from(page.leaf) % 8].get().first() else {
            self.last[kind] = NOWHERE;
            return;
        };
        let (number, tag) = page.key(*target, &self.plan, self.space);
        let structure = usize::from(target.array);
        let placed = self.l1[structure].entries.fill(number, tag, index, u32::from(dirty));
        self.last[kind] = Last { array: target.array, slot: placed.slot };
        probe.fill(&FillFact { structure, number, level: target.held, placed });
    }

    /// Fills the array of level 2 that the page belongs to: where k hold it, number (n / sets) mod k.
    #[inline(always)]
    pub(crate) fn fill_l2<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        dirty: bool,
        probe: &mut P,
    ) {
        let target = match self.plan.l2[page.kind.index()][usize::from(page.leaf) % 8].get() {
            [] => return,
            [only] => *only,
            several => self.choose_l2(page, several),
        };
        let (number, tag) = page.key(target, &self.plan, self.space);
        let placed =
            self.l2[usize::from(target.array)].entries.fill(number, tag, index, u32::from(dirty));
        let structure = self.plan.n_l1 + usize::from(target.array);
        probe.fill(&FillFact { structure, number, level: target.held, placed });
    }

    #[inline(never)]
    fn choose_l2(&self, page: &Page, several: &[Target]) -> Target {
        let first = several[0];
        let sets = u64::from(self.l2[usize::from(first.array)].entries.geometry().n_sets);
        let turn = page.key(first, &self.plan, self.space).0 / sets % several.len() as u64;
        several[usize::try_from(turn).expect("below the number of arrays")]
    }
}

/// Looks a key, of the level that makes its number, up in one array, and reports that.
#[inline(always)]
fn ask<'a, P: Probe>(
    entries: &'a mut Entries,
    structure: usize,
    (number, tag): (u64, u64),
    level: u8,
    probe: &mut P,
) -> Option<(Slot, &'a mut Entry)> {
    let set = entries.set_of(number);
    let found = entries.lookup(number, tag);
    let way = found.as_ref().map(|(way, _)| *way);
    probe.tlb_lookup(&LookupFact { structure, number, level, set, way });
    found.map(|(way, entry)| (Slot { set: small(set), way }, entry))
}

/// Records a hit of level 1; returns how many flags of the page table it set.
#[inline(always)]
fn hit_l1(
    page: &Page,
    entry: &mut Entry,
    used: Last,
    index: u32,
    last: &mut [Last; 4],
    tables: &mut PageTables,
    space: u32,
) -> u32 {
    entry.add_hits(1);
    let last = &mut last[page.kind.index()];
    if *last != used {
        *last = used;
        entry.set_used_at(index);
    }
    if page.kind == Kind::Store && entry.data() == 0 {
        entry.set_data(1);
        return tables.set_dirty(space, page.va, page.leaf);
    }
    0
}

/// Records a hit of level 2; tells whether the page is dirty, and how many flags that set.
#[inline(always)]
fn hit_l2(
    page: &Page,
    entry: &mut Entry,
    index: u32,
    tables: &mut PageTables,
    space: u32,
) -> (bool, u32) {
    entry.add_hits(1);
    entry.set_used_at(index);
    if page.kind == Kind::Store && entry.data() == 0 {
        entry.set_data(1);
        return (true, tables.set_dirty(space, page.va, page.leaf));
    }
    (entry.data() == 1, 0)
}
