//! Generated traces: the list of workloads, the check of a form, and a task in slices.

use std::collections::BTreeMap;

use pagewalk::config::parse_json;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::{Completeness, TraceBuilder};
use pagewalk_measured::trace_info::TraceView;
use pagewalk_sources::import::ImportReport;
use pagewalk_sources::workload::{self, Generator};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, MAX_TRACE_BYTES, Session};

/// What `beginGenerate` and `checkWorkload` read: parameters that are not given have their default.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    id: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
}

impl Request {
    fn parse(json: &str) -> JsResult<(String, Vec<(String, String)>)> {
        let Self { id, params } = parse_json(json).map_err(error_to_js)?;
        Ok((id, params.into_iter().collect()))
    }
}

/// A trace on its way.
pub(crate) struct Generation {
    name: String,
    generator: Generator,
    builder: TraceBuilder,
}

#[wasm_bindgen]
impl Session {
    /// The workloads and their parameters, as JSON.
    pub fn workloads() -> String {
        to_json(&workload::list())
    }

    /// What is wrong with the parameters of JSON `{id, params}`, and how much they would make; JSON `WorkloadCheck`.
    #[wasm_bindgen(js_name = checkWorkload)]
    pub fn check_workload(request: &str) -> JsResult<String> {
        let (id, given) = Request::parse(request)?;
        Ok(to_json(&workload::check(&id, &given)))
    }

    /// Starts to generate the workload of JSON `{id, params}`; the number of its accesses.
    #[wasm_bindgen(js_name = beginGenerate)]
    pub fn begin_generate(&mut self, request: &str) -> JsResult<f64> {
        let (id, given) = Request::parse(request)?;
        let generator = workload::generator(&id, &given).map_err(error_to_js)?;
        let params = given.iter().map(|(name, value)| format!(" {name}={value}"));
        let name = format!("{id}{}", params.collect::<String>());
        #[expect(clippy::cast_precision_loss, reason = "parameters allow at most 2^53")]
        let n = generator.n_accesses() as f64;
        let builder = TraceBuilder::new(MAX_TRACE_BYTES);
        self.generation = Some(Generation { name, generator, builder });
        Ok(n)
    }

    /// Makes at most `n` more accesses; true if the trace is complete.
    #[wasm_bindgen(js_name = generateSlice)]
    pub fn generate_slice(&mut self, n: u32) -> JsResult<bool> {
        let Some(Generation { generator, builder, .. }) = &mut self.generation else {
            return Err(nothing_to_generate());
        };
        let pushed =
            generator.by_ref().take(n as usize).try_for_each(|access| builder.push(&access));
        let is_done = generator.n_left() == 0;
        pushed.map_err(|error| {
            self.generation = None;
            error_to_js(error)
        })?;
        Ok(is_done)
    }

    /// The trace becomes the current one. JSON `TraceView`.
    #[wasm_bindgen(js_name = finishGenerate)]
    pub fn finish_generate(&mut self) -> JsResult<String> {
        let Generation { name, builder, .. } =
            self.generation.take().ok_or_else(nothing_to_generate)?;
        let trace = builder.finish(Completeness::Complete).map_err(error_to_js)?;
        let report = ImportReport {
            format: "workload".to_owned(),
            completeness: Completeness::Complete,
            records: trace.len().into(),
            accesses: trace.len().into(),
            pages_4k: trace.page_counts(),
            ..ImportReport::default()
        };
        self.take(trace, report.clone()).map_err(error_to_js)?;
        Ok(to_json(&TraceView::new(name, &self.trace, report)))
    }

    #[wasm_bindgen(js_name = cancelGenerate)]
    pub fn cancel_generate(&mut self) {
        self.generation = None;
    }

    /// For benches: makes `n` loads over `bytes` bytes the current trace: `stride` bytes apart, or uniformly random if 0.
    #[wasm_bindgen(js_name = generateLoads)]
    pub fn generate_loads(&mut self, n: u32, bytes: f64, stride: u32) -> JsResult<()> {
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
        let mut accesses = workload::generator(workload, &given).map_err(error_to_js)?;
        accesses.try_for_each(|access| builder.push(&access)).map_err(error_to_js)?;
        let trace = builder.finish(Completeness::Complete).map_err(error_to_js)?;
        self.take(trace, ImportReport::default()).map_err(error_to_js)
    }
}

fn nothing_to_generate() -> JsValue {
    error_to_js(Error::new(ErrorCode::BadTrace, "no trace is being generated"))
}
