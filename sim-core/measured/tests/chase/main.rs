//! Curves with known sizes, made on paper or by the simulator, and what is inferred from them.

mod adapted;
mod models;
mod paper;
mod refusals;
mod strides;
mod support;
