//! Measurements of real processors: counters of `perf stat`, samples of recordings, and pointer chases.

pub mod trace_info;
pub mod chase;
pub mod counters;
pub mod survey;
