//! Calls for benchmarks only.

use pagewalk::config::parse_json;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::advance;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Completeness;
use pagewalk_base::trace::TraceBuilder;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{MAX_TRACE_BYTES, State};
use pagewalk_sources::import::ImportReport;
use pagewalk_sources::workload;
use serde::Deserialize;
use wasm_bindgen::JsValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Loads {
    n: u64,
    bytes: u64,
    /// The stride in bytes; 0 = uniformly random addresses.
    stride: u64,
}

/// Generates loads and makes them the current trace. Returns `null`.
pub(crate) fn generate_loads(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Loads { n, bytes, stride } = parse_json(args)?;
    let mut given = vec![
        ("accesses".to_owned(), n.to_string()),
        ("bytes".to_owned(), bytes.to_string()),
        ("base".to_owned(), "0x7f0000000000".to_owned()),
    ];
    let workload = if stride == 0 { "uniform" } else { "strided" };
    if stride > 0 {
        given.push(("stride".to_owned(), stride.to_string()));
    }
    let mut builder = TraceBuilder::new(MAX_TRACE_BYTES);
    workload::generator(workload, &given)?.pass(n, |accesses| builder.push_all(accesses))?;
    state.take(builder.finish(Completeness::Complete)?, ImportReport::default())?;
    Ok(json(&()))
}

/// Runs the whole trace in one call, without checkpoints. Returns a `RunReport`.
pub(crate) fn run_through(state: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    let (mut machine, trace) = (state.machine().clone(), &state.trace);
    let mut counted = Stats::default();
    advance(&mut machine, trace, 0, trace.len(), &mut counted);
    let mut report = counted.report(&machine, trace.completeness);
    report.trace.part = trace.part;
    Ok(json(&report))
}

/// Returns `[accesses, page runs, retained bytes, bytes of checkpoints]`.
pub(crate) fn trace_size(state: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    let State { trace, replay, .. } = state;
    let bytes = [trace.bytes(), replay.checkpoint_bytes()].map(|n| n as u64);
    Ok(json(&[u64::from(trace.len()), trace.n_runs(), bytes[0], bytes[1]]))
}
