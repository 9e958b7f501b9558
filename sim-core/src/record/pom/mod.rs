//! What a reader sees of a POM-TLB: its counters, and one lookup in full. The small wasm module has none (`absent`).

#[cfg(not(feature = "fast"))]
mod absent;
#[cfg(feature = "fast")]
mod present;

#[cfg(not(feature = "fast"))]
pub(crate) use absent::{PomCounts, view};
#[cfg(not(feature = "fast"))]
pub use absent::{PomReport, PomView};
#[cfg(feature = "fast")]
pub(crate) use present::{PomCounts, view};
#[cfg(feature = "fast")]
pub use present::{PomReport, PomView};
