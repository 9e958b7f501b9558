//! Tests of the experiments: every number with a closed form must agree with it, and every published figure has a
//! source and a verdict. Some numbers are also tested here; `docs/oracles.md` lists their sources by number.

mod chases;
mod lesson;
mod lessons;
mod oracles;
mod runs;
mod support;
mod verdicts;
