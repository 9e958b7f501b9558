//! Measurements of real processors: counters of `perf stat` and samples of recordings.

pub mod trace_info;
pub mod counters;
pub mod survey;
