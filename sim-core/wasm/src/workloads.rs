//! Generated traces: the list of workloads, the check of a form, and the work itself.

use std::collections::BTreeMap;

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Completeness, TraceBuilder};
use pagewalk_measured::trace_info::TraceView;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, MAX_TRACE_BYTES, Progress, State};
use pagewalk_sources::import::ImportReport;
use pagewalk_sources::workload::{self, Generator};
use serde::Deserialize;
use wasm_bindgen::JsValue;

/// Returns all workloads: `WorkloadInfo[]`.
pub(crate) fn workloads(_: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    Ok(json(&workload::list()))
}

/// A workload. Missing parameters have their defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workload {
    id: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
}

fn read(args: &str) -> Result<(String, Vec<(String, String)>)> {
    let Workload { id, params } = parse_json(args)?;
    Ok((id, params.into_iter().collect()))
}

/// Checks parameters, and returns the errors and the number of accesses: a `WorkloadCheck`.
pub(crate) fn check(_: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let (id, given) = read(args)?;
    Ok(json(&workload::check(&id, &given)))
}

/// Generates a workload. The trace becomes the current one. Returns a `TraceView`.
pub(crate) fn generate(_: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let (id, given) = read(args)?;
    let generator = workload::generator(&id, &given)?;
    generator.check_length(u64::MAX)?;
    let params = given.iter().map(|(name, value)| format!(" {name}={value}"));
    let name = format!("{id}{}", params.collect::<String>());
    let total = generator.n_accesses();
    let builder = TraceBuilder::new(MAX_TRACE_BYTES);
    Ok(Box::new(Generating { name, generator, builder, total }))
}

struct Generating {
    name: String,
    generator: Generator,
    builder: TraceBuilder,
    total: u64,
}

impl LongCall for Generating {
    fn slice(&mut self, _: &mut State, n: u32) -> Result<bool> {
        let Self { generator, builder, .. } = self;
        generator.pass(n.into(), |accesses| builder.push_all(accesses))?;
        Ok(generator.n_left() == 0)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::accesses(self.total - self.generator.n_left(), Some(self.total))
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        let trace = self.builder.finish(Completeness::Complete)?;
        let report = ImportReport {
            format: "workload".to_owned(),
            completeness: Completeness::Complete,
            records: trace.len().into(),
            accesses: trace.len().into(),
            pages_4k: trace.page_counts(),
            ..ImportReport::default()
        };
        state.take(trace, report.clone())?;
        Ok(json(&TraceView::new(self.name, &state.trace, report)))
    }
}
