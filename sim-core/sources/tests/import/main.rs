//! The importers, from bytes to accesses.

mod perf;
mod support;

mod champsim;
mod csv;
mod detect;
mod dynamorio;
mod exported;
mod fixtures;
mod formats;
mod lackey;
mod limits;
mod loops;
mod ops;
mod peek;
mod perf_data;
mod perf_mem;
mod perf_script;
mod presets;
mod properties;
mod samples;
mod saved;
mod select;
mod unpack;
