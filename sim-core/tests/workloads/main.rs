//! Compares workloads with their descriptions: with naive twins of the loops, and with counts from closed
//! forms.

#[path = "../common/mod.rs"]
mod common;

mod errors;
mod files;
mod fixture;
mod lookups;
mod loops;
mod orders;
mod support;
