//! Reads recordings of Linux `perf`: samples in a `perf.data`, in the text of `perf script`, or in the text
//! of `perf mem report`.
//!
//! All three give an access for each sample with a data address, and what the recording says about itself
//! (`events`, `samples`).

mod chain;
pub(super) mod data;
mod data_src;
mod events;
mod flush;
pub(super) mod mem;
mod samples;
pub(super) mod script;
