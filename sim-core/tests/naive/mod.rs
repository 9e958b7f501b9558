//! A second simulator that is slow and obvious. It searches lists for sets, keeps page tables in a map, and
//! simulates every access separately. The two simulators share only the configuration types and the report.

#![allow(clippy::pedantic, reason = "brevity: this is a specification")]
#![allow(dead_code, reason = "each test program uses a part of this module")]

mod array;
pub(crate) mod pom;
pub(crate) mod victima;
pub(crate) mod ecpt;
mod given;
mod geometry;
pub(crate) mod compare;
pub(crate) mod host;
mod host_ops;
mod host_os;
mod levels;
pub(crate) mod machines;
mod ops;
pub(crate) mod prefetch;
pub(crate) mod shadow;
mod tlb;
mod translate;
mod vms;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use array::Array;
use geometry::Geometry;
use host::{Frames, Host};
use tlb::Tlb;
use walk::{prefix, size_in};

use pagewalk::caches::policy::Policy;
use pagewalk::caches::psc::WalkCache;
use pagewalk::caches::tlb::{ArrayConfig, Index};
use pagewalk::config::MachineConfig;
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
    caches: Vec<(Vec<Vec<u64>>, usize, u64)>,
    /// The translations behind level 2.
    pub(crate) pom_tlb: Option<pom::PomTlb>,
    /// The second memory cache of the running core, if it holds TLB blocks. `caches` does not have it then.
    blocks: Option<victima::Blocks>,
    pub(crate) victima: Option<victima::Victima>,
    /// The hashed page tables, which walks read instead of `tables`.
    pub(crate) ecpt: Option<ecpt::Tables>,
    /// The process and the tag of the current translation.
    current: (u32, u32),
    /// The address of the table for (process, level, prefix).
    tables: BTreeMap<(u32, u8, u64), u64>,
    /// The mapped pages by (process, number, log2 of size).
    mapped: BTreeMap<(u32, u64, u32), Mapped>,
    accessed: BTreeMap<u64, ()>,
    /// The memory, if its size is limited or its contents are given.
    memory: Option<given::Memory>,
    /// The processes that have their given pages.
    begun: Vec<u32>,
    /// The number of accesses that ended because their page was not given.
    pub(crate) ended: u64,
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
    /// The prefetcher of TLB entries of the running core.
    pub(crate) prefetcher: Option<prefetch::Prefetcher>,
    /// Whether the translation is of a prefetch that the program executes.
    is_prefetching: bool,
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
        let paging = Geometry::new(config.geometry().unwrap());
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
        if let Some(ecpt) = &config.ecpt {
            for (level, name, entries) in
                [(2, "PMD walk cache", ecpt.pmd_cwc), (3, "PUD walk cache", ecpt.pud_cwc)]
            {
                if entries > 0 {
                    psc_of.insert(level, psc.len());
                    psc.push(Array::new(entries, None, Policy::Lru, Index::LowBits));
                    psc_in.push(None);
                    psc_counts.push((name.to_owned(), 0, 0));
                }
            }
        }
        let caches = config.memory.caches.iter().map(|c| {
            let line = c.line.map_or(64, u64::from);
            let lines = pagewalk_base::addr::parse_size(&c.size).unwrap() / line;
            let ways = c.ways.map_or(lines, u64::from);
            (vec![Vec::new(); (lines / ways) as usize], ways as usize, line)
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
            pom_tlb: pom::PomTlb::new(config, &paging),
            blocks: victima::Blocks::new(config),
            victima: victima::Victima::new(config, &paging.sizes()),
            ecpt: config.ecpt.map(ecpt::Tables::new),
            current: (0, 0),
            tables: BTreeMap::new(),
            mapped: BTreeMap::new(),
            accessed: BTreeMap::new(),
            memory: given::Memory::new(&paging, os),
            begun: Vec::new(),
            ended: 0,
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
            prefetcher: config.tlb_prefetch.as_ref().map(prefetch::Prefetcher::new),
            is_prefetching: false,
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
        std::mem::swap(&mut self.prefetcher, &mut next.prefetcher);
        std::mem::swap(&mut self.pcids, &mut next.pcids);
        std::mem::swap(&mut self.vms.core, &mut next.vms.core);
        self.enter_vm();
        let n_private = self.caches.len().saturating_sub(1);
        self.caches[..n_private].swap_with_slice(&mut next.caches[..n_private]);
        if self.caches.len() > 2 {
            std::mem::swap(&mut self.blocks, &mut next.blocks);
        }
        self.parked.insert(self.core, next);
        self.core = core;
    }

    /// Returns the lookups, hits, misses, fills, evictions and invalidations of each array, summed over all cores.
    pub(crate) fn counts_of_all_cores(&self) -> Vec<[u64; 6]> {
        let mut sums = vec![[0; 6]; self.arrays().count()];
        for core in self.parked.values().chain([self]) {
            for (sum, array) in sums.iter_mut().zip(core.arrays()) {
                let hits_and_misses = [array.lookups, array.hits, array.misses];
                let changes = [array.fills, array.evictions, array.invalidations];
                for (sum, n) in sum.iter_mut().zip(hits_and_misses.into_iter().chain(changes)) {
                    *sum += n;
                }
            }
        }
        sums
    }

    pub(crate) fn access(&mut self, access: &Access) {
        let address = self.paging.without_tag(access.kind.is_fetch(), access.address);
        let access = &Access { pid: self.own(access.pid), address, ..*access };
        self.run_process(access.pid);
        self.begin(access.pid);
        let last = access.address.saturating_add(u64::from(access.size.max(1)) - 1);
        if !self.paging.has(access.address) || !self.paging.has(last) {
            self.untranslated += u64::from(access.kind != Kind::Prefetch);
            self.index += 1;
            return;
        }
        let access = &Access { pid: self.owner_of(access.pid, access.address), ..*access };
        if access.kind != Kind::Prefetch && self.is_not_given(access, last) {
            self.ended += 1;
            self.index += 1;
            return;
        }
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
        if self.config.memory.data {
            self.read_data((access.address, last), access.pid);
        }
        self.prefetch_translations(access, size);
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
        let pom_tlb = self.pom_tlb.as_ref().map(pom::PomTlb::costs);
        let (served, host_refs) = (self.served.clone(), self.host.as_ref().map(|host| host.refs));
        let [load, prefetch] = [Kind::Load, Kind::Prefetch].map(Kind::index);
        self.kinds.swap(load, prefetch);
        self.is_prefetching = true;
        let size = self.translate(Kind::Load, address, pid);
        self.is_prefetching = false;
        self.kinds.swap(load, prefetch);
        (self.l2_cycles, self.l2_miss_cycles, self.walk_cycles) = cycles;
        (self.refs, self.ad_updates) = counts;
        self.served = served;
        if let (Some(pom_tlb), Some(costs)) = (&mut self.pom_tlb, pom_tlb) {
            pom_tlb.set_costs(costs);
        }
        if let (Some(host), Some(refs)) = (&mut self.host, host_refs) {
            host.refs = refs;
        }
        size
    }

    fn size_at(&self, va: u64) -> PageSize {
        size_in(&self.os, &self.paging, va)
    }

    pub(crate) fn arrays(&self) -> impl Iterator<Item = &Array> {
        self.l1.iter().chain(&self.l2).map(|t| &t.array)
    }

    /// Returns the number of the guest's tables, or of all tables of a native machine.
    pub(crate) fn n_tables(&self) -> u64 {
        if let Some(ecpt) = &self.ecpt {
            return ecpt.bytes().div_ceil(4096);
        }
        self.shadow.as_ref().map_or(self.tables.len() as u64, shadow::Shadow::n_tables)
    }

    pub(crate) fn n_shadow_tables(&self) -> u64 {
        self.tables.len() as u64
    }
}
