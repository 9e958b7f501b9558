//! Copies of `/proc/PID/maps` and `smaps`: they name the memory of the current trace, and say which pages it has.

use pagewalk::config::parse_json;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::{Mapping, PageFact, Trace};
use pagewalk_measured::trace_info::TraceView;
use pagewalk_replay_wasm::State;
use pagewalk_replay_wasm::answer::json;
use pagewalk_sources::import::Warning;
use pagewalk_sources::process::{self, ProcessMemory};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::recorded;

/// The largest file in bytes.
const MAX_BYTES: usize = 256 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The name of the trace.
    name: String,
}

/// Adds the memory of a process to the current trace. A later file replaces an earlier one. Returns a `TraceView`.
pub(crate) fn describe(state: &mut State, args: &str, file: &[u8]) -> Result<JsValue> {
    let Args { name } = parse_json(args)?;
    if file.len() > MAX_BYTES {
        let message = format!("a memory map is smaller than {} MB", MAX_BYTES >> 20);
        return Err(Error::new(ErrorCode::TooLarge, message));
    }
    let ProcessMemory { mappings, pages } = process::memory(&String::from_utf8_lossy(file))?;
    let Some(first) = state.trace.accesses_from(0).next() else {
        let message = "the open trace has no access, so a memory map says nothing about it: open another trace";
        return Err(Error::new(ErrorCode::BadTrace, message));
    };
    let pid = first.pid;
    let mappings = mappings.into_iter().map(|mapping| Mapping { pid, from: 0, ..mapping });
    let facts = pages.into_iter().map(|fact| PageFact { pid, ..fact });
    let (samples, stated) = (state.samples.clone(), state.report.page_size);
    state.describe(mappings.collect(), facts.collect(), |trace| {
        recorded::of(trace, &samples, stated)
    })?;
    let mut report = state.report.clone();
    report.warnings.extend(warning(&state.trace, pid).map(Warning::from));
    let samples = Some(state.samples.len()).filter(|n| *n > 0);
    let view = TraceView::new(name, &state.trace, report);
    Ok(json(&TraceView { samples, recorded: recorded::view(state), ..view }))
}

/// Returns a warning if other processes access memory, too.
fn warning(trace: &Trace, pid: u32) -> Option<String> {
    let has_others = trace.accesses_from(0).any(|access| access.pid != pid);
    has_others.then(|| {
        format!(
            "The memory map is taken to be that of process {pid}, the first of the trace: to name another, import only its accesses"
        )
    })
}
