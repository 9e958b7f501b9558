//! A walk, and an address on its way through the caches of one dimension.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::lookups;
use crate::caches::memory::kind_of;
use pagewalk_base::addr::Level;

/// The start of a query whose first lookup is in the nested TLB. The number is no level.
pub(super) const FOR_TLB: u8 = 9;
/// The start of a query that hit the nested TLB. The number is no level.
pub(super) const BY_TLB: u8 = 8;
/// Stands for no line.
pub(super) const NO_LINE: u64 = u64::MAX;

/// A walk of the guest's tables, apart from the lookup of its page in the guest.
#[derive(Clone, Copy, Default)]
pub(super) struct Walk {
    /// The lookup of the data in the host, after the read of the guest's last entry.
    pub(super) data: Query,
    /// Whether the page is dirty in both dimensions.
    pub(super) is_dirty: bool,
}

impl Walk {
    /// Returns the kind of the access, as an index.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn kind(&self) -> usize {
        kind_of(self.data.before)
    }
}

/// An address to look up in caches, guest-virtual or guest-physical, and the reads around the lookup. Lines are
/// host-physical, and packed with their reader.
#[derive(Clone, Copy, Default)]
pub(super) struct Query {
    pub(super) address: u64,
    /// In the host: the line of the guest's entry that the walk reads before this lookup, or [`NO_LINE`].
    pub(super) before: u64,
    /// The line of the entry that ends the walk to this address.
    pub(super) line: u64,
    /// The number of the access.
    pub(super) index: u32,
    /// The place of the address among the known spans of its dimension.
    pub(super) span: u32,
    /// The number of the last table.
    pub(super) table: u32,
    /// The level of the last table, whose entry ends the walk.
    pub(super) lowest: Level,
    /// The level of the table where the walk starts, as a number. 0 = no cache has hit. [`FOR_TLB`] = the first
    /// lookup is in the nested TLB. [`BY_TLB`] = the nested TLB has hit.
    pub(super) start: u8,
}

impl Query {
    /// Returns the level of the table where the walk starts, or `None` if no cache has hit.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn start_level(&self) -> Option<Level> {
        (self.start != 0).then_some(Level::new(self.start))
    }

    /// Returns the kind of the access, as an index.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn kind(&self) -> usize {
        kind_of(self.line)
    }
}

impl lookups::Query for Query {
    #[cfg_attr(feature = "fast", inline(always))]
    fn number(&self, shift: u32) -> u64 {
        self.address >> shift
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn access(&self) -> u32 {
        self.index
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn serve(&mut self, start: u8) {
        self.start = start;
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn miss(&mut self) {
        self.start = 0;
    }
}
