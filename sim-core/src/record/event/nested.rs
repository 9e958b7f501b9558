//! A nested walk in full: the grid of Bhargava et al. (ASPLOS 2008). It has one row for each guest-physical
//! address that the walk translates, and one cell for each entry on the way.
//!
//! ```text
//!            nL4   nL3   nL2   nL1   guest entry
//! gL4         1     2     3     4        5          numbers of a cold walk: a cell keeps its
//! …                                                 number when it is skipped
//! gL1        16    17    18    19       20
//! data       21    22    23    24        –
//! ```

use serde::Serialize;

use super::LookupView;
use crate::entry::FieldView;
use crate::machine::exits::ExitReason;
use pagewalk_base::addr::{Hex, Level, PageSize};

/// The guest's and the host's entries of one translation, with their values after the translation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NestedView {
    /// The size of the page in the guest's tables. The TLB holds a page of the smaller of the two sizes.
    pub guest_page: PageSize,
    /// The size of the page in the host's tables that holds the data.
    pub host_page: PageSize,
    pub guest_levels: u8,
    pub host_levels: u8,
    /// The format of host entries. Guest entries have the format of the processor's own tables.
    pub host_format: HostFormat,
    /// The rows: `gL4` down to the guest's leaf, then `data`.
    pub rows: Vec<NestedRowView>,
    /// The number of guest entries that the walk read.
    pub guest_refs: u32,
    /// The number of host entries that the walk read.
    pub host_refs: u32,
    /// The number of references of a walk with these page sizes if all walk caches are empty.
    pub cold_refs: u32,
    /// The EPT violations of the walk, for host pages that were mapped on the way.
    pub violations: Vec<ViolationView>,
    /// The number of accessed flags set in the host's tables.
    pub host_accessed: u32,
    /// The number of dirty flags set in the host's tables. Each takes an entry of the page-modification log.
    pub host_dirty: u32,
}

/// The layout of an entry's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum HostFormat {
    /// Intel's EPT entry: R W X in bits 0 to 2, memory type in 5:3, accessed 8, dirty 9 (SDM vol. 3C, 28.2.2).
    Ept,
    /// AMD's nested tables, with the format of the processor's own tables (APM vol. 2, 15.25).
    Npt,
    /// Arm's descriptor of stage 2.
    #[serde(rename = "stage-2")]
    Stage2,
}

/// One guest-physical address, and the entry that is read there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NestedRowView {
    /// The name of the row: `gL4` … `gL1`, or `data`.
    pub name: String,
    /// The guest-physical address of the guest's table, or of the data.
    pub guest_physical: Hex,
    /// The host-physical address that results from the translation.
    pub host_physical: Hex,
    /// The lookups of this guest-physical address. They go to the nested TLB, then to the EPT paging-structure
    /// caches, lowest level first.
    pub lookups: Vec<LookupView>,
    /// The host's entries, from the root down to the host's leaf.
    pub host: Vec<NestedCellView>,
    /// The guest's entry. Missing in the row of the data.
    pub guest: Option<NestedCellView>,
}

/// The dimension of an entry: the owner of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Dimension {
    Native,
    Guest,
    Host,
}

/// Whether an entry was read, and the structure that made the read unnecessary if it was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum CellState {
    /// The walk read the entry: one reference.
    Read,
    /// A TLB held the translation, so there was no walk.
    SkippedByTlb,
    /// A combined paging-structure cache held the host-physical address of a guest table further down.
    SkippedByPsc,
    /// The nested TLB held the host-physical page of the guest-physical address.
    SkippedByNestedTlb,
    /// An EPT paging-structure cache held the address of a host table further down.
    SkippedByEptPsc,
    /// The page walk cache held the entry itself.
    SkippedByPwc,
}

/// One entry of a table on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NestedCellView {
    /// The number of this reference in a walk with empty walk caches, from 1.
    pub n: u32,
    /// The number of the reference in this walk, from 1.
    pub order: Option<u32>,
    pub dimension: Dimension,
    /// The level; 1 is the lowest table.
    pub level: Level,
    /// The name of the entry: `nL4` …, `gL4` ….
    pub entry: String,
    /// The row of the cell: `gL4` … `gL1`, or `data`.
    #[serde(rename = "for")]
    pub purpose: String,
    /// The index of the entry in its table.
    pub index: u64,
    /// The lowest address bit that indexes this table. The address is virtual for the guest's tables, and
    /// guest-physical for the host's.
    pub shift: u8,
    /// The number of address bits that index this table.
    pub bits: u8,
    /// The host-physical address of the entry.
    pub address: Hex,
    /// The value of the entry after the access.
    pub value: Hex,
    /// Its value before, if the access set its accessed or dirty flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub was: Option<Hex>,
    /// The fields of the entry, from the highest bit. Each bit belongs to one field.
    pub fields: Vec<FieldView>,
    /// True if this entry maps a page.
    pub leaf: bool,
    pub state: CellState,
    /// The structure that made the read unnecessary, as a number in `MachineView`.
    pub skipped_by: Option<usize>,
    /// The lookup of the entry in the page walk cache, if there was one.
    pub lookup: Option<LookupView>,
    /// The cache that served the read, or `DRAM`.
    pub served_by: Option<String>,
    /// The latency of the read in cycles.
    pub cycles: Option<u64>,
}

/// An EPT violation: a VM exit, after which the host mapped a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ViolationView {
    pub guest_physical: Hex,
    /// The row of the walk that the violation interrupted.
    #[serde(rename = "for")]
    pub purpose: String,
    /// The exit qualification (Intel SDM vol. 3C, table 27-7).
    pub qualification: Hex,
}

/// Consecutive VM exits with one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExitView {
    pub reason: ExitReason,
    pub n: u64,
    /// The EPT violation, if it caused the exit.
    pub violation: Option<ViolationView>,
}
