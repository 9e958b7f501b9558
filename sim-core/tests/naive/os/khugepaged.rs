//! The naive twin of khugepaged, from its description.

use super::layout::{HUGE, Way};
use super::{Page, Twin};

impl Twin<'_> {
    /// Counts a walk, if it ended in a block that may become huge and has small pages.
    pub(super) fn count_walk(&mut self, pid: u32, va: u64) {
        let layout = &self.layouts[&pid];
        let is_open = layout.piece(va).way == Way::Open && layout.fits(va, HUGE);
        let is_small = self.blocks.get(&(pid, va >> HUGE)) == Some(&false);
        if self.os.thp.khugepaged.is_some() && is_open && is_small {
            let place = self.order.iter().position(|p| *p == pid).unwrap();
            *self.walks.entry((place, va >> HUGE)).or_insert(0) += 1;
        }
    }

    pub(super) fn khugepaged(&mut self, index: u64) {
        let config = self.os.thp.khugepaged.unwrap();
        let every = u64::from(config.every);
        self.due = (index / every + 1) * every;
        let mut hottest: Vec<_> = std::mem::take(&mut self.walks).into_iter().collect();
        hottest.sort_by_key(|(block, n)| (std::cmp::Reverse(*n), *block));
        let mut tries = 0;
        for ((place, block), _) in hottest {
            if tries == config.pages {
                break;
            }
            let pid = self.order[place];
            let (start, end) = (block << HUGE, (block + 1) << HUGE);
            let inside = || self.pages.range((pid, start)..(pid, end));
            if inside().any(|(_, page)| page.shift != 12) {
                continue;
            }
            let small: Vec<u64> = inside().map(|((_, va), _)| *va).collect();
            let most_missing = config.max_ptes_none.unwrap_or(511) as usize;
            if small.is_empty() || 512 - small.len() > most_missing {
                continue;
            }
            if !self.rights_agree(pid, block) {
                continue;
            }
            tries += 1;
            if !self.has_block() {
                self.counts.failed += 1;
                continue;
            }
            self.join(pid, block, &small);
        }
    }

    /// Replaces the small pages of a block by a huge page.
    pub(super) fn join(&mut self, pid: u32, block: u64, small: &[u64]) {
        let (start, end) = (block << HUGE, (block + 1) << HUGE);
        for va in small {
            self.pages.remove(&(pid, *va));
        }
        self.tables.remove(&(pid, HUGE, block));
        let cell = self.new_cell(HUGE);
        self.pages.insert((pid, start), Page { shift: HUGE, writable: true, cell });
        self.blocks.insert((pid, block), true);
        self.counts.promotions += 1;
        self.counts.promoted += small.len() as u64;
        self.shoot_down(pid, start, end - 1);
    }

    /// Returns whether the small pages of a block have equal rights, which one huge page needs.
    pub(super) fn rights_agree(&self, pid: u32, block: u64) -> bool {
        let rights = |page: u64| self.rights.get(&(pid, page)).unwrap_or(&(true, true, true));
        let (start, end) = (block << HUGE, (block + 1) << HUGE);
        (start >> 12..end >> 12).all(|page| rights(page) == rights(start >> 12))
    }
}
