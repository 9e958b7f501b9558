//! The data read of an access, through the memory caches, after its translation.

use super::Machine;
use crate::caches::memory::LINE;
use pagewalk_base::addr::Leaf;
use pagewalk_base::trace::Access;

/// The most lines that one access reads of a page; real accesses read one or two.
const MAX_LINES: usize = 64;

impl Machine {
    /// Reads the lines of the first page of an access, then the lines of its last page, through the memory caches.
    /// It reads at most [`MAX_LINES`] of each page. Under EPT, a page has the smaller of the guest's and the host's
    /// size. If an access spans more than two pages, the pages between are not translated and not read.
    pub(super) fn read_data(&mut self, access: &Access) {
        let (first, last) = (access.address, access.last());
        // If pages are at least as large as lines, an access within one line lies in one page.
        if first / LINE == last / LINE && 1 << self.plan.shift[Leaf::SMALLEST] >= LINE {
            if let Some(physical) = self.physical(first) {
                self.memory.read(physical);
            }
            return;
        }
        let page = 1 << self.page_shift_of(first);
        let end_of_first = (first | (page - 1)).min(last);
        self.read_lines(first, end_of_first);
        if end_of_first < last {
            let page = 1 << self.page_shift_of(last);
            self.read_lines((last & !(page - 1)).max(end_of_first + 1), last);
        }
    }

    fn read_lines(&mut self, first: u64, last: u64) {
        for line in (first / LINE..=last / LINE).take(MAX_LINES) {
            let Some(physical) = self.physical(first.max(line * LINE)) else { break };
            self.memory.read(physical);
        }
    }
}
