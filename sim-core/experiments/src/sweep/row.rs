//! One row of a sweep: its configuration, its run, and its line in the results.

use std::fmt;
use std::ops::Deref;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Sweep;
use crate::about::{About, MachineAbout, TraceAbout};
use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{MemoryMap, OsConfig, Virt};
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Run;
use pagewalk::run::window::Window;
use pagewalk_base::addr::AddressTags;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::{CHUNK, Trace};

/// One combination of values.
pub struct Row<'a> {
    pub(super) sweep: &'a Sweep,
    pub number: u32,
    /// The fields of the axes with their values, in order.
    pub(super) axes: Vec<(&'a str, &'a Value)>,
    pub(super) machine: Value,
    pub(super) os: Value,
    pub(super) setup: Result<(MachineConfig, OsConfig)>,
}

/// The description of the trace in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct RowTrace {
    pub name: String,
    /// A hash of the contents of the trace, in hexadecimal.
    pub hash: String,
    /// The seed of a workload with random choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A line of the results: either an error or a report.
#[derive(Serialize)]
#[cfg_attr(
    any(test, feature = "ts"),
    derive(ts_rs::TS),
    ts(export, rename = "SweepLine", optional_fields)
)]
struct Line<'a> {
    row: u32,
    rows: u32,
    sweep: &'a str,
    /// It leaves out the mapping, which is `os`.
    about: About,
    trace: &'a RowTrace,
    #[cfg_attr(any(test, feature = "ts"), ts(type = "{ [field: string]: unknown }"))]
    axes: Pairs<'a>,
    /// The machine; if there is an error, up to the field with the error.
    #[cfg_attr(any(test, feature = "ts"), ts(as = "MachineConfig"))]
    machine: &'a Value,
    #[cfg_attr(any(test, feature = "ts"), ts(as = "OsConfig"))]
    os: &'a Value,
    cores: Cores,
    window: Window,
    /// The version of the program that simulated the row.
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<RunReport>,
}

/// The fields of an object, written in the given order.
struct Pairs<'a>(&'a [(&'a str, &'a Value)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Row<'_> {
    /// Runs the row. `map` is the memory map of `trace`. `done` gets the number of accesses run so far, and
    /// stops the run by returning false.
    ///
    /// # Errors
    /// The errors of the configuration, with fields of a row; `too-large` if the simulated memory is used up;
    /// `cancelled` if `done` returned false.
    pub fn run(
        &self,
        trace: &Trace,
        map: &MemoryMap<'_>,
        done: &mut dyn FnMut(u32) -> bool,
    ) -> Result<RunReport> {
        let mut run = self.start(trace, map)?;
        while !run.is_done() {
            let before = run.position();
            run.go_on(CHUNK)?;
            if !done(run.position() - before) {
                return Err(Error::new(ErrorCode::Cancelled, "the run was cancelled"));
            }
        }
        Ok(report(&run))
    }

    /// Returns the tags that the machine of the row ignores in the address of an access.
    pub fn address_tags(&self) -> Option<AddressTags> {
        self.setup.as_ref().ok()?.0.address_tags()
    }

    /// Returns whether the row simulates a guest and its host.
    pub fn is_virtual(&self) -> bool {
        self.setup.as_ref().is_ok_and(|(_, os)| os.virt != Virt::Native)
    }

    /// Starts a run of the row. The caller continues it, and then calls [`report`].
    ///
    /// # Errors
    /// The errors of the configuration, with fields of a row.
    pub fn start<T: Deref<Target = Trace>>(&self, trace: T, map: &MemoryMap<'_>) -> Result<Run<T>> {
        let (config, os) = self.setup.as_ref().map_err(Clone::clone)?;
        let spec = self.sweep.spec();
        let machine = Machine::with_map(config, os, map).map_err(in_row)?.with_cores(spec.cores);
        let span = spec.window.within(trace.len()).map_err(|error| error.within("window"))?;
        Ok(Run::new(span, trace, machine))
    }

    /// Returns the line of the results without a line break: the whole configuration, and the counters or the
    /// error. `about` describes the program.
    pub fn line(&self, about: About, trace: &RowTrace, result: Result<RunReport>) -> String {
        let (report, error) = match result {
            Ok(report) => (Some(report), None),
            Err(error) => (None, Some(error)),
        };
        let spec = self.sweep.spec();
        let RowTrace { name, hash, seed } = trace.clone();
        let machine = self.setup.as_ref().ok();
        let machine = machine.map(|(it, _)| MachineAbout::new(None, it.name.clone(), it));
        let about = About { machine, ..about }.of(Some(TraceAbout { name, digest: hash, seed }));
        let line = Line {
            row: self.number,
            rows: self.sweep.n_rows(),
            sweep: self.sweep.id(),
            about,
            trace,
            axes: Pairs(&self.axes),
            machine: &self.machine,
            os: &self.os,
            cores: spec.cores,
            window: spec.window,
            version: env!("CARGO_PKG_VERSION"),
            error,
            report,
        };
        serde_json::to_string(&line).expect("a row is JSON")
    }
}

/// Returns the report of a run for its line, without the regions.
pub fn report<T: Deref<Target = Trace>>(run: &Run<T>) -> RunReport {
    let mut report = run.report();
    // The list of regions can be longer than the rest of the line, and is equal in all rows with one mapping.
    report.regions.clear();
    report
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.number)?;
        let mut before = ": ";
        for (name, value) in &self.axes {
            write!(f, "{before}{name} {value}")?;
            before = ", ";
        }
        Ok(())
    }
}

/// Adds `machine` to the field of an error, unless it is a field of the mapping, which begins with `os`.
fn in_row(error: Error) -> Error {
    match &error.at {
        Some(Place::Field(field)) if field.starts_with("os") => error,
        _ => error.within("machine"),
    }
}
