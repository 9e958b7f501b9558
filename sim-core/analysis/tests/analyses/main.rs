//! Tests of analyses of whole traces: curves, causes of misses, advice and sweeps are compared with runs of the
//! machine or with naive twins.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod analysis;
mod attribution;
mod calls;
mod second_level;
mod curves;
mod huge_pages;
mod replays;
mod huge_verdict;
mod huge_ways;
mod surface;
mod sweep;
mod tags;
mod uncertainty;
mod what_if;
