//! Tests of the experiments: every number with a closed form or a published range must agree with it. Some
//! numbers are also tested here; `docs/oracles.md` lists their sources by number.

mod runs;
mod support;
