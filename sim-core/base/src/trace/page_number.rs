//! Page numbers: the pages of a trace.

use super::runs::RUN_PAGE_BITS;

/// The number of a page of 4 KiB: the address of its first byte, shifted right by [`RUN_PAGE_BITS`]. Packed runs and lists of
/// pages store the raw number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PageNumber(pub u64);

impl PageNumber {
    /// Returns the page of an address.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn of(address: u64) -> Self {
        Self(address >> RUN_PAGE_BITS)
    }

    /// Returns the address of the first byte.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn start(self) -> u64 {
        self.0 << RUN_PAGE_BITS
    }

    /// Returns the address after the last byte. For the highest page, returns the address of the last byte.
    pub const fn end(self) -> u64 {
        self.start().saturating_add(1 << RUN_PAGE_BITS)
    }

    /// Returns the page that is `n` pages further on.
    #[cfg_attr(feature = "fast", inline(always))]
    #[must_use]
    pub const fn plus(self, n: u64) -> Self {
        Self(self.0 + n)
    }

    /// Returns the number of pages from a lower page to this one.
    pub const fn pages_since(self, lower: Self) -> u64 {
        self.0 - lower.0
    }
}
