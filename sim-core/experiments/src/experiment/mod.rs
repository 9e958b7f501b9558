//! Simulates published experiments, and compares the simulated numbers with the published ones and with closed
//! forms. An experiment is a file of `data/`; this module runs all of them.
//!
//! ```text
//! data/<id>.json ─▶ jobs (a workload on a machine each) ─▶ reports ─▶ tables, charts, words
//! ```

mod expression;
mod functions;
mod quantities;
mod verdict;
mod result;
mod data;
mod list;
mod job;
mod jobs;
mod conclude;
mod run;
mod oracle;

pub use list::list;
pub use oracle::{Basis, OracleCheck, OracleInfo, OracleResult, check_claims, oracles, verify};
pub use quantities::{PreTouchCounts, pre_touch_counts};
pub use result::{
    Axis, Caveat, Change, Chart, Citation, ExperimentInfo, ExperimentResult, Figure, Mark, Part,
    ResultTable, Row, Scale, Series, SeriesKind, Setting, Source,
};
pub use run::{ExperimentRun, run};
pub use verdict::{Claim, Direction, Verdict, deviation, judge};
