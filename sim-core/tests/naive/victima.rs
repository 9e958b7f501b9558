//! Naive TLB blocks: the second memory cache as a list of ways, which hold a line or the pages of a block.

use std::collections::BTreeMap;

use super::Naive;
use super::array::Key;
use super::walk::prefix;
use pagewalk::caches::victima::{BlockFills, BlockReplacement, VictimaConfig};
use pagewalk::config::MachineConfig;
use pagewalk_base::addr::{PageSize, parse_size};
use pagewalk_base::trace::Kind;

/// What a way holds.
#[derive(Clone, PartialEq)]
enum Held {
    Line(u64),
    /// The size, the tag, and the pages by number. A page is known to be dirty or not.
    Block(PageSize, u32, BTreeMap<u64, bool>),
}

#[derive(Clone)]
struct Way {
    held: Held,
    /// The time of the last use.
    used: u64,
    /// The predicted distance of the next use.
    distance: u8,
}

/// The second memory cache of one core.
pub(crate) struct Blocks {
    config: VictimaConfig,
    sets: Vec<Vec<Option<Way>>>,
    now: u64,
}

/// The counters of walks by (process, number, log2 of size), and the counters of blocks. All cores share them.
pub(crate) struct Victima {
    config: VictimaConfig,
    sizes: Vec<PageSize>,
    costs: BTreeMap<(u32, u64, u32), (u64, u64)>,
    /// Lookups, hits, blocks after walks, blocks after evictions, pages that are not costly, invalidations.
    pub(crate) counted: [u64; 6],
    pub(crate) cycles: u64,
}

impl Blocks {
    pub(super) fn new(config: &MachineConfig) -> Option<Self> {
        let cache = &config.memory.caches.get(1)?;
        let lines = parse_size(&cache.size).unwrap() / 64;
        let ways = cache.ways.map_or(lines, u64::from);
        let sets = vec![vec![None; ways as usize]; (lines / ways) as usize];
        Some(Self { config: config.victima?, sets, now: 0 })
    }

    fn set_of_block(&self, number: u64) -> usize {
        (number / 8 % self.sets.len() as u64) as usize
    }

    /// Reads a line. Returns whether the cache held it.
    pub(super) fn read(&mut self, line: u64) -> bool {
        let set = (line % self.sets.len() as u64) as usize;
        self.now += 1;
        let now = self.now;
        let ways = self.sets[set].iter_mut().flatten();
        if let Some(way) = ways.into_iter().find(|way| way.held == Held::Line(line)) {
            way.used = now;
            way.distance = way.distance.max(1) - 1;
            return true;
        }
        self.put(set, Held::Line(line), 2);
        false
    }

    /// Returns the way of the block that a page belongs to. The block need not hold the page.
    fn block(&mut self, (size, number, tag): (PageSize, u64, u32)) -> Option<&mut Way> {
        let set = self.set_of_block(number);
        self.sets[set].iter_mut().flatten().find(|way| match &way.held {
            Held::Block(held, owner, pages) => {
                (*held, *owner) == (size, tag) && pages.keys().all(|other| other / 8 == number / 8)
            }
            Held::Line(_) => false,
        })
    }

    fn holds(&mut self, key: (PageSize, u64, u32)) -> bool {
        self.block(key).is_some_and(|way| match &way.held {
            Held::Block(.., pages) => pages.contains_key(&key.1),
            Held::Line(_) => false,
        })
    }

    /// Looks up a page. Returns whether it was known to be dirty.
    fn look_up(&mut self, key: (PageSize, u64, u32), store: bool) -> Option<bool> {
        self.now += 1;
        let now = self.now;
        let way = self.block(key)?;
        let Held::Block(.., pages) = &mut way.held else { unreachable!() };
        let dirty = pages.get_mut(&key.1)?;
        let was = *dirty;
        *dirty |= store;
        (way.used, way.distance) = (now, 0);
        Some(was)
    }

    fn write(&mut self, key: (PageSize, u64, u32), pages: BTreeMap<u64, bool>) {
        self.now += 1;
        let now = self.now;
        let held = Held::Block(key.0, key.2, pages);
        if let Some(way) = self.block(key) {
            *way = Way { held, used: now, distance: 0 };
        } else {
            self.put(self.set_of_block(key.1), held, 0);
        }
    }

    fn put(&mut self, set: usize, held: Held, distance: u8) {
        let ways = &mut self.sets[set];
        let at = ways.iter().position(Option::is_none).unwrap_or_else(|| {
            let full = || ways.iter().map(|way| way.as_ref().unwrap());
            if self.config.replacement == BlockReplacement::Lru {
                let oldest = full().map(|way| way.used).min();
                return full().position(|way| Some(way.used) == oldest).unwrap();
            }
            while !full_mut(ways).any(|way| way.distance == 3) {
                full_mut(ways).for_each(|way| way.distance += 1);
            }
            let due: Vec<usize> =
                (0..ways.len()).filter(|at| ways[*at].as_ref().unwrap().distance == 3).collect();
            let is_line = |at: &usize| matches!(ways[*at].as_ref().unwrap().held, Held::Line(_));
            due.iter().copied().find(is_line).unwrap_or(due[0])
        });
        ways[at] = Some(Way { held, used: self.now, distance });
    }

    /// Drops pages, and returns their number.
    fn drop(&mut self, is_dropped: impl Fn(&Key) -> bool) -> u64 {
        let mut n = 0;
        for way in self.sets.iter_mut().flatten() {
            let Some(Way { held: Held::Block(size, tag, pages), .. }) = way else { continue };
            let before = pages.len();
            pages.retain(|number, _| !is_dropped(&(size.to_string(), *number, *tag)));
            n += (before - pages.len()) as u64;
            if pages.is_empty() {
                *way = None;
            }
        }
        n
    }
}

fn full_mut(ways: &mut [Option<Way>]) -> impl Iterator<Item = &mut Way> {
    ways.iter_mut().flatten()
}

impl Victima {
    pub(super) fn new(config: &MachineConfig, sizes: &[PageSize]) -> Option<Self> {
        Some(Self {
            config: config.victima?,
            sizes: sizes.iter().copied().take(2).collect(),
            costs: BTreeMap::new(),
            counted: [0; 6],
            cycles: 0,
        })
    }
}

impl Naive {
    /// Looks up a page behind level 2. After a hit, returns whether the page is known to be dirty.
    pub(super) fn hit_behind(
        &mut self,
        kind: Kind,
        (va, pid): (u64, u32),
        (size, guest): (PageSize, PageSize),
    ) -> Option<bool> {
        if let Some(dirty) = self.hit_pom(kind, (va, pid), (size, guest)) {
            return Some(dirty);
        }
        let tag = self.page_tag(va);
        let victima = self.victima.as_mut().filter(|victima| victima.sizes.contains(&size))?;
        victima.counted[0] += 1;
        let store = kind == Kind::Store;
        let blocks = self.blocks.as_mut().unwrap();
        let was_dirty = blocks.look_up((size, va >> size.shift(), tag), store)?;
        victima.counted[1] += 1;
        let read = u64::from(self.config.memory.caches[1].latency);
        let has_arrays = self.l1.iter().any(|tlb| tlb.serves.contains(&kind))
            && self.l2.iter().any(|tlb| tlb.serves.contains(&kind));
        let looked_up = if has_arrays { u64::from(self.config.latency.l2_hit.of(kind)) } else { 0 };
        victima.cycles += if self.is_prefetching { 0 } else { read };
        self.l2_cycles += looked_up + read;
        if store && !was_dirty {
            self.set_dirty(kind, va, pid, guest);
        }
        Some(was_dirty || store)
    }

    /// Counts a walk with its reads from DRAM, and writes the block of its page.
    pub(super) fn walked(&mut self, va: u64, size: PageSize, dirty: bool, n_from_dram: u64) {
        let (pid, _) = self.current;
        let Some(victima) = &mut self.victima else { return };
        if !victima.sizes.contains(&size) {
            return;
        }
        let (walks, reads) =
            victima.costs.entry((pid, va >> size.shift(), size.shift())).or_default();
        (*walks, *reads) = ((*walks + 1).min(7), (*reads + n_from_dram).min(15));
        if victima.config.fills != BlockFills::Evictions {
            self.write_block(va, size, Some(dirty));
        }
    }

    /// Writes the block of a page that left level 2, if it belongs to the running process.
    pub(super) fn block_of_victim(&mut self, victim: &Option<Key>) {
        let Some((name, number, tag)) = victim else { return };
        let (Some(held), Some(blocks)) = (PageSize::parse(name), &mut self.blocks) else { return };
        let va = number << held.shift();
        if *tag != self.current.1 || blocks.config.fills == BlockFills::Walks {
            return;
        }
        let size = self.size_at(va);
        let has_blocks = self.victima.as_ref().unwrap().sizes.contains(&size);
        let blocks = self.blocks.as_mut().unwrap();
        if has_blocks && !blocks.holds((size, va >> size.shift(), *tag)) {
            self.write_block(va, size, None);
        }
    }

    fn write_block(&mut self, va: u64, size: PageSize, walked: Option<bool>) {
        let ((pid, tag), shift) = (self.current, size.shift());
        let number = va >> shift;
        let first = number / 8 * 8;
        let mut pages: BTreeMap<u64, bool> = (first..first + 8)
            .filter_map(|number| Some((number, self.is_dirty(number << shift, pid, size)?)))
            .collect();
        if let Some(dirty) = walked {
            pages.insert(number, dirty);
        }
        let victima = self.victima.as_mut().unwrap();
        let (walks, reads) = victima.costs.get(&(pid, number, shift)).copied().unwrap_or_default();
        let (min_walks, min_reads) = (victima.config.min_walks, victima.config.min_dram_reads);
        if walks < u64::from(min_walks) || reads < u64::from(min_reads) {
            victima.counted[4] += 1;
        } else if !pages.is_empty() {
            victima.counted[if walked.is_some() { 2 } else { 3 }] += 1;
            self.blocks.as_mut().unwrap().write((size, number, tag), pages);
        }
    }

    /// Returns whether a page is dirty, or `None` if no walk has used its entry.
    fn is_dirty(&self, va: u64, pid: u32, size: PageSize) -> Option<bool> {
        let page = self.mapped.get(&(pid, va >> size.shift(), size.shift()))?;
        let mut levels = 1..=self.paging.n_levels();
        let leaf = levels.find(|level| self.paging.size_of(*level) == size).unwrap();
        let table = self.tables[&(pid, leaf, prefix(&self.paging, va, leaf))];
        let entry = table + u64::from(self.paging.entry_bytes) * self.paging.index(va, leaf);
        self.accessed.contains_key(&self.flag_of(entry)).then_some(page.dirty)
    }

    /// Drops pages of blocks.
    pub(super) fn drop_of_blocks(&mut self, is_dropped: impl Fn(&Key) -> bool) {
        if let (Some(blocks), Some(victima)) = (&mut self.blocks, &mut self.victima) {
            victima.counted[5] += blocks.drop(is_dropped);
        }
    }
}
