//! Where traces come from and go to: importers, generators, exporters, and the reader of `perf stat`.
//!
//! Nothing here knows a machine. Each module uses only the modules above it.

pub mod perf_stat;
pub mod export;
pub mod import;
pub mod process;
pub mod workload;
