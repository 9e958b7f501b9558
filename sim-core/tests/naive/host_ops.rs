//! Operations of the host on its tables, and the obstacles that later accesses meet: entries that are not present,
//! that lack a right, or that are misconfigured. Only Intel's format is simulated.

use super::Naive;
use super::host::{Host, is_host_page, is_host_page_of};
use super::ops::overlap;
use super::tlb::Tlb;
use super::vms::{pcid_of, vm_of, vpid_of};
use super::walk::prefix;
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::trace::{HostPart, Kind, Op};

/// The rights of an entry: to read, to write, to fetch.
const RIGHTS: u64 = 7;
/// The position of the memory type in an entry that maps a page. New entries are write-back.
const TYPE_AT: u32 = 3;
const WRITE_BACK: u64 = 6 << TYPE_AT;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    Violation,
    Misconfigured,
}

impl Host {
    fn key_of(&self, address: u64) -> (u32, u64, u32) {
        let size = self.size_at(address);
        (self.vm, address >> size.shift(), size.shift())
    }

    fn leaf_of(&self, address: u64) -> u8 {
        self.paging.leaf_level(self.size_at(address)).unwrap()
    }

    fn place(&self, address: u64, level: u8) -> (u32, u8, u64) {
        (self.vm, level, address >> self.paging.shift(level))
    }

    /// Returns whether the entry of a level maps a page or leads to a table.
    fn is_there(&self, address: u64, level: u8) -> bool {
        if level == self.leaf_of(address) {
            return self.pages.contains_key(&self.key_of(address));
        }
        self.tables.contains_key(&(self.vm, level - 1, prefix(&self.paging, address, level - 1)))
    }

    /// Returns the rights and the memory type of an entry in use.
    fn flags(&mut self, address: u64, level: u8) -> &mut u64 {
        let usual = if level == self.leaf_of(address) { RIGHTS | WRITE_BACK } else { RIGHTS };
        let place = self.place(address, level);
        self.changed.entry(place).or_insert(usual)
    }

    fn obstacle(&mut self, address: u64, read: bool, write: bool, fetch: bool) -> Option<Obstacle> {
        let levels = self.paging.n_levels();
        // A host without any table has no obstacle that an operation made.
        self.tables.get(&(self.vm, levels, 0))?;
        let leaf = self.leaf_of(address);
        let mut rights = RIGHTS;
        for level in (leaf..=levels).rev() {
            if !self.is_there(address, level) {
                return Some(Obstacle::Violation);
            }
            let flags = *self.flags(address, level);
            if flags & RIGHTS == 0 {
                return Some(Obstacle::Violation);
            }
            let kind = flags >> TYPE_AT & 7;
            let is_strange = if level == leaf { matches!(kind, 2 | 3 | 7) } else { kind != 0 };
            if matches!(flags & RIGHTS, 2 | 6) || is_strange {
                return Some(Obstacle::Misconfigured);
            }
            rights &= flags;
        }
        let needed = u64::from(read) | u64::from(write) << 1 | u64::from(fetch) << 2;
        (rights & needed != needed).then_some(Obstacle::Violation)
    }

    /// Maps the missing page of an address, and restores all rights on the way to it.
    fn map_or_restore(&mut self, address: u64, written: bool) {
        let key = self.key_of(address);
        self.unmapped.remove(&key);
        for level in (self.leaf_of(address)..=self.paging.n_levels()).rev() {
            if !self.is_there(address, level) {
                return self.map(address, written);
            }
            *self.flags(address, level) |= RIGHTS;
        }
        self.violations += 1;
        self.done.in_memory += 1;
    }

    /// Clears an entry.
    fn clear(&mut self, address: u64, level: u8) {
        let place = self.place(address, level);
        self.changed.remove(&place);
        let table = self.tables[&(self.vm, level, prefix(&self.paging, address, level))];
        self.accessed.remove(&(table + 8 * self.paging.index(address, level)));
    }

    /// Unmaps a page. With a flush it also frees the tables that become empty.
    fn unmap_page(&mut self, address: u64, flush: bool) -> bool {
        let (key, leaf) = (self.key_of(address), self.leaf_of(address));
        if self.pages.remove(&key).is_none() {
            return false;
        }
        self.clear(address, leaf);
        self.unmapped.insert(key);
        for level in leaf..self.paging.n_levels() {
            let first = prefix(&self.paging, address, level) << self.paging.shift(level + 1);
            let step = 1 << self.paging.shift(level);
            let mut entries = (0..512).map(|n| first + n * step);
            if !flush || entries.any(|at| self.is_at(at, level)) {
                break;
            }
            let table = self.tables.remove(&(self.vm, level, prefix(&self.paging, address, level)));
            self.free.push(table.unwrap());
            self.clear(address, level + 1);
        }
        true
    }

    /// Returns whether an entry of this level for an address is in use.
    fn is_at(&self, address: u64, level: u8) -> bool {
        self.leaf_of(address) <= level && self.is_there(address, level)
    }

    /// Drops the cached entries of a guest-physical address.
    fn drop_cached(&mut self, address: u64) {
        let (number, vm, size) =
            (address >> self.size_at(address).shift(), self.vm, self.size_at(address));
        if let Some(tlb) = &mut self.tlb {
            tlb.array.remove(&(size.to_string(), number, vm));
        }
        for (to, cache) in &self.psc_of {
            let number = address >> self.paging.shift(to + 1);
            self.psc[*cache].array.remove(&(format!("table {to}"), number, vm));
        }
    }
}

impl Naive {
    /// Returns whether an operation of the host can be executed, because there is an entry to change.
    pub(crate) fn may(&self, pid: u32, op: &Op) -> bool {
        let Op::HostSetEntry { address, part, level, .. } = *op else { return true };
        let place = self.place_of(address, part, self.own(pid));
        let host = self.host.as_ref().unwrap();
        place.is_some_and(|at| level >= host.leaf_of(at) && host.is_there(at, level))
    }

    /// Executes an operation of the host on its tables.
    pub(super) fn op_of_host(&mut self, pid: u32, op: &Op) {
        self.host_has_changed = true;
        let (Op::HostUnmap { address, part, .. }
        | Op::HostProtect { address, part, .. }
        | Op::HostSetEntry { address, part, .. }) = *op
        else {
            unreachable!("no other is the host's own")
        };
        let Some(at) = self.place_of(address, part, pid) else { return };
        let host = self.host.as_mut().unwrap();
        let drops = match *op {
            Op::HostUnmap { flush, .. } => host.unmap_page(at, flush) && flush,
            Op::HostProtect { read, write, execute, flush, .. } => {
                let leaf = host.leaf_of(at);
                let is_there = host.is_there(at, leaf);
                if is_there {
                    let flags = host.flags(at, leaf);
                    let rights = u64::from(read) | u64::from(write) << 1 | u64::from(execute) << 2;
                    *flags = *flags & !RIGHTS | rights;
                }
                is_there && flush
            }
            Op::HostSetEntry { level, set, clear, .. } => {
                let flags = host.flags(at, level);
                *flags = (*flags | set.0) & !clear.0;
                false
            }
            _ => false,
        };
        if drops {
            let vm = host.vm;
            host.done.exits += 1;
            self.drop_of_host(|of| of == vm);
            self.drop(|key, _| vm_of(key) == vm);
        }
    }

    /// Returns the guest-physical address of the data or of a guest table, if it exists.
    fn place_of(&self, address: Hex, part: HostPart, pid: u32) -> Option<u64> {
        let va = address.0 & self.paging.va_mask();
        if part != HostPart::DATA {
            return self.tables.get(&(pid, part.0, prefix(&self.paging, va, part.0))).copied();
        }
        let size = self.size_at(va);
        let page = self.mapped.get(&(pid, va >> size.shift(), size.shift()))?;
        Some(page.address + va % size.bytes())
    }

    /// Lets the host remove the obstacles that a walk for an access would meet. Returns false if a
    /// misconfiguration ends the access.
    pub(super) fn resolve_obstacles(&mut self, kind: Kind, va: u64, pid: u32) -> bool {
        if self.has_cached_page(kind, va, pid) {
            return true;
        }
        while let Some((obstacle, address, written, is_data)) = self.first_obstacle(kind, va, pid) {
            if obstacle == Obstacle::Misconfigured {
                self.misconfigurations += 1;
                self.exit();
                return false;
            }
            let host = self.host.as_mut().unwrap();
            let is_first = !host.unmapped.contains(&host.key_of(address)) && !host.has(address);
            host.map_or_restore(address, written);
            // A first touch drops nothing, because no entry of the page is cached.
            if !is_first {
                host.drop_cached(address);
                let vm = host.vm;
                self.drop_host_pages(|key| is_host_page_of(key, vm, address));
                if is_data {
                    self.drop_violated(va);
                }
            }
            self.exit();
        }
        true
    }

    fn drop_violated(&mut self, va: u64) {
        let (vm, vpid, pcid) = (self.vms.core.vm, self.vms.core.vpid, self.pcids.now);
        let paging = self.paging.clone();
        if let Some(pom_tlb) = &mut self.pom_tlb {
            pom_tlb.drop(|key| {
                (vm_of(key), vpid_of(key), pcid_of(key)) == (vm, vpid, pcid)
                    && overlap(super::ops::range_of(key, &paging), (va, va))
            });
        }
        let arrays = self.l1.iter_mut().chain(&mut self.l2).map(|tlb| &mut tlb.array);
        for array in arrays.chain(&mut self.psc) {
            for way in array.sets.iter_mut().flat_map(|(ways, _)| ways) {
                let own = way.as_ref().filter(|key| !is_host_page(key));
                let is_dropped = own.is_some_and(|key| {
                    (vm_of(key), vpid_of(key), pcid_of(key)) == (vm, vpid, pcid)
                        && overlap(super::ops::range_of(key, &paging), (va, va))
                });
                if is_dropped {
                    *way = None;
                    array.invalidations += 1;
                }
            }
        }
    }

    /// Returns the first obstacle of a walk: its guest-physical address, whether the access writes there, and
    /// whether it is the address of the data.
    fn first_obstacle(
        &mut self,
        kind: Kind,
        va: u64,
        pid: u32,
    ) -> Option<(Obstacle, u64, bool, bool)> {
        let mut host = self.host.take()?;
        let found = self.first_obstacle_in(&mut host, kind, va, pid);
        self.host = Some(host);
        found
    }

    fn first_obstacle_in(
        &self,
        host: &mut Host,
        kind: Kind,
        va: u64,
        pid: u32,
    ) -> Option<(Obstacle, u64, bool, bool)> {
        let (size, store, fetch) = (self.size_at(va), kind == Kind::Store, kind == Kind::Fetch);
        let leaf = self.paging.leaf_level(size).unwrap();
        let page = self.mapped.get(&(pid, va >> size.shift(), size.shift()));
        for level in (leaf..=self.paging.n_levels()).rev() {
            let table = *self.tables.get(&(pid, level, prefix(&self.paging, va, level)))?;
            let has_flags = host.has_flags();
            if let Some(obstacle) = host.obstacle(table, true, has_flags, false) {
                return Some((obstacle, table, true, false));
            }
            let is_leaf = level == leaf;
            let next = (pid, level.saturating_sub(1), prefix(&self.paging, va, level.max(2) - 1));
            if is_leaf && page.is_none() || !is_leaf && !self.tables.contains_key(&next) {
                return None;
            }
            let entry = table + 8 * self.paging.index(va, level);
            let is_new = !self.accessed.contains_key(&self.flag_of(entry))
                || is_leaf && store && !page.unwrap().dirty;
            if is_new && let Some(obstacle) = host.obstacle(table, false, true, false) {
                return Some((obstacle, table, true, false));
            }
        }
        let data = page?.address + va % size.bytes();
        let obstacle = host.obstacle(data, !store && !fetch, store, fetch)?;
        Some((obstacle, data, store, true))
    }

    /// Returns whether a store to a page meets no obstacle in the host's tables.
    pub(super) fn may_write(&mut self, va: u64, pid: u32) -> bool {
        !self.host_has_changed || self.first_obstacle(Kind::Store, va, pid).is_none()
    }

    /// Returns whether a TLB holds the page, so that the access needs no walk and sets no flag. A fetch must
    /// hit level 1.
    fn has_cached_page(&self, kind: Kind, va: u64, pid: u32) -> bool {
        let guest = self.size_at(va);
        if !self.mapped.contains_key(&(pid, va >> guest.shift(), guest.shift())) {
            return false;
        }
        let (size, tag) = (self.held_at(va, pid), self.page_tag(va));
        let levels: &[(u8, &Vec<Tlb>)] = &[(1, &self.l1), (2, &self.l2)];
        let n = if kind == Kind::Fetch { 1 } else { 2 };
        levels[..n].iter().any(|(level, arrays)| {
            arrays.iter().enumerate().any(|(number, tlb)| {
                let key = tlb.key(kind, size, va, tag);
                key.is_some_and(|key| {
                    tlb.array.holds(&key)
                        && (kind != Kind::Store || self.dirty.contains(&(*level, number, key)))
                })
            })
        })
    }

    /// Records a hit of level 1 or 2. The first store to a page sets the flags, unless the entry is known to be
    /// dirty. Returns whether the entry is known to be dirty.
    pub(super) fn hit(
        &mut self,
        level: u8,
        kind: Kind,
        (va, pid): (u64, u32),
        (size, guest): (PageSize, PageSize),
    ) -> bool {
        let tag = self.page_tag(va);
        let arrays = if level == 1 { &self.l1 } else { &self.l2 };
        let mut held = Vec::new();
        for (number, tlb) in arrays.iter().enumerate() {
            let key = tlb.key(kind, size, va, tag);
            held.extend(key.filter(|key| tlb.array.holds(key)).map(|key| (level, number, key)));
        }
        let is_known_dirty =
            held.iter().all(|entry| self.dirty.contains(entry)) && !held.is_empty();
        if kind != Kind::Store {
            return is_known_dirty;
        }
        if !is_known_dirty || !self.host_has_changed {
            self.set_dirty(kind, va, pid, guest);
        }
        self.dirty.extend(held);
        true
    }

    /// Records whether the entries of a fill are known to be dirty.
    pub(super) fn filled(&mut self, level: u8, kind: Kind, va: u64, size: PageSize, dirty: bool) {
        let tag = self.page_tag(va);
        let arrays = if level == 1 { &self.l1 } else { &self.l2 };
        let keys: Vec<_> = arrays
            .iter()
            .enumerate()
            .filter_map(|(number, tlb)| Some((level, number, tlb.key(kind, size, va, tag)?)))
            .filter(|(_, number, key)| arrays[*number].array.holds(key))
            .collect();
        for entry in keys {
            if dirty {
                self.dirty.insert(entry);
            } else {
                self.dirty.remove(&entry);
            }
        }
    }
}
