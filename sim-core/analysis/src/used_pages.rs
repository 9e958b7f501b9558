//! The pages that a trace uses, in the size in which pictures and tables count them: 4 KiB, or the smallest page of the
//! machine if that is smaller.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::regions::{RegionView, of_trace};
use pagewalk::machine::Machine;
use pagewalk_base::addr::{AddressTags, PageSize};
use pagewalk_base::trace::{PageUse, RUN_PAGE_BITS, Trace};

/// The numbers of the used pages, by rising address.
#[derive(Debug)]
pub(crate) struct UsedPages {
    shift: u32,
    numbers: Vec<u64>,
}

impl UsedPages {
    pub(crate) fn new(trace: &Trace, machine: &Machine) -> Self {
        let tags = machine.address_tags();
        let shift = machine.smallest_page_shift().min(RUN_PAGE_BITS);
        let numbers = if shift == RUN_PAGE_BITS {
            trace.pages_without(tags).iter().map(|used| used.page.0).collect()
        } else {
            small_pages(trace, tags, shift)
        };
        Self { shift, numbers }
    }

    /// Returns the size of a page.
    pub(crate) fn size(&self) -> PageSize {
        PageSize(u8::try_from(self.shift).expect("below 64"))
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number of the page of an address.
    pub(crate) fn number_of(&self, address: u64) -> u64 {
        address >> self.shift
    }

    /// Returns the rank of a page among the used ones.
    pub(crate) fn rank_of(&self, number: u64) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
    }

    /// Returns the addresses of each page.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = Range<u64>> {
        self.numbers.iter().map(|number| self.addresses_of(*number))
    }

    fn addresses_of(&self, number: u64) -> Range<u64> {
        let start = number << self.shift;
        start..start.saturating_add(1 << self.shift)
    }

    /// Returns the regions of the trace with their pages counted in this size.
    pub(crate) fn regions(&self, trace: &Trace, tags: Option<AddressTags>) -> Vec<RegionView> {
        let used = trace.pages_without(tags);
        let mut regions = of_trace(&used, trace.mappings());
        if self.shift < RUN_PAGE_BITS {
            // Regions have the highest addresses first, pages the lowest.
            let mut rest: &[PageUse] = &used;
            for region in regions.iter_mut().rev() {
                let n = usize::try_from(region.pages).map_or(rest.len(), |n| n.min(rest.len()));
                let (own, others) = rest.split_at(n);
                self.recount(region, own);
                rest = others;
            }
        }
        regions
    }

    /// Counts the pages of a region that has the 4 KiB pages `used`.
    fn recount(&self, region: &mut RegionView, used: &[PageUse]) {
        let (Some(first), Some(last)) = (used.first(), used.last()) else { return };
        let rank = |address: u64| self.numbers.partition_point(|n| *n < self.number_of(address));
        let own = &self.numbers[rank(first.page.start())..rank(last.page.end())];
        let pages = own.len() as u64;
        // The records cover the same share of the small pages.
        region.recorded = region.recorded * pages / region.pages.max(1);
        region.pages = pages;
        if let (Some(first), Some(last)) = (own.first(), own.last()) {
            region.start.0 = self.addresses_of(*first).start;
            region.end.0 = self.addresses_of(*last).end;
        }
    }
}

/// Returns the numbers of the pages with the first or the last byte of an access: those that a machine translates.
fn small_pages(trace: &Trace, tags: Option<AddressTags>, shift: u32) -> Vec<u64> {
    let mut numbers = BTreeSet::new();
    for access in trace.accesses_from(0) {
        let access = access.without(tags);
        numbers.extend([access.address, access.last()].map(|address| address >> shift));
    }
    numbers.into_iter().collect()
}
