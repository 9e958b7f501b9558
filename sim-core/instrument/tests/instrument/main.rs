//! Instrumented programs compute what the original ones do, and report exactly the accesses that they make.

mod bad_input;
mod cases;
mod naive;
mod random;
mod run;
mod site;
mod source;
