//! Workloads: access patterns that are computed, not recorded.
//!
//! A workload is a stream: past accesses are not kept, so any length is possible. Equal parameters give equal
//! traces on every platform.
//!
//! ```text
//! id, name=value … ─▶ registry ─▶ Params (checked) ─▶ Generator: Iterator<Item = Access>
//! ```

mod code;
mod generator;
mod linear;
mod lookup;
mod matrix;
mod order;
mod params;
mod pattern;
pub mod random;
mod registry;
mod text;
mod tlab;
mod zipf;

pub use generator::Generator;
pub use params::{ChoiceInfo, ParamInfo, ParamType};
pub use registry::{WorkloadCheck, WorkloadInfo, check, generator, list};
pub use text::{TextFormat, write_access};
