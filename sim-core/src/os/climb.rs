//! Hill climbing: finds the number of huge pages for code while the machine runs.
//!
//! ```text
//! window   cycles of translation   huge pages for code, most
//!   1              900               0 → 8
//!   2              700               8 → 16    fewer cycles: go on
//!   3              750              16 → 12    more cycles: go back half as far
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{BlockId, State};
use super::check::{HUGE, HUGE_LEVEL};
use super::khugepaged::{Promotion, Replacing};
use super::policy::{HugetextConfig, PagePolicy};
use super::{Os, Shootdown};
use crate::page_table::PageTables;
use pagewalk_base::error::Result;
use pagewalk_base::sorted::sort_by_numbers;

/// The current cap of huge pages for code, and the direction of the search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Climb {
    every: u32,
    /// The number of the access at which the next window begins.
    due: u32,
    /// The highest cap.
    most: u32,
    cap: u32,
    step: u32,
    rises: bool,
    /// The cycles of translation in this window.
    cycles: u64,
    /// The cycles of translation in the previous window.
    before: Option<u64>,
    /// The number of fetches in this window, by block of code. A block stays listed in later windows.
    fetches: BTreeMap<BlockId, u64>,
    /// The blocks that were made huge. Some may have been split or unmapped since.
    huge: BTreeSet<BlockId>,
}

/// The pages that the system changed when it moved the cap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recap {
    /// The huge pages that were split into small pages.
    pub(crate) demoted: Vec<Shootdown>,
    pub(crate) promoted: Vec<Promotion>,
}

impl Climb {
    pub(super) fn new(config: &HugetextConfig) -> Option<Self> {
        let adaptive = config.adaptive?;
        Some(Self {
            every: adaptive.every,
            due: adaptive.every,
            most: config.max.unwrap_or(u32::MAX),
            cap: 0,
            step: adaptive.step,
            rises: true,
            cycles: 0,
            before: None,
            fetches: BTreeMap::new(),
            huge: BTreeSet::new(),
        })
    }

    /// Moves the cap at the end of a window.
    fn step(&mut self) {
        let cycles = std::mem::take(&mut self.cycles);
        // Without a fetch, the window has nothing to compare.
        if self.fetches.is_empty() {
            return;
        }
        if self.before.is_some_and(|before| cycles > before) {
            self.rises = !self.rises;
            self.step = (self.step / 2).max(1);
        }
        self.before = Some(cycles);
        let n_blocks = u32::try_from(self.fetches.len()).unwrap_or(u32::MAX);
        let most = self.most.min(n_blocks);
        // At either end, the direction reverses.
        if self.cap == if self.rises { most } else { 0 } {
            self.rises = !self.rises;
        }
        self.cap = if self.rises {
            self.cap.saturating_add(self.step).min(most)
        } else {
            self.cap.saturating_sub(self.step)
        };
    }

    /// Returns as many blocks as the cap allows, with their fetches in the window, and resets the fetches. Order: most
    /// fetches, then huge blocks, then process and address.
    fn hottest(&mut self) -> Vec<(BlockId, u64)> {
        let mut ranked: Vec<_> =
            self.fetches.iter_mut().map(|(id, n)| (*id, std::mem::take(n))).collect();
        // They are in the order of their processes and addresses.
        sort_by_numbers(&mut ranked, |(id, n)| (u64::MAX - n, u64::from(!self.huge.contains(id))));
        ranked.truncate(self.cap as usize);
        ranked
    }
}

impl Os {
    /// Returns whether the number of huge pages for code is found while the machine runs.
    #[inline]
    pub(crate) fn adapts_text(&self) -> bool {
        self.climb.is_some()
    }

    /// Returns the current cap of huge pages for code, or `None` if the cap does not change.
    pub(crate) fn text_cap(&self) -> Option<u32> {
        self.climb.as_ref().map(|climb| climb.cap)
    }

    /// Adds the cycles of a translation to the window.
    pub(crate) fn add_translation_cycles(&mut self, cycles: u64) {
        if let Some(climb) = &mut self.climb {
            climb.cycles += cycles;
        }
    }

    /// Counts a fetch of the current process.
    pub(crate) fn fetched(&mut self, space: u32, address: u64) {
        if self.is_adapted(address)
            && let Some(climb) = &mut self.climb
        {
            let id = BlockId { space, number: address >> self.block_shift };
            *climb.fetches.entry(id).or_insert(0) += 1;
        }
    }

    /// Returns whether `address` is code whose pages the search may change while the machine runs.
    pub(super) fn is_adapted(&self, address: u64) -> bool {
        let segment = self.current().segment(address);
        let is_code = self.current().area(&segment).pages == PagePolicy::Hugetext;
        self.climb.is_some() && segment.by_block && is_code
    }

    /// Gives a child its parent's huge pages.
    pub(super) fn inherit_text(&mut self, from: u32, to: u32) {
        let Some(climb) = &mut self.climb else { return };
        let blocks = &self.blocks;
        climb.huge.retain(|id| blocks.state(*id) == State::Huge);
        let own = climb.huge.iter().filter(|id| id.space == from);
        let inherited: Vec<BlockId> = own.map(|id| BlockId { space: to, ..*id }).collect();
        for id in inherited {
            climb.fetches.entry(id).or_insert(0);
            climb.huge.insert(id);
        }
    }

    /// Ends the window if access `index` is in the next one. Moves the cap, and makes the hottest blocks huge, at
    /// most as many as the cap.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    pub(crate) fn recap_text(&mut self, tables: &mut PageTables, index: u32) -> Result<Recap> {
        let mut recap = Recap::default();
        let Some(climb) = self.climb.as_mut().filter(|climb| index >= climb.due) else {
            return Ok(recap);
        };
        climb.due = (index / climb.every + 1).saturating_mul(climb.every);
        let blocks = &self.blocks;
        climb.huge.retain(|id| blocks.state(*id) == State::Huge);
        climb.step();
        let hottest = climb.hottest();
        let hot: BTreeSet<BlockId> = hottest.iter().map(|(id, _)| *id).collect();
        let (mut huge, demoted): (BTreeSet<_>, BTreeSet<_>) =
            std::mem::take(&mut climb.huge).into_iter().partition(|id| hot.contains(id));
        for id in demoted {
            let start = id.number << self.block_shift;
            let last = start | ((1 << self.block_shift) - 1);
            // A child that has not touched its parent's huge page will get small pages.
            if tables.leaf_of(id.space, start) != Some(HUGE) {
                self.blocks.set(id, State::Small);
                continue;
            }
            self.split(tables, id.space, start)?;
            recap.demoted.push(Shootdown { space: id.space, start, last, freed: Vec::new() });
        }
        for (id, n) in hottest {
            let start = id.number << self.block_shift;
            let is_there = tables.n_used_below(id.space, start, HUGE_LEVEL).is_some_and(|n| n > 0);
            if n > 0 && is_there && !huge.contains(&id) && !self.rights_differ_in(id) {
                recap.promoted.push(self.promote(tables, id, Replacing::AtOnce)?);
                huge.insert(id);
            }
        }
        if let Some(climb) = &mut self.climb {
            climb.huge = huge;
        }
        self.clear_recent();
        Ok(recap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os::AdaptiveConfig;
    use expect_test::{Expect, expect};

    /// Writes the caps after windows of the given costs, with `n` blocks of code and a first step of 8.
    #[track_caller]
    fn check(n: u64, max: Option<u32>, cost: impl Fn(u32) -> u64, expected: &Expect) {
        let adaptive = Some(AdaptiveConfig { every: 1, step: 8 });
        let config = HugetextConfig { max, adaptive, ..HugetextConfig::default() };
        let mut climb = Climb::new(&config).unwrap();
        climb.fetches = (0..n).map(|number| (BlockId { space: 0, number }, 1)).collect();
        let caps = (0..14).map(|_| {
            climb.cycles = cost(climb.cap);
            climb.step();
            climb.cap.to_string()
        });
        expected.assert_eq(&caps.collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn the_cap_climbs_to_where_translation_is_cheapest() {
        check(
            75,
            None,
            |cap| u64::from(cap.abs_diff(21)),
            &expect!["8 16 24 32 28 24 20 16 18 20 22 24 23 22"],
        );
    }

    #[test]
    fn where_huge_pages_always_help_it_stays_near_the_top() {
        check(
            20,
            None,
            |cap| 100 - u64::from(cap),
            &expect!["8 16 20 12 16 20 16 18 20 18 19 20 19 20"],
        );
        check(
            75,
            Some(10),
            |cap| 100 - u64::from(cap),
            &expect!["8 10 2 6 10 6 8 10 8 9 10 9 10 9"],
        );
    }

    #[test]
    fn where_they_never_help_it_stays_near_none() {
        check(75, None, u64::from, &expect!["8 4 0 4 2 0 2 1 0 1 0 1 0 1"]);
    }

    #[test]
    fn without_code_there_is_nothing_to_climb() {
        check(0, None, |_| 1, &expect!["0 0 0 0 0 0 0 0 0 0 0 0 0 0"]);
    }
}
