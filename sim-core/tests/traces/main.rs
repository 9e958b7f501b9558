//! Tests of traces as they are kept in memory.

#[path = "../common/mod.rs"]
mod common;

mod codec;
mod line_runs;
