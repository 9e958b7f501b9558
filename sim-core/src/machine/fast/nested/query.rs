//! An address on its way through the caches of one dimension.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::lookups;
use pagewalk_base::addr::Level;

/// The start of a query whose first lookup is in the nested TLB. The number is no level.
pub(super) const FOR_TLB: u8 = 9;
/// The start of a query that hit the nested TLB. The number is no level.
pub(super) const BY_TLB: u8 = 8;

/// An address to look up in caches, guest-virtual or guest-physical.
#[derive(Clone, Copy, Default)]
pub(super) struct Query {
    pub(super) address: u64,
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
    /// The kind of the access, as an index. For lookups of tables, nothing reads it.
    pub(super) kind: u8,
    /// For the data of a walk: whether the page is dirty in both dimensions.
    pub(super) is_dirty: bool,
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
        usize::from(self.kind) % 4
    }

    /// Returns whether the walk starts in the last table.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn starts_lowest(&self) -> bool {
        self.start == self.lowest.number()
    }

    /// Returns whether the walk starts in the table above the last one.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn starts_above(&self) -> bool {
        self.start == self.lowest.above().number()
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
