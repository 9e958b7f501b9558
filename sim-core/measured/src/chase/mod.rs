//! What a pointer chase says about the TLBs of the processor it ran on.
//!
//! `curve` turns the timed rounds into costs, `levels` finds the steps of the costs, `model` simulates the same chase on a
//! CPU model, and `fit` compares both. `strides` compares two strides, and `said` puts the results into sentences. Nothing here
//! reads a clock.

mod adapt;
mod curve;
mod fit;
mod levels;
mod model;
mod report;
mod said;
mod samples;
mod strides;

pub use curve::ChaseCost;
pub use fit::ChaseFit;
pub use levels::ChaseLevel;
pub use model::simulated;
pub use report::{ChaseClock, ChaseReport, Comparing, conclude};
pub use samples::{ChasePlace, ChasePoint, ChaseSamples};
pub use strides::every_page_of;
