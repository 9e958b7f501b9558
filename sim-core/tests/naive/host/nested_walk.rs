//! Naive nested walks, in which the host translates every address of the guest.

use super::super::Naive;
use super::super::tlb::entries_of;
use super::super::walk::prefix;
use super::{Host, Key, is_host_page};
use pagewalk::caches::virt::{NestedTlb, VirtStyle};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

impl Naive {
    /// Translates a guest-physical address of a guest table or of the data. Returns the host-physical address,
    /// and whether the page is known to be dirty.
    fn through_host(
        &mut self,
        host: &mut Host,
        address: u64,
        table: bool,
        kind: Kind,
    ) -> (u64, bool) {
        let size = host.size_at(address);
        let written = table || kind == Kind::Store;
        let serves_data = match &host.virt.nested_tlb {
            None => false,
            Some(NestedTlb::Own(own)) => own.data,
            Some(NestedTlb::In(place)) => place.data,
        };
        let page = host.tlb_key(address).filter(|_| table || serves_data);
        if let Some(page) = page.as_ref().filter(|page| self.nested_tlb_has(host, page)) {
            if written {
                host.write(address);
                host.tlb_dirty.insert(page.clone());
            }
            return (host.address_of(address), host.tlb_dirty.contains(page));
        }
        host.map(address, written);
        let leaf = host.paging.leaf_level(size).unwrap();
        let mut level = host.paging.n_levels();
        for to in leaf..level {
            let Some(cache) = host.psc_of.get(&to) else { continue };
            let key = (format!("table {to}"), address >> host.paging.shift(to + 1), host.vm);
            if host.psc[*cache].lookup(&key) {
                level = to;
                break;
            }
        }
        loop {
            let table_at = host.tables[&(host.vm, level, prefix(&host.paging, address, level))];
            let entry = table_at + 8 * host.paging.index(address, level);
            let keeps_leaves = host.virt.pwc.is_some_and(|pwc| pwc.leaf_of_tables);
            let asks_pwc =
                host.virt.style == Some(VirtStyle::Pwc2d) && (level > leaf || keeps_leaves);
            if !(asks_pwc && host.pwc_has(entry, level > leaf || table)) {
                host.refs += 1;
                self.refs += 1;
                self.walk_cycles += self.read(entry);
            }
            if host.virt.ad != Some(false) && host.accessed.insert(entry) {
                host.flags[0] += 1;
            }
            if level == leaf {
                break;
            }
            level -= 1;
            if let Some(cache) = host.psc_of.get(&level) {
                let key =
                    (format!("table {level}"), address >> host.paging.shift(level + 1), host.vm);
                host.psc[*cache].array.fill(key);
            }
        }
        if written {
            host.write(address);
        }
        host.count_walk(address, size);
        let number = address >> size.shift();
        let is_dirty = !host.has_flags() || host.pages[&(host.vm, number, size.shift())].dirty;
        if let Some(page) = page {
            host.tlb_dirty.remove(&page);
            host.tlb_dirty.extend(is_dirty.then(|| page.clone()));
            self.fill_nested_tlb(host, page);
        }
        (host.address_of(address), is_dirty)
    }

    /// Looks up a page in the nested TLB.
    fn nested_tlb_has(&mut self, host: &mut Host, page: &Key) -> bool {
        match (&mut host.tlb, &host.tlb_in) {
            (None, _) => false,
            (Some(tlb), None) => tlb.lookup(page),
            (Some(tlb), Some((array, _))) => {
                let hit = self.l2[*array].array.lookup(page);
                tlb.counts[0] += 1;
                tlb.counts[1] += u64::from(hit);
                hit
            }
        }
    }

    fn fill_nested_tlb(&mut self, host: &mut Host, page: Key) {
        match (&mut host.tlb, &host.tlb_in) {
            (None, _) => {}
            (Some(tlb), None) => drop(tlb.array.fill(page)),
            (Some(tlb), Some((array, _))) => {
                let victim = self.l2[*array].array.fill(page);
                tlb.array.fills += 1;
                tlb.array.evictions += u64::from(victim.is_some());
                self.has_left_l2(*array, victim);
            }
        }
    }

    /// Drops the cached entries of the host that belong to virtual machines, for an operation.
    pub(in crate::naive) fn drop_of_host(&mut self, is_dropped: impl Fn(u32) -> bool) {
        let n = self.drop_host_pages(|key| is_dropped(key.2));
        if let Some(host) = &mut self.host {
            host.drop_of(is_dropped);
            host.dropped += n;
        }
    }

    /// Drops guest-physical pages from the arrays of level 2, and returns their number.
    pub(in crate::naive) fn drop_host_pages(&mut self, is_dropped: impl Fn(&Key) -> bool) -> u64 {
        let mut n = 0;
        for array in self.l2.iter_mut().map(|tlb| &mut tlb.array) {
            for way in array.sets.iter_mut().flat_map(|(ways, _)| ways) {
                if way.as_ref().is_some_and(|key| is_host_page(key) && is_dropped(key)) {
                    *way = None;
                    array.invalidations += 1;
                    n += 1;
                }
            }
        }
        n
    }

    /// Does a nested walk for a page that the guest has mapped. Returns whether the host's page is known to be
    /// dirty.
    pub(in crate::naive) fn walk_nested(
        &mut self,
        kind: Kind,
        va: u64,
        pid: u32,
        leaf: u8,
        size: PageSize,
    ) -> bool {
        let mut host = self.host.take().unwrap();
        let levels = self.paging.n_levels();
        self.walk_cycles += u64::from(self.config.latency.walk_overhead);
        let mut level = levels;
        let mut known = false;
        for to in leaf..levels {
            let Some(cache) = self.psc_of.get(&to).copied().filter(|_| host.is_combined()) else {
                continue;
            };
            let key = (format!("table {to}"), va >> self.paging.shift(to + 1), self.tag());
            self.psc_counts[cache].1 += 1;
            let inside = self.psc_in[cache];
            let array = inside.map_or(&mut self.psc[cache], |l2| &mut self.l2[l2].array);
            if array.lookup(&key) {
                self.psc_counts[cache].2 += 1;
                (level, known) = (to, true);
                break;
            }
        }
        loop {
            let table = self.tables[&(pid, level, prefix(&self.paging, va, level))];
            let at = if known {
                host.address_of(table)
            } else {
                self.through_host(&mut host, table, true, kind).0
            };
            // The table has been translated now, so its entry is stored in the walk cache.
            if level < levels && !known && host.is_combined() {
                self.remember(level, va);
            }
            known = false;
            let index = 8 * self.paging.index(va, level);
            if level == leaf || !host.pwc_has(at + index, true) {
                self.refs += 1;
                self.walk_cycles += self.read(at + index);
            }
            // The entries of a contiguous page share one flag.
            let bytes = if level == leaf { 8 * entries_of(&self.paging, size).1 } else { 8 };
            if self.accessed.insert(self.flag_of((table + index) / bytes * bytes), ()).is_none() {
                self.ad_updates += 1;
            }
            if level == leaf {
                break;
            }
            level -= 1;
        }
        let page = &self.mapped[&(pid, va >> size.shift(), size.shift())];
        let data = page.address + va % size.bytes();
        let (_, is_known) = self.through_host(&mut host, data, false, kind);
        self.host = Some(host);
        is_known
    }
}
