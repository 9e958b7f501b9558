//! A naive host of a virtual machine. It does nested walks step by step, as in the architecture's manual: every
//! guest-physical address is translated before it is used.

mod nested_walk;

use std::collections::{BTreeMap, BTreeSet};

use super::array::{Array, Key};
use super::geometry::Geometry;
use super::host_os::HostEvents;
use super::walk::prefix;
use pagewalk::caches::policy::Policy;
use pagewalk::caches::psc::{CacheShape, WalkCache};
use pagewalk::caches::tlb::Index;
use pagewalk::caches::virt::{NestedTlb, VirtConfig, VirtStyle};
use pagewalk::config::MachineConfig;
use pagewalk::os::OsConfig;
use pagewalk_base::addr::{PageSize, Paging};

/// Assigns frames in order of first touch. Each page size takes frames from separate blocks of 2M, or of its
/// own size if that is larger.
#[derive(Default)]
pub(super) struct Frames {
    n_bytes: u64,
    /// For each log2 of a page size: the next free byte of its block, and the end of the block.
    open: BTreeMap<u32, (u64, u64)>,
}

impl Frames {
    pub(super) fn take(&mut self, size: PageSize) -> u64 {
        let block = size.bytes().max(2 << 20);
        let (next, end) = self.open.entry(size.shift()).or_default();
        if next == end {
            let from = (0x10_0000_0000 + self.n_bytes).next_multiple_of(block);
            self.n_bytes = from + block - 0x10_0000_0000;
            (*next, *end) = (from, from + block);
        }
        *next += size.bytes();
        *next - size.bytes()
    }
}

/// Returns whether the entry of an array translates a guest-physical page.
pub(super) fn is_host_page(key: &Key) -> bool {
    key.0.starts_with("host ")
}

/// Returns whether the entry translates this guest-physical address of a virtual machine.
pub(super) fn is_host_page_of(key: &Key, vm: u32, address: u64) -> bool {
    let size = key.0.strip_prefix("host ").and_then(PageSize::parse);
    size.is_some_and(|size| (key.1, key.2) == (address >> size.shift(), vm))
}

/// A cache with its counters.
pub(crate) struct Counted {
    pub(super) name: String,
    pub(super) array: Array,
    pub(super) counts: [u64; 2],
}

impl Counted {
    fn new(
        name: &str,
        entries: u32,
        ways: Option<u32>,
        policy: pagewalk::caches::policy::Policy,
    ) -> Self {
        let array = Array::new(entries, ways, policy, Index::LowBits);
        Self { name: name.to_owned(), array, counts: [0; 2] }
    }

    fn lookup(&mut self, key: &(String, u64, u32)) -> bool {
        let hit = self.array.lookup(key);
        self.counts[0] += 1;
        self.counts[1] += u64::from(hit);
        hit
    }

    /// Returns the name, lookups, hits, fills and evictions.
    pub(crate) fn row(&self) -> (String, [u64; 4]) {
        let [lookups, hits] = self.counts;
        (self.name.clone(), [lookups, hits, self.array.fills, self.array.evictions])
    }
}

pub(super) struct Page {
    frame: u64,
    dirty: bool,
    /// Whether the page is shared with others, so that it is copied before it is written.
    pub(super) shared: bool,
}

pub(crate) struct Host {
    virt: VirtConfig,
    pub(super) os: OsConfig,
    pub(super) paging: Geometry,
    pub(super) frames: Frames,
    /// The virtual machine of all guest-physical addresses.
    pub(super) vm: u32,
    /// The pages by (virtual machine, number, log2 of size).
    pub(super) pages: BTreeMap<(u32, u64, u32), Page>,
    pub(super) tables: BTreeMap<(u32, u8, u64), u64>,
    /// The tables that are not in use. The last one is used again first.
    pub(super) free: Vec<u64>,
    pub(super) accessed: BTreeSet<u64>,
    /// The blocks that khugepaged has made into huge pages. `collapsed` has the frames of those that are not mapped
    /// yet.
    pub(super) huge: BTreeSet<(u32, u64)>,
    pub(super) collapsed: BTreeMap<(u32, u64), u64>,
    /// The walks that ended in each block since khugepaged last ran.
    pub(super) walks: BTreeMap<(u32, u64), u64>,
    pub(super) due: u64,
    pub(super) draws: u64,
    pub(crate) done: HostEvents,
    pub(crate) tlb: Option<Counted>,
    /// If the nested TLB is inside an array of level 2: that array, and the page sizes that it holds.
    tlb_in: Option<(usize, Vec<PageSize>)>,
    /// The cache of the entries that lead to the tables of each level.
    pub(super) psc_of: BTreeMap<u8, usize>,
    pub(crate) psc: Vec<Counted>,
    pub(crate) pwc: Option<Counted>,
    pub(crate) refs: u64,
    pub(crate) violations: u64,
    pub(crate) flags: [u64; 2],
    pub(crate) log_full: u64,
    /// The number of entries in the log, for each virtual machine.
    log: BTreeMap<u32, u32>,
    /// The number of entries that operations dropped from all caches.
    pub(crate) dropped: u64,
    /// The flags of entries that operations have changed, by virtual machine, level and number.
    pub(super) changed: BTreeMap<(u32, u8, u64), u64>,
    /// The pages that operations have unmapped, with keys as in `pages`.
    pub(super) unmapped: BTreeSet<(u32, u64, u32)>,
    /// The keys of nested TLB entries that are known to be dirty.
    tlb_dirty: BTreeSet<Key>,
}

impl Host {
    pub(super) fn new(config: &MachineConfig, os: &OsConfig) -> Self {
        let virt = config.virt.clone().unwrap_or_default();
        let combined = matches!(virt.style, None | Some(VirtStyle::Combined));
        let of = virt.ept_psc.clone().unwrap_or_default();
        let pde = match of.pde {
            Some(WalkCache::Own(shape)) => Some(shape),
            _ => None,
        };
        let unified = match of.unified {
            Some(WalkCache::Own(shape)) => Some(shape),
            _ => None,
        };
        let (mut psc, mut psc_of) = (Vec::new(), BTreeMap::new());
        let caches: [(&[u8], &str, Option<CacheShape>); 6] = [
            (&[1, 2, 3, 4], "unified", unified),
            (&[1], "pde", pde),
            (&[2, 3], "upper", of.upper),
            (&[2], "pdpte", of.pdpte),
            (&[3], "pml4e", of.pml4e),
            (&[4], "pml5e", of.pml5e),
        ];
        for (levels, name, shape) in caches {
            let Some(shape) = shape.filter(|_| combined) else { continue };
            psc_of.extend(levels.iter().map(|level| (*level, psc.len())));
            psc.push(Counted::new(name, shape.entries, shape.ways, shape.replacement));
        }
        let own = os.host.as_deref().cloned().unwrap_or_default();
        let paging = Geometry::new(Paging::x86(virt.levels.unwrap_or(4)));
        let (tlb, tlb_in) = match &virt.nested_tlb {
            None => (None, None),
            Some(NestedTlb::Own(t)) => {
                (Some(Counted::new("nested_tlb", t.entries, t.ways, t.replacement)), None)
            }
            Some(NestedTlb::In(place)) => {
                let array = config.l2.iter().position(|a| a.name == place.array).unwrap();
                let sizes = place.pages.clone().unwrap_or_else(|| paging.sizes());
                let unused = Counted::new("nested_tlb", 1, None, Policy::Lru);
                (Some(unused), Some((array, sizes)))
            }
        };
        let pwc = virt.pwc.filter(|_| !combined);
        let pwc = pwc.map(|p| Counted::new("pwc", p.entries, p.ways, p.replacement));
        Self {
            due: own.thp.khugepaged.map_or(u64::MAX, |daemon| daemon.every.into()),
            draws: own.thp.seed.max(1),
            os: own,
            paging,
            virt,
            frames: Frames::default(),
            vm: 0,
            pages: BTreeMap::new(),
            tables: BTreeMap::new(),
            free: Vec::new(),
            accessed: BTreeSet::new(),
            huge: BTreeSet::new(),
            collapsed: BTreeMap::new(),
            walks: BTreeMap::new(),
            done: HostEvents::default(),
            tlb,
            tlb_in,
            psc_of,
            psc,
            pwc,
            refs: 0,
            violations: 0,
            flags: [0; 2],
            log_full: 0,
            log: BTreeMap::new(),
            dropped: 0,
            changed: BTreeMap::new(),
            unmapped: BTreeSet::new(),
            tlb_dirty: BTreeSet::new(),
        }
    }

    /// Returns whether the host's tables have accessed and dirty flags.
    pub(super) fn has_flags(&self) -> bool {
        self.virt.ad != Some(false)
    }

    pub(super) fn is_combined(&self) -> bool {
        matches!(self.virt.style, None | Some(VirtStyle::Combined))
    }

    /// Returns the size of the host's page around a guest-physical address.
    pub(super) fn size_at(&self, address: u64) -> PageSize {
        if self.huge.contains(&(self.vm, address >> 21)) {
            return PageSize::M2;
        }
        super::walk::size_in(&self.os, &self.paging, address)
    }

    /// Returns the key of a guest-physical address in the nested TLB, or `None` if it holds no page of that size.
    fn tlb_key(&self, address: u64) -> Option<Key> {
        let size = self.size_at(address);
        let Some((_, sizes)) = &self.tlb_in else {
            return Some((size.to_string(), address >> size.shift(), self.vm));
        };
        let smaller = sizes.iter().filter(|held| held.bytes() <= size.bytes());
        let held = smaller.max_by_key(|held| held.bytes())?;
        Some((format!("host {held}"), address >> held.shift(), self.vm))
    }

    /// Drops the cached entries of virtual machines for which `is_dropped` is true, and all entries of the page walk
    /// cache, which have no virtual machine.
    pub(super) fn drop_of(&mut self, is_dropped: impl Fn(u32) -> bool) {
        for cache in self.tlb.iter_mut().chain(&mut self.psc).chain(&mut self.pwc) {
            for way in cache.array.sets.iter_mut().flat_map(|(ways, _)| ways) {
                if way.as_ref().is_some_and(|(name, _, vm)| name == "entry" || is_dropped(*vm)) {
                    *way = None;
                    self.dropped += 1;
                }
            }
        }
    }

    /// Returns the virtual machine with the root table at an address.
    pub(super) fn vm_at(&self, root: u64) -> Option<u32> {
        let levels = self.paging.n_levels();
        let found = self.tables.iter().find(|(key, at)| key.1 == levels && **at == root);
        found.map(|(key, _)| key.0)
    }

    pub(crate) fn n_tables(&self) -> u64 {
        self.tables.len() as u64
    }

    /// Sets the dirty flag of the page of an address.
    pub(super) fn write(&mut self, address: u64) {
        if self.virt.ad == Some(false) {
            return;
        }
        let size = self.size_at(address);
        let page = self.pages.get_mut(&(self.vm, address >> size.shift(), size.shift())).unwrap();
        if page.dirty {
            return;
        }
        page.dirty = true;
        self.flags[1] += 1;
        if !self.is_combined() {
            return;
        }
        let log = self.log.entry(self.vm).or_default();
        if *log == 512 {
            self.log_full += 1;
            *log = 0;
        }
        *log += 1;
    }

    /// Returns whether the host has mapped a guest-physical address.
    pub(super) fn has(&self, address: u64) -> bool {
        let size = self.size_at(address);
        self.pages.contains_key(&(self.vm, address >> size.shift(), size.shift()))
    }

    /// Returns the host-physical address of a mapped guest-physical address.
    pub(super) fn address_of(&self, address: u64) -> u64 {
        let size = self.size_at(address);
        self.pages[&(self.vm, address >> size.shift(), size.shift())].frame + address % size.bytes()
    }

    /// Returns whether every page of the aligned group around an address is mapped, with consecutive frames
    /// from an aligned one on, and equal flags.
    pub(super) fn lies_together(&self, address: u64, size: PageSize, run: PageSize) -> bool {
        let first = address >> run.shift() << run.shift();
        let leaf = self.paging.leaf_level(size).unwrap();
        let pages = (first..first + run.bytes()).step_by(size.bytes() as usize).map(|at| {
            let page = self.pages.get(&(self.vm, at >> size.shift(), size.shift()))?;
            let table = self.tables[&(self.vm, leaf, prefix(&self.paging, at, leaf))];
            let entry = table + 8 * self.paging.index(at, leaf);
            Some((page.frame, page.dirty, self.accessed.contains(&entry)))
        });
        let Some(pages) = pages.collect::<Option<Vec<_>>>() else { return false };
        pages[0].0 % run.bytes() == 0
            && pages
                .windows(2)
                .all(|p| p[1].0 == p[0].0 + size.bytes() && (p[1].1, p[1].2) == (p[0].1, p[0].2))
    }

    pub(super) fn map(&mut self, address: u64, written: bool) {
        let size = self.size_at(address);
        let key = (self.vm, address >> size.shift(), size.shift());
        if self.pages.contains_key(&key) {
            return;
        }
        self.violations += 1;
        let collapsed = self.collapsed.remove(&(self.vm, address >> 21));
        let copies = self.copies_at(address);
        *match (collapsed, copies, written) {
            (Some(_), ..) | (None, true, false) => &mut self.done.in_memory,
            (None, true, true) => &mut self.done.copies,
            (None, false, _) => &mut self.done.first_touches,
        } += 1;
        let shared = collapsed.is_none() && copies && !written;
        let frame = collapsed.unwrap_or_else(|| self.frames.take(size));
        self.pages.insert(key, Page { frame, dirty: false, shared });
        let leaf = self.paging.leaf_level(size).unwrap();
        for level in (leaf..=self.paging.n_levels()).rev() {
            let key = (self.vm, level, prefix(&self.paging, address, level));
            if !self.tables.contains_key(&key) {
                let n = self.tables.len() as u64;
                let at = self.free.pop().unwrap_or(0x20_0000 + 4096 * n);
                self.tables.insert(key, at);
            }
        }
    }

    /// Looks up an entry in the page walk cache, and fills it after a miss if `keeps`. Returns whether it hit.
    fn pwc_has(&mut self, entry: u64, keeps: bool) -> bool {
        let Some(pwc) = &mut self.pwc else { return false };
        let key = ("entry".to_owned(), entry / 8, 0);
        let hit = pwc.lookup(&key);
        if !hit && keeps {
            pwc.array.fill(key);
        }
        hit
    }
}
