//! Published experiments, simulated: each puts its numbers next to those of the publication and to those that follow
//! on paper. An experiment is a file of `data/`, and this is what runs them all.
//!
//! ```text
//! data/<id>.json ─▶ jobs (a workload on a machine each) ─▶ reports ─▶ tables, charts, words
//! ```

mod expression;
mod functions;
mod quantities;
mod result;
mod data;
mod list;
mod job;
mod jobs;
mod conclude;
mod run;

pub use list::list;
pub use quantities::{PreTouchCounts, pre_touch_counts};
pub use result::{
    Axis, Chart, ExperimentInfo, ExperimentResult, Mark, Part, Reference, ResultTable, Row, Scale,
    Series, SeriesKind, Setting, Tolerance,
};
pub use run::{ExperimentRun, run};
