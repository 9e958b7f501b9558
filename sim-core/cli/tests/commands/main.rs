//! Runs the program as a shell does, and checks output, error and exit code.

mod converting;
mod curves;
mod errors;
mod experiments;
mod models;
mod nested;
mod notices;
mod policies;
mod reading;
mod run;
mod samples;
mod stat;
mod support;
mod sweeps;
mod windows;
mod workloads;
