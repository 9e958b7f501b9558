//! What the operating system does: which pages memory gets, and what that is told to come to.

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
