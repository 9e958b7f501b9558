//! A two-dimensional walk in full: the grid of Bhargava et al. (ASPLOS 2008), one row for each
//! guest-physical address that the walk translates, one cell for each entry on the way.
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

/// The two dimensions of one translation, as the tables stand after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NestedView {
    /// The page that the guest's tables map; the TLB holds the smaller of the two.
    pub guest_page: PageSize,
    /// The page that the host's tables map the data with.
    pub host_page: PageSize,
    pub guest_levels: u8,
    pub host_levels: u8,
    /// How the values of host entries read; those of guest entries are the processor's own.
    pub host_format: HostFormat,
    /// `gL4` … down to the guest's leaf, then `data`.
    pub rows: Vec<NestedRowView>,
    /// Guest entries read.
    pub guest_refs: u32,
    /// Host entries read.
    pub host_refs: u32,
    /// References of a walk with these page sizes that nothing shortens.
    pub cold_refs: u32,
    /// Host pages that were mapped on the way.
    pub violations: Vec<ViolationView>,
    /// Accessed flags set in the host's tables.
    pub host_accessed: u32,
    /// Dirty flags set in the host's tables; each is an entry of the page-modification log.
    pub host_dirty: u32,
}

/// The layout of an entry's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum HostFormat {
    /// Intel's EPT: R W X in bits 0 to 2, memory type in 5:3, accessed 8, dirty 9 (SDM vol. 3C, 28.2.2).
    Ept,
    /// AMD's nested tables: as the processor's own (APM vol. 2, 15.25).
    Npt,
    /// Arm's descriptors of stage 2.
    #[serde(rename = "stage-2")]
    Stage2,
}

/// One guest-physical address, and the entry that is read there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NestedRowView {
    /// `gL4` … `gL1`, or `data`.
    pub name: String,
    /// Guest-physical address of the guest's table, or of the data.
    pub guest_physical: Hex,
    /// Where the host has it.
    pub host_physical: Hex,
    /// Lookups made for it: the nested TLB, then the EPT paging-structure caches, deepest first.
    pub lookups: Vec<LookupView>,
    /// The host's entries, the root first, down to the host's leaf.
    pub host: Vec<NestedCellView>,
    /// The guest's entry; none in the row of the data.
    pub guest: Option<NestedCellView>,
}

/// Whose table an entry is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Dimension {
    Native,
    Guest,
    Host,
}

/// Whether an entry was read, and what made that unnecessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum CellState {
    /// One reference.
    Read,
    /// A TLB knew the translation; nothing was walked.
    SkippedByTlb,
    /// A combined paging-structure cache knew where the guest's table is in the host.
    SkippedByPsc,
    /// The nested TLB knew where the guest-physical page is in the host.
    SkippedByNestedTlb,
    /// An EPT paging-structure cache knew the host's table further down.
    SkippedByEptPsc,
    /// The page walk cache held the entry itself.
    SkippedByPwc,
}

/// One entry of a table on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NestedCellView {
    /// Number of the reference in a walk that nothing shortens, from 1.
    pub n: u32,
    /// Number of the reference in this walk, from 1.
    pub order: Option<u32>,
    pub dimension: Dimension,
    /// 1 = the lowest table.
    pub level: Level,
    /// `nL4` …, `gL4` ….
    pub entry: String,
    /// The row it belongs to: `gL4` … `gL1`, or `data`.
    #[serde(rename = "for")]
    pub purpose: String,
    /// Index in its table.
    pub index: u64,
    /// The lowest bit of the address that indexes this table: a virtual address for the
    /// guest's tables, a guest-physical one for the host's.
    pub shift: u8,
    /// Bits of the address that index this table.
    pub bits: u8,
    /// Host-physical address of the entry.
    pub address: Hex,
    /// The entry's value after the access.
    pub value: Hex,
    /// The entry's bits, from the highest: each belongs to one field.
    pub fields: Vec<FieldView>,
    /// True if this entry maps a page.
    pub leaf: bool,
    pub state: CellState,
    /// The structure that made reading it unnecessary, as numbered in `MachineView`.
    pub skipped_by: Option<usize>,
    /// The lookup in the page walk cache, if one was made.
    pub lookup: Option<LookupView>,
    /// The cache that served the read, or `DRAM`.
    pub served_by: Option<String>,
    /// Latency of the read in cycles.
    pub cycles: Option<u64>,
}

/// An exit to the host, which mapped a page then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ViolationView {
    pub guest_physical: Hex,
    /// The row that it interrupted.
    #[serde(rename = "for")]
    pub purpose: String,
    /// Exit qualification (Intel SDM vol. 3C, table 27-7).
    pub qualification: Hex,
}

/// Exits for one reason, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExitView {
    pub reason: ExitReason,
    pub n: u64,
    /// The EPT violation, if it caused the exit.
    pub violation: Option<ViolationView>,
}
