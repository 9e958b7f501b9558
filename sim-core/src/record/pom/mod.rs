//! What a reader sees of a POM-TLB: its counters, and one lookup in full. The small wasm module has none (`absent`).

#[cfg(not(any(feature = "fast", feature = "ts")))]
mod absent;
#[cfg(any(feature = "fast", feature = "ts"))]
mod present;

#[cfg(not(any(feature = "fast", feature = "ts")))]
pub(crate) use absent::{PomCounts, view};
#[cfg(not(any(feature = "fast", feature = "ts")))]
pub use absent::{PomReport, PomView};
#[cfg(any(feature = "fast", feature = "ts"))]
pub(crate) use present::{PomCounts, view};
#[cfg(any(feature = "fast", feature = "ts"))]
pub use present::{PomReport, PomView};
