//! The geometry of page tables, with plain numbers for levels and page sizes.

use std::ops::Deref;

use pagewalk_base::addr::{Leaf, Level, PageSize, Paging};

/// A geometry. The leaf of a page is the number of the level of its entry.
#[derive(Clone)]
pub(super) struct Geometry(pub(super) Paging);

impl Deref for Geometry {
    type Target = Paging;

    fn deref(&self) -> &Paging {
        &self.0
    }
}

impl Geometry {
    pub(super) fn bits(&self, level: u8) -> u32 {
        self.0.bits(Level::new(level))
    }

    pub(super) fn index(&self, address: u64, level: u8) -> u64 {
        self.0.index(address, Level::new(level))
    }

    pub(super) fn shift(&self, level: u8) -> u32 {
        self.0.shift(Leaf::of(Level::new(level)))
    }

    pub(super) fn size_of(&self, level: u8) -> PageSize {
        self.0.size_of(Leaf::of(Level::new(level)))
    }

    pub(super) fn leaf_level(&self, size: PageSize) -> Option<u8> {
        self.0.leaf_level(size).map(Leaf::number)
    }
}
