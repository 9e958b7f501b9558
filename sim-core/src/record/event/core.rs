//! A core among several, after an access.

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CoreView {
    /// The trace's number of its thread or processor.
    pub core: u32,
    /// Whether the access happened on it: the others hold what they held before, but for what was shot down.
    pub active: bool,
    /// The process that it runs, if any yet.
    pub pid: Option<u32>,
    /// Entries in use, by structure.
    pub in_use: Vec<u32>,
}
