//! The flags of the entries of native tables and of EPT tables.

use crate::entry::{ACCESSED, DIRTY, PRESENT, USER, WRITABLE, ept};
use pagewalk_base::addr::Paging;

/// The flags of entries: the flags of new entries, and the flags that a walk reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Format {
    /// The flags of which a present entry has at least one.
    pub(crate) present: u64,
    pub(crate) accessed: u64,
    pub(crate) dirty: u64,
    /// The flags of an entry that leads to a table.
    pub(super) table: u64,
    /// The flags of an entry that maps a page.
    pub(super) page: u64,
}

const ALL_RIGHTS: u64 = PRESENT | WRITABLE | USER;

pub(crate) const NATIVE: Format = Format {
    present: PRESENT,
    accessed: ACCESSED,
    dirty: DIRTY,
    table: ALL_RIGHTS,
    page: ALL_RIGHTS,
};

impl Format {
    /// Returns the flags of a new entry that maps a page.
    pub(crate) fn page_flags(&self) -> u64 {
        self.page
    }

    /// Returns the format of the tables of a native machine. Flags that its entries do not have are always set, so that
    /// no walk sets them.
    pub(crate) fn native(paging: &Paging) -> Self {
        let Some(own) = paging.entry_format() else { return NATIVE };
        let always = |is_there: bool, flags: u64| if is_there { 0 } else { flags };
        Self {
            table: ALL_RIGHTS | always(own.has_accessed(true), ACCESSED),
            page: ALL_RIGHTS | always(own.has_accessed(false), ACCESSED | DIRTY),
            ..NATIVE
        }
    }
}

/// The flags of EPT entries. New entries are readable, writable and executable, with memory type write-back.
pub(crate) const EPT: Format = Format {
    present: ept::RIGHTS,
    accessed: ept::ACCESSED,
    dirty: ept::DIRTY,
    table: ept::RIGHTS,
    page: ept::RIGHTS | ept::WRITE_BACK,
};
