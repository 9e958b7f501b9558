//! The records of a run: the events of one access, snapshots of structures, counters.

pub mod event;
mod keys;
mod grid;
pub mod behind;
#[cfg_attr(
    not(any(feature = "fast", feature = "ts")),
    allow(unreachable_code, unused_variables, reason = "facts of blocks have no value")
)]
pub mod blocks;
pub mod pom;
pub mod hashed;
pub(crate) mod step;
pub mod snapshot;
pub mod touched;
pub mod invalidations;
pub mod stats;
