//! The facts that an observer receives, one by one.

use super::Translation;
use crate::caches::pom::Place;
use crate::caches::tlb::{Entry, Placed, Slot};
use crate::caches::victima::SetNumber;
use crate::machine::structures::StructureId;
use crate::page_table::{Spot, Written};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::trace::{Kind, OpRecord};

/// A lookup in a structure.
pub struct LookupFact {
    pub(crate) structure: StructureId,
    /// The page number or the prefix.
    pub(crate) number: u64,
    /// The leaf, or for a walk cache the table level, whose shift turns the address into the number.
    pub(crate) leaf: Leaf,
    pub(crate) set: usize,
    pub(crate) way: Option<u32>,
}

/// A fill of a structure.
pub struct FillFact {
    pub(crate) structure: StructureId,
    pub(crate) number: u64,
    /// The leaf whose shift turns the address into the number.
    pub(crate) leaf: Leaf,
    pub(crate) placed: Placed,
}

/// A lookup in the translations behind level 2: the read of one set.
#[derive(Clone, Copy)]
pub struct PomFact {
    pub(crate) kind: Kind,
    /// The page number.
    pub(crate) number: u64,
    pub(crate) leaf: Leaf,
    pub(crate) place: Place,
    pub(crate) way: Option<u32>,
    /// The number of the memory cache that served the read; the number of caches means DRAM.
    pub(crate) server: usize,
    pub(crate) cycles: u64,
}

/// A fill of the translations behind level 2.
#[derive(Clone, Copy)]
pub struct PomFillFact {
    pub(crate) way: u32,
    /// The tag of the evicted page.
    pub(crate) evicted: Option<u64>,
}

/// What happened to the TLB block of a page.
#[derive(Clone, Copy)]
pub struct BlockFact {
    pub(crate) kind: Kind,
    /// The page number.
    pub(crate) number: u64,
    pub(crate) leaf: Leaf,
    pub(crate) set: SetNumber,
    pub(crate) event: BlockEvent,
}

/// What happened to a TLB block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockEvent {
    /// A lookup found the page.
    Hit { way: u32, cycles: u64 },
    /// A lookup did not find the page.
    Miss,
    /// The block was written, with `n_pages` pages. `evicted` says that the page was evicted from level 2, and not walked.
    Written { way: u32, n_pages: u32, evicted: bool },
    /// No block was written, because the page is not costly.
    NotCostly { evicted: bool },
}

/// A walk of hashed page tables: the lines that it read at the same time.
#[derive(Clone)]
pub struct HashedFact {
    pub(crate) kind: Kind,
    pub(crate) sort: HashedWalk,
    pub(crate) lines: Vec<LineFact>,
    /// The number of the line for which the walk waited.
    pub(crate) last: usize,
}

/// The lines that a walk of hashed page tables reads before a page fault. The machine counts no references of it.
#[derive(Clone)]
pub struct RefusedLinesFact {
    pub(crate) sort: HashedWalk,
    pub(crate) spots: Vec<Spot>,
    /// The walk caches that hold headers.
    pub(crate) caches: Vec<&'static str>,
}

/// One line that a walk of hashed page tables read.
#[derive(Clone, Copy)]
pub(crate) struct LineFact {
    pub(crate) spot: Spot,
    /// The number of the memory cache that served the read; the number of caches means DRAM.
    pub(crate) server: usize,
    pub(crate) cycles: u64,
}

/// The sort of a walk of hashed page tables, by what the walk caches ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum HashedWalk {
    /// The walk reads one line.
    Direct,
    /// The walk reads all ways of the table of one page size.
    Size,
    /// The walk reads some ways of the tables of several page sizes.
    Partial,
    /// The walk reads all ways of all tables.
    Complete,
}

/// The reason why an entry left a structure without an eviction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Leaving {
    /// An inclusive level 2 evicted the page, so level 1 dropped the entry.
    BackInvalidated,
    /// The entry of its coalesced run replaced it.
    Coalesced,
    /// The entry moved from an exclusive level 2 to level 1.
    MovedUp,
    /// The mapping changed, and a shootdown dropped the entry.
    ShotDown,
    /// The virtual machine exited to its host, on a processor without VPIDs.
    Exited,
    /// An access to the entry's address ended in a page fault.
    Faulted,
    /// An access used the entry of the prefetch buffer, and the entry moved to the TLB.
    Used,
}

/// The fate of a prefetched translation.
#[derive(Clone, Copy, Debug)]
pub enum PrefetchFact {
    /// A walk has fetched a translation. The facts since the last translation belong to this walk.
    Issued(Translation),
    /// The page is not mapped, or its mapping would cause a fault. No walk is counted.
    Unmapped,
    /// The first access has used a prefetched translation.
    Useful,
    /// A prefetched translation was evicted before any access used it.
    Useless,
    /// A miss taught the prefetcher nothing, because its instruction is unknown.
    WithoutIp,
}

/// An entry left a structure without being evicted.
#[derive(Clone, Copy)]
pub struct LeftFact {
    pub(crate) structure: StructureId,
    pub(crate) slot: Slot,
    pub(crate) tag: u64,
    pub(crate) entry: Entry,
    pub(crate) why: Leaving,
}

/// An entry that an operation dropped from a structure, or left there while it dropped others.
#[derive(Clone, Copy, Debug)]
pub struct DropFact {
    pub(crate) structure: StructureId,
    pub(crate) slot: Slot,
    pub(crate) tag: u64,
    /// Whether the entry is a table entry, not a translation.
    pub(crate) table: bool,
    /// Whether the entry translates a guest-physical address, so that the structure belongs to the host.
    pub(crate) host: bool,
    pub(crate) entry: Entry,
}

/// An operation that was executed.
#[derive(Clone, Copy, Debug)]
pub struct OpFact {
    pub record: OpRecord,
    /// Whether the operation is a switch to the process of the next access. Such a switch is not in the trace.
    pub is_switch: bool,
}

/// The read of one table entry.
#[derive(Clone, Copy)]
pub struct ReferenceFact {
    pub(crate) kind: Kind,
    pub(crate) level: Level,
    /// Whether the table is the host's.
    pub(crate) host: bool,
    /// The number of the memory cache that served the read; the number of caches means DRAM.
    pub(crate) server: usize,
    pub(crate) cycles: u64,
}

/// A walk set the accessed or dirty flag of an entry.
#[derive(Clone, Copy, Debug)]
pub struct FlagFact {
    /// Whether the table is the host's.
    pub(crate) host: bool,
    pub(crate) level: Level,
    /// The entry before the walk.
    pub(crate) was: u64,
}

/// The write of a table entry by software.
#[derive(Clone, Copy, Debug)]
pub struct WriteFact {
    /// Whether the table is the host's.
    pub(crate) host: bool,
    pub(crate) written: Written,
}

/// The shootdown that one core received.
#[derive(Clone, Debug)]
pub struct ShootdownFact {
    /// The trace's number of the core's thread or processor.
    pub(crate) core: u32,
    /// Whether the core runs the process or virtual machine whose mappings changed.
    pub(crate) runs: bool,
    pub(crate) dropped: Vec<DropFact>,
}

/// The acts of an operating system at an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SystemAct {
    /// Maps a page that is used for the first time.
    Map,
    /// Maps a page that is in memory already.
    MapShared,
    /// Copies a shared page at a write.
    Copy,
    /// Keeps a page at a write: it was shared, and now has one owner.
    Keep,
    /// Reads a page from a disk.
    SwapIn,
    /// khugepaged makes huge pages of small pages.
    Promote,
    /// Changes which code has huge pages, or how many.
    Recap,
}

/// An act of the operating system at an access, with its address.
#[derive(Clone, Copy, Debug)]
pub struct ActFact {
    pub(crate) act: SystemAct,
    /// The address that required the act.
    pub(crate) address: u64,
}

/// The beginning of the translation of a guest-physical address.
#[derive(Clone, Copy)]
pub struct RowFact {
    /// The level of the guest's table at that address, or `None` for the data.
    pub(crate) row: Option<Level>,
}

/// An EPT violation: the host's entries did not map a page, or did not allow the access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViolationFact {
    pub(crate) address: u64,
    pub(crate) row: Option<Level>,
    pub(crate) qualification: u64,
}
