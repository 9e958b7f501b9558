//! Naive hashed page tables: each way is a list of places, and a set of pages answers what the headers of sections say.

use std::collections::{BTreeMap, BTreeSet};

use super::Naive;
use pagewalk::page_table::EcptConfig;

/// A way: the number of the line in each place, and the address of the first place.
#[derive(Clone)]
struct Way {
    places: Vec<Option<u64>>,
    address: u64,
}

/// The table of one page size.
struct Table {
    ways: Vec<Way>,
    /// During a resize: the larger ways, and the number of places of each old way that have moved.
    larger: Option<(Vec<Way>, usize)>,
    insertions: usize,
}

pub(crate) struct Tables {
    config: EcptConfig,
    /// The tables by (process, level).
    tables: BTreeMap<(u32, u8), Table>,
    /// The mapped pages: (process, level, number).
    pages: BTreeSet<(u32, u8, u64)>,
    accessed: BTreeSet<(u32, u8, u64)>,
    next: u64,
    moves: u64,
    resizes: u64,
    /// Direct, size, partial and complete walks.
    walks: [u64; 4],
}

fn shift(level: u8) -> u32 {
    [12, 21, 30][usize::from(level) - 1]
}

/// The mixing function of `SplitMix64`.
fn hash(line: u64, way: usize) -> u64 {
    let mut z = line.wrapping_add(0x9e3779b97f4a7c15u64.wrapping_mul(way as u64 + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^ (z >> 31)
}

impl Table {
    /// Returns whether the place of a line in a way is in the larger way, and the number of the place.
    fn place(&self, line: u64, way: usize) -> (bool, usize) {
        let at = (hash(line, way) % self.ways[way].places.len() as u64) as usize;
        match &self.larger {
            Some((larger, moved)) if at < *moved => {
                (true, (hash(line, way) % larger[way].places.len() as u64) as usize)
            }
            _ => (false, at),
        }
    }

    fn way(&mut self, way: usize, is_larger: bool) -> &mut Way {
        match &mut self.larger {
            Some((larger, _)) if is_larger => &mut larger[way],
            _ => &mut self.ways[way],
        }
    }

    fn used(&self) -> u64 {
        let all = self.ways.iter().chain(self.larger.iter().flat_map(|(larger, _)| larger));
        all.map(|way| way.places.iter().flatten().count() as u64).sum()
    }

    fn lines(&self) -> u64 {
        let all = self.ways.iter().chain(self.larger.iter().flat_map(|(larger, _)| larger));
        all.map(|way| way.places.len() as u64).sum()
    }
}

impl Tables {
    pub(super) fn new(config: EcptConfig) -> Self {
        Self {
            config,
            tables: BTreeMap::new(),
            pages: BTreeSet::new(),
            accessed: BTreeSet::new(),
            next: 0x20_0000,
            moves: 0,
            resizes: 0,
            walks: [0; 4],
        }
    }

    fn new_ways(&mut self, places: usize) -> Vec<Way> {
        let mut ways = Vec::new();
        for _ in 0..self.config.ways {
            ways.push(Way { places: vec![None; places], address: self.next });
            self.next += (places as u64 * 64).div_ceil(4096) * 4096;
        }
        ways
    }

    pub(super) fn map(&mut self, pid: u32, level: u8, va: u64) {
        for level in 1..=3 {
            if !self.tables.contains_key(&(pid, level)) {
                let ways = self.new_ways(self.config.entries as usize);
                self.tables.insert((pid, level), Table { ways, larger: None, insertions: 0 });
            }
        }
        let page = va >> shift(level);
        let is_new =
            !(page / 8 * 8..page / 8 * 8 + 8).any(|page| self.pages.contains(&(pid, level, page)));
        self.pages.insert((pid, level, page));
        if is_new {
            self.insert((pid, level), page / 8);
        }
    }

    fn insert(&mut self, at: (u32, u8), line: u64) {
        let n_ways = usize::from(self.config.ways);
        let table = self.tables.get_mut(&at).unwrap();
        let way = table.insertions % n_ways;
        table.insertions += 1;
        self.settle(at, vec![(line, way)]);
        let table = &self.tables[&at];
        let limit = u64::from(self.config.load) * table.lines();
        if table.larger.is_none() && 100 * table.used() > limit {
            self.enlarge(at);
        }
        if self.tables[&at].larger.is_some() {
            let taken = self.rehash(at);
            self.settle(at, taken);
        }
    }

    fn settle(&mut self, at: (u32, u8), mut waiting: Vec<(u64, usize)>) {
        while !waiting.is_empty() {
            let (mut line, mut way) = waiting.remove(0);
            let mut is_done = false;
            for _ in 0..64 {
                let table = self.tables.get_mut(&at).unwrap();
                let (is_larger, place) = table.place(line, way);
                match table.way(way, is_larger).places[place].replace(line) {
                    None => {
                        is_done = true;
                        break;
                    }
                    Some(other) => {
                        self.moves += 1;
                        line = other;
                        way = (way + 1) % usize::from(self.config.ways);
                    }
                }
            }
            if !is_done {
                waiting.push((line, way));
                if self.tables[&at].larger.is_some() {
                    let taken = self.rehash(at);
                    waiting.extend(taken);
                } else {
                    self.enlarge(at);
                }
            }
        }
    }

    fn enlarge(&mut self, at: (u32, u8)) {
        let n = self.tables[&at].ways[0].places.len() * usize::from(self.config.growth);
        let larger = self.new_ways(n);
        self.tables.get_mut(&at).unwrap().larger = Some((larger, 0));
        self.resizes += 1;
    }

    /// Takes the next line of each old way out.
    fn rehash(&mut self, at: (u32, u8)) -> Vec<(u64, usize)> {
        let table = self.tables.get_mut(&at).unwrap();
        let moved = table.larger.as_ref().unwrap().1;
        let mut taken = Vec::new();
        for (number, way) in table.ways.iter_mut().enumerate() {
            taken.extend(way.places[moved].take().map(|line| (line, number)));
        }
        self.moves += taken.len() as u64;
        table.larger.as_mut().unwrap().1 += 1;
        if moved + 1 == table.ways[0].places.len() {
            table.ways = table.larger.take().unwrap().0;
        }
        taken
    }

    /// Returns whether pages of a level are mapped in the memory of `bits` bits around an address.
    fn has(&self, pid: u32, level: u8, va: u64, bits: u32) -> bool {
        let first = va >> bits << (bits - shift(level));
        let last = first + (1 << (bits - shift(level))) - 1;
        self.pages.range((pid, level, first)..=(pid, level, last)).next().is_some()
    }

    /// Returns the ways of a table that may hold a page.
    fn ways(&self, pid: u32, level: u8, va: u64, (pmd, pud): (bool, bool)) -> Vec<usize> {
        let all: Vec<usize> = (0..usize::from(self.config.ways)).collect();
        let holder = || {
            let (line, table) = (va >> shift(level) >> 3, &self.tables[&(pid, level)]);
            let holds = |way: &usize| {
                let (is_larger, place) = table.place(line, *way);
                let ways = match &table.larger {
                    Some((larger, _)) if is_larger => larger,
                    _ => &table.ways,
                };
                ways[*way].places[place] == Some(line)
            };
            all.iter().copied().filter(holds).collect::<Vec<usize>>()
        };
        let if_there = |bits| if self.has(pid, level, va, bits) { all.clone() } else { vec![] };
        let is_below_1g = || self.has(pid, 1, va, 24) || self.has(pid, 2, va, 24);
        match (level, pmd, pud) {
            (3, true, _) if is_below_1g() => vec![],
            (1, true, _) => if_there(24),
            (1 | 2, false, true) => if_there(33),
            (2, true, _) | (3, _, true) => holder(),
            _ => all,
        }
    }

    /// Returns the address of the line of a page.
    fn address_of(&self, pid: u32, level: u8, va: u64) -> u64 {
        let (line, table) = (va >> shift(level) >> 3, &self.tables[&(pid, level)]);
        let places = (0..usize::from(self.config.ways)).map(|way| {
            let (is_larger, place) = table.place(line, way);
            let ways = match &table.larger {
                Some((larger, _)) if is_larger => larger,
                _ => &table.ways,
            };
            (ways[way].places[place], ways[way].address + 64 * place as u64)
        });
        places.into_iter().find(|(held, _)| *held == Some(line)).unwrap().1
    }

    pub(super) fn bytes(&self) -> u64 {
        self.tables.values().map(|table| table.lines() * 64).sum()
    }

    /// Returns the walks, the state of the tables of each page size, the moves and the resizes.
    pub(crate) fn state(&self) -> ([u64; 4], Vec<[u64; 3]>, [u64; 2]) {
        let of = |level: u8| {
            let mut sums = [0; 3];
            for ((_, of), table) in &self.tables {
                if *of == level {
                    sums[0] += table.lines();
                    sums[1] += table.used();
                    sums[2] += u64::from(table.larger.is_some());
                }
            }
            sums
        };
        (self.walks, [1, 2, 3].map(of).to_vec(), [self.moves, self.resizes])
    }
}

impl Naive {
    pub(super) fn walk_ecpt(&mut self, va: u64, pid: u32, leaf: u8) {
        let [pmd, pud] = [2, 3].map(|level| {
            let Some(cache) = self.psc_of.get(&level).copied() else { return false };
            let key = (format!("table {level}"), va >> self.paging.shift(level + 1), self.tag());
            let hit = self.psc[cache].lookup(&key);
            self.psc_counts[cache].1 += 1;
            self.psc_counts[cache].2 += u64::from(hit);
            hit
        });
        let ecpt = self.ecpt.as_ref().unwrap();
        let mut reads = Vec::new();
        for level in 1..=3 {
            for way in ecpt.ways(pid, level, va, (pmd, pud)) {
                let table = &ecpt.tables[&(pid, level)];
                let (is_larger, place) = table.place(va >> shift(level) >> 3, way);
                let ways = match &table.larger {
                    Some((larger, _)) if is_larger => larger,
                    _ => &table.ways,
                };
                reads.push((level, ways[way].address + 64 * place as u64));
            }
        }
        let mut levels: Vec<u8> = reads.iter().map(|(level, _)| *level).collect();
        levels.dedup();
        let n_ways = usize::from(ecpt.config.ways);
        let sort = match (reads.len(), levels.len()) {
            (1, _) => 0,
            (n, 1) if n == n_ways => 1,
            (n, _) if n == 3 * n_ways => 3,
            _ => 2,
        };
        let overhead = u64::from(self.config.latency.walk_overhead) + u64::from(ecpt.config.cycles);
        let (is_early, holder) = (ecpt.config.early, ecpt.address_of(pid, leaf, va));
        let cycles: Vec<(u64, u64)> =
            reads.iter().map(|(_, address)| (*address, self.read(*address))).collect();
        self.refs += reads.len() as u64;
        let waited = cycles.iter().filter(|(address, _)| !is_early || *address == holder);
        self.walk_cycles += overhead + waited.map(|(_, cycles)| cycles).max().unwrap();
        let is_prefetch = self.is_prefetching;
        let ecpt = self.ecpt.as_mut().unwrap();
        ecpt.walks[sort] += u64::from(!is_prefetch);
        let is_new = ecpt.accessed.insert((pid, leaf, va >> shift(leaf)));
        self.ad_updates += u64::from(is_new);
        for (level, known) in [(2, pmd), (3, pud)] {
            if !known {
                self.remember(level, va);
            }
        }
    }
}
