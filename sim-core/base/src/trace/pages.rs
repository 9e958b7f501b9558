//! The distinct pages of a trace, and how often each was used.

use serde::{Deserialize, Serialize};

use super::page_number::PageNumber;
use crate::addr::AddressTags;
use crate::narrow::index;
use crate::sorted::sort_by_numbers;

/// Numbers of distinct 4 KiB pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PageCounts {
    pub fetch: u64,
    pub data: u64,
}

impl PageCounts {
    pub(super) fn of(pages: &[PageUse]) -> Self {
        let count =
            |used: fn(&PageUse) -> bool| pages.iter().filter(|page| used(page)).count() as u64;
        Self { fetch: count(|page| page.fetches > 0), data: count(|page| page.data > 0) }
    }
}

/// The use of one 4 KiB page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageUse {
    pub page: PageNumber,
    pub fetches: u32,
    pub data: u32,
}

impl PageUse {
    /// Returns the pages that a machine uses if it ignores such tags, sorted by address. The last byte of a data
    /// access may be on a page on which only fetches begin. So the page without the tag is always among them.
    pub(super) fn without(pages: &[Self], tags: AddressTags) -> Vec<Self> {
        let parts = pages.iter().flat_map(|used| {
            let at = |is_fetch| PageNumber::of(tags.strip(is_fetch, used.page.start()));
            let fetched = Self { page: at(true), data: 0, ..*used };
            let data = Self { page: at(false), fetches: 0, ..*used };
            [Some(data), (used.fetches > 0).then_some(fetched)].into_iter().flatten()
        });
        let mut all: Vec<Self> = parts.collect();
        sort_by_numbers(&mut all, |used| (used.page.0, 0));
        all.dedup_by(|next, kept| {
            let is_same = next.page == kept.page;
            if is_same {
                kept.fetches = kept.fetches.saturating_add(next.fetches);
                kept.data = kept.data.saturating_add(next.data);
            }
            is_same
        });
        all
    }
}

/// Pages in order of first use, found by an open-addressing table.
#[derive(Clone, Debug)]
pub(super) struct PageMap {
    pages: Vec<PageUse>,
    /// Indices into `pages` plus 1; 0 means free. The length is a power of two, and the table is at most half
    /// full.
    table: Vec<u32>,
}

impl PageMap {
    pub(super) fn new() -> Self {
        Self { pages: Vec::new(), table: vec![0; 1 << 10] }
    }

    /// Returns the index of a page, and adds the page if it is new.
    #[inline]
    pub(super) fn index_of(&mut self, page: PageNumber) -> usize {
        let mask = self.table.len() - 1;
        let mut at = start(page, self.table.len());
        loop {
            match self.table[at] {
                0 => return self.add(page, at),
                found if self.pages[found as usize - 1].page == page => return found as usize - 1,
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[cold]
    fn add(&mut self, page: PageNumber, at: usize) -> usize {
        self.pages.push(PageUse { page, fetches: 0, data: 0 });
        self.table[at] =
            u32::try_from(self.pages.len()).expect("below 2^32 pages: each was accessed");
        if self.pages.len() * 2 > self.table.len() {
            self.grow();
        }
        self.pages.len() - 1
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        self.table = vec![0; mask + 1];
        for (index, page) in self.pages.iter().enumerate() {
            let mut at = start(page.page, mask + 1);
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = u32::try_from(index + 1).expect("below 2^32 pages");
        }
    }

    #[inline]
    pub(super) fn count(&mut self, index: usize, fetch: bool, n: u32) {
        let page = &mut self.pages[index];
        let count = if fetch { &mut page.fetches } else { &mut page.data };
        *count = count.saturating_add(n);
    }

    pub(super) fn counts(&self) -> PageCounts {
        PageCounts::of(&self.pages)
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.capacity() * std::mem::size_of::<PageUse>() + 4 * self.table.capacity()
    }

    /// Returns the pages sorted by address.
    pub(super) fn into_sorted(self) -> Vec<PageUse> {
        let mut pages = self.pages;
        pages.sort_unstable_by_key(|page| page.page);
        pages.shrink_to_fit();
        pages
    }
}

/// Returns the slot where the search for a page starts, in a table of `n` slots (a power of two).
fn start(page: PageNumber, n: usize) -> usize {
    let mixed = page.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    index(mixed >> (64 - n.trailing_zeros()))
}
