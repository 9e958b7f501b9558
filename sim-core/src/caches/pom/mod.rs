//! The POM-TLB. The small wasm module has none (`absent`): its types have no value, so no code of it remains.

#[cfg(not(feature = "fast"))]
mod absent;
#[cfg(feature = "fast")]
mod present;

#[cfg(not(feature = "fast"))]
pub use absent::PomConfig;
#[cfg(not(feature = "fast"))]
pub(crate) use absent::{Place, PomTlb};
#[cfg(feature = "fast")]
pub use present::PomConfig;
#[cfg(feature = "fast")]
pub(crate) use present::{Place, PomTlb};
