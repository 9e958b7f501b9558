//! Rows of a sweep on the current trace, one at a time, and what they are written as.

use std::rc::Rc;

use pagewalk::run::replay::Run;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_experiments::sweep::{Columns, RowTrace, Sweep, SweepSpec, report};
use wasm_bindgen::prelude::*;

use crate::convert::error_to_js;
use crate::{JsResult, Session};

/// A row on its way; an error of its configuration is its result.
pub(crate) struct RowTask {
    sweep: Sweep,
    row: u32,
    run: Result<Run>,
}

#[wasm_bindgen]
impl Session {
    /// The number of rows of JSON `SweepSpec` on one trace; throws what is wrong with it, and with all of them.
    #[wasm_bindgen(js_name = sweepRows)]
    pub fn sweep_rows(spec: &str) -> JsResult<u32> {
        let sweep = read(spec).map_err(error_to_js)?;
        sweep.check().map_err(error_to_js)?;
        Ok(sweep.n_rows())
    }

    /// Starts a row; gives the number of accesses that it simulates.
    #[wasm_bindgen(js_name = beginRow)]
    pub fn begin_row(&mut self, spec: &str, row: u32) -> JsResult<u32> {
        let sweep = read(spec).map_err(error_to_js)?;
        if row >= sweep.n_rows() {
            let message = format!("the sweep has no row {row}");
            return Err(error_to_js(Error::new(ErrorCode::BadConfig, message)));
        }
        let run = sweep.row(row).start(Rc::clone(&self.trace), &memory_map(&self.trace));
        let n = run.as_ref().map_or(0, |run| run.span().simulated.len());
        self.row_task = Some(RowTask { sweep, row, run });
        Ok(u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// Runs at least `n` more accesses; true if the row is done.
    #[wasm_bindgen(js_name = rowSlice)]
    pub fn row_slice(&mut self, n: u32) -> bool {
        let Some(RowTask { run: task, .. }) = &mut self.row_task else { return true };
        let Ok(run) = task else { return true };
        match run.go_on(n) {
            Ok(is_done) => is_done,
            Err(error) => {
                *task = Err(error);
                true
            }
        }
    }

    /// Ends the row: its line of the results, without the line break. `hash` is that of the trace.
    #[wasm_bindgen(js_name = finishRow)]
    pub fn finish_row(&mut self, hash: &str) -> JsResult<String> {
        let nothing = || error_to_js(Error::new(ErrorCode::BadTrace, "no row is under way"));
        let RowTask { sweep, row, run } = self.row_task.take().ok_or_else(nothing)?;
        let name = sweep.spec().traces[sweep.trace_of(row)].name();
        let trace = RowTrace { name, hash: hash.to_owned() };
        Ok(sweep.row(row).line(&trace, run.map(|run| report(&run))))
    }

    /// Forgets the row.
    #[wasm_bindgen(js_name = cancelRow)]
    pub fn cancel_row(&mut self) {
        self.row_task = None;
    }

    /// Lines of results as CSV.
    #[wasm_bindgen(js_name = sweepTable)]
    pub fn sweep_table(lines: &str) -> JsResult<String> {
        let mut columns = Columns::default();
        let rows = lines.lines().map(|line| columns.row(line.as_bytes()));
        rows.collect::<Result<String>>().map_err(error_to_js)
    }
}

/// There is one trace, the open one, whatever its name.
fn read(spec: &str) -> Result<Sweep> {
    let sweep = Sweep::new(SweepSpec::parse(spec)?)?;
    if sweep.spec().traces.len() == 1 {
        return Ok(sweep);
    }
    Err(Error::config("traces", "give one: rows are of the trace that is open"))
}
