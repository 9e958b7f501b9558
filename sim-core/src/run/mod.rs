//! Runs of traces: while they are read, checkpoints and seeks, searches, two machines in lockstep, one explained walk.

pub mod window;
pub mod replay;
pub mod stream;
pub mod explain;
pub mod search;
pub mod lockstep;
