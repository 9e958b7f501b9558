//! The distinct pages of a trace, and how often each was used.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use super::page_number::PageNumber;
use super::runs::Found;
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

/// The distinct pages in an open-addressing table, and the page of the last access of each group of kinds.
#[derive(Clone, Debug)]
pub(super) struct PageMap {
    /// The length is a power of two, and at most three quarters are used.
    table: Vec<PageUse>,
    /// 64 minus log2 of the length.
    shift: u32,
    n: usize,
    /// By group, the place of its page in the table.
    current: [usize; 2],
}

/// The number of no page: page numbers have at most 52 bits.
const NONE: PageNumber = PageNumber(u64::MAX);
/// log2 of the length of the first table.
const FIRST_BITS: u32 = 8;
/// The fewest places of a table (256 KiB) that is too large for the nearest caches of the processor.
const LARGE: usize = 1 << 14;
const FREE: PageUse = PageUse { page: NONE, fetches: 0, data: 0 };

impl PageMap {
    pub(super) fn new() -> Self {
        let table = vec![FREE; 1 << FIRST_BITS];
        Self { table, shift: u64::BITS - FIRST_BITS, n: 0, current: [usize::MAX; 2] }
    }

    /// Reads the place of each page in a large table, so that the processor waits for many reads at once.
    #[inline(never)]
    pub(super) fn read_ahead(&self, pages: impl Iterator<Item = PageNumber>) {
        if self.table.len() < LARGE {
            return;
        }
        let numbers = pages.map(|page| self.table.get(self.start(page)).map_or(0, |at| at.page.0));
        black_box(numbers.fold(0, |all, number| all ^ number));
    }

    /// Makes a page the current one of a group, and adds it if it is new.
    #[inline(always)]
    pub(super) fn enter(&mut self, group: usize, page: PageNumber) {
        let first = self.start(page);
        self.current[group] = match self.table.get(first) {
            Some(known) if known.page == page => first,
            _ => self.place_of(page),
        };
    }

    /// Counts accesses of a group to its page.
    #[inline(always)]
    pub(super) fn count(&mut self, group: usize, n: u32) {
        if let Some(page) = self.table.get_mut(self.current[group]) {
            let count = if group == 0 { &mut page.fetches } else { &mut page.data };
            *count = count.saturating_add(n);
        }
    }

    /// Counts accesses of a group: `earlier` to its page, then those of runs. `n` is the number of accesses of all runs, and of
    /// those before the first.
    pub(super) fn count_runs(&mut self, group: usize, earlier: u32, runs: &[Found], n: u32) {
        // What is counted for a page are the accesses up to the next run head.
        let mut from = 0u32.wrapping_sub(earlier);
        let mut rest = runs;
        loop {
            let known = self.count_known(group, &mut from, rest);
            let Some((run, later)) = rest.get(known..).and_then(<[_]>::split_first) else { break };
            self.count(group, run.before.all().wrapping_sub(from));
            from = run.before.all();
            self.current[group] = self.place_of(PageNumber(run.page));
            rest = later;
        }
        self.count(group, n.wrapping_sub(from));
    }

    /// Counts the runs up to the first whose page is not at the first place where it can be. Returns their number.
    #[inline(never)]
    fn count_known(&mut self, group: usize, from: &mut u32, runs: &[Found]) -> usize {
        let shift = self.shift;
        let (table, mut current) = (self.table.as_mut_slice(), self.current[group]);
        let (mut n, mut last) = (0, *from);
        for run in runs {
            let first = start_of(run.page, shift);
            if table.get(first).is_none_or(|known| known.page.0 != run.page) {
                break;
            }
            let before = run.before.all();
            if let Some(page) = table.get_mut(current) {
                let count = if group == 0 { &mut page.fetches } else { &mut page.data };
                *count = count.saturating_add(before.wrapping_sub(last));
            }
            (current, last) = (first, before);
            n += 1;
        }
        self.current[group] = current;
        *from = last;
        n
    }

    /// Returns the place of a page, and adds the page if it is new.
    #[inline(never)]
    fn place_of(&mut self, page: PageNumber) -> usize {
        let at = self.find(page);
        if self.table[at].page == page {
            return at;
        }
        self.table[at].page = page;
        self.n += 1;
        if self.n * 4 <= self.table.len() * 3 {
            return at;
        }
        self.grow();
        self.find(page)
    }

    /// Returns the place where the search for a page starts.
    #[inline(always)]
    fn start(&self, page: PageNumber) -> usize {
        start_of(page.0, self.shift)
    }

    /// Returns the place that a page has or would get.
    fn find(&self, page: PageNumber) -> usize {
        let mask = self.table.len() - 1;
        let mut at = self.start(page);
        while self.table[at].page != page && self.table[at].page != NONE {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let pages = self.current.map(|at| self.table.get(at).map(|used| used.page));
        let larger = vec![FREE; self.table.len() * 2];
        self.shift -= 1;
        let table = std::mem::replace(&mut self.table, larger);
        for used in table.into_iter().filter(|used| used.page != NONE) {
            let at = self.find(used.page);
            self.table[at] = used;
        }
        self.current = pages.map(|page| page.map_or(usize::MAX, |page| self.find(page)));
    }

    pub(super) fn counts(&self) -> PageCounts {
        PageCounts::of(&self.table)
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.capacity() * std::mem::size_of::<PageUse>()
    }

    /// Returns the pages sorted by address.
    pub(super) fn into_sorted(self) -> Vec<PageUse> {
        let mut pages = Vec::with_capacity(self.n);
        pages.extend(self.table.into_iter().filter(|used| used.page != NONE));
        pages.sort_unstable_by_key(|page| page.page);
        pages
    }
}
/// Returns the place where the search for a page starts, in a table of 2^(64 - `shift`) places.
#[inline(always)]
fn start_of(page: u64, shift: u32) -> usize {
    index(page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (shift % u64::BITS))
}
