//! The importers, from bytes to accesses.

mod support;

mod champsim;
mod csv;
mod detect;
mod dynamorio;
mod fixtures;
mod lackey;
mod limits;
mod ops;
mod perf_data;
mod perf_script;
mod presets;
mod properties;
mod unpack;
