//! The base of all crates: addresses, traces of memory accesses, errors and JSON.
//!
//! Each module uses only the modules above it. No module contains a machine, or a file format other than the
//! project's own.

pub mod whole;
pub mod narrow;
pub mod sorted;
pub mod thousands;
pub mod small_map;
pub mod hash;
pub mod csv;
pub mod random;
pub mod error;
pub mod json;
pub mod addr;
pub mod trace;
pub mod samples;
