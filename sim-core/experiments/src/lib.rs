//! Many runs: sweeps over configurations, and published experiments with their expected results.

pub mod about;
pub mod sweep;
pub mod experiment;
