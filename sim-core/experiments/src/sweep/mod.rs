//! Sweeps: runs of every combination of values of some fields, on one or several traces. Miss curves answer
//! such questions in one pass, but only for policies that are stack algorithms. Whole machines and other
//! policies need a run each.
//!
//! ```text
//! spec ─▶ rows by number: trace × axis × axis … ─▶ machine, mapping ─▶ run ─▶ one line of JSON
//! ```
//!
//! The caller chooses the order of the rows and the threads that run them. A row depends only on its number.

mod build;
mod columns;
mod field;
mod row;
mod spec;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

pub(crate) use build::setup;
use build::{Built, build};
pub use columns::Columns;
use field::Field;
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::os::MemoryMap;
use pagewalk_analysis::recorded_pages::PageEvidence;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::sorted::sort_by_numbers;
pub use row::{Row, RowTrace, report};
use spec::Axis;
pub use spec::{AxisSpec, Range, SweepSpec, TraceSpec};

/// The most rows of a sweep.
pub const MAX_ROWS: u64 = 100_000;

/// A sweep with a checked specification.
pub struct Sweep {
    spec: SweepSpec,
    base: Vec<(Field, Value)>,
    axes: Vec<Axis>,
    id: String,
    n_rows: u32,
}

impl Sweep {
    /// # Errors
    /// `bad-config` with the place in the sweep; `too-large` if it has more than [`MAX_ROWS`] rows.
    pub fn new(spec: SweepSpec) -> Result<Self> {
        if spec.traces.is_empty() {
            return Err(Error::config("traces", "there are none: give at least one"));
        }
        for (at, trace) in spec.traces.iter().enumerate() {
            trace.check().map_err(|error| error.within(&format!("traces[{at}]")))?;
        }
        let mut base = Vec::with_capacity(spec.base.len());
        for (name, value) in &spec.base {
            let checked = Field::parse(name).and_then(|field| field.check(value).map(|()| field));
            let field = checked.map_err(|error| error.within(&format!("base.{name}")))?;
            base.push((field, value.clone()));
        }
        let mut axes = Vec::with_capacity(spec.axes.len());
        for (at, axis) in spec.axes.iter().enumerate() {
            axes.push(axis.check().map_err(|error| error.within(&format!("axes[{at}]")))?);
        }
        check_fields(&base, &axes)?;
        let sizes = axes.iter().map(|axis| axis.points.len() as u64);
        let n_rows = sizes
            .chain([spec.traces.len() as u64])
            .try_fold(1_u64, u64::checked_mul)
            .filter(|n| *n <= MAX_ROWS)
            .and_then(|n| u32::try_from(n).ok())
            .ok_or_else(too_many)?;
        let id = id(&spec);
        Ok(Self { spec, base, axes, id, n_rows })
    }

    pub fn spec(&self) -> &SweepSpec {
        &self.spec
    }

    /// Returns a hash that identifies the sweep, in hexadecimal. It covers the values of the specification,
    /// without white space, and the CPU models in it.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn n_rows(&self) -> u32 {
        self.n_rows
    }

    /// Returns the number of the trace of a row, from 0.
    pub fn trace_of(&self, row: u32) -> usize {
        let points: usize = self.axes.iter().map(|axis| axis.points.len()).product();
        row as usize / points
    }

    /// Returns a row by its number, from 0, without the page sizes of its trace.
    pub fn row(&self, number: u32) -> Row<'_> {
        self.row_of(number, None)
    }

    /// Returns a row by its number, from 0. `recorded` are the page sizes of its trace.
    pub fn row_of(&self, number: u32, recorded: Option<&PageEvidence>) -> Row<'_> {
        let mut left = number as usize;
        let mut points: Vec<&[Value]> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            points.push(&axis.points[left % axis.points.len()]);
            left /= axis.points.len();
        }
        let varied = self.axes.iter().zip(points.into_iter().rev());
        let varied = varied.flat_map(|(axis, values)| axis.fields.iter().zip(values));
        let axes: Vec<_> = varied.collect();
        let mut fields: Vec<(&Field, &Value)> =
            self.base.iter().map(|(field, value)| (field, value)).collect();
        fields.extend(axes.iter().map(|((_, field), value)| (field, *value)));
        fields.retain(|(field, value)| !field.leaves_out(value));
        // The sort is stable: fields of axes come after equal fields of the base, and later axes after earlier
        // ones.
        sort_by_numbers(&mut fields, |(field, _)| (field.rank().into(), 0));
        let Built { machine, os, setup } = build(&fields, recorded);
        let axes = axes.into_iter().map(|((name, _), value)| (name.as_str(), value)).collect();
        Row { sweep: self, number, axes, machine, os, setup }
    }

    /// Checks that at least one row can be simulated, so that a sweep of errors only is reported before it
    /// starts.
    ///
    /// # Errors
    /// The error of the first row, if all rows have an error.
    pub fn check(&self) -> Result<()> {
        let fails = |number| {
            let (config, os) = self.row(number).setup?;
            Machine::with_map(&config, &os, &MemoryMap::default()).map(|_| ())
        };
        let mut failures = (0..self.n_rows).map(fails);
        let first = failures.next().unwrap_or(Ok(()));
        if first.is_ok() || failures.any(|result| result.is_ok()) { Ok(()) } else { first }
    }
}

/// Checks that a sweep sets no field twice, and not both a CPU model and a machine.
fn check_fields(base: &[(Field, Value)], axes: &[Axis]) -> Result<()> {
    let mut seen: Vec<&Field> = base.iter().map(|(field, _)| field).collect();
    let both = "a model and a whole machine: give `cpu` or `machine`, not both";
    if seen.contains(&&Field::Cpu) && seen.contains(&&Field::Machine) {
        return Err(Error::config("base.machine", both));
    }
    for (at, axis) in axes.iter().enumerate() {
        for (name, field) in &axis.fields {
            let place = format!("axes[{at}]");
            let other = match field {
                Field::Cpu => Some(Field::Machine),
                Field::Machine => Some(Field::Cpu),
                _ => None,
            };
            if other.is_some_and(|other| seen.contains(&&other)) {
                return Err(Error::config(place, both));
            }
            if seen.contains(&field) {
                let message = format!("`{name}` is set twice: leave one of them out");
                return Err(Error::config(place, message));
            }
            seen.push(field);
        }
    }
    if seen.iter().any(|field| matches!(field, Field::Cpu | Field::Machine | Field::InMachine(_))) {
        return Ok(());
    }
    Err(Error::config("base", "it says no machine: give `cpu`, or `machine`, which may be {}"))
}

#[cold]
fn too_many() -> Error {
    let message =
        format!("the sweep has more than {MAX_ROWS} rows: give fewer values, or divide it");
    Error::new(ErrorCode::TooLarge, message)
}

/// Returns the names of the CPU models of the sweep, in its order.
fn cpus(spec: &SweepSpec) -> impl Iterator<Item = &str> {
    let varied = spec.axes.iter().flat_map(|axis| {
        let is_cpu = |field: &String| field == "cpu";
        let alone = axis.field.as_ref().is_some_and(is_cpu);
        // If several fields are varied together, a value is a list.
        let place = axis.fields.iter().flatten().position(is_cpu);
        let cpu = move |value| if alone { Some(value) } else { Value::get(value, place?) };
        axis.values.iter().flatten().filter_map(cpu)
    });
    spec.base.get("cpu").into_iter().chain(varied).filter_map(Value::as_str)
}

fn id(spec: &SweepSpec) -> String {
    let mut digest = Sha256::new();
    let text = |spec: &SweepSpec| serde_json::to_string(spec).expect("a spec is JSON");
    digest.update(concat!("pagewalk ", env!("CARGO_PKG_VERSION"), " sweep 1\n"));
    digest.update(text(spec));
    for name in cpus(spec) {
        if let Ok(model) = cpu::model(name) {
            let machine: &MachineConfig = &model.machine;
            digest.update(serde_json::to_string(machine).expect("a machine is JSON"));
        }
    }
    let digest = digest.finalize();
    digest[..8].iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
