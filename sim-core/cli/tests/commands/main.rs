//! The program as a shell sees it: arguments in; output, error and exit code out.

mod errors;
mod models;
mod reading;
mod run;
mod support;
mod windows;
