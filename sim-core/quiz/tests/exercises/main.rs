//! Tests of exercises: the file, the choice of accesses, answer lines and grading.

mod counts;
mod files;
mod grading;
mod lines;
mod links;
mod opened;
mod students;
mod support;
