//! What `perf` of Linux records: samples, as the text of `perf script` and as `perf.data`.
//!
//! Both give the same: an access for each sample that has a data address, and what the
//! recording says of itself (`samples`).

pub(super) mod data;
mod data_src;
mod samples;
pub(super) mod script;
