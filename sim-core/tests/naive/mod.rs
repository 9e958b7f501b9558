//! A second simulator, as slow and as obvious as it can be said: lists for sets,
//! searched from end to end, a map for the page tables, every access by itself.
//! It shares only the configuration types and the report with the real one.

#![allow(clippy::pedantic, reason = "brevity: this is a specification")]

mod array;

use std::collections::BTreeMap;

use array::{Array, Key};

use pagewalk::addr::{PageSize, Paging};
use pagewalk::config::MachineConfig;
use pagewalk::os::OsConfig;
use pagewalk::policy::Policy;
use pagewalk::psc::PdeCache;
use pagewalk::tlb::{ArrayConfig, Index};
use pagewalk::trace::{Access, Kind};

struct Tlb {
    array: Array,
    serves: Vec<Kind>,
    pages: Vec<PageSize>,
    fragments: Vec<PageSize>,
}

impl Tlb {
    fn new(config: &ArrayConfig, paging: &Paging) -> Self {
        Self {
            array: Array::new(config.entries, config.ways, config.replacement, config.index),
            serves: config.serves.clone().unwrap_or(Kind::SERVED.to_vec()),
            pages: config.pages.clone().unwrap_or(paging.sizes()),
            fragments: config.fragments.clone().unwrap_or_default(),
        }
    }

    /// The key of the page if this array can hold it.
    fn key(&self, kind: Kind, size: PageSize, va: u64, pid: u32) -> Option<Key> {
        let kept = if self.pages.contains(&size) {
            size
        } else if self.fragments.contains(&size) {
            *self.pages.iter().filter(|p| **p < size).max()?
        } else {
            return None;
        };
        self.serves.contains(&kind).then(|| (kept.to_string(), va >> kept.shift(), pid))
    }
}

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) translations: u64,
    pub(crate) l1_hits: u64,
    pub(crate) l2_hits: u64,
    pub(crate) walks: u64,
}

pub(crate) struct Naive {
    config: MachineConfig,
    os: OsConfig,
    paging: Paging,
    l1: Vec<Tlb>,
    l2: Vec<Tlb>,
    /// By level of the table that an entry leads to: cache number.
    psc_of: BTreeMap<u8, usize>,
    psc: Vec<Array>,
    pde_in: Option<usize>,
    pub(crate) psc_counts: Vec<(String, u64, u64)>,
    caches: Vec<(Vec<Vec<u64>>, usize)>,
    /// Address of the table for (process, level, prefix).
    tables: BTreeMap<(u32, u8, u64), u64>,
    mapped: BTreeMap<(u32, u64, u32), [bool; 2]>,
    accessed: BTreeMap<u64, ()>,
    pub(crate) kinds: [Counts; 3],
    pub(crate) refs: u64,
    pub(crate) faults: u64,
    pub(crate) ad_updates: u64,
    pub(crate) l2_cycles: u64,
    pub(crate) walk_cycles: u64,
    pub(crate) served: Vec<u64>,
}

impl Naive {
    pub(crate) fn new(config: &MachineConfig, os: &OsConfig) -> Self {
        let paging = config.geometry().unwrap();
        let tlbs =
            |list: &[ArrayConfig]| list.iter().map(|a| Tlb::new(a, &paging)).collect::<Vec<_>>();
        let own = |s: &pagewalk::psc::CacheShape| {
            Array::new(s.entries, s.ways, s.replacement, Index::LowBits)
        };
        let (mut psc, mut psc_of, mut psc_counts, mut pde_in) =
            (Vec::new(), BTreeMap::new(), Vec::new(), None);
        match &config.psc.pde {
            None => {}
            Some(PdeCache::Own(shape)) => {
                psc_of.insert(1, 0);
                psc.push(own(shape));
                psc_counts.push(("pde".to_owned(), 0, 0));
            }
            Some(PdeCache::In(place)) => {
                psc_of.insert(1, 0);
                pde_in = config.l2.iter().position(|a| a.name == place.array);
                psc.push(Array::new(1, None, Policy::Lru, Index::LowBits));
                psc_counts.push(("pde".to_owned(), 0, 0));
            }
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
                psc_counts.push((name.to_owned(), 0, 0));
            }
        }
        let caches = config.memory.caches.iter().map(|c| {
            let lines = pagewalk::addr::parse_size(&c.size).unwrap() / 64;
            let ways = c.ways.map_or(lines, u64::from);
            (vec![Vec::new(); (lines / ways) as usize], ways as usize)
        });
        Self {
            l1: tlbs(&config.l1),
            l2: tlbs(&config.l2),
            psc_of,
            psc,
            pde_in,
            psc_counts,
            caches: caches.collect(),
            tables: BTreeMap::new(),
            mapped: BTreeMap::new(),
            accessed: BTreeMap::new(),
            kinds: Default::default(),
            refs: 0,
            faults: 0,
            ad_updates: 0,
            l2_cycles: 0,
            walk_cycles: 0,
            served: vec![0; config.memory.caches.len() + 1],
            paging,
            config: config.clone(),
            os: os.clone(),
        }
    }

    pub(crate) fn access(&mut self, access: &Access) {
        let size = self.size_at(access.address);
        self.translate(access.kind, access.address, access.pid);
        let last = access.address + u64::from(access.size.max(1)) - 1;
        // The piece of the page that one entry covers, in the first array that keeps it.
        let pid = access.pid;
        let held = |tlb: &Tlb| {
            tlb.key(access.kind, size, access.address, pid)
                .map(|key| PageSize::parse(&key.0).unwrap())
        };
        let reach = self.l1.iter().chain(&self.l2).find_map(held).unwrap_or(size);
        if last >> reach.shift() != access.address >> reach.shift() {
            self.translate(access.kind, last, access.pid);
        }
    }

    /// The largest size, not above the region's, of which a whole page lies in the region (or in the gap).
    fn size_at(&self, va: u64) -> PageSize {
        let region = self.os.regions.iter().find(|r| (r.start.0..r.end.0).contains(&va));
        let (start, end, wanted) = match region {
            Some(r) => (r.start.0, r.end.0, r.pages),
            None => {
                let start =
                    self.os.regions.iter().map(|r| r.end.0).filter(|e| *e <= va).max().unwrap_or(0);
                let end = self
                    .os
                    .regions
                    .iter()
                    .map(|r| r.start.0)
                    .filter(|s| *s > va)
                    .min()
                    .unwrap_or(u64::MAX);
                (start, end, self.os.default)
            }
        };
        let fits = |size: &PageSize| {
            let first = va >> size.shift() << size.shift();
            first >= start && (end == u64::MAX || first + size.bytes() <= end)
        };
        let sizes = self.paging.sizes();
        *sizes.iter().rev().filter(|s| **s <= wanted).find(|s| fits(s)).unwrap_or(&sizes[0])
    }

    fn translate(&mut self, kind: Kind, address: u64, pid: u32) {
        let size = self.size_at(address);
        let leaf = self.paging.leaf_level(size).unwrap();
        let va = address & self.paging.va_mask();
        let k = kind.index();
        self.kinds[k].translations += 1;
        if lookup(&mut self.l1, kind, size, va, pid) {
            self.kinds[k].l1_hits += 1;
            self.set_dirty(kind, va, pid, size);
            return;
        }
        let starts_at_l2 = !self.l1.iter().any(|t| t.serves.contains(&kind));
        if lookup(&mut self.l2, kind, size, va, pid) {
            self.kinds[k].l2_hits += 1;
            self.l2_cycles +=
                if starts_at_l2 { 0 } else { u64::from(self.config.latency.l2_hit.of(kind)) };
            self.set_dirty(kind, va, pid, size);
        } else {
            self.kinds[k].walks += 1;
            self.walk(va, pid, leaf, size);
            self.set_dirty(kind, va, pid, size);
            let takers: Vec<usize> = (0..self.l2.len())
                .filter(|i| self.l2[*i].key(kind, size, va, pid).is_some())
                .collect();
            if let Some(first) = takers.first() {
                let number = self.l2[*first].key(kind, size, va, pid).unwrap().1;
                let sets = self.l2[*first].array.sets.len() as u64;
                let taker = takers[(number / sets % takers.len() as u64) as usize];
                let key = self.l2[taker].key(kind, size, va, pid).unwrap();
                self.l2[taker].array.fill(key);
            }
        }
        if let Some(tlb) = self.l1.iter_mut().find(|t| t.key(kind, size, va, pid).is_some()) {
            let key = tlb.key(kind, size, va, pid).unwrap();
            tlb.array.fill(key);
        }
    }

    fn walk(&mut self, va: u64, pid: u32, leaf: u8, size: PageSize) {
        self.map(va, pid, leaf, size);
        let levels = self.paging.n_levels();
        let mut level = levels;
        for to in leaf..levels {
            let Some(cache) = self.psc_of.get(&to).copied() else { continue };
            let key = (format!("table {to}"), va >> self.paging.shift(to + 1), pid);
            let array = match (to, self.pde_in) {
                (1, Some(l2)) => &mut self.l2[l2].array,
                _ => &mut self.psc[cache],
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
            let entry = table + 8 * self.paging.index(va, level);
            self.refs += 1;
            self.walk_cycles += self.read(entry);
            if self.accessed.insert(entry, ()).is_none() {
                self.ad_updates += 1;
            }
            if level == leaf {
                return;
            }
            level -= 1;
            if let Some(cache) = self.psc_of.get(&level).copied() {
                let key = (format!("table {level}"), va >> self.paging.shift(level + 1), pid);
                match (level, self.pde_in) {
                    (1, Some(l2)) => self.l2[l2].array.fill(key),
                    _ => self.psc[cache].fill(key),
                }
            }
        }
    }

    /// First touch: a fault, and the tables that are missing, from the top.
    fn map(&mut self, va: u64, pid: u32, leaf: u8, size: PageSize) {
        let page = (pid, va >> size.shift(), size.shift());
        if self.mapped.contains_key(&page) {
            return;
        }
        self.faults += 1;
        self.mapped.insert(page, [false; 2]);
        for level in (leaf..=self.paging.n_levels()).rev() {
            let n = self.tables.len() as u64;
            self.tables
                .entry((pid, level, prefix(&self.paging, va, level)))
                .or_insert(0x20_0000 + 4096 * n);
        }
    }

    fn set_dirty(&mut self, kind: Kind, va: u64, pid: u32, size: PageSize) {
        if kind == Kind::Store {
            let flags = self.mapped.get_mut(&(pid, va >> size.shift(), size.shift())).unwrap();
            self.ad_updates += u64::from(!flags[0]);
            flags[0] = true;
        }
    }

    /// Cycles of a read through the caches.
    fn read(&mut self, address: u64) -> u64 {
        let line = address / 64;
        for (number, (sets, ways)) in self.caches.iter_mut().enumerate() {
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

    pub(crate) fn arrays(&self) -> impl Iterator<Item = &Array> {
        self.l1.iter().chain(&self.l2).map(|t| &t.array)
    }

    pub(crate) fn n_tables(&self) -> u64 {
        self.tables.len() as u64
    }
}

/// Looks a level up in all its arrays that serve the kind.
fn lookup(level: &mut [Tlb], kind: Kind, size: PageSize, va: u64, pid: u32) -> bool {
    let mut hit = false;
    for tlb in level.iter_mut().filter(|t| t.serves.contains(&kind)) {
        tlb.array.lookups += 1;
        if let Some(key) = tlb.key(kind, size, va, pid) {
            if tlb.array.lookup(&key) {
                tlb.array.hits += 1;
                hit = true;
            }
        }
    }
    hit
}

fn prefix(paging: &Paging, va: u64, level: u8) -> u64 {
    if level == paging.n_levels() { 0 } else { va >> paging.shift(level + 1) }
}
