//! What every other crate builds on: addresses, traces of memory accesses, errors and JSON.
//!
//! Each module uses only the modules above it. Nothing here knows a machine or a file format
//! other than the project's own.

pub mod narrow;
pub mod thousands;
pub mod random;
pub mod error;
pub mod json;
pub mod addr;
pub mod trace;
pub mod samples;
