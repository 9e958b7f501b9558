//! Naive translations: the lookups, the walk and the fills of one address.

use super::Naive;
use super::tlb::{entries_of, lookup, run_size};
use super::walk::prefix;
use pagewalk::config::Inclusion;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

impl Naive {
    /// Translates an address. Returns the size of the page as the TLB holds it.
    pub(super) fn translate(&mut self, kind: Kind, address: u64, pid: u32) -> PageSize {
        let mut guest = self.size_at(address);
        let va = address & self.paging.va_mask();
        if self.shadow.is_some() {
            guest = self.map_shadow(va, pid, guest);
        }
        let (entry, _) = entries_of(&self.paging, guest);
        let leaf = (1..=self.paging.n_levels()).find(|l| self.paging.size_of(*l) == entry).unwrap();
        self.map(va, pid, leaf, guest);
        let data =
            self.mapped[&(pid, va >> guest.shift(), guest.shift())].address + va % guest.bytes();
        let size = self.host.as_ref().map_or(guest, |host| guest.min(host.size_at(data)));
        let (k, tag) = (kind.index(), self.page_tag(address));
        self.current = (pid, tag);
        self.kinds[k].translations += 1;
        let run = self.config.coalescing.get(&size).map(|n| run_size(size, *n));
        let misses_before: Vec<u64> = self.l1.iter().map(|tlb| tlb.array.misses).collect();
        if lookup(&mut self.l1, kind, (size, run), va, tag).is_some() {
            self.kinds[k].l1_hits += 1;
            if run.is_some() {
                self.set_dirty(kind, va, pid, guest);
            } else {
                self.hit(1, kind, (va, pid), (size, guest));
            }
            return size;
        }
        self.host_khugepaged(self.index);
        let size = self.host.as_ref().map_or(guest, |host| guest.min(host.size_at(data)));
        let run = self.config.coalescing.get(&size).map(|n| run_size(size, *n));
        if !self.check_page(kind, va, pid) {
            // An access that ends before its translation is not counted.
            self.kinds[k].translations -= 1;
            for tlb in self.l1.iter_mut().filter(|tlb| tlb.serves.contains(&kind)) {
                tlb.array.lookups -= 1;
            }
            for (tlb, misses) in self.l1.iter_mut().zip(misses_before) {
                tlb.array.misses = misses;
            }
            return size;
        }
        let starts_at_l2 = !self.l1.iter().any(|t| t.serves.contains(&kind));
        let exclusive = self.config.inclusion == Inclusion::Exclusive;
        let mut held = size;
        let dirty;
        if let Some(found) = lookup(&mut self.l2, kind, (size, run), va, tag) {
            held = found;
            self.used_in_l2(kind, found, va, tag);
            self.kinds[k].l2_hits += 1;
            self.l2_cycles +=
                if starts_at_l2 { 0 } else { u64::from(self.config.latency.l2_hit.of(kind)) };
            if run.is_some() {
                self.set_dirty(kind, va, pid, guest);
            }
            dirty = run.is_none() && self.hit(2, kind, (va, pid), (size, guest));
            if exclusive && self.above(kind, size).is_some() {
                for tlb in &mut self.l2 {
                    if let Some(key) = tlb.key(kind, held, va, tag) {
                        tlb.array.remove(&key);
                    }
                }
            }
        } else if let Some(was_dirty) = self.miss_l2(kind, address, size, (va, tag)) {
            self.kinds[k].l2_hits += 1;
            self.l2_cycles +=
                if starts_at_l2 { 0 } else { u64::from(self.config.latency.l2_hit.of(kind)) };
            self.set_dirty(kind, va, pid, guest);
            dirty = was_dirty || kind == Kind::Store;
            if !exclusive || self.above(kind, size).is_none() {
                self.fill_l2(kind, size, va, tag);
                self.filled(2, kind, va, size, dirty);
            }
        } else if let Some(is_dirty) = self.hit_behind(kind, (va, pid), (size, guest)) {
            self.kinds[k].l2_hits += 1;
            dirty = is_dirty;
            if !exclusive || self.above(kind, size).is_none() {
                self.fill_l2(kind, held, va, tag);
                self.filled(2, kind, va, held, dirty);
            }
        } else {
            self.kinds[k].walks += 1;
            if !starts_at_l2 && self.l2.iter().any(|tlb| tlb.serves.contains(&kind)) {
                self.l2_miss_cycles += u64::from(self.config.latency.l2_hit.of(kind));
            }
            let from_dram = *self.served.last().unwrap();
            let is_known = if self.host.is_some() {
                self.map_or_fault(kind == Kind::Store, va, pid, leaf, guest);
                self.walk_nested(kind, va, pid, leaf, guest)
            } else {
                self.walk(va, pid, leaf, guest);
                true
            };
            self.set_dirty(kind, va, pid, guest);
            let is_dirty = self.mapped[&(pid, va >> guest.shift(), guest.shift())].dirty;
            dirty = is_known && is_dirty && self.may_write(va, pid);
            self.fill_pom((va, tag), size, dirty);
            let n_from_dram = *self.served.last().unwrap() - from_dram;
            self.walked(va, size, dirty, n_from_dram);
            if let Some(run) = run.filter(|run| self.lies_together(va, pid, leaf, size, *run)) {
                held = run;
            }
            if !exclusive || self.above(kind, size).is_none() {
                self.fill_l2(kind, held, va, tag);
                self.filled(2, kind, va, held, dirty);
            }
        }
        let Some(first) = self.above(kind, held) else { return size };
        let key = self.l1[first].key(kind, held, va, tag).unwrap();
        let victim = self.l1[first].fill(kind, key);
        self.filled(1, kind, va, held, dirty);
        if let (Some((name, number, pid)), true) = (victim, exclusive) {
            let held = PageSize::parse(&name).unwrap();
            let va = number << held.shift();
            let is_run = self.l1[first].runs.iter().any(|(run, _)| *run == held);
            let held = if is_run { held } else { self.held_of(va, pid, held) };
            self.fill_l2(kind, held, va, pid);
        }
        size
    }

    /// Returns the size of a mapped page as the TLB holds it.
    pub(super) fn held_at(&self, va: u64, pid: u32) -> PageSize {
        let guest = self.size_at(va);
        if self.shadow.is_some() {
            let mut sizes = self.paging.sizes().into_iter();
            let is_mapped =
                |s: &PageSize| self.mapped.contains_key(&(pid, va >> s.shift(), s.shift()));
            return sizes.find(is_mapped).unwrap_or(guest);
        }
        let Some(host) = &self.host else { return guest };
        let page = &self.mapped[&(pid, va >> guest.shift(), guest.shift())];
        guest.min(host.size_at(page.address + va % guest.bytes()))
    }

    /// Returns whether the pages of the aligned group around `va` can be coalesced. Every page must be mapped and
    /// accessed, with consecutive frames from an aligned one on. All or none of the pages must be dirty.
    ///
    /// Under a host, this applies to the guest's and to the host's pages, if they have that size.
    pub(super) fn lies_together(
        &self,
        va: u64,
        pid: u32,
        leaf: u8,
        size: PageSize,
        run: PageSize,
    ) -> bool {
        let guest = self.size_at(va);
        if let Some(host) = &self.host {
            let page = &self.mapped[&(pid, va >> guest.shift(), guest.shift())];
            let data = page.address + va % guest.bytes();
            if host.size_at(data) == size && !host.lies_together(data, size, run) {
                return false;
            }
            if guest != size {
                return true;
            }
        }
        let first = va >> run.shift() << run.shift();
        let n = run.bytes() / size.bytes();
        let pages: Vec<_> = (0..n)
            .filter_map(|i| {
                let va = first + i * size.bytes();
                let page = self.mapped.get(&(pid, va >> size.shift(), size.shift()))?;
                let table = self.tables[&(pid, leaf, prefix(&self.paging, va, leaf))];
                let entry = table + 8 * self.paging.index(va, leaf);
                self.accessed.contains_key(&self.flag_of(entry)).then_some(page)
            })
            .collect();
        pages.len() as u64 == n
            && pages[0].frame % n == 0
            && pages.windows(2).all(|p| p[1].frame == p[0].frame + 1 && p[1].dirty == p[0].dirty)
    }
}
