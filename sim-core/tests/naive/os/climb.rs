//! The naive twin of hill climbing, which adapts the number of huge pages for code while the machine runs.

use std::collections::BTreeMap;

use super::Twin;
use super::layout::{HUGE, Way};

pub(super) struct Climb {
    /// The translation cycles of each window. The last window is not complete.
    cycles: Vec<u64>,
    window: u64,
    pub(super) cap: i64,
    /// The direction of the next change of the cap, or 0 before the first window. `step` is the size of the change.
    way: i64,
    step: i64,
    /// The fetches of this window in each block, by the process's place in the order and the block's number.
    fetches: BTreeMap<(usize, u64), u64>,
}

impl Climb {
    pub(super) fn new() -> Self {
        Self { cycles: vec![0], window: 0, cap: 0, way: 0, step: 0, fetches: BTreeMap::new() }
    }
}

impl Twin<'_> {
    /// Adds the cycles of a walk without walk caches, whose references are all served by DRAM.
    pub(super) fn costs(&mut self, shift: u32) {
        let refs = (48 - u64::from(shift)) / 9;
        *self.climb.cycles.last_mut().unwrap() += 200 * refs;
    }

    fn is_adapted(&self, pid: u32, va: u64) -> bool {
        let layout = &self.layouts[&pid];
        let is_code = layout.piece(va).way == Way::Code && layout.code.contains(&(va >> HUGE));
        self.os.hugetext.adaptive.is_some() && is_code
    }

    /// Returns whether a huge page may be split.
    pub(super) fn may_split(&self, pid: u32, va: u64) -> bool {
        let is_thp = self.layouts[&pid].piece(va).policy == pagewalk::os::PagePolicy::Thp;
        is_thp || self.is_adapted(pid, va)
    }

    fn is_huge(&self, (place, block): (usize, u64)) -> bool {
        self.blocks.get(&(self.order[place], block)) == Some(&true)
    }

    pub(super) fn fetched(&mut self, pid: u32, va: u64) {
        if self.is_adapted(pid, va) {
            let place = self.order.iter().position(|of| *of == pid).unwrap();
            *self.climb.fetches.entry((place, va >> HUGE)).or_insert(0) += 1;
        }
    }

    /// Gives a child the huge pages of its parent.
    pub(super) fn inherit_code(&mut self, parent: u32, child: u32) {
        let place = |pid| self.order.iter().position(|of| *of == pid).unwrap();
        let (from, to) = (place(parent), place(child));
        let listed: Vec<u64> =
            self.climb.fetches.keys().filter(|(of, _)| *of == from).map(|(_, b)| *b).collect();
        for block in listed {
            if self.is_huge((from, block)) {
                self.climb.fetches.entry((to, block)).or_insert(0);
            }
        }
    }

    /// Begins the window of access `index`.
    pub(super) fn adapt(&mut self, index: u64) {
        let Some(config) = self.os.hugetext.adaptive else { return };
        if !self.copying.is_empty() || index / u64::from(config.every) == self.climb.window {
            return;
        }
        let n = self.climb.cycles.len();
        let climb = &mut self.climb;
        climb.window = index / u64::from(config.every);
        if climb.fetches.is_empty() {
            climb.cycles = vec![0];
            return;
        }
        if n == 1 {
            (climb.way, climb.step) = (1, config.step.into());
        } else if climb.cycles[n - 1] > climb.cycles[n - 2] {
            (climb.way, climb.step) = (-climb.way, i64::max(1, climb.step / 2));
        }
        climb.cycles.push(0);
        let most =
            (climb.fetches.len() as i64).min(self.os.hugetext.max.map_or(i64::MAX, i64::from));
        if climb.way == 1 && climb.cap == most || climb.way == -1 && climb.cap == 0 {
            climb.way = -climb.way;
        }
        climb.cap = (climb.cap + climb.way * climb.step).clamp(0, most);
        let fetches = climb.fetches.clone();
        climb.fetches.values_mut().for_each(|n| *n = 0);
        let mut ranked: Vec<_> = fetches.into_iter().collect();
        ranked.sort_by_key(|(id, n)| (std::cmp::Reverse(*n), !self.is_huge(*id), *id));
        let (hot, cold) = ranked.split_at(self.climb.cap as usize);
        for (id, _) in cold {
            if self.is_huge(*id) {
                let pid = self.order[id.0];
                if !self.pages.contains_key(&(pid, id.1 << HUGE)) {
                    self.blocks.insert((pid, id.1), false);
                    continue;
                }
                self.split(pid, id.1 << HUGE);
                self.counts.demotions += 1;
                self.shoot_down(pid, id.1 << HUGE, ((id.1 + 1) << HUGE) - 1);
            }
        }
        for (id, n) in hot {
            if *n > 0 && !self.is_huge(*id) {
                self.make_huge(self.order[id.0], id.1);
            }
        }
    }

    /// Replaces the small pages of a block by a huge page, if the block has pages, all with equal rights.
    fn make_huge(&mut self, pid: u32, block: u64) {
        let (start, end) = (block << HUGE, (block + 1) << HUGE);
        let small: Vec<u64> =
            self.pages.range((pid, start)..(pid, end)).map(|((_, va), _)| *va).collect();
        if !small.is_empty() && self.rights_agree(pid, block) {
            self.join(pid, block, &small);
        }
    }
}
