//! The events of one access. They are computed when the user looks at the access, and never stored.
//!
//! The `…View` types go to the browser as JSON, and `pagewalk explain` prints them.

mod core;
mod nested;
mod op;

use serde::Serialize;

use crate::caches::tlb::Index;
use crate::entry::FieldView;
use crate::machine::exception::ExceptionView;
use crate::machine::probe::{Leaving, Outcome};
use crate::os::Virt;
use pagewalk_base::addr::{Hex, Level, PageSize, TableFormat};
use pagewalk_base::json::is_false;
use pagewalk_base::trace::{AccessView, Kind};

pub use crate::record::behind::BehindView;
pub use crate::record::blocks::{BlockMark, BlockWayView, BlocksView};
pub use crate::record::hashed::{HashedLineView, HashedView, LineReadView};
pub use core::CoreView;
pub use nested::{
    CellState, Dimension, ExitView, HostFormat, NestedCellView, NestedRowView, NestedView,
    ViolationView,
};
pub use op::{ActView, ChangeView, DroppedView, EffectsView, NotifiedCoreView, OpView};

/// A lookup in one structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct LookupView {
    /// The number of the structure in `MachineView::structures`.
    pub structure: usize,
    pub hit: bool,
    /// The set that the key chooses.
    pub set: u32,
    /// The way that held the key.
    pub way: Option<u32>,
    /// The key: a page number (TLB) or a prefix of the address (paging-structure cache).
    pub key: Hex,
    /// The lowest address bit of the key.
    pub key_shift: u8,
}

/// A fill of an entry, and the entry that it evicted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FillView {
    pub structure: usize,
    pub set: u32,
    pub way: u32,
    pub key: Hex,
    pub key_shift: u8,
    /// True if the entry translates a guest-physical page, and is kept inside a TLB array.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub guest_physical: bool,
    pub evicted: Option<EntryView>,
}

/// An entry that left a structure without being replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct LeftView {
    pub structure: usize,
    pub set: u32,
    pub way: u32,
    pub entry: EntryView,
    pub why: Leaving,
}

/// One entry of a TLB array or paging-structure cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EntryView {
    /// The page number or the address prefix.
    pub key: Hex,
    /// The lowest address bit of the key: 12 for a 4K page, 21 for a 2M page or a PDE.
    pub key_shift: u8,
    /// True if the entry is a paging-structure entry kept inside a TLB array.
    pub table: bool,
    /// True if the entry translates a guest-physical page, and is kept inside a TLB array.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub guest_physical: bool,
    /// The address space, numbered in order of appearance.
    pub space: u32,
    /// The number of the access that filled the entry, from 0.
    pub filled_at: u32,
    /// The number of the access that used the entry last, from 0.
    pub used_at: u32,
    /// The number of hits since the fill.
    pub hits: u32,
}

/// Whether an entry of a table was read, and the reason if it was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ReadState {
    /// The walk read the entry: one reference.
    Read,
    /// A paging-structure cache held this entry, or an entry further down.
    SkippedByPsc,
    /// A TLB held the translation, so there was no walk.
    SkippedByTlb,
}

/// A neighbour of the entry that the walk reads, in its table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NeighbourView {
    pub index: u64,
    /// The value of the entry. 0 = empty.
    pub value: Hex,
}

/// One level of the page table on the way to the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct LevelView {
    /// The level; 1 is the lowest table.
    pub level: Level,
    /// The name of the table: `PT`, `PD`, `PDPT`, `PML4`, `PML5`; `L3` to `L0` on Arm; on other machines `L1`, `L2`,
    /// ….
    pub table_name: String,
    /// The physical address of the table.
    pub table: Hex,
    pub index: u64,
    /// The number of entries in the table.
    pub n_entries: u64,
    /// The physical address of the entry.
    pub entry_address: Hex,
    /// The value of the entry after the access.
    pub value: Hex,
    /// Its value before, if the access set its accessed or dirty flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub was: Option<Hex>,
    /// The fields of the entry, from the highest bit. Each bit belongs to one field.
    pub fields: Vec<FieldView>,
    /// True if this entry maps the page.
    pub leaf: bool,
    pub state: ReadState,
    /// The number of the reference within the walk, from 1.
    pub order: Option<u32>,
    /// The cache that served the read, or `DRAM`.
    pub served_by: Option<String>,
    /// The latency of the read in cycles.
    pub cycles: Option<u64>,
    /// The number of address bits that index the table.
    pub bits: u8,
    /// The lowest address bit that indexes this table.
    pub shift: u8,
    /// The two entries before this one and the two after it, or fewer at the ends of the table.
    pub neighbours: Vec<NeighbourView>,
    /// Whether the table is hashed. Then `table` is the address of the line that holds the entry.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub hashed: bool,
}

/// The walk of an access that ended with a page fault. The machine counts no references of such an access: the entries
/// have neither a cache that served them nor cycles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct RefusedView {
    /// The entries from the root to the one that refused the access. Hashed page tables have that entry alone, or none
    /// if no line belongs to the page.
    pub levels: Vec<LevelView>,
    /// The name of the field of the last entry that refused it: `P`, `W`.
    pub field: String,
    /// The walk of hashed page tables.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub hashed: Option<HashedView>,
}

/// The cycles of one translation by cause. They come from a stated model, not from a measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CyclesView {
    pub l2_hit: u64,
    /// The cycles of the level-2 lookup that missed before the walk.
    pub l2_miss: u64,
    pub walk_overhead: u64,
    /// The sum of the cycles of the walk's references.
    pub references: u64,
    pub total: u64,
}

/// One translation: an access has one, or two if it straddles a page boundary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TranslationView {
    /// The address of the translated byte.
    pub address: Hex,
    pub page_size: PageSize,
    /// log2 of the page's bytes.
    pub page_shift: u8,
    /// The page number: the address, shifted right by `page_shift`.
    pub page_number: Hex,
    pub outcome: Outcome,
    /// The TLB lookups, first of level 1 and then of level 2, in the order of the machine.
    pub tlb: Vec<LookupView>,
    /// The lookup behind level 2, if there was one.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub behind: Option<BehindView>,
    /// The TLB blocks of a memory cache, if the machine has them and the page may be in one.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub blocks: Option<BlocksView>,
    /// The lookups in paging-structure caches, deepest first, up to the first hit.
    pub psc: Vec<LookupView>,
    pub fills: Vec<FillView>,
    /// The entries that left without an eviction, in order.
    pub left: Vec<LeftView>,
    /// All levels of the page table, from the root to the leaf. Hashed page tables have the leaf alone.
    pub levels: Vec<LevelView>,
    /// The walk of hashed page tables.
    #[cfg_attr(
        any(feature = "fast", feature = "ts"),
        serde(skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub hashed: Option<HashedView>,
    /// The number of references of the walk, or 0 without a walk.
    pub refs: u32,
    /// The number of accessed and dirty flags that were set.
    pub ad_updates: u32,
    /// The physical address. Under nested paging it is the host-physical address.
    pub physical: Hex,
    /// The physical page number, at the page's own size.
    pub frame: Hex,
    pub cycles: CyclesView,
    /// The guest's and the host's entries, if the host has page tables. Then `levels` are the guest's, with
    /// guest-physical addresses.
    pub nested: Option<NestedView>,
}

/// A virtual machine on the core of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct VmView {
    /// The number of the virtual machine in the trace. Every core begins with number 1.
    pub vm: u16,
    /// The VPID (AMD: ASID) of the virtual machine on this core, or 0 if the processor has no VPIDs.
    pub vpid: u16,
}

/// All events of access `index`, after it ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct StepView {
    pub index: u32,
    pub access: AccessView,
    /// The virtual machine that executes the access, if the trace has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub vm: Option<VmView>,
    pub translations: Vec<TranslationView>,
    /// The walks that prefetched TLB entries after the access. Missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<TranslationView>>"))]
    pub prefetches: Vec<TranslationView>,
    /// The worst outcome of the translations.
    pub outcome: Outcome,
    /// The number of entries in use on the core of the access, for each structure.
    pub in_use: Vec<u32>,
    /// All cores that have run accesses so far, in the order of their first access. Missing if all accesses of
    /// the trace happen on one core.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<CoreView>>"))]
    pub cores: Vec<CoreView>,
    /// The number of table pages allocated until now.
    pub table_pages: u64,
    /// The physical address of the root table.
    pub root: Hex,
    /// The exception that ended the access before it was completed.
    pub exception: Option<ExceptionView>,
    /// The entries that the walk of this access reads until one refuses it. Missing unless a page fault ended the
    /// access.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub refused: Option<RefusedView>,
    /// The VM exits in order, including exits by the operations before and after. First touches of the host's pages
    /// are listed in the translation instead. Missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<ExitView>>"))]
    pub exits: Vec<ExitView>,
    /// The operations before the access. For access 0, they include the operations at the start of the trace.
    pub before: Vec<OpView>,
    /// The acts of the operating system at the access, in order. Missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<ActView>>"))]
    pub acts: Vec<ActView>,
    /// The operations after the last access of a trace.
    pub after: Vec<OpView>,
}

/// The role of a structure in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum StructureRole {
    L1,
    L2,
    /// A paging-structure cache.
    Psc,
    /// The buffer of prefetched translations.
    PrefetchBuffer,
    /// The nested TLB: guest-physical to host-physical pages.
    NestedTlb,
    /// A paging-structure cache of the host's tables.
    EptPsc,
    /// The page walk cache: table entries by their host-physical address.
    Pwc,
}

/// One array or cache of the machine, for the pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct StructureView {
    pub name: String,
    pub role: StructureRole,
    pub serves: Vec<Kind>,
    pub pages: Vec<PageSize>,
    pub sets: u32,
    pub ways: u32,
    /// The index function.
    pub index: Index,
    /// The name of the replacement policy.
    pub replacement: String,
    /// For a paging-structure cache or a nested TLB inside a TLB array: the number of that array.
    pub inside: Option<usize>,
}

/// The machine of a configuration, with every default filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MachineView {
    pub name: String,
    /// The structures, in this order: TLB arrays of level 1, TLB arrays of level 2, paging-structure caches, lowest
    /// level first, and the prefetch buffer. Under EPT, three more follow: the nested TLB, the EPT paging-structure caches, lowest level
    /// first, and the page walk cache. Every `structure` number is an index into this list.
    pub structures: Vec<StructureView>,
    pub virt: Virt,
    /// The vocabulary for the tables: x86, AMD or Arm.
    pub tables: TableFormat,
    /// The number of levels of the page table. Under virtualisation, the number of the guest's levels.
    pub levels: u8,
    /// The number of levels of the host's page table.
    pub host_levels: Option<u8>,
    pub va_bits: u8,
    pub offset_bits: u8,
    pub page_sizes: Vec<PageSize>,
    /// The number of page walks that the core does at the same time.
    pub walkers: u32,
    /// The name and the latency in cycles of each cache that serves page-table reads. DRAM is last.
    pub memory: Vec<(String, u64)>,
}
