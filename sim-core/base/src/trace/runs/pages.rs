//! The list of the pages of run heads. Run heads name a page by its place in the list.

use crate::narrow::{index, small};

/// The number of pairs in the table that finds a listed page. A page that is not found is listed once more.
const KNOWN: usize = 1 << 9;
/// A pair without pages.
const NO_PAGES: [(u64, u32); 2] = [(u64::MAX, 0); 2];

pub(super) struct PageList {
    pub(super) pages: Vec<u64>,
    /// Pages with their positions in the list.
    known: Box<[[(u64, u32); 2]; KNOWN]>,
}

impl Default for PageList {
    fn default() -> Self {
        Self { pages: Vec::new(), known: Box::new([NO_PAGES; KNOWN]) }
    }
}

impl PageList {
    /// Returns the place of a page in the list.
    #[inline]
    pub(super) fn place_of(&mut self, page: u64) -> u32 {
        let mixed = page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let [first, second] = &mut self.known[index(mixed) % KNOWN];
        if first.0 != page {
            // The first place is for the page that was used last.
            std::mem::swap(first, second);
        }
        if first.0 != page {
            *first = (page, small(self.pages.len()));
            self.pages.push(page);
        }
        first.1
    }

    pub(super) fn clear(&mut self) {
        self.pages.clear();
        self.known.fill(NO_PAGES);
    }
}
