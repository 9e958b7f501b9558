//! The POM-TLB. The small wasm module has none (`absent`): its types have no value, so no code of it remains.

#[cfg(not(any(feature = "fast", feature = "ts")))]
mod absent;
#[cfg(any(feature = "fast", feature = "ts"))]
mod present;

#[cfg(not(any(feature = "fast", feature = "ts")))]
pub use absent::PomConfig;
#[cfg(not(any(feature = "fast", feature = "ts")))]
pub(crate) use absent::{Place, PomTlb};
#[cfg(any(feature = "fast", feature = "ts"))]
pub use present::PomConfig;
#[cfg(any(feature = "fast", feature = "ts"))]
pub(crate) use present::{Place, PomTlb};
