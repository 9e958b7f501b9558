//! Opens a saved trace.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_base::trace::TraceBuilder;
use pagewalk_measured::trace_info::TraceView;
use pagewalk_sources::import::read_saved;
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::answer::json;
use crate::state::{MAX_TRACE_BYTES, State};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    name: String,
}

/// Opens a saved trace without samples as the current one. It reads the whole file in one call, so it is for
/// small files. Returns a `TraceView`.
pub(crate) fn open(state: &mut State, args: &str, file: &[u8]) -> Result<JsValue> {
    let Args { name } = parse_json(args)?;
    let mut builder = TraceBuilder::new(MAX_TRACE_BYTES);
    let mut report = read_saved(file, &mut builder)?;
    let mut trace = builder.finish(report.completeness)?;
    trace.part = report.part;
    report.pages_4k = trace.page_counts();
    state.take(trace, report.clone())?;
    Ok(json(&TraceView::new(name, &state.trace, report)))
}
