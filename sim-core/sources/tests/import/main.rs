//! The importers, from bytes to accesses.

mod perf;
mod support;

mod call_paths;
mod blocks;
mod champsim;
mod code;
mod code_calls;
mod csv;
mod csv_rows;
mod detect;
mod dynamorio;
mod exported;
mod fixtures;
mod formats;
mod lackey;
mod limits;
mod lookalikes;
mod loops;
mod ops;
mod peek;
mod perf_columns;
mod perf_data;
mod perf_mem;
mod perf_pipe;
mod perf_script;
mod presets;
mod properties;
mod samples;
mod saved;
mod select;
mod unpack;
