//! What a system said about the pages of a process: `/proc/PID/smaps` (proc(5)).

use super::varint::{read_varint, write_varint};
use crate::addr::PageSize;

/// The pages of a range of memory, by size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageFact {
    pub pid: u32,
    pub start: u64,
    /// The first address after the range.
    pub end: u64,
    /// The size of its pages that are not huge.
    pub size: PageSize,
    /// The size of its huge pages.
    pub huge: PageSize,
    /// The bytes of the range that are huge pages.
    pub huge_bytes: u64,
}

impl PageFact {
    /// The most facts of a section.
    pub(super) const SECTION: usize = 1 << 15;

    /// Returns the facts as the payload of a section.
    pub(super) fn save(facts: &[Self]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for Self { pid, start, end, size, huge, huge_bytes } in facts {
            let sizes = [u64::from(size.0), u64::from(huge.0)];
            for number in [u64::from(*pid), *start, end - start, sizes[0], sizes[1], *huge_bytes] {
                write_varint(&mut bytes, number);
            }
        }
        bytes
    }

    /// Reads the payload of a section, or `None` if it is damaged.
    pub(super) fn restore(mut payload: &[u8]) -> Option<Vec<Self>> {
        let mut facts = Vec::new();
        while !payload.is_empty() {
            let mut next = || read_varint(&mut payload);
            let (pid, start, length) = (next()?, next()?, next()?);
            let (size, huge, huge_bytes) = (next()?, next()?, next()?);
            let page_size = |shift: u64| {
                u8::try_from(shift).ok().filter(|shift| (1..63).contains(shift)).map(PageSize)
            };
            let fact = Self {
                pid: u32::try_from(pid).ok()?,
                start,
                end: start.checked_add(length)?,
                size: page_size(size)?,
                huge: page_size(huge)?,
                huge_bytes,
            };
            facts.push(fact);
        }
        Some(facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_as_they_were_written() {
        let fact = PageFact {
            pid: 7,
            start: 0x7f00_0000_0000,
            end: 0x7f00_0040_0000,
            size: PageSize::K4,
            huge: PageSize::M2,
            huge_bytes: 2 << 20,
        };
        let facts = [fact, PageFact { start: u64::MAX - 1, end: u64::MAX, ..fact }];
        let saved = PageFact::save(&facts);
        assert_eq!(PageFact::restore(&saved).unwrap(), facts);
        // A part of a fact, a size that is none, and an end beyond the last address are damage.
        assert_eq!(PageFact::restore(&saved[..saved.len() - 1]), None);
        assert_eq!(PageFact::restore(&[0, 1, 1, 64, 21, 0]), None);
        let beyond = PageFact { start: 1, end: 3, ..fact };
        let mut saved = PageFact::save(&[beyond]);
        saved.splice(1..2, [0xff; 9].into_iter().chain([1]));
        assert_eq!(PageFact::restore(&saved), None);
    }
}
