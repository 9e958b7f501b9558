//! Experiments against the facts that they reproduce: every number that has a closed form or a
//! published range must agree with it, and some are named here with their oracle.

mod runs;
mod support;
