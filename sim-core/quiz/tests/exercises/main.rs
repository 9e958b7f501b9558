//! Tests of exercises: the file, the choice of accesses, answer lines and grading.

mod files;
mod grading;
mod lines;
mod opened;
mod support;
