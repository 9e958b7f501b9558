//! Rows of a sweep on the current trace, one at a time, and their table.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk::run::replay::Run;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_experiments::about::About;
use pagewalk_experiments::sweep::{Columns, RowTrace, Sweep, SweepSpec, report};
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, Recorded, State};
use serde::Deserialize;
use wasm_bindgen::JsValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    /// JSON `SweepSpec`.
    spec: String,
}

/// Returns the number of rows of a sweep on one trace. It is an error if the sweep is not valid, or if all of
/// its rows have an error.
pub(crate) fn rows(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Rows { spec } = parse_json(args)?;
    let sweep = read(&spec)?;
    sweep.check()?;
    Ok(json(&sweep.n_rows()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowArgs {
    spec: String,
    row: u32,
    /// The hash of the trace, which the line names.
    hash: String,
}

/// Runs a row. Returns its line of the results without a line break. An error of its configuration is part of
/// the line.
pub(crate) fn row(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let RowArgs { spec, row, hash } = parse_json(args)?;
    let sweep = read(&spec)?;
    if row >= sweep.n_rows() {
        let message = format!("the sweep has no row {row}");
        return Err(Error::new(ErrorCode::BadConfig, message));
    }
    let recorded = state.recorded.as_deref().map(Recorded::evidence);
    let chosen = sweep.row_of(row, recorded);
    let map = memory_map(&state.trace, chosen.address_tags());
    let run = chosen.start(Rc::clone(&state.trace), &map);
    Ok(Box::new(Running { sweep, row, hash, run }))
}

struct Running {
    sweep: Sweep,
    row: u32,
    hash: String,
    run: Result<Run>,
}

impl LongCall for Running {
    fn slice(&mut self, _: &mut State, n: u32) -> Result<bool> {
        let Ok(run) = &mut self.run else { return Ok(true) };
        match run.go_on(n) {
            Ok(is_done) => Ok(is_done),
            Err(error) => {
                self.run = Err(error);
                Ok(true)
            }
        }
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        self.run.as_ref().ok().and_then(progress_of)
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        let Self { sweep, row, hash, run } = *self;
        let name = sweep.spec().traces[sweep.trace_of(row)].name();
        let trace = RowTrace { name, hash, seed: None };
        let about = About::new(Vec::new());
        let recorded = state.recorded.as_deref().map(Recorded::evidence);
        let line = sweep.row_of(row, recorded).line(about, &trace, run.map(|run| report(&run)));
        Ok(json(&line))
    }
}

/// Returns the progress of a run.
pub(crate) fn progress_of(run: &Run) -> Option<Progress> {
    let simulated = &run.span().simulated;
    let total = u64::from(simulated.end - simulated.start);
    Progress::accesses(run.position() - simulated.start, Some(total))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Lines of results.
    lines: String,
}

/// Returns lines of results as CSV.
pub(crate) fn table(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Table { lines } = parse_json(args)?;
    let mut columns = Columns::default();
    let rows = lines.lines().map(|line| columns.row(line.as_bytes()));
    Ok(json(&rows.collect::<Result<String>>()?))
}

/// Reads a sweep. It must have exactly one trace, which stands for the open trace; its name does not matter.
fn read(spec: &str) -> Result<Sweep> {
    let sweep = Sweep::new(SweepSpec::parse(spec)?)?;
    if sweep.spec().traces.len() == 1 {
        return Ok(sweep);
    }
    Err(Error::config("traces", "give one: rows are of the trace that is open"))
}
