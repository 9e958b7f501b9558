//! An operation between two accesses, or an act of the operating system at an access, with its effects.

use serde::Serialize;

use super::EntryView;
use crate::entry::FieldView;
use crate::machine::probe::SystemAct;
use pagewalk_base::addr::{Hex, Level};
use pagewalk_base::trace::Op;

/// An operation after its execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct OpView {
    pub op: Op,
    /// The operation as a line of a text trace.
    pub text: String,
    /// The process that executes the operation. For `mov-cr3`, the process that runs afterwards.
    pub pid: u32,
    /// Whether the operation is not in the trace: the next access belongs to another process, so the kernel
    /// switches to it.
    pub is_switch: bool,
    /// The effects of the operation.
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub effects: EffectsView,
}

/// An act of the operating system at an access, and its effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ActView {
    pub act: SystemAct,
    /// The address of the page. For several huge pages, the address of the first.
    pub address: Hex,
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub effects: EffectsView,
}

/// The effects of an operation or of an act.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EffectsView {
    /// The number of entries that this core dropped, for each structure.
    pub dropped: Vec<u32>,
    /// The first entries that this core dropped.
    pub entries: Vec<DroppedView>,
    /// The number of global translations that stayed, for each structure. Empty if none stayed.
    pub stayed: Vec<u32>,
    /// The first global translations that stayed. Missing if none stayed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<DroppedView>>"))]
    pub stayed_entries: Vec<DroppedView>,
    /// The other cores that got the shootdown because they run the process or dropped an entry.
    pub cores: Vec<NotifiedCoreView>,
    /// The first page-table entries that changed.
    pub changes: Vec<ChangeView>,
    /// The number of page-table entries that changed.
    pub n_changes: u32,
    /// The number of writes to the tables of another process, the forked child.
    pub n_of_others: u32,
}

/// An entry that an operation dropped, or left while it dropped others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct DroppedView {
    pub structure: usize,
    pub set: u32,
    pub way: u32,
    pub entry: EntryView,
}

/// A core that got a shootdown. A real core that runs the process gets it by an interrupt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct NotifiedCoreView {
    /// The trace's number of the core's thread or processor.
    pub core: u32,
    /// Whether the core runs the process. A core that does not run it dropped entries from an earlier time.
    pub runs: bool,
    /// The number of entries that the core dropped, for each structure.
    pub dropped: Vec<u32>,
    /// The first entries that the core dropped. Missing if it dropped none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<DroppedView>>"))]
    pub entries: Vec<DroppedView>,
}

/// An entry of a table that software has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChangeView {
    /// Whether the table is the host's.
    pub host: bool,
    /// The level; 1 is the lowest table.
    pub level: Level,
    /// The name of the table as in `LevelView`. The host's tables are `nL1` ….
    pub table_name: String,
    pub index: u64,
    /// The physical address of the entry.
    pub entry_address: Hex,
    /// The first address that the entry translates.
    pub address: Hex,
    pub was: Hex,
    pub now: Hex,
    /// The fields of `was`, from the highest bit.
    pub was_fields: Vec<FieldView>,
    /// The fields of `now`, from the highest bit.
    pub now_fields: Vec<FieldView>,
}
