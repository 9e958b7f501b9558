//! A naive set-associative array with its replacement, written from the definitions.

use std::ops::Range;

use pagewalk::caches::policy::Policy;
use pagewalk::caches::tlb::Index;

/// The replacement of one set, from the definitions: lists of ways, and bits in vectors.
pub(super) struct Order {
    policy: Policy,
    ways: usize,
    /// The ways in order, the next victim first.
    queue: Vec<usize>,
    tree: Vec<bool>,
    used: Vec<bool>,
    group: usize,
}

impl Order {
    fn new(policy: Policy, ways: usize) -> Self {
        let tree = vec![false; 2 * ways.max(16)];
        Self { policy, ways, queue: (0..ways).collect(), tree, used: vec![false; ways], group: 0 }
    }

    fn touch(&mut self, way: usize, filled: bool) {
        match self.policy {
            Policy::Fifo if !filled => {}
            Policy::Lru | Policy::Fifo => {
                self.queue.retain(|w| *w != way);
                self.queue.push(way);
            }
            Policy::TreePlru => {
                // Each node halves the range, and points to the half without the way.
                let (mut low, mut high, mut node) = (0, self.ways, 1);
                while high - low > 1 {
                    let middle = (low + high) / 2;
                    self.tree[node] = way < middle;
                    (low, high, node) = if way < middle {
                        (low, middle, 2 * node)
                    } else {
                        (middle, high, 2 * node + 1)
                    };
                }
            }
            Policy::BitPlru => {
                self.used[way] = true;
                if self.used.iter().all(|u| *u) {
                    self.used = vec![false; self.ways];
                    self.used[way] = true;
                }
            }
            Policy::Mru3Plru4 => {
                self.group = way / 4;
                let (g, w) = (way / 4, way % 4);
                self.tree[4 * g] = w < 2;
                self.tree[4 * g + 1 + w / 2] = w % 2 == 0;
            }
            Policy::Random => unreachable!("not compared"),
        }
    }

    /// Returns the victim among the given ways.
    fn victim(&self, among: &Range<usize>) -> usize {
        match self.policy {
            Policy::Lru | Policy::Fifo => *self.queue.iter().find(|w| among.contains(w)).unwrap(),
            Policy::TreePlru => {
                let (mut low, mut high, mut node) = (0, self.ways, 1);
                while high - low > 1 {
                    let middle = (low + high) / 2;
                    // If all given ways are in one half, the bit does not matter.
                    let right = among.start >= middle || among.end > middle && self.tree[node];
                    (low, high, node) =
                        if right { (middle, high, 2 * node + 1) } else { (low, middle, 2 * node) };
                }
                low
            }
            Policy::BitPlru => self.used.iter().position(|u| !u).unwrap_or(0),
            Policy::Mru3Plru4 => {
                let g = (self.group + 1) % 3;
                let right = usize::from(self.tree[4 * g]);
                4 * g + 2 * right + usize::from(self.tree[4 * g + 1 + right])
            }
            Policy::Random => unreachable!("not compared"),
        }
    }
}

/// The key of an entry: page size or level of table, number, process.
pub(super) type Key = (String, u64, u32);

pub(crate) struct Array {
    index: Index,
    pub(super) sets: Vec<(Vec<Option<Key>>, Order)>,
    pub(crate) lookups: u64,
    pub(crate) hits: u64,
    /// The misses of pages whose size the array can hold.
    pub(crate) misses: u64,
    pub(crate) fills: u64,
    pub(crate) evictions: u64,
    pub(crate) invalidations: u64,
}

impl Array {
    pub(super) fn new(entries: u32, ways: Option<u32>, policy: Policy, index: Index) -> Self {
        let ways = ways.unwrap_or(entries) as usize;
        let n = entries as usize / ways;
        let sets = (0..n).map(|_| (vec![None; ways], Order::new(policy, ways))).collect();
        Self {
            index,
            sets,
            lookups: 0,
            hits: 0,
            misses: 0,
            fills: 0,
            evictions: 0,
            invalidations: 0,
        }
    }

    pub(super) fn set_of(&self, number: u64) -> u64 {
        let n = self.sets.len() as u64;
        match &self.index {
            Index::LowBits => number % n,
            Index::Xor => (number % n) ^ (number / n % n),
            // A bit of the set is 1 if an odd number of chosen bits are 1.
            Index::XorMasks(masks) => (0..masks.0.len())
                .map(|bit| {
                    let chosen = (0..64).filter(|at| masks.0[bit].0 >> at & 1 == 1);
                    let ones = chosen.filter(|at| number >> at & 1 == 1).count() as u64;
                    ones % 2 * 2u64.pow(bit as u32)
                })
                .sum(),
        }
    }

    fn set(&mut self, number: u64) -> &mut (Vec<Option<Key>>, Order) {
        let set = self.set_of(number);
        &mut self.sets[set as usize]
    }

    pub(super) fn lookup(&mut self, key: &Key) -> bool {
        let (ways, order) = self.set(key.1);
        match ways.iter().position(|w| w.as_ref() == Some(key)) {
            Some(way) => {
                order.touch(way, false);
                true
            }
            None => false,
        }
    }
    /// Returns whether any set holds the key.
    pub(super) fn holds(&self, key: &Key) -> bool {
        self.sets.iter().any(|(ways, _)| ways.iter().flatten().any(|held| held == key))
    }

    /// Returns every key, in any order.
    pub(super) fn keys(&self) -> Vec<Key> {
        self.sets.iter().flat_map(|(ways, _)| ways.iter().flatten().cloned()).collect()
    }

    pub(super) fn remove(&mut self, key: &Key) -> bool {
        let (ways, _) = self.set(key.1);
        let way = ways.iter_mut().find(|w| w.as_ref() == Some(key));
        way.is_some_and(|way| way.take().is_some())
    }

    /// Adds a key. Returns the evicted key.
    pub(super) fn fill(&mut self, key: Key) -> Option<Key> {
        let all = 0..self.sets[0].0.len();
        self.fill_among(key, all)
    }

    /// Adds a key in one of the given ways. Returns the evicted key.
    pub(super) fn fill_among(&mut self, key: Key, among: Range<usize>) -> Option<Key> {
        let (ways, order) = self.set(key.1);
        assert!(!ways.contains(&Some(key.clone())));
        let empty = among.clone().find(|way| ways[*way].is_none());
        let way = empty.unwrap_or_else(|| order.victim(&among));
        order.touch(way, true);
        let evicted = ways[way].replace(key);
        self.fills += 1;
        self.evictions += u64::from(evicted.is_some());
        evicted
    }
}
