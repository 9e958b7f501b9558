//! Fills of level 2, and the invalidations in level 1 if the levels are inclusive.

use super::Naive;
use super::array::Key;

use pagewalk::config::Inclusion;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

impl Naive {
    /// Returns the level-1 array that holds pages of this size.
    pub(super) fn above(&self, kind: Kind, size: PageSize) -> Option<usize> {
        self.l1.iter().position(|tlb| tlb.key(kind, size, 0, 0).is_some())
    }

    /// Fills the level-2 array of a page, if the array does not hold it.
    pub(super) fn fill_l2(&mut self, kind: Kind, size: PageSize, va: u64, pid: u32) {
        let takers: Vec<usize> =
            (0..self.l2.len()).filter(|i| self.l2[*i].key(kind, size, va, pid).is_some()).collect();
        let Some(first) = takers.first() else { return };
        let number = self.l2[*first].key(kind, size, va, pid).unwrap().1;
        let sets = self.l2[*first].array.sets.len() as u64;
        let taker = takers[(number / sets % takers.len() as u64) as usize];
        let key = self.l2[taker].key(kind, size, va, pid).unwrap();
        if !self.l2[taker].array.lookup(&key) {
            self.filled_by_walk(taker, &key);
            let victim = self.l2[taker].fill(kind, key);
            self.has_left_l2(taker, victim.clone());
            self.block_of_victim(&victim);
        }
    }

    /// If the levels are inclusive, drops the victim of level 2 from level 1.
    pub(super) fn has_left_l2(&mut self, from: usize, victim: Option<Key>) {
        let Some(victim) = victim else { return };
        self.evicted_from_l2(from, &victim);
        let (name, number, pid) = victim;
        let Some(size) = PageSize::parse(&name) else { return };
        if self.config.inclusion != Inclusion::Inclusive {
            return;
        }
        let bytes =
            |size: PageSize, number: u64| (number << size.shift())..((number + 1) << size.shift());
        let gone = bytes(size, number);
        for tlb in &mut self.l1 {
            if !tlb.serves.iter().any(|kind| self.l2[from].serves.contains(kind)) {
                continue;
            }
            for key in tlb.array.keys() {
                let there = bytes(PageSize::parse(&key.0).unwrap(), key.1);
                if key.2 == pid && there.start < gone.end && gone.start < there.end {
                    assert!(tlb.array.remove(&key));
                    tlb.array.invalidations += 1;
                }
            }
        }
    }
}
