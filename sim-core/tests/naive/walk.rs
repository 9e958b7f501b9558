//! Naive native walks and first touches, and the memory caches for reads of tables.

use super::geometry::Geometry;
use super::tlb::entries_of;
use super::{Mapped, Naive};

use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk_base::addr::{PageSize, Paging};
use pagewalk_base::trace::Kind;

impl Naive {
    pub(super) fn walk(&mut self, va: u64, pid: u32, leaf: u8, size: PageSize) {
        if self.ecpt.is_some() {
            return self.walk_ecpt(va, pid, leaf);
        }
        let levels = self.paging.n_levels();
        let mut level = levels;
        for to in leaf..levels {
            let Some(cache) = self.psc_of.get(&to).copied() else { continue };
            let key = (format!("table {to}"), va >> self.paging.shift(to + 1), self.tag());
            let array = match self.psc_in[cache] {
                Some(l2) => &mut self.l2[l2].array,
                None => &mut self.psc[cache],
            };
            self.psc_counts[cache].1 += 1;
            if array.lookup(&key) {
                self.psc_counts[cache].2 += 1;
                level = to;
                break;
            }
        }
        self.walk_cycles += u64::from(self.config.latency.walk_overhead);
        loop {
            let table = self.tables[&(pid, level, prefix(&self.paging, va, level))];
            let one = u64::from(self.paging.entry_bytes);
            let entry = table + one * self.paging.index(va, level);
            self.refs += 1;
            self.walk_cycles += self.read(entry);
            // The entries of a contiguous page share one flag.
            let bytes = if level == leaf { one * entries_of(&self.paging, size).1 } else { one };
            let records = self.records_use(level > leaf);
            if records && self.accessed.insert(self.flag_of(entry / bytes * bytes), ()).is_none() {
                self.ad_updates += 1;
            }
            if level == leaf {
                return;
            }
            level -= 1;
            self.remember(level, va);
        }
    }

    /// Stores the entry that leads to the table of `level` in its walk cache.
    pub(super) fn remember(&mut self, level: u8, va: u64) {
        let Some(cache) = self.psc_of.get(&level).copied() else { return };
        let key = (format!("table {level}"), va >> self.paging.shift(level + 1), self.tag());
        match self.psc_in[cache] {
            Some(l2) => {
                let victim = self.l2[l2].array.fill(key);
                self.has_left_l2(l2, victim);
            }
            None => drop(self.psc[cache].fill(key)),
        }
    }

    /// Handles a first touch: a fault, and the missing tables from the top down.
    pub(super) fn map(&mut self, va: u64, pid: u32, leaf: u8, size: PageSize) {
        let page = (pid, va >> size.shift(), size.shift());
        if self.mapped.contains_key(&page) {
            return;
        }
        self.faults += 1;
        let frame = self.mapped.keys().filter(|(_, _, shift)| *shift == size.shift()).count();
        // The root comes before the page, the other tables after it.
        if self.memory.is_some() {
            self.make_tables(va, pid, self.paging.n_levels());
        }
        let address = match &mut self.memory {
            Some(memory) => memory.take_page(size),
            None => self.frames.entry(self.vms.core.vm).or_default().take(size),
        };
        self.mapped.insert(page, Mapped { dirty: false, frame: frame as u64, address });
        if let Some(ecpt) = &mut self.ecpt {
            ecpt.map(pid, leaf, va);
        }
        self.make_tables(va, pid, leaf);
    }

    /// Creates the missing tables on the way to an address, from the top down.
    pub(super) fn make_tables(&mut self, va: u64, pid: u32, leaf: u8) {
        for level in (leaf..=self.paging.n_levels()).rev() {
            let place = (pid, level, prefix(&self.paging, va, level));
            if self.tables.contains_key(&place) {
                continue;
            }
            let n = self.n_tables_of_vm();
            let widest = (1..=self.paging.n_levels()).map(|l| self.paging.bits(l)).max().unwrap();
            let bytes = (8u64 << widest).max(4096);
            let at = match &mut self.memory {
                Some(memory) => memory.take_table(&self.paging),
                None => 0x20_0000 + bytes * n,
            };
            self.tables.insert(place, at);
        }
    }

    pub(super) fn set_dirty(&mut self, kind: Kind, va: u64, pid: u32, size: PageSize) {
        if kind == Kind::Store {
            let records = self.records_use(false);
            let page = self.mapped.get_mut(&(pid, va >> size.shift(), size.shift())).unwrap();
            self.ad_updates += u64::from(!page.dirty && records);
            page.dirty = true;
            if let Some(host) = &mut self.host {
                host.write(page.address + va % size.bytes());
            }
        }
    }

    /// Reads the lines of an access on its first and on its last page: at most 64 of each. Nothing is counted.
    pub(super) fn read_data(&mut self, (first, last): (u64, u64), pid: u32) {
        let served = self.served.clone();
        let page_of = |naive: &Self, address: u64| {
            let size = naive.size_at(address).bytes();
            (address / size * size, (address / size * size).saturating_add(size - 1))
        };
        let end = page_of(self, first).1.min(last);
        let begin = page_of(self, last).0.max(end.saturating_add(1));
        for (from, to) in [(first, end), (begin, last)] {
            for line in (from / 64..=to / 64).take(64).filter(|_| from <= to) {
                let address = from.max(line * 64);
                let (size, va) = (self.size_at(address), address & self.paging.va_mask());
                let page = self.mapped.get(&(pid, va >> size.shift(), size.shift()));
                let Some(start) = page.map(|page| page.address) else { break };
                self.read(start + va % size.bytes());
            }
        }
        self.served = served;
    }

    /// Returns the cycles of a read through the caches.
    pub(super) fn read(&mut self, address: u64) -> u64 {
        self.read_from(0, address)
    }

    /// Returns the cycles of a read that does not look up the nearest cache.
    pub(super) fn read_behind_nearest(&mut self, address: u64) -> u64 {
        self.read_from(1, address)
    }

    fn read_from(&mut self, first: usize, address: u64) -> u64 {
        for (number, (sets, ways, bytes)) in self.caches.iter_mut().enumerate().skip(first) {
            let line = address / *bytes;
            if let Some(blocks) = self.blocks.as_mut().filter(|_| number == 1) {
                if blocks.read(line) {
                    self.served[number] += 1;
                    return u64::from(self.config.memory.caches[number].latency);
                }
                continue;
            }
            let n = sets.len() as u64;
            let set = &mut sets[(line % n) as usize];
            let found = set.iter().position(|l| *l == line);
            match found {
                Some(at) => drop(set.remove(at)),
                None if set.len() == *ways => drop(set.remove(0)),
                None => {}
            }
            set.push(line);
            if found.is_some() {
                self.served[number] += 1;
                return u64::from(self.config.memory.caches[number].latency);
            }
        }
        *self.served.last_mut().unwrap() += 1;
        u64::from(self.config.memory.dram)
    }
}

pub(super) fn prefix(paging: &Geometry, va: u64, level: u8) -> u64 {
    if level == paging.n_levels() {
        // Each half of Arm's addresses has its own root.
        va >> (paging.shift(level) + paging.bits(level))
    } else {
        va >> paging.shift(level + 1)
    }
}

/// Returns the largest size, at most the region's, for which the whole page around `va` is in the region (or in
/// the gap).
pub(super) fn size_in(os: &OsConfig, paging: &Paging, va: u64) -> PageSize {
    let region = os.regions.iter().find(|r| (r.start.0..r.end.0).contains(&va));
    let (start, end, wanted) = match region {
        Some(r) => (r.start.0, r.end.0, r.pages),
        None => {
            let start = os.regions.iter().map(|r| r.end.0).filter(|e| *e <= va).max().unwrap_or(0);
            let end =
                os.regions.iter().map(|r| r.start.0).filter(|s| *s > va).min().unwrap_or(u64::MAX);
            (start, end, os.default)
        }
    };
    let wanted = match wanted {
        PagePolicy::Fixed(wanted) => wanted,
        // Only khugepaged makes huge pages.
        PagePolicy::Thp if !os.thp.at_fault => paging.sizes()[0],
        _ => unreachable!("not compared"),
    };
    let fits = |size: &PageSize| {
        let first = va >> size.shift() << size.shift();
        first >= start && (end == u64::MAX || first + size.bytes() <= end)
    };
    let sizes = paging.sizes();
    *sizes.iter().rev().filter(|s| **s <= wanted).find(|s| fits(s)).unwrap_or(&sizes[0])
}
