//! Tests of surveys of samples.

mod naive;
mod model;
mod recordings;
mod support;
