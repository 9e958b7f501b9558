//! The cache lines that a range of accesses touches, in order and sorted by line, for
//! [`super::Memory::begin_touches`]. `machine::fast` fills the lists; clones share them.
//!
//! A *touch* is an access that may change the nearest cache. An access is a *repeat* if it touches the most recent
//! line of its group again (group 0: fetches, group 1: data). A repeat changes nothing, unless a walk has read since
//! the touch.

use std::ops::Range;
use std::sync::Arc;

use pagewalk_base::narrow::small;

/// log2 of the lines of a 4 KiB page.
pub(crate) const PAGE_LINES_BITS: u32 = 6;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TouchList {
    /// For each touch: twice the number of its access, plus the group of that access.
    pub(crate) places: Arc<[u32]>,
    /// For each touch: the number of its line.
    pub(crate) lines: Arc<[u16]>,
    /// The numbers of all touches, sorted by line, then in order.
    pub(crate) by_line: Arc<[u16]>,
    /// For each line: the index in `by_line` of its first touch. One more entry holds the end of the last
    /// line's touches.
    pub(crate) starts: Arc<[u32]>,
    /// For each line: the index of its page in `pages`, then in [`PAGE_LINES_BITS`] bits the number of the line
    /// in the page.
    pub(crate) names: Arc<[u32]>,
    /// The numbers of the virtual 4 KiB pages.
    pub(crate) pages: Arc<[u64]>,
    /// One bit for each access: whether it is a fetch.
    pub(crate) fetches: Arc<[u64]>,
    /// The number of accesses, repeats included.
    pub(crate) n: u32,
}

impl TouchList {
    pub(crate) fn n_touches(&self) -> u32 {
        small(self.places.len())
    }

    pub(super) fn n_lines(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of a touch's access.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn access(&self, touch: u32) -> u32 {
        self.places[touch as usize] >> 1
    }

    /// Returns 0 if the touch is a fetch, otherwise 1.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn group(&self, touch: u32) -> usize {
        (self.places[touch as usize] & 1) as usize
    }

    /// Returns the number of a touch's line.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn line(&self, touch: u32) -> u32 {
        u32::from(self.lines[touch as usize])
    }

    /// Returns the index of a line's page in `pages`, and the number of the line in its page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn name(&self, line: u32) -> (usize, u64) {
        let name = self.names[line as usize];
        let in_page = name & ((1 << PAGE_LINES_BITS) - 1);
        ((name >> PAGE_LINES_BITS) as usize, u64::from(in_page))
    }

    /// Returns the positions of a line's touches, for [`Self::touch_at`].
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn touches_of(&self, line: u32) -> Range<u32> {
        self.starts[line as usize]..self.starts[line as usize + 1]
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn touch_at(&self, place: u32) -> u32 {
        u32::from(self.by_line[place as usize])
    }

    /// Returns the first of `places`, all of one line, whose touch is number `touch` or a later one.
    #[inline]
    pub(super) fn place_from(&self, places: Range<u32>, touch: u32) -> u32 {
        let touches = &self.by_line[places.start as usize..places.end as usize];
        places.start + small(touches.partition_point(|other| u32::from(*other) < touch))
    }

    /// Returns the number of touches before access `index`. The caller knows that this number is at least `from`.
    pub(super) fn n_before(&self, from: u32, index: u32) -> u32 {
        let rest = &self.places[from as usize..];
        from + small(rest.partition_point(|place| place >> 1 < index))
    }

    /// Returns the first access of a group in `from..to`.
    #[inline]
    pub(crate) fn first_of(&self, group: usize, from: u32, to: u32) -> Option<u32> {
        let to = to.min(self.n);
        let mut at = from;
        while at < to {
            let word = self.fetches[(at / 64) as usize];
            let wanted = if group == 0 { word } else { !word } >> (at % 64);
            if wanted != 0 {
                let found = at + wanted.trailing_zeros();
                return (found < to).then_some(found);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }
}
