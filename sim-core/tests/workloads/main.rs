//! Workloads against what they are said to be: simple loops written a second time, and
//! counts that follow on paper.

#[path = "../common/mod.rs"]
mod common;

mod errors;
mod files;
mod fixture;
mod lookups;
mod loops;
mod orders;
mod support;
