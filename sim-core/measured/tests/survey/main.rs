//! What samples tell of a program.

mod naive;
mod model;
mod recordings;
mod support;
