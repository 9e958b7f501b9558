//! An operation between two accesses, and what it dropped.

use serde::Serialize;

use super::EntryView;
use crate::trace::Op;

/// An operation, after it was performed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct OpView {
    pub op: Op,
    /// As a trace in text has it.
    pub text: String,
    /// The process that performs it; of `mov-cr3`, the one that runs from then on.
    pub pid: u32,
    /// Not in the trace: the access is another process's than the one before, and the kernel switches to it.
    pub is_switch: bool,
    /// Entries that it dropped, by structure.
    pub dropped: Vec<u32>,
    /// The first of them.
    pub entries: Vec<DroppedView>,
}

/// An entry that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct DroppedView {
    pub structure: usize,
    pub set: u32,
    pub way: u32,
    pub entry: EntryView,
}
