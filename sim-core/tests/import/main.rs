//! The importers, from bytes to accesses.

mod support;

mod csv;
mod detect;
mod fixtures;
mod lackey;
mod limits;
mod ops;
mod properties;
mod unpack;
