//! Questions about whole traces: curves, causes of misses, advice, sweeps, each against runs of the machine or a naive twin.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod analysis;
mod attribution;
mod behind;
mod curves;
mod huge_pages;
mod surface;
mod sweep;
mod what_if;
