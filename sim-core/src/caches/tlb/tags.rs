//! Tags: the numbers that identify an entry in its set.

use pagewalk_base::addr::Paging;

/// The layout of a tag: page number, class, address space, from the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TagLayout {
    number_bits: u32,
}

/// Classes below 8 are the levels of leaves; from 8 on they are entries of tables.
const TABLE_CLASS: u64 = 8;
const CLASS_BITS: u32 = 4;

impl TagLayout {
    pub(crate) fn new(paging: &Paging) -> Self {
        Self { number_bits: paging.va_bits() - u32::from(paging.offset_bits) }
    }

    /// Returns the number that stands for every address space: the highest that fits above the longest page
    /// number.
    pub(crate) fn global(self) -> u32 {
        (1 << (63 - CLASS_BITS - self.number_bits).min(31)) - 1
    }

    /// Returns the bits that, added to the number of a page of leaf `level`, make its tag.
    #[inline]
    pub(crate) fn page_class(self, level: u8, space: u32) -> u64 {
        (u64::from(level) | u64::from(space) << CLASS_BITS) << self.number_bits
    }

    /// Returns the bits that, added to an address prefix, make the tag of the entry that leads to a table of
    /// `level`.
    #[inline]
    pub(crate) fn table_class(self, level: u8, space: u32) -> u64 {
        self.page_class(0, space) | (TABLE_CLASS + u64::from(level)) << self.number_bits
    }

    pub(crate) fn number(self, tag: u64) -> u64 {
        tag & ((1 << self.number_bits) - 1)
    }

    /// Returns the level of a tag, and whether the tag is that of a table entry.
    pub(crate) fn class(self, tag: u64) -> (u8, bool) {
        let class = tag >> self.number_bits & ((1 << CLASS_BITS) - 1);
        let level = u8::try_from(class % TABLE_CLASS).expect("below 8");
        (level, class >= TABLE_CLASS)
    }

    pub(crate) fn space(self, tag: u64) -> u32 {
        u32::try_from(tag >> self.number_bits >> CLASS_BITS).unwrap_or(u32::MAX)
    }
}
