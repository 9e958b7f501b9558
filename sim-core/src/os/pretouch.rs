//! Pages that are touched before a program runs, and the cost of touching a whole range.

use super::Os;
use super::areas::{AreaMap, Segment};
use crate::page_table::PageTables;
use pagewalk_base::addr::{Leaf, PageSize, Paging};
use pagewalk_base::error::{Error, Result};

impl Os {
    /// Returns whether a process has pages that are mapped before it runs.
    pub(crate) fn pretouches(&self) -> bool {
        let is_touched = |map: &AreaMap| map.areas().iter().any(|area| area.pretouch);
        !self.given.is_empty() || self.maps().iter().any(|(_, map)| is_touched(map))
    }

    /// Returns the number of pages that were mapped before their process ran.
    pub(crate) fn n_pretouched(&self) -> u64 {
        self.n_pretouched
    }

    /// Maps the given pages, and every page of the `pretouch` regions of the current process.
    ///
    /// # Errors
    /// `too-large` if memory is used up, `bad-config` if a pool of huge pages is.
    pub(crate) fn pretouch(&mut self, tables: &mut PageTables, space: u32) -> Result<()> {
        self.map_given(tables, space)?;
        let map = self.current();
        let upper = (self.paging.va_mask() >> 1) + 1;
        let is_kernel = self.kernel == Some(space);
        let is_own =
            |segment: &Segment| !self.shares_kernel || (segment.start >= upper) == is_kernel;
        let marked = |segment: &&Segment| map.area(segment).pretouch && is_own(segment);
        let segments: Vec<Segment> = map.segments().iter().filter(marked).copied().collect();
        for segment in segments {
            let mut at = segment.start;
            loop {
                let leaf = self.leaf_of(space, at, true);
                if tables.leaf(space, at, leaf).is_none() {
                    self.pretouch_page(tables, space, at, leaf)?;
                }
                let last = at | ((1 << self.paging.shift(leaf)) - 1);
                if last >= segment.last.min(self.paging.va_mask()) {
                    break;
                }
                at = last + 1;
            }
        }
        Ok(())
    }

    fn pretouch_page(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) -> Result<()> {
        let map = self.current();
        let is_limited = self.pools.are_limited_for(map.area(&map.segment(address)), &self.paging);
        if is_limited && !self.pools.take(leaf) {
            let size = self.paging.size_of(leaf);
            let message = format!(
                "the pool of {size} pages is empty before all regions are touched: at {address:#x}"
            );
            return Err(Error::config("os.hugetlb", message));
        }
        self.map(tables, space, address, leaf)?;
        self.apply_rights(tables, space, address, leaf);
        self.n_pretouched += 1;
        Ok(())
    }
}

/// The pages and tables that a range needs when it is touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The number of pages. It is also the number of faults.
    pub pages: u64,
    /// The number of tables of each level, the lowest first. It is 0 for levels that the page size does not need.
    pub tables: Vec<u64>,
}

/// Computes the pages and tables for touching every page of `start..end`. Returns `None` if the geometry has no
/// pages of this size, or if the range is empty or too high.
pub fn footprint(start: u64, end: u64, size: PageSize, paging: &Paging) -> Option<Footprint> {
    let leaf = paging.leaf_level(size)?;
    if start >= end || end - 1 > paging.va_mask() {
        return None;
    }
    let spanned = |shift: u32| ((end - 1) >> shift) - (start >> shift) + 1;
    let tables = paging.levels().map(|level| {
        if level < paging.entry_level(leaf) {
            0
        } else {
            spanned(paging.shift(Leaf::of(level)) + paging.bits(level))
        }
    });
    Some(Footprint { pages: spanned(size.shift()), tables: tables.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts O29 and O48, with the tables of the root.
    #[test]
    fn four_tebibytes_take_a_billion_small_pages_or_two_million_large_ones() {
        let at = |bytes: u64, size| footprint(0, bytes, size, &Paging::x86(4)).unwrap();
        let small = at(4 << 40, PageSize::K4);
        assert_eq!((small.pages, small.tables), (1 << 30, vec![2_097_152, 4096, 8, 1]));
        let large = at(4 << 40, PageSize::M2);
        assert_eq!((large.pages, large.tables), (1 << 21, vec![0, 4096, 8, 1]));
        assert_eq!(at(1 << 30, PageSize::K4).tables, [512, 1, 1, 1]);
        // Fact S4.7: a guest of 16 GiB.
        assert_eq!(at(16 << 30, PageSize::M2).pages, 8192);
        assert_eq!(at(16 << 30, PageSize::M2).pages, (10_240 - 2044) * 2 / 1024 * 512);
    }

    #[test]
    fn a_range_that_is_not_aligned_takes_one_more_page() {
        let paging = Paging::x86(4);
        let count = |start, end| footprint(start, end, PageSize::M2, &paging).unwrap().pages;
        assert_eq!(count(0x1000, 0x20_1000), 2);
        assert_eq!(count(0x20_0000, 0x20_0001), 1);
        assert_eq!(footprint(5, 5, PageSize::M2, &paging), None);
        assert_eq!(footprint(0, 1 << 48, PageSize(16), &paging), None);
    }
}
