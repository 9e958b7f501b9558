//! An operation between two accesses, or an act of the operating system at one, and what it changed.

use serde::Serialize;

use super::EntryView;
use crate::entry::FieldView;
use crate::machine::probe::SystemAct;
use pagewalk_base::addr::{Hex, Level};
use pagewalk_base::trace::Op;

/// An operation, after it was performed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct OpView {
    pub op: Op,
    /// The operation as a line of a text trace.
    pub text: String,
    /// The process that performs it; of `mov-cr3`, the one that runs from then on.
    pub pid: u32,
    /// Not in the trace: the access is another process's than the one before, and the kernel switches to it.
    pub is_switch: bool,
    /// What it changed.
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub effects: EffectsView,
}

/// What an operating system did at an access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ActView {
    pub act: SystemAct,
    /// The address that it is about; of several huge pages that of the first.
    pub address: Hex,
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub effects: EffectsView,
}

/// What an operation or an act changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EffectsView {
    /// Entries that this core dropped, by structure.
    pub dropped: Vec<u32>,
    /// The first of them.
    pub entries: Vec<DroppedView>,
    /// Global translations that stayed, by structure; empty if none did.
    pub stayed: Vec<u32>,
    /// The first of them. Missing if none did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<DroppedView>>"))]
    pub stayed_entries: Vec<DroppedView>,
    /// Other cores that were told: those that run the process, or dropped something.
    pub cores: Vec<ToldCoreView>,
    /// The first entries of tables that changed.
    pub changes: Vec<ChangeView>,
    /// How many did.
    pub n_changes: u32,
    /// Writes to tables of another process: a forked child.
    pub n_of_others: u32,
}

/// An entry that was dropped, or that stayed where others were dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct DroppedView {
    pub structure: usize,
    pub set: u32,
    pub way: u32,
    pub entry: EntryView,
}

/// A core that was told of a change, by an interrupt where a real one runs the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ToldCoreView {
    /// The trace's number of its thread or processor.
    pub core: u32,
    /// Whether it runs the process; one that does not dropped what it held from before.
    pub runs: bool,
    /// Entries that it dropped, by structure.
    pub dropped: Vec<u32>,
    /// The first of them. Missing if it dropped none.
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
    /// 1 = the lowest table.
    pub level: Level,
    /// As in `LevelView`; of the host's tables `nL1` ….
    pub table_name: String,
    pub index: u64,
    /// Physical address of the entry.
    pub entry_address: Hex,
    /// The first address that it translates.
    pub address: Hex,
    pub was: Hex,
    pub now: Hex,
    /// The bits of `was`, from the highest.
    pub was_fields: Vec<FieldView>,
    /// The bits of `now`.
    pub now_fields: Vec<FieldView>,
}
