//! Published experiments, simulated: each says what machine and policy it uses, and puts its
//! numbers beside those of the publication and those that follow on paper.
//!
//! ```text
//! list ─▶ jobs (a workload on a machine each) ─▶ reports ─▶ conclusion: tables, charts, words
//! ```

mod byte_array;
mod cliffs;
mod code_cache;
mod granules;
mod job;
mod list;
mod matrix;
mod nested;
mod paper;
mod parts;
mod pre_touch;
mod result;
mod run;
mod text_padding;
mod tlab;

pub use list::list;
pub use pre_touch::{PreTouchCounts, pre_touch_counts};
pub use result::{
    Axis, Chart, ExperimentInfo, ExperimentResult, Mark, Part, Reference, ResultTable, Row, Scale,
    Series, SeriesKind, Setting, Tolerance,
};
pub use run::{ExperimentRun, run};
