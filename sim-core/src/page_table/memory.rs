//! A physical memory of limited size, which tables and pages share.
//!
//! Tables and pages take the lowest free frames, from frame 1 on. Frames of pages that are unmapped later are not used
//! again; tables are.

use std::collections::{BTreeMap, VecDeque};

use super::Frame;
use pagewalk_base::addr::{PageSize, Paging};
use pagewalk_base::error::{Error, ErrorCode, Result};

/// The most bits of a physical address that an entry of the simulator can hold.
const ENTRY_BITS: u32 = 52;

/// The memory that is still free.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The free ranges: the first address and the end of each.
    free: BTreeMap<u64, u64>,
    page: PageSize,
    end: u64,
    /// The addresses of the next tables, if they are given.
    tables: VecDeque<u64>,
    /// The first address that pages take.
    pages_from: u64,
}

impl Memory {
    pub(crate) fn new(paging: &Paging) -> Self {
        let scale = 12u32.saturating_sub(u32::from(paging.offset_bits));
        let end = 1 << u32::from(paging.physical_width()).min(ENTRY_BITS - scale);
        let page = PageSize(paging.offset_bits);
        Self {
            free: BTreeMap::from([(page.bytes(), end)]),
            page,
            end,
            tables: VecDeque::new(),
            pages_from: 0,
        }
    }

    /// Returns the number of bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.end
    }

    /// Says where the next tables are, and from which address on pages are.
    pub(crate) fn place(&mut self, tables: &[u64], pages_from: u64) {
        self.tables.extend(tables);
        self.pages_from = pages_from;
    }

    /// Removes the bytes from `start` on from the free memory. Some of them may be in use already.
    pub(crate) fn reserve(&mut self, start: u64, bytes: u64) {
        let end = start + bytes;
        let meets: Vec<(u64, u64)> = self
            .free
            .range(..end)
            .rev()
            .take_while(|(_, free_end)| **free_end > start)
            .map(|(at, end)| (*at, *end))
            .collect();
        for (free, free_end) in meets {
            self.free.remove(&free);
            if free < start {
                self.free.insert(free, start);
            }
            if end < free_end {
                self.free.insert(end, free_end);
            }
        }
    }

    /// Takes the frame of a page.
    ///
    /// # Errors
    /// `too-large` if no free frame is left.
    pub(crate) fn take_page(&mut self, size: PageSize) -> Result<Frame> {
        self.take(size.bytes(), size.bytes(), self.pages_from).map(Frame::at)
    }

    /// Takes the memory of a table.
    ///
    /// # Errors
    /// `too-large` if no free frame is left.
    pub(super) fn take_table(&mut self, bytes: u64) -> Result<u64> {
        match self.tables.pop_front() {
            Some(given) => Ok(given),
            None => self.take(bytes, self.page.bytes(), 0),
        }
    }

    fn take(&mut self, bytes: u64, aligned: u64, from: u64) -> Result<u64> {
        let fit = |(start, end): (&u64, &u64)| {
            let at = (*start).max(from).next_multiple_of(aligned);
            (at + bytes <= *end).then_some(at)
        };
        let Some(at) = self.free.iter().find_map(fit) else {
            let message = format!(
                "physical memory is full: all {} frames of {} bytes hold page tables and pages. Give the machine more \
                 physical_bits, or access fewer pages",
                self.end / self.page.bytes(),
                self.page.bytes()
            );
            return Err(Error::new(ErrorCode::TooLarge, message));
        };
        self.reserve(at, bytes);
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        let paging = Paging { offset_bits: 6, physical_bits: Some(9), ..Paging::default() };
        Memory::new(&paging)
    }

    #[test]
    fn the_lowest_free_frame_is_taken_and_frame_0_never() {
        let mut memory = memory();
        memory.reserve(0x80, 0x40);
        let size = PageSize(6);
        let taken: Vec<u64> = (0..4).map(|_| memory.take_page(size).unwrap().start()).collect();
        assert_eq!(taken, [0x40, 0xc0, 0x100, 0x140]);
        assert_eq!(memory.take_table(0x80).unwrap(), 0x180);
        let error = memory.take_page(size).unwrap_err().to_string();
        assert!(error.contains("all 8 frames of 64 bytes"), "{error}");
    }

    #[test]
    fn given_tables_come_first_and_pages_from_their_place() {
        let mut memory = memory();
        memory.reserve(0x100, 0x40);
        memory.place(&[0x100], 0x180);
        assert_eq!(memory.take_table(0x40).unwrap(), 0x100);
        assert_eq!(memory.take_table(0x40).unwrap(), 0x40);
        assert_eq!(memory.take_page(PageSize(6)).unwrap().start(), 0x180);
    }

    #[test]
    fn reserved_ranges_may_overlap() {
        let mut memory = memory();
        memory.reserve(0x100, 0x80);
        memory.reserve(0xc0, 0x80);
        memory.reserve(0, 0x1000);
        assert!(memory.free.is_empty());
    }
}
