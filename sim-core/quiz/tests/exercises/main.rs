//! Tests of exercises: the file, the choice of accesses, answer lines and grading.

#[path = "../packed/mod.rs"]
mod packed;

mod counts;
mod files;
mod grading;
mod lines;
mod links;
mod names;
mod opened;
mod site;
mod students;
mod support;
