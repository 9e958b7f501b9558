//! What `perf` of Linux records: samples, as `perf.data`, as the text of `perf script` and as that of
//! `perf mem report`.
//!
//! All give the same: an access for each sample that has a data address, and what the
//! recording says of itself (`events`, `samples`).

pub(super) mod data;
mod data_src;
mod events;
mod flush;
pub(super) mod mem;
mod samples;
pub(super) mod script;
