//! The machine and the trace of an exercise.

use std::collections::BTreeMap;
use std::rc::Rc;

use pagewalk::config::{MachineConfig, cpu};
use pagewalk::machine::Machine;
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::json::read_tree;
use pagewalk_base::trace::{Completeness, Trace, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};
use pagewalk_sources::workload;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Exercise;

/// The most accesses of an exercise.
const MAX_ACCESSES: u64 = 1 << 20;
/// The most bytes that its trace may take.
const MAX_TRACE_BYTES: usize = 256 << 20;

/// The source of the trace. Exactly one field is given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TraceOf {
    /// A list of accesses and operations, one a line.
    lines: Option<String>,
    workload: Option<Workload>,
    /// A loop: only the site can run it.
    code: Option<String>,
    #[serde(rename = "loop")]
    loop_id: Option<String>,
    /// An example of the site.
    example: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Workload {
    id: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
}

impl Exercise {
    /// Returns the machine and the mapping.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub fn setup(&self) -> Result<(MachineConfig, OsConfig)> {
        let model = cpu::model(&self.file.cpu)
            .map_err(|error| Error { at: None, ..error }.within("cpu"))?;
        let mut machine = serde_json::to_value(&model.machine).expect("a configuration is JSON");
        if !self.file.machine.is_null() {
            merge(&mut machine, &self.file.machine);
        }
        let machine: MachineConfig =
            read_tree(&machine).map_err(|error| error.within("machine"))?;
        let os = match &self.file.os {
            None => model.os.unwrap_or_else(|| OsConfig {
                default: machine
                    .smallest_pages()
                    .map_or(OsConfig::default().default, PagePolicy::Fixed),
                ..OsConfig::default()
            }),
            Some(Value::String(word)) => OsConfig::shorthand(word).ok_or_else(|| {
                let message = format!(
                    "`{word}` is neither a page size such as 4K or 2M nor a policy such as thp"
                );
                Error::config("os", message)
            })?,
            Some(tree) => read_tree(tree).map_err(|error| error.within("os"))?,
        };
        Ok((machine, os))
    }

    /// Makes the trace, and runs it on the machine.
    ///
    /// # Errors
    /// The errors of the machine and of the trace; `unsupported` for a trace that only the site can make.
    pub fn replay(&self) -> Result<Replay> {
        let trace = self.file.trace.make().map_err(|error| within_trace(&error))?;
        self.replay_of(trace)
    }

    /// Runs a trace of the exercise, which the caller has made, on its machine.
    ///
    /// # Errors
    /// The errors of the machine; `bad-trace` for a trace that is empty or too long.
    pub fn replay_of(&self, trace: Trace) -> Result<Replay> {
        if trace.is_empty() || u64::from(trace.len()) > MAX_ACCESSES {
            let message =
                format!("{} accesses: the trace must have 1 to {MAX_ACCESSES}", trace.len());
            return Err(within_trace(&Error::new(ErrorCode::BadTrace, message)));
        }
        let (config, os) = self.setup()?;
        let map = memory_map(&trace, config.address_tags());
        let machine = Machine::with_map(&config, &os, &map).map_err(|error| match &error.at {
            Some(Place::Field(field)) if field.starts_with("os") => error,
            _ => error.within("machine"),
        })?;
        let machine = machine.with_cores(self.file.cores);
        let mut replay = Replay::new(Rc::new(trace), machine, CHECKPOINT_BYTES);
        while !replay.run(u32::MAX)? {}
        Ok(replay)
    }
}

/// Names the field of the trace. A line in it is part of the message.
fn within_trace(error: &Error) -> Error {
    let message = match &error.at {
        Some(Place::Line(_) | Place::Byte(_)) => error.to_string(),
        _ => error.sentence(),
    };
    Error::new(error.code, message).at(Place::Field("trace".to_owned()))
}

impl TraceOf {
    fn make(&self) -> Result<Trace> {
        let Self { lines, workload, code, loop_id, example } = self;
        let is_elsewhere = code.is_some() || loop_id.is_some() || example.is_some();
        match (lines, workload, is_elsewhere) {
            (Some(lines), None, false) => listed(lines),
            (None, Some(workload), false) => generated(workload),
            (None, None, true) => Err(Error::new(
                ErrorCode::Unsupported,
                "only the site can make this trace: use `lines` or a workload for the command line",
            )),
            _ => Err(Error::config("", "give one of lines, loop, code, workload and example")),
        }
    }
}

fn listed(lines: &str) -> Result<Trace> {
    let options = ImportOptions { name: "lines.txt".to_owned(), ..ImportOptions::default() };
    let mut builder = TraceBuilder::new(MAX_TRACE_BYTES);
    let mut importer = Importer::new(options)?;
    importer.push(lines.as_bytes(), &mut builder)?;
    let report = importer.finish(&mut builder)?;
    report.check_any_access()?;
    builder.finish(report.completeness)
}

fn generated(of: &Workload) -> Result<Trace> {
    let params: Vec<(String, String)> = of.params.clone().into_iter().collect();
    let generator = workload::generator(&of.id, &params)?;
    generator.check_length(MAX_ACCESSES)?;
    let mut builder = TraceBuilder::new(MAX_TRACE_BYTES);
    for access in generator {
        builder.push(&access)?;
    }
    builder.finish(Completeness::Complete)
}

/// Applies a JSON merge patch (RFC 7396).
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(fields) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(object) = target.as_object_mut() else { return };
    for (name, value) in fields {
        if value.is_null() {
            object.remove(name);
        } else {
            merge(object.entry(name.as_str()).or_insert(Value::Null), value);
        }
    }
}
