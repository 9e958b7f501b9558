//! The accesses themselves, where they go through the memory caches after their translation.

use super::Machine;
use crate::caches::memory::LINE;
use pagewalk_base::trace::Access;

/// Lines that one access reads of a page; real ones read one or two.
const MAX_LINES: usize = 64;

impl Machine {
    /// Takes the access itself through the memory caches: the lines of its first page, then
    /// those of its last, at most [`MAX_LINES`] of each. Pages are as the TLB would hold them, under EPT the
    /// smaller of guest's and host's: of an access over more than two nobody translates those between, so
    /// nothing of them is read.
    pub(super) fn read_data(&mut self, access: &Access) {
        let (first, last) = (access.address, access.last());
        // Pages are as large as a line, or larger: such an access has one line, of one page.
        if first / LINE == last / LINE && 1 << self.plan.shift[1] >= LINE {
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
