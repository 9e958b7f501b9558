//! The state of one of several cores after an access.

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CoreView {
    /// The trace's number of the core's thread or processor.
    pub core: u32,
    /// Whether the access happened on this core. The other cores lose entries only by a shootdown.
    pub active: bool,
    /// The process that the core runs. Missing before its first access.
    pub pid: Option<u32>,
    /// The number of entries in use, for each structure.
    pub in_use: Vec<u32>,
}
