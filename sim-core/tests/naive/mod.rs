//! A second simulator that is slow and obvious. It searches lists for sets, keeps page tables in a map, and
//! simulates every access separately. The two simulators share only the configuration types and the report.

#![allow(clippy::pedantic, reason = "brevity: this is a specification")]
#![allow(dead_code, reason = "each test program uses a part of this module")]

mod array;
mod geometry;
pub(crate) mod compare;
pub(crate) mod host;
mod host_ops;
mod host_os;
mod levels;
pub(crate) mod machines;
mod ops;
pub(crate) mod shadow;
mod tlb;
mod vms;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use array::Array;
use geometry::Geometry;
use host::{Frames, Host};
use tlb::{Tlb, entries_of, lookup, run_size};
use walk::{prefix, size_in};

use pagewalk::caches::policy::Policy;
use pagewalk::caches::psc::WalkCache;
use pagewalk::caches::tlb::{ArrayConfig, Index};
use pagewalk::config::{Inclusion, MachineConfig};
use pagewalk::os::{OsConfig, Virt};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind};

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) translations: u64,
    pub(crate) l1_hits: u64,
    pub(crate) l2_hits: u64,
    pub(crate) walks: u64,
}

struct Mapped {
    dirty: bool,
    /// The number of the page in its pool: how many pages of its size were mapped before.
    frame: u64,
    /// The physical address; under a host the guest-physical address.
    address: u64,
}

pub(crate) struct Naive {
    config: MachineConfig,
    os: OsConfig,
    paging: Geometry,
    l1: Vec<Tlb>,
    l2: Vec<Tlb>,
    /// The number of the cache with the entries that lead to the tables of each level.
    psc_of: BTreeMap<u8, usize>,
    psc: Vec<Array>,
    /// The level-2 array that holds the entries of each cache, if any.
    psc_in: Vec<Option<usize>>,
    pub(crate) psc_counts: Vec<(String, u64, u64)>,
    caches: Vec<(Vec<Vec<u64>>, usize)>,
    /// The address of the table for (process, level, prefix).
    tables: BTreeMap<(u32, u8, u64), u64>,
    /// The mapped pages by (process, number, log2 of size).
    mapped: BTreeMap<(u32, u64, u32), Mapped>,
    accessed: BTreeMap<u64, ()>,
    /// The frames of each virtual machine, by its number.
    frames: BTreeMap<u32, Frames>,
    pub(crate) host: Option<Host>,
    /// The shadow paging of the machine. With it, `tables` and `mapped` belong to the shadow table.
    pub(crate) shadow: Option<shadow::Shadow>,
    /// The counts of each kind of access. Prefetches are the last.
    pub(crate) kinds: [Counts; 4],
    pub(crate) refs: u64,
    pub(crate) faults: u64,
    pub(crate) ad_updates: u64,
    pub(crate) l2_cycles: u64,
    pub(crate) l2_miss_cycles: u64,
    pub(crate) walk_cycles: u64,
    pub(crate) served: Vec<u64>,
    /// The arrays, walk caches and private memory caches of the inactive cores.
    parked: BTreeMap<u32, Naive>,
    core: u32,
    /// The number of accesses until now.
    index: u64,
    /// The processes in order of appearance.
    order: Vec<u32>,
    pcids: ops::Pcids,
    vms: vms::Vms,
    pub(crate) switches: u64,
    /// The numbers of translations and of table entries that operations dropped.
    pub(crate) dropped: (u64, u64),
    /// Whether an operation of the host has changed its tables.
    host_has_changed: bool,
    /// The number of accesses that misconfigured entries of the host ended.
    pub(crate) misconfigurations: u64,
    /// The number of accesses to addresses that the machine does not translate.
    pub(crate) untranslated: u64,
    /// The TLB entries that are known to be dirty: level, array, key.
    dirty: BTreeSet<(u8, usize, array::Key)>,
}

impl Naive {
    pub(crate) fn new(config: &MachineConfig, os: &OsConfig) -> Self {
        let paging = Geometry(config.geometry().unwrap());
        let tlbs = |list: &[ArrayConfig]| {
            list.iter().map(|a| Tlb::new(a, config, &paging)).collect::<Vec<_>>()
        };
        let own = |s: &pagewalk::caches::psc::CacheShape| {
            Array::new(s.entries, s.ways, s.replacement, Index::LowBits)
        };
        let (mut psc, mut psc_of, mut psc_counts, mut psc_in) =
            (Vec::new(), BTreeMap::new(), Vec::new(), Vec::new());
        for (levels, name, cache) in
            [(&[1, 2, 3, 4][..], "unified", &config.psc.unified), (&[1], "pde", &config.psc.pde)]
        {
            let Some(cache) = cache else { continue };
            psc_of.extend(levels.iter().map(|level| (*level, 0)));
            psc_counts.push((name.to_owned(), 0, 0));
            let (array, inside) = match cache {
                WalkCache::Own(shape) => (own(shape), None),
                WalkCache::In(place) => (
                    Array::new(1, None, Policy::Lru, Index::LowBits),
                    config.l2.iter().position(|a| a.name == place.array),
                ),
            };
            psc.push(array);
            psc_in.push(inside);
        }
        let p = &config.psc;
        for (levels, name, shape) in [
            (&[2, 3][..], "upper", &p.upper),
            (&[2], "pdpte", &p.pdpte),
            (&[3], "pml4e", &p.pml4e),
            (&[4], "pml5e", &p.pml5e),
        ] {
            if let Some(shape) = shape {
                for level in levels {
                    psc_of.insert(*level, psc.len());
                }
                psc.push(own(shape));
                psc_in.push(None);
                psc_counts.push((name.to_owned(), 0, 0));
            }
        }
        let caches = config.memory.caches.iter().map(|c| {
            let lines = pagewalk_base::addr::parse_size(&c.size).unwrap() / 64;
            let ways = c.ways.map_or(lines, u64::from);
            (vec![Vec::new(); (lines / ways) as usize], ways as usize)
        });
        let host = (os.virt == Virt::Ept).then(|| Host::new(config, os));
        if host.as_ref().is_some_and(|host| !host.is_combined()) {
            psc_counts.clear();
        }
        Self {
            l1: tlbs(&config.l1),
            l2: tlbs(&config.l2),
            psc_of,
            psc,
            psc_in,
            psc_counts,
            caches: caches.collect(),
            tables: BTreeMap::new(),
            mapped: BTreeMap::new(),
            accessed: BTreeMap::new(),
            frames: BTreeMap::new(),
            host,
            shadow: (os.virt == Virt::Shadow).then(|| shadow::Shadow::new(os)),
            kinds: Default::default(),
            refs: 0,
            faults: 0,
            ad_updates: 0,
            l2_cycles: 0,
            l2_miss_cycles: 0,
            walk_cycles: 0,
            served: vec![0; config.memory.caches.len() + 1],
            parked: BTreeMap::new(),
            core: 0,
            index: 0,
            order: Vec::new(),
            pcids: ops::Pcids::new(config),
            vms: vms::Vms::new(config, os),
            switches: 0,
            dropped: (0, 0),
            host_has_changed: false,
            misconfigurations: 0,
            untranslated: 0,
            dirty: BTreeSet::new(),
            paging,
            config: config.clone(),
            os: os.clone(),
        }
    }

    /// Switches to a core. New cores begin with empty arrays.
    pub(crate) fn enter_core(&mut self, core: u32) {
        let mut next = match self.parked.remove(&core) {
            Some(parked) => parked,
            None if core == self.core => return,
            None => Naive::new(&self.config, &self.os),
        };
        std::mem::swap(&mut self.l1, &mut next.l1);
        std::mem::swap(&mut self.l2, &mut next.l2);
        std::mem::swap(&mut self.psc, &mut next.psc);
        std::mem::swap(&mut self.pcids, &mut next.pcids);
        std::mem::swap(&mut self.vms.core, &mut next.vms.core);
        self.enter_vm();
        let n_private = self.caches.len().saturating_sub(1);
        self.caches[..n_private].swap_with_slice(&mut next.caches[..n_private]);
        self.parked.insert(self.core, next);
        self.core = core;
    }

    /// Returns the lookups, hits, fills, evictions and invalidations of each array, summed over all cores.
    pub(crate) fn counts_of_all_cores(&self) -> Vec<(u64, u64, u64, u64, u64)> {
        let mut sums = vec![(0, 0, 0, 0, 0); self.arrays().count()];
        for core in self.parked.values().chain([self]) {
            for (sum, array) in sums.iter_mut().zip(core.arrays()) {
                sum.0 += array.lookups;
                sum.1 += array.hits;
                sum.2 += array.fills;
                sum.3 += array.evictions;
                sum.4 += array.invalidations;
            }
        }
        sums
    }

    pub(crate) fn access(&mut self, access: &Access) {
        let address = self.paging.without_tag(access.kind.is_fetch(), access.address);
        let access = &Access { pid: self.own(access.pid), address, ..*access };
        self.run_process(access.pid);
        let last = access.address.saturating_add(u64::from(access.size.max(1)) - 1);
        if !self.paging.has(access.address) || !self.paging.has(last) {
            self.untranslated += u64::from(access.kind != Kind::Prefetch);
            self.index += 1;
            return;
        }
        let access = &Access { pid: self.owner_of(access.pid, access.address), ..*access };
        if !self.check_pages(access) {
            self.index += 1;
            return;
        }
        let served = if access.kind == Kind::Prefetch { Kind::Load } else { access.kind };
        let translate = |naive: &mut Self, address| match access.kind {
            Kind::Prefetch => naive.prefetch(address, access.pid),
            kind => naive.translate(kind, address, access.pid),
        };
        let size = translate(self, access.address);
        // The piece of the page that one entry covers, in the first array that holds the page.
        let tag = self.page_tag(access.address);
        let held = |tlb: &Tlb| {
            tlb.key(served, size, access.address, tag).map(|key| PageSize::parse(&key.0).unwrap())
        };
        let reach = self.l1.iter().chain(&self.l2).find_map(held).unwrap_or(size);
        if last >> reach.shift() != access.address >> reach.shift() {
            translate(self, last);
        }
        self.exit_if_log_was_full();
        self.index += 1;
    }

    /// Translates a prefetch like a load, if the page is mapped, and fills. Its references and cycles are not
    /// counted, and its translations have separate counters.
    fn prefetch(&mut self, address: u64, pid: u32) -> PageSize {
        let guest = self.size_at(address);
        let va = address & self.paging.va_mask();
        let page = self.mapped.get(&(pid, va >> guest.shift(), guest.shift()));
        let data = page.map(|page| page.address + va % guest.bytes());
        if !data.is_some_and(|data| self.host.as_ref().is_none_or(|host| host.has(data))) {
            return self.paging.sizes()[0];
        }
        let cycles = (self.l2_cycles, self.l2_miss_cycles, self.walk_cycles);
        let counts = (self.refs, self.ad_updates);
        let (served, host_refs) = (self.served.clone(), self.host.as_ref().map(|host| host.refs));
        let [load, prefetch] = [Kind::Load, Kind::Prefetch].map(Kind::index);
        self.kinds.swap(load, prefetch);
        let size = self.translate(Kind::Load, address, pid);
        self.kinds.swap(load, prefetch);
        (self.l2_cycles, self.l2_miss_cycles, self.walk_cycles) = cycles;
        (self.refs, self.ad_updates) = counts;
        self.served = served;
        if let (Some(host), Some(refs)) = (&mut self.host, host_refs) {
            host.refs = refs;
        }
        size
    }

    fn size_at(&self, va: u64) -> PageSize {
        size_in(&self.os, &self.paging, va)
    }

    /// Translates an address. Returns the size of the page as the TLB holds it.
    fn translate(&mut self, kind: Kind, address: u64, pid: u32) -> PageSize {
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
        self.kinds[k].translations += 1;
        let run = self.config.coalescing.get(&size).map(|n| run_size(size, *n));
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
            return size;
        }
        let starts_at_l2 = !self.l1.iter().any(|t| t.serves.contains(&kind));
        let exclusive = self.config.inclusion == Inclusion::Exclusive;
        let mut held = size;
        let dirty;
        if let Some(found) = lookup(&mut self.l2, kind, (size, run), va, tag) {
            held = found;
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
        } else {
            self.kinds[k].walks += 1;
            if !starts_at_l2 && self.l2.iter().any(|tlb| tlb.serves.contains(&kind)) {
                self.l2_miss_cycles += u64::from(self.config.latency.l2_hit.of(kind));
            }
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
        let victim = self.l1[first].fill(key);
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
    fn held_at(&self, va: u64, pid: u32) -> PageSize {
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
    fn lies_together(&self, va: u64, pid: u32, leaf: u8, size: PageSize, run: PageSize) -> bool {
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

    pub(crate) fn arrays(&self) -> impl Iterator<Item = &Array> {
        self.l1.iter().chain(&self.l2).map(|t| &t.array)
    }

    /// Returns the number of the guest's tables, or of all tables of a native machine.
    pub(crate) fn n_tables(&self) -> u64 {
        self.shadow.as_ref().map_or(self.tables.len() as u64, shadow::Shadow::n_tables)
    }

    pub(crate) fn n_shadow_tables(&self) -> u64 {
        self.tables.len() as u64
    }
}
