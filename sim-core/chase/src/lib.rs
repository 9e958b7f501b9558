//! A pointer chase that measures the TLBs of the processor it runs on. The command line and the browser use this source.
//!
//! [`Chase`] times one load per page, in random order ([`Lines::Spread`]), and as many lines without gaps
//! ([`Lines::Dense`]). The difference is the cost of address translation. The caller gives memory and a clock: the
//! crate reads no clock and knows no operating system.

mod adds;
mod ring;
mod steps;
mod timing;

pub use adds::ns_of_an_add;
pub use ring::{Chase, LINE, Lines, shuffle};
pub use steps::{BACKING, steps};
pub use timing::Timing;
