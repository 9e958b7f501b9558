//! The distribution of a trace's uses over its pages: pages grouped by their number of uses, and the fewest
//! pages that have most of the uses.
//!
//! ```text
//! uses of a page   1   2–3   4–7   8–15  …
//! pages           40    12     3      1
//! ```
//!
//! An access that straddles two pages uses both.

use serde::Serialize;

use crate::page_ids::PageIds;
use crate::page_uses::{Chosen, PageSink};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Chunk;

/// The shares of all uses, in percent, for which the fewest pages are counted.
const SHARES: [u64; 3] = [50, 90, 99];

/// The distribution of uses over pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PagePopularity {
    /// Distinct pages of the trace.
    pub pages: u64,
    /// Uses of all pages.
    pub uses: u64,
    /// Groups with at least one page, from the fewest uses to the most.
    pub groups: Vec<PopularityGroup>,
    /// The fewest pages that have 50, 90 and 99 % of all uses.
    pub fewest: Vec<FewestPages>,
}

/// The pages whose number of uses is in the range `least` to 2 × `least` − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PopularityGroup {
    /// The fewest uses of a page of the group, a power of two.
    pub least: u64,
    pub pages: u64,
    /// Uses of all pages of the group.
    pub uses: u64,
}

/// The fewest pages that have a share of all uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FewestPages {
    pub percent: u64,
    pub pages: u64,
}

/// Counts uses of pages, chunk by chunk.
pub struct PopularityBuilder {
    chosen: Chosen,
    counts: Counts,
}

struct Counts {
    ids: PageIds,
    /// Uses of each page.
    uses: Vec<u64>,
    /// The page used last.
    last: usize,
}

impl PopularityBuilder {
    /// # Errors
    /// `bad-config` at `kinds` if no kind of access is chosen.
    pub fn new(chosen: Chosen) -> Result<Self> {
        chosen.check()?;
        Ok(Self { chosen, counts: Counts { ids: PageIds::new(), uses: Vec::new(), last: 0 } })
    }

    /// Counts the accesses of a chunk. Chunks come in order.
    pub fn push_chunk(&mut self, chunk: &Chunk) {
        self.chosen.report_chunk(chunk, &mut self.counts);
    }

    /// Returns the groups of pages, and the fewest pages for each share.
    pub fn finish(self) -> PagePopularity {
        let mut uses = self.counts.uses;
        uses.sort_unstable_by(|a, b| b.cmp(a));
        let total: u64 = uses.iter().sum();
        let mut groups: Vec<PopularityGroup> = Vec::new();
        for n in uses.iter().rev() {
            let least = 1 << n.ilog2();
            match groups.last_mut() {
                Some(group) if group.least == least => {
                    group.pages += 1;
                    group.uses += n;
                }
                _ => groups.push(PopularityGroup { least, pages: 1, uses: *n }),
            }
        }
        let fewest = SHARES.map(|percent| {
            let mut got = 0;
            let pages = uses.iter().take_while(|n| {
                let is_needed = u128::from(got) * 100 < u128::from(total) * u128::from(percent);
                got += **n;
                is_needed
            });
            FewestPages { percent, pages: pages.count() as u64 }
        });
        PagePopularity { pages: uses.len() as u64, uses: total, groups, fewest: fewest.to_vec() }
    }
}

impl PageSink for Counts {
    fn access(&mut self, space: u32, first: u64, last: u64) {
        self.page(space, first);
        if last != first {
            self.page(space, last);
        }
    }

    fn repeats(&mut self, n: u64) {
        if let Some(uses) = self.uses.get_mut(self.last) {
            *uses += n;
        }
    }
}

impl Counts {
    fn page(&mut self, space: u32, page: u64) {
        self.last = self.ids.id(space, page) as usize;
        if self.last == self.uses.len() {
            self.uses.push(0);
        }
        self.uses[self.last] += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pagewalk_base::narrow::index;
    use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};

    use super::*;

    /// Counts pages with a map, and compares the groups and shares with it.
    #[test]
    fn popularity_is_what_a_map_of_pages_counts() {
        let mut builder = TraceBuilder::new(1 << 20);
        let mut by_hand = BTreeMap::new();
        for i in 0..5000_u64 {
            let page = i * i % 97 * (i % 3);
            let kind = if i % 7 == 6 { Kind::Fetch } else { Kind::Load };
            let address = page * 4096 + if i % 11 == 0 { 4092 } else { 64 };
            builder.push(&Access::new(kind, address, 8)).expect("there is room");
            if kind == Kind::Load {
                *by_hand.entry(page).or_insert(0_u64) += 1;
                if i % 11 == 0 {
                    *by_hand.entry(page + 1).or_insert(0) += 1;
                }
            }
        }
        let trace = builder.finish(Completeness::Complete).expect("it is a trace");
        let chosen = Chosen { kinds: [false, true, true], ..Chosen::default() };
        let mut popularity = PopularityBuilder::new(chosen).expect("kinds are chosen");
        trace.chunks().iter().for_each(|chunk| popularity.push_chunk(chunk));
        let found = popularity.finish();
        let mut uses: Vec<u64> = by_hand.into_values().collect();
        uses.sort_unstable();
        assert_eq!((found.pages, found.uses), (uses.len() as u64, uses.iter().sum()));
        for PopularityGroup { least, pages, uses: n } in &found.groups {
            let own: Vec<u64> =
                uses.iter().copied().filter(|n| (*least..2 * least).contains(n)).collect();
            assert_eq!((*pages, *n), (own.len() as u64, own.iter().sum()));
        }
        assert_eq!(found.groups.iter().map(|group| group.pages).sum::<u64>(), found.pages);
        for FewestPages { percent, pages } in found.fewest {
            let most = |n: u64| uses.iter().rev().take(index(n)).sum::<u64>() * 100;
            assert!(most(pages) >= found.uses * percent);
            assert!(most(pages - 1) < found.uses * percent);
        }
    }
}
