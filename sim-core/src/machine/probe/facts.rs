//! What an observer is told, fact by fact.

use crate::caches::tlb::{Entry, Placed, Slot};
use crate::machine::structures::StructureId;
use crate::page_table::Written;
use pagewalk_base::trace::{Kind, OpRecord};

/// A lookup. Structures are numbered: arrays of level 1, of level 2, paging-structure caches,
/// and those of the host: see `MachineView::structures`.
pub struct LookupFact {
    pub(crate) structure: StructureId,
    /// Page number or prefix.
    pub(crate) number: u64,
    /// The level whose shift makes the number from the address.
    pub(crate) level: u8,
    pub(crate) set: usize,
    pub(crate) way: Option<u32>,
}

/// A fill of the numbered structure.
pub struct FillFact {
    pub(crate) structure: StructureId,
    pub(crate) number: u64,
    pub(crate) level: u8,
    pub(crate) placed: Placed,
}

/// Why an entry left a structure without being evicted from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Leaving {
    /// Level 2, which includes level 1, gave it up.
    BackInvalidated,
    /// An entry for the run of pages that it is part of takes its place.
    Coalesced,
    /// It moved from level 2, which holds what level 1 does not, to level 1.
    MovedUp,
    /// The mapping that it stands for has changed.
    ShotDown,
    /// The virtual machine has exited to its host, on a processor without VPIDs.
    Exited,
    /// An access to its address has ended in a page fault.
    Faulted,
}

/// An entry left the numbered structure without being evicted from it.
#[derive(Clone, Copy)]
pub struct LeftFact {
    pub(crate) structure: StructureId,
    pub(crate) slot: Slot,
    pub(crate) tag: u64,
    pub(crate) entry: Entry,
    pub(crate) why: Leaving,
}

/// An entry that an operation dropped from the numbered structure, or left there though it dropped others.
#[derive(Clone, Copy, Debug)]
pub struct DropFact {
    pub(crate) structure: StructureId,
    pub(crate) slot: Slot,
    pub(crate) tag: u64,
    /// An entry of a table, not a translation.
    pub(crate) table: bool,
    /// Of a guest-physical address: the structure is one of the host's side.
    pub(crate) host: bool,
    pub(crate) entry: Entry,
}

/// An operation that was performed.
#[derive(Clone, Copy, Debug)]
pub struct OpFact {
    pub record: OpRecord,
    /// Not in the trace: the next access is another process's, and the kernel switches to it.
    pub is_switch: bool,
}

/// One entry read from a table.
#[derive(Clone, Copy)]
pub struct ReferenceFact {
    pub(crate) kind: Kind,
    pub(crate) level: u8,
    /// Whether the table is the host's.
    pub(crate) host: bool,
    /// Number of the memory cache that served it; the number of caches stands for DRAM.
    pub(crate) server: usize,
    pub(crate) cycles: u64,
}

/// An entry of a table that software has written.
#[derive(Clone, Copy, Debug)]
pub struct WriteFact {
    /// Whether the table is the host's.
    pub(crate) host: bool,
    pub(crate) written: Written,
}

/// A core that was told of a change of mappings.
#[derive(Clone, Debug)]
pub struct ShootdownFact {
    /// The trace's number of its thread or processor.
    pub(crate) core: u32,
    /// Whether the process, or virtual machine, whose mappings have changed runs there.
    pub(crate) runs: bool,
    pub(crate) dropped: Vec<DropFact>,
}

/// What an operating system does at an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SystemAct {
    /// Maps a page that is used for the first time.
    Map,
    /// Maps a page that is in memory already.
    MapShared,
    /// Copies a page that is shared, as it is written.
    Copy,
    /// Keeps a page that was shared, and nobody else has any more, as it is written.
    Keep,
    /// Reads a page from a disk.
    SwapIn,
    /// khugepaged makes huge pages of small ones.
    Promote,
    /// Other code gets huge pages, or another number of them.
    Recap,
}

/// An act of the operating system at an access.
#[derive(Clone, Copy, Debug)]
pub struct ActFact {
    pub(crate) act: SystemAct,
    /// The address that it is about.
    pub(crate) address: u64,
}

/// The translation of a guest-physical address begins.
#[derive(Clone, Copy)]
pub struct RowFact {
    /// The level of the guest's table that is there; 0 = it is the data.
    pub(crate) row: u8,
}

/// The host had to map a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViolationFact {
    pub(crate) address: u64,
    pub(crate) row: u8,
    pub(crate) qualification: u64,
}
