//! The machine and the trace of an exercise.

use std::collections::BTreeMap;
use std::rc::Rc;

use pagewalk::config::{MachineConfig, cpu};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::{Completeness, Trace, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};
use pagewalk_sources::workload;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Exercise;

/// The most accesses of an exercise.
pub const MAX_ACCESSES: u64 = 1 << 20;
/// The most bytes that its trace may take.
const MAX_TRACE_BYTES: usize = 256 << 20;

/// The source of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", try_from = "Sources")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum TraceOf {
    /// A list of accesses and operations, one a line.
    Lines(String),
    Workload(WorkloadOf),
    /// The code of a loop: only the site can run it.
    Code(String),
    /// The id of a loop of the site.
    Loop(String),
    /// The id of an example of the site.
    Example(String),
}

/// A workload, and the parameters that are not its defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct WorkloadOf {
    pub id: String,
    #[serde(default)]
    pub params: BTreeMap<String, String>,
}

/// The fields of a trace, of which one must be given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    lines: Option<String>,
    workload: Option<WorkloadOf>,
    code: Option<String>,
    r#loop: Option<String>,
    example: Option<String>,
}

impl TryFrom<Sources> for TraceOf {
    type Error = &'static str;

    fn try_from(given: Sources) -> std::result::Result<Self, Self::Error> {
        let Sources { lines, workload, code, r#loop, example } = given;
        let sources = [
            lines.map(Self::Lines),
            workload.map(Self::Workload),
            code.map(Self::Code),
            r#loop.map(Self::Loop),
            example.map(Self::Example),
        ];
        match sources.into_iter().flatten().collect::<Vec<_>>().as_slice() {
            [one] => Ok(one.clone()),
            _ => Err("give one of lines, workload, code, loop and example"),
        }
    }
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
        let machine =
            MachineConfig::from_tree(&machine).map_err(|error| error.within("machine"))?;
        machine.problems().into_iter().try_for_each(|error| Err(error.within("machine")))?;
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
            Some(tree) => OsConfig::from_tree(tree).map_err(|error| error.within("os"))?,
        };
        Ok((machine, os))
    }

    /// Checks that a replay which the caller has set up can be that of the exercise.
    ///
    /// # Errors
    /// `bad-config` if its machine is another one; `bad-trace` for a trace that is empty or too long.
    pub fn check_open(
        &self,
        open: (&MachineConfig, &OsConfig, Cores),
        trace: &Trace,
    ) -> Result<()> {
        check_length(trace)?;
        let (machine, os) = self.setup()?;
        if open == (&machine, &os, self.file.cores) {
            return Ok(());
        }
        let message =
            "the machine that is open is not that of the exercise: open the exercise again";
        Err(Error::config("machine", message))
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
        check_length(&trace)?;
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

fn check_length(trace: &Trace) -> Result<()> {
    if (1..=MAX_ACCESSES).contains(&trace.len().into()) {
        return Ok(());
    }
    let message = format!("{} accesses: the trace must have 1 to {MAX_ACCESSES}", trace.len());
    Err(within_trace(&Error::new(ErrorCode::BadTrace, message)))
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
        match self {
            Self::Lines(lines) => listed(lines),
            Self::Workload(workload) => generated(workload),
            Self::Code(_) | Self::Loop(_) | Self::Example(_) => Err(Error::new(
                ErrorCode::Unsupported,
                "only the site can make this trace: use `lines` or a workload for the command line",
            )),
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

fn generated(of: &WorkloadOf) -> Result<Trace> {
    let params: Vec<(String, String)> = of.params.clone().into_iter().collect();
    let mut generator = workload::generator(&of.id, &params)?;
    generator.check_length(MAX_ACCESSES)?;
    let mut builder = TraceBuilder::new(MAX_TRACE_BYTES);
    generator.pass(generator.n_left(), |accesses| builder.push_all(accesses))?;
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
