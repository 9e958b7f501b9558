//! Changes of the host's memory other than mapping pages: khugepaged, and copies of shared pages. Both end with
//! an INVEPT of the virtual machine.

use super::Naive;
use super::host::{Host, is_host_page};
use super::vms::vm_of;
use super::walk::prefix;
use pagewalk::os::PagePolicy;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind};

/// log2 of the bytes of a huge page.
const HUGE: u32 = 21;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct HostEvents {
    pub(crate) first_touches: u64,
    pub(crate) in_memory: u64,
    pub(crate) copies: u64,
    pub(crate) promotions: u64,
    pub(crate) promoted: u64,
    pub(crate) failed: u64,
    pub(crate) flushes: u64,
    pub(crate) dropped: u64,
    /// VM exits for flushes.
    pub(crate) exits: u64,
}

impl Host {
    fn region_of(&self, address: u64) -> Option<&pagewalk::os::RegionConfig> {
        self.os.regions.iter().find(|r| (r.start.0..r.end.0).contains(&address))
    }

    /// Returns whether khugepaged may make a huge page at an address.
    pub(super) fn is_open(&self, address: u64) -> bool {
        let region = self.region_of(address);
        let inside = |at: u64| self.region_of(at).map(|r| r.start) == region.map(|r| r.start);
        let (first, last) = (address >> HUGE << HUGE, address | ((1 << HUGE) - 1));
        region.map_or(self.os.default, |region| region.pages) == PagePolicy::Thp
            && inside(first)
            && inside(last)
    }

    pub(super) fn copies_at(&self, address: u64) -> bool {
        self.region_of(address).is_some_and(|region| region.copy_on_write)
    }

    pub(super) fn count_walk(&mut self, address: u64, size: PageSize) {
        if self.os.thp.khugepaged.is_some() && size.shift() == 12 && self.is_open(address) {
            *self.walks.entry((self.vm, address >> HUGE)).or_insert(0) += 1;
        }
    }

    fn has_block(&mut self) -> bool {
        let fragmentation = u64::from(self.os.thp.fragmentation);
        if fragmentation == 0 {
            return true;
        }
        self.draws ^= self.draws >> 12;
        self.draws ^= self.draws << 25;
        self.draws ^= self.draws >> 27;
        self.draws.wrapping_mul(2_685_821_657_736_338_717) % 100 >= fragmentation
    }

    /// Unmaps the small pages of a block. The huge page is mapped when it is used.
    fn promote(&mut self, (vm, block): (u32, u64)) {
        let frame = self.frames.take(PageSize::M2);
        let in_block = |key: &(u32, u64, u32)| key.0 == vm && key.2 == 12 && key.1 >> 9 == block;
        let before = self.pages.len();
        self.pages.retain(|key, _| !in_block(key));
        self.done.promotions += 1;
        self.done.promoted += (before - self.pages.len()) as u64;
        let table = self.tables.remove(&(vm, 1, block)).unwrap();
        self.free.push(table);
        let upper = self.tables[&(vm, 2, prefix(&self.paging, block << HUGE, 2))];
        let entry = upper + 8 * self.paging.index(block << HUGE, 2);
        self.accessed.retain(|at| *at != entry && !(table..table + 4096).contains(at));
        self.collapsed.insert((vm, block), frame);
        self.huge.insert((vm, block));
    }

    /// Returns whether a store to an address has to copy its page.
    fn is_shared(&self, address: u64) -> bool {
        let size = self.size_at(address);
        let page = self.pages.get(&(self.vm, address >> size.shift(), size.shift()));
        page.is_some_and(|page| page.shared)
    }
}

impl Naive {
    /// Runs the host's khugepaged if it is due.
    pub(super) fn host_khugepaged(&mut self, index: u64) {
        let Some(mut host) = self.host.take() else { return };
        if index >= host.due {
            let config = host.os.thp.khugepaged.unwrap();
            let every = u64::from(config.every);
            host.due = (index / every + 1) * every;
            let mut hottest: Vec<_> = std::mem::take(&mut host.walks).into_iter().collect();
            hottest.sort_by_key(|(block, n)| (std::cmp::Reverse(*n), *block));
            let mut tries = 0;
            for ((vm, block), _) in hottest {
                let inside = |key: &&(u32, u64, u32)| (key.0, key.1 >> 9, key.2) == (vm, block, 12);
                let n = host.pages.keys().filter(inside).count();
                let missing = config.max_ptes_none.unwrap_or(511) as usize;
                if tries == config.pages || n == 0 || 512 - n > missing {
                    continue;
                }
                tries += 1;
                if host.has_block() {
                    host.promote((vm, block));
                    host.done.exits += u64::from(vm == self.vms.core.vm);
                    self.flush(&mut host, vm);
                } else {
                    host.done.failed += 1;
                }
            }
        }
        self.host = Some(host);
    }

    /// Checks the host's entries of all pages of an access before it is translated. Returns false if the access
    /// ends there.
    pub(super) fn check_pages(&mut self, access: &Access) -> bool {
        let (first, last) = (access.address, access.last());
        let last = Some(last).filter(|last| last >> 12 != first >> 12);
        let mut pages = [Some(first), last].into_iter().flatten();
        pages.all(|at| self.check_page(access.kind, at & self.paging.va_mask(), access.pid))
    }

    /// Maps missing pages of the host, and copies shared ones, by the current tables. Returns false if the
    /// access ends there.
    pub(super) fn check_page(&mut self, kind: Kind, va: u64, pid: u32) -> bool {
        if self.host_has_changed {
            return self.resolve_obstacles(kind, va, pid);
        }
        if !self.host.as_ref().is_some_and(|host| host.os.regions.iter().any(|r| r.copy_on_write)) {
            return true;
        }
        let store = kind == Kind::Store;
        let levels = (1..=self.paging.n_levels()).rev();
        let tables = levels.map_while(|level| {
            self.tables.get(&(pid, level, prefix(&self.paging, va, level))).copied()
        });
        let tables: Vec<u64> = tables.collect();
        let guest = self.size_at(va);
        let page = self.mapped.get(&(pid, va >> guest.shift(), guest.shift()));
        let data = page.map(|page| page.address + va % guest.bytes());
        let host = self.host.as_mut().unwrap();
        let before = host.violations;
        tables.into_iter().for_each(|table| host.map(table, true));
        data.into_iter().for_each(|data| host.map(data, store));
        if host.violations != before {
            self.exit();
        }
        if store {
            self.copy_for_store(va, pid);
        }
        true
    }

    /// Copies the host's page of an address that is written, if the page is shared.
    fn copy_for_store(&mut self, va: u64, pid: u32) {
        let guest = self.size_at(va);
        let page = self.mapped.get(&(pid, va >> guest.shift(), guest.shift()));
        let Some(data) = page.map(|page| page.address + va % guest.bytes()) else { return };
        let Some(mut host) = self.host.take() else { return };
        if host.is_shared(data) {
            let size = host.size_at(data);
            let key = (host.vm, data >> size.shift(), size.shift());
            host.pages.remove(&key);
            let leaf = host.paging.leaf_level(size).unwrap();
            let table = host.tables[&(host.vm, leaf, prefix(&host.paging, data, leaf))];
            host.accessed.remove(&(table + 8 * host.paging.index(data, leaf)));
            host.map(data, true);
            let vm = host.vm;
            self.flush(&mut host, vm);
        }
        self.host = Some(host);
    }

    /// Executes an INVEPT of a virtual machine.
    fn flush(&mut self, host: &mut Host, vm: u32) {
        let mut n = 0;
        for array in self.l1.iter_mut().chain(&mut self.l2).map(|tlb| &mut tlb.array) {
            for way in array.sets.iter_mut().flat_map(|(ways, _)| ways) {
                if way.as_ref().is_some_and(|key| !is_host_page(key) && vm_of(key) == vm) {
                    *way = None;
                    array.invalidations += 1;
                    n += 1;
                }
            }
        }
        for way in self.psc.iter_mut().flat_map(|a| &mut a.sets).flat_map(|(ways, _)| ways) {
            if way.as_ref().is_some_and(|key| vm_of(key) == vm) {
                *way = None;
                n += 1;
            }
        }
        if let Some(pom_tlb) = &mut self.pom_tlb {
            n += pom_tlb.drop(|key| vm_of(key) == vm);
        }
        n += self.drop_host_pages(|key| key.2 == vm);
        let before = host.dropped;
        host.drop_of(|of| of == vm);
        n += host.dropped - before;
        host.dropped = before;
        host.done.flushes += 1;
        host.done.dropped += n;
    }
}
