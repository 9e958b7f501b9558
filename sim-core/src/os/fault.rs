//! The causes of page faults.

use serde::Serialize;

use super::Os;
use super::areas::Area;
use super::policy::PagePolicy;
use crate::page_table::PageTables;
use pagewalk_base::addr::{Leaf, PerLeaf};
use pagewalk_base::trace::{PageNumber, RegionKind};

/// The cause of a missing page, and what the operating system does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum FaultCause {
    /// The first use of anonymous memory: the system maps a zeroed page (minor).
    FirstTouch,
    /// The page is already in memory, for a file or another process, and the system only maps it (minor).
    Shared,
    /// The first write to a private page: the system copies the page (minor).
    CopyOnWrite,
    /// The system reads the contents from a disk (major).
    SwapIn,
    /// The host maps a page: after an EPT violation, or because the shadow table has no entry yet. The guest does
    /// not see this fault.
    Hidden,
}

impl FaultCause {
    pub const ALL: [Self; 5] =
        [Self::FirstTouch, Self::Shared, Self::CopyOnWrite, Self::SwapIn, Self::Hidden];

    /// Returns the position in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Area {
    /// Returns the cause of the fault at the first touch of a page of this area.
    fn first_touch(&self, store: bool) -> FaultCause {
        if !self.resident {
            FaultCause::SwapIn
        } else if self.copy_on_write && store {
            FaultCause::CopyOnWrite
        } else if self.copy_on_write || self.kind.is_some_and(RegionKind::is_backed) {
            FaultCause::Shared
        } else {
            FaultCause::FirstTouch
        }
    }
}

/// The decision of the system about an access before its translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fine,
    /// A pool of huge pages is empty. The access ends as a bus error, without a translation.
    BusError,
    /// The access writes shared pages at these addresses. Their mappings must be removed, so that copies are made.
    Copies([Option<u64>; 2]),
}

impl Os {
    /// Returns the cause of the fault at the missing page of `address`. The first address of its smallest page
    /// decides. A page that is about to be copied is reported once as a copy.
    pub(crate) fn cause_of(&mut self, address: u64, store: bool) -> FaultCause {
        if let Some(at) = self.copied.iter().position(|copy| copy.covers(address)) {
            self.copied.swap_remove(at);
            return FaultCause::CopyOnWrite;
        }
        self.area_of(PageNumber::of(address).start()).first_touch(store)
    }

    /// Returns whether [`Self::judge`] must check accesses.
    #[inline]
    pub(crate) fn checks_rights(&self) -> bool {
        self.checks_rights
    }

    /// Checks an access before it is translated. `bytes` has the addresses of its first and last byte, and `writes` says
    /// whether it writes. A translation that the TLB `holds` is used even if its page is no longer mapped.
    pub(crate) fn judge(
        &self,
        tables: &PageTables,
        space: u32,
        bytes: [u64; 2],
        writes: [bool; 2],
        holds: &dyn Fn(u64) -> bool,
    ) -> Verdict {
        let leaf = self.leaf_at(space, bytes[0]);
        let shift = self.paging.shift(leaf);
        let n = if bytes[0] >> shift == bytes[1] >> shift { 1 } else { 2 };
        let (mut copies, mut needed) = ([None; 2], PerLeaf::default());
        for ((address, writes), copy) in bytes.into_iter().zip(writes).zip(&mut copies).take(n) {
            let leaf = self.leaf_at(space, address);
            let entry = tables.leaf(space, address, leaf);
            let is_copied = match entry {
                Some((table, index)) => tables.is_shared(table, index),
                None => writes && self.shares_huge_page(tables, space, address) && !holds(address),
            };
            if writes && is_copied {
                *copy = Some(address);
            }
            if matches!(self.area_of(address).pages, PagePolicy::Hugetlb(_)) {
                let is_needed = match tables.frame_of(space, address, leaf) {
                    None => self.known_frame(tables, space, address, leaf).is_none(),
                    Some(frame) => {
                        let bytes = self.paging.size_of(leaf).bytes();
                        copy.is_some() && self.owners.are_shared(frame, bytes)
                    }
                };
                needed[leaf] += u64::from(is_needed);
            }
        }
        let is_short = |leaf: Leaf| self.pools.left(leaf).is_some_and(|left| left < needed[leaf]);
        if Leaf::all().any(is_short) {
            Verdict::BusError
        } else if copies == [None; 2] {
            Verdict::Fine
        } else {
            Verdict::Copies(copies)
        }
    }

    /// Applies the decision of [`Self::judge`] after the page of `address` was mapped. If the page `is_new`, its
    /// pool has one page less. A page that is shared until it is written becomes read-only.
    pub(crate) fn apply_verdict(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        (leaf, is_new): (Leaf, bool),
        store: bool,
    ) {
        if is_new && matches!(self.area_of(address).pages, PagePolicy::Hugetlb(_)) {
            self.pools.take(leaf);
        }
        if !store {
            self.share_if_copied(tables, space, address, leaf);
        }
        self.apply_rights(tables, space, address, leaf);
    }

    /// Shares a page of memory that is copied when it is written, because it also has another owner.
    pub(crate) fn share_if_copied(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) {
        if self.area_of(address).copy_on_write
            && let Some(frame) = tables.frame_of(space, address, leaf)
        {
            tables.share(space, address, leaf);
            self.owners.join(frame, self.paging.size_of(leaf).bytes());
        }
    }

    /// Returns whether a page is being copied: its mapping is removed, and the next walk maps the copy.
    pub(crate) fn is_copying(&self) -> bool {
        !self.copied.is_empty()
    }

    pub(super) fn area_of(&self, address: u64) -> &Area {
        let map = self.current();
        match map.areas() {
            [only] => only,
            _ => map.area(&map.segment(address)),
        }
    }
}
