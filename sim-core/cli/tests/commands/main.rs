//! Runs the program as a shell does, and checks output, error and exit code.

mod about;
mod addresses;
mod breakdown;
#[cfg(target_os = "linux")]
mod compiled;
#[cfg(target_os = "linux")]
mod compiled_calls;
mod compiled_counts;
#[cfg(target_os = "linux")]
mod compiled_processes;
mod converting;
mod counting;
mod curves;
mod errors;
mod exercises;
mod experiments;
mod facts;
mod measuring;
mod models;
mod nested;
mod notices;
mod opening;
mod policies;
mod process_files;
mod reading;
mod recorded_pages;
mod recorded_sizes;
#[cfg(target_os = "linux")]
mod recording;
#[cfg(target_os = "linux")]
mod recording_tools;
mod repeating;
mod run;
mod samples;
mod shell;
#[cfg(unix)]
mod sources;
mod stat;
mod support;
mod sweeps;
mod tables;
mod uncertainty;
mod verify;
mod windows;
mod workloads;
