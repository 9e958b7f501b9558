//! Tests of the operating system: the pages that memory gets, and the reports about them.

#[path = "../common/mod.rs"]
mod common;
mod bad;
mod fork;
mod hosts;
mod invalidations;
mod maps;
mod policies;
mod random;
mod rights;
mod support;
#[path = "../naive/os/mod.rs"]
mod twin;
