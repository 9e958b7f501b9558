//! A sweep as JSON: the traces, the fields of all rows, and the axes. The rows are all combinations of traces
//! and values of the axes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::field::Field;
use super::{MAX_ROWS, too_many};
use pagewalk::config::parse_json;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::run::window::Window;
use pagewalk_base::error::{Error, Place, Result};
use pagewalk_sources::workload::generator;

/// The specification of a sweep. Fields of `base` and of the axes are `cpu`, `machine` and paths in it such as
/// `machine.l2[0].entries`, `pages`, `os` and paths in it, `virt` and `host_pages`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepSpec {
    /// The traces, at least one. Every row runs one of them.
    pub traces: Vec<TraceSpec>,
    /// The fields that have the same value in all rows.
    #[serde(default)]
    pub base: BTreeMap<String, Value>,
    /// The varied fields. The last axis changes fastest from row to row. Without axes there is one row for each
    /// trace.
    #[serde(default)]
    pub axes: Vec<AxisSpec>,
    #[serde(default)]
    pub cores: Cores,
    #[serde(default)]
    pub window: Window,
}

/// A trace: a file, or a workload with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TraceSpec {
    /// The path of the file, relative to the folder of the sweep's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The format of the file, if it cannot be detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    /// The parameters of the workload, texts or numbers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Value>,
}

/// One dimension of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AxisSpec {
    /// The varied field. Give `field` or `fields`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Several fields that are varied together. Then each of `values` is a list with one value for each field.
    /// The value null means that `cpu`, `pages`, `virt` or `host_pages` is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// A range of numbers, instead of `values`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// Numbers from `from` to at most `to`, with a step or a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    pub from: u64,
    pub to: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// The factor: 2 for powers of two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
}

/// A checked axis: its fields, and for each of its points the values of the fields.
pub(super) struct Axis {
    pub(super) fields: Vec<(String, Field)>,
    pub(super) points: Vec<Vec<Value>>,
}

impl SweepSpec {
    /// Reads the specification of a sweep. [`super::Sweep::new`] checks its values.
    ///
    /// # Errors
    /// `bad-config` with the field, or with the line if the text is no JSON.
    pub fn parse(json: &str) -> Result<Self> {
        parse_json(json)
    }
}

impl TraceSpec {
    pub(super) fn check(&self) -> Result<()> {
        let wrong = match (&self.file, &self.workload) {
            (None, None) => ("", "give a `file` or a `workload`"),
            (Some(_), Some(_)) => ("workload", "give a file or a workload, not both"),
            (Some(_), None) if !self.params.is_empty() => {
                ("params", "a file has no parameters: leave them out, or give a workload")
            }
            (None, Some(_)) if self.format.is_some() => {
                ("format", "a workload is generated, not read: leave it out")
            }
            _ => return self.check_params(),
        };
        Err(Error::config(wrong.0, wrong.1))
    }

    fn check_params(&self) -> Result<()> {
        let odd = self.params.iter().find(|(_, value)| !value.is_string() && !value.is_number());
        if let Some((name, value)) = odd {
            let message = format!("{value}: a parameter is a text or a number");
            return Err(Error::config(format!("params.{name}"), message));
        }
        let Some(id) = &self.workload else { return Ok(()) };
        generator(id, &self.texts()).map(|_| ()).map_err(|error| match &error.at {
            Some(Place::Field(name)) if name != "workload" => error.within("params"),
            _ => error,
        })
    }

    /// Returns the parameters of a workload as texts, for its generator.
    pub fn texts(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.params.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    }

    /// Returns the name of the trace: the file with its format, if that is given, or the workload with its
    /// given parameters.
    pub fn name(&self) -> String {
        let params = self.texts().into_iter().map(|(name, value)| format!(" {name}={value}"));
        let what = self.file.as_ref().or(self.workload.as_ref()).cloned().unwrap_or_default();
        let format = self.format.as_ref().map_or(String::new(), |format| format!(" ({format})"));
        what + &format + &params.collect::<String>()
    }
}

impl AxisSpec {
    pub(super) fn check(&self) -> Result<Axis> {
        let names = match (&self.field, &self.fields) {
            (Some(field), None) => std::slice::from_ref(field),
            (None, Some(fields)) if !fields.is_empty() => fields,
            (Some(_), Some(_)) => {
                return Err(Error::config("fields", "give `field` or `fields`, not both"));
            }
            _ => return Err(Error::config("field", "say which field of a row is varied")),
        };
        let (given, from) = match (&self.values, self.range) {
            (Some(values), None) => (values.clone(), "values"),
            (None, Some(range)) => {
                (range.numbers().map_err(|error| error.within("range"))?, "range")
            }
            (Some(_), Some(_)) => {
                return Err(Error::config("range", "give `values` or a `range`, not both"));
            }
            (None, None) => return Err(Error::config("values", "give values, or a `range`")),
        };
        if given.is_empty() {
            return Err(Error::config("values", "there are none: give at least one"));
        }
        let place = |at: usize| format!("{from}[{at}]");
        let mut points = Vec::with_capacity(given.len());
        for (at, value) in given.into_iter().enumerate() {
            points.push(match (&self.fields, value) {
                (None, value) => vec![value],
                (Some(fields), Value::Array(values)) if values.len() == fields.len() => values,
                (Some(fields), value) => {
                    let message = format!("{value}: give a list of {} values", fields.len());
                    return Err(Error::config(place(at), message));
                }
            });
        }
        let mut fields = Vec::with_capacity(names.len());
        for (nth, name) in names.iter().enumerate() {
            let at_name =
                if self.field.is_some() { "field".to_owned() } else { format!("fields[{nth}]") };
            let field = Field::parse(name).map_err(|error| error.within(&at_name))?;
            for (at, values) in points.iter().enumerate() {
                field.check(&values[nth]).map_err(|error| error.within(&place(at)))?;
            }
            fields.push((name.clone(), field));
        }
        Ok(Axis { fields, points })
    }
}

impl Range {
    fn numbers(self) -> Result<Vec<Value>> {
        let Self { from, to, step, times } = self;
        if to < from {
            let message = format!("{to} is less than `from`, {from}: give the smaller one first");
            return Err(Error::config("to", message));
        }
        let next: Box<dyn Fn(u64) -> Option<u64>> = match (step, times) {
            (Some(step @ 1..), None) => Box::new(move |n| n.checked_add(step)),
            (None, Some(times @ 2..)) if from > 0 => Box::new(move |n| n.checked_mul(times)),
            (None, Some(2..)) => {
                return Err(Error::config("from", "0 stays 0, whatever it is multiplied with"));
            }
            (Some(0), None) => return Err(Error::config("step", "0: must be 1 or more")),
            (None, Some(n)) => {
                return Err(Error::config("times", format!("{n}: must be 2 or more")));
            }
            _ => return Err(Error::config("", "give a `step`, or `times` such as 2: one of them")),
        };
        let mut numbers = Vec::new();
        let mut number = Some(from);
        while let Some(n) = number.filter(|n| *n <= to) {
            if numbers.len() as u64 == MAX_ROWS {
                return Err(too_many());
            }
            numbers.push(n.into());
            number = next(n);
        }
        Ok(numbers)
    }
}
