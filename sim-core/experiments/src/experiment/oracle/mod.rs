//! Oracles: statements with a known answer, from manuals, books, papers and closed forms. Each is checked by running
//! the simulator, in the tests, on the command line and in the browser. `docs/oracles.md` lists them.
//!
//! ```text
//! data/oracles/<group>.json ─▶ a trace on a machine ─▶ `got` = `expected` ?
//! ```

mod data;
mod observe;
mod scenario;
mod verify;

pub use verify::{Basis, OracleCheck, OracleInfo, OracleResult, check_claims, oracles, verify};
