//! A naive POM-TLB: a list of pages for each set, the next victim first.

use std::collections::{BTreeMap, BTreeSet};

use super::Naive;
use super::array::Key;
use super::geometry::Geometry;
use pagewalk::config::MachineConfig;
use pagewalk_base::addr::{PageSize, parse_size};
use pagewalk_base::trace::Kind;

pub(crate) struct PomTlb {
    /// The page sizes of the two halves.
    sizes: Vec<PageSize>,
    n_sets: u64,
    dram: u64,
    sets: BTreeMap<(usize, u64), Vec<Key>>,
    dirty: BTreeSet<Key>,
    /// Lookups, hits, fills, evictions, invalidations.
    counted: [u64; 5],
    served: Vec<u64>,
    cycles: u64,
}

impl PomTlb {
    pub(super) fn new(config: &MachineConfig, paging: &Geometry) -> Option<Self> {
        let pom = config.pom_tlb.as_ref()?;
        Some(Self {
            sizes: paging.sizes().into_iter().take(2).collect(),
            n_sets: parse_size(&pom.size).unwrap() / 128,
            dram: pom.dram.unwrap_or(config.memory.dram).into(),
            sets: BTreeMap::new(),
            dirty: BTreeSet::new(),
            counted: [0; 5],
            served: vec![0; config.memory.caches.len() + 1],
            cycles: 0,
        })
    }

    pub(crate) fn counts(&self) -> ([u64; 5], Vec<u64>, u64) {
        (self.counted, self.served.clone(), self.cycles)
    }

    /// What the reads cost until now.
    pub(super) fn costs(&self) -> (Vec<u64>, u64) {
        (self.served.clone(), self.cycles)
    }

    pub(super) fn set_costs(&mut self, costs: (Vec<u64>, u64)) {
        (self.served, self.cycles) = costs;
    }

    /// Drops entries, and returns their number.
    pub(super) fn drop(&mut self, is_dropped: impl Fn(&Key) -> bool) -> u64 {
        let mut n = 0;
        for set in self.sets.values_mut() {
            let before = set.len();
            set.retain(|key| !is_dropped(key));
            n += (before - set.len()) as u64;
        }
        self.counted[4] += n;
        n
    }

    /// Returns the half, the set and the key of a page.
    fn place(&self, va: u64, tag: u32, size: PageSize) -> Option<((usize, u64), Key)> {
        let half = self.sizes.iter().position(|held| *held == size)?;
        let number = va >> size.shift();
        Some(((half, number % self.n_sets), (size.to_string(), number, tag)))
    }
}

impl Naive {
    /// Looks up a page behind level 2. After a hit, returns whether the page is known to be dirty.
    pub(super) fn hit_pom(
        &mut self,
        kind: Kind,
        (va, pid): (u64, u32),
        (size, guest): (PageSize, PageSize),
    ) -> Option<bool> {
        let mut pom_tlb = self.pom_tlb.take()?;
        let tag = self.page_tag(va);
        let place = pom_tlb.place(va, tag, size);
        let hit = place.and_then(|((half, set), key)| {
            pom_tlb.counted[0] += 1;
            let cycles = self.read_translations(&mut pom_tlb, half, set);
            pom_tlb.cycles += cycles;
            let looked_up = if self.l1.iter().any(|tlb| tlb.serves.contains(&kind))
                && self.l2.iter().any(|tlb| tlb.serves.contains(&kind))
            {
                u64::from(self.config.latency.l2_hit.of(kind))
            } else {
                0
            };
            let keys = pom_tlb.sets.entry((half, set)).or_default();
            let Some(at) = keys.iter().position(|held| *held == key) else {
                // The walk adds the lookup of level 2.
                self.l2_miss_cycles += cycles;
                return None;
            };
            let used = keys.remove(at);
            keys.push(used);
            pom_tlb.counted[1] += 1;
            self.l2_cycles += looked_up + cycles;
            let mut is_dirty = pom_tlb.dirty.contains(&key);
            if kind == Kind::Store {
                if !is_dirty || !self.host_has_changed {
                    self.set_dirty(kind, va, pid, guest);
                }
                pom_tlb.dirty.insert(key);
                is_dirty = true;
            }
            Some(is_dirty)
        });
        self.pom_tlb = Some(pom_tlb);
        hit
    }

    /// Returns the cycles of reading a set: through all memory caches but the nearest.
    fn read_translations(&mut self, pom_tlb: &mut PomTlb, half: usize, set: u64) -> u64 {
        let address = (0xf << 48) + (half as u64 * pom_tlb.n_sets + set) * 64;
        let served = self.served.clone();
        let nearest = (!self.caches.is_empty()).then(|| self.caches[0].0.clone());
        let cycles = self.read_behind_nearest(address);
        assert_eq!(nearest, self.caches.first().map(|cache| cache.0.clone()));
        let server = (0..served.len()).find(|at| self.served[*at] != served[*at]).unwrap();
        self.served = served;
        pom_tlb.served[server] += 1;
        if server == self.caches.len() { pom_tlb.dram } else { cycles }
    }

    /// Stores a page behind level 2 after its walk.
    pub(super) fn fill_pom(&mut self, (va, tag): (u64, u32), size: PageSize, dirty: bool) {
        let Some(pom_tlb) = &mut self.pom_tlb else { return };
        let Some((place, key)) = pom_tlb.place(va, tag, size) else { return };
        let keys = pom_tlb.sets.entry(place).or_default();
        assert!(!keys.contains(&key));
        pom_tlb.counted[2] += 1;
        if keys.len() == 4 {
            keys.remove(0);
            pom_tlb.counted[3] += 1;
        }
        pom_tlb.dirty.remove(&key);
        pom_tlb.dirty.extend(dirty.then(|| key.clone()));
        keys.push(key);
    }
}
