//! Finds the assumed parameters of a CPU model, and the machines with other values.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use pagewalk::config::cpu::{Confidence, CpuModel, Provenance, put_value};
use pagewalk::config::{MachineConfig, OUTSTANDING_MISSES};
use pagewalk::os::Virt;
use pagewalk::record::stats::RunReport;
use pagewalk_base::error::{Error, Result};

use super::ranges::{self, Range};

/// A value of a parameter that differs from the model's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "ParameterChange"))]
pub struct Change {
    /// The path of the parameter in the machine, such as `l2[0].replacement`.
    pub path: String,
    #[cfg_attr(any(test, feature = "ts"), ts(type = "boolean | number | string"))]
    pub value: Value,
}

/// An assumed parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub path: String,
    /// The value of the model.
    pub value: Value,
    /// The reason for the other values.
    pub reason: String,
    /// The other plausible values.
    pub others: Vec<Value>,
}

/// An assumed parameter, or a value of one, that is not simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    any(test, feature = "ts"),
    derive(ts_rs::TS),
    ts(export, optional_fields, rename = "ParameterLeftOut")
)]
pub struct LeftOut {
    pub path: String,
    /// The value. Missing = all other values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(type = "boolean | number | string | undefined"))]
    pub value: Option<Value>,
    pub why: String,
}

/// Returns the assumed parameters of a machine with their other values, and what is left out. The machine is `model`,
/// maybe with changes, which are not assumed. `report` is its run.
pub(super) fn of(
    model: &CpuModel,
    machine: &MachineConfig,
    virt: Virt,
    report: &RunReport,
) -> Result<(Vec<Parameter>, Vec<LeftOut>)> {
    let ranges = ranges::read()?;
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    let of_model = values(&model.machine);
    let here = values(machine);
    visit(&tree(machine), "", &mut |path, value| {
        let Some(range) = ranges::of_path(&ranges, path) else { return };
        if range.why_not.is_some() || !is_assumed(model, path, range) {
            return;
        }
        if of_model.get(path) != Some(value) {
            let why = "you changed it".to_owned();
            left_out.push(LeftOut { path: path.to_owned(), value: None, why });
            return;
        }
        let (reason, others) = (range.reason.clone(), range.others(value));
        found.push(Parameter { path: path.to_owned(), value: value.clone(), reason, others });
    });
    for row in model.provenance.iter().filter(|row| row.confidence == Confidence::Assumed) {
        // A field with a mark of its own says nothing of the row around it.
        let is_of_row = |path: &str| mark_of(model, path).is_some_and(|mark| mark.path == row.path);
        let is_found = found.iter().any(|parameter| is_of_row(&parameter.path))
            || left_out.iter().any(|left| is_of_row(&left.path));
        if !is_found {
            let why = ranges::of_path(&ranges, &row.path).and_then(|range| range.why_not.clone());
            let is_gone = of_model.contains_key(&row.path) && !here.contains_key(&row.path);
            let else_why =
                if is_gone { "your changes removed it" } else { "no range is given for it" };
            let why = why.unwrap_or_else(|| else_why.to_owned());
            left_out.push(LeftOut { path: row.path.clone(), value: None, why });
        }
    }
    found.retain(|parameter| match unused(&parameter.path, virt, report) {
        None => true,
        Some(why) => {
            left_out.push(LeftOut { path: parameter.path.clone(), value: None, why });
            false
        }
    });
    for parameter in &mut found {
        let Parameter { path, others, .. } = parameter;
        others.retain(|value| {
            let change = Change { path: path.clone(), value: value.clone() };
            let Err(error) = changed(machine, [&change]) else { return true };
            let (path, why) = (change.path, error.message);
            left_out.push(LeftOut { path, value: Some(value.clone()), why });
            false
        });
    }
    found.retain(|parameter| !parameter.others.is_empty());
    Ok((found, left_out))
}

/// Returns the machine with other values.
///
/// # Errors
/// `bad-config` if the values do not fit the machine, or each other.
pub fn changed<'c>(
    machine: &MachineConfig,
    changes: impl IntoIterator<Item = &'c Change>,
) -> Result<MachineConfig> {
    let mut fields = tree(machine);
    for Change { path, value } in changes {
        put_value(&mut fields, path, value.clone())
            .ok_or_else(|| Error::config(path, "the machine has no such field"))?;
    }
    let config = MachineConfig::from_tree(&fields)?;
    config.problems().into_iter().try_for_each(Err)?;
    Ok(config)
}

/// Returns the machine as a tree, in which fields with a range have their default.
fn tree(machine: &MachineConfig) -> Value {
    let outstanding_misses = machine.outstanding_misses.or(Some(OUTSTANDING_MISSES));
    let machine = MachineConfig { outstanding_misses, ..machine.clone() };
    serde_json::to_value(machine).expect("a machine is plain data")
}

/// Returns the values of a machine by their paths.
fn values(machine: &MachineConfig) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    visit(&tree(machine), "", &mut |path, value| {
        values.insert(path.to_owned(), value.clone());
    });
    values
}

/// Calls `each` with every value of a tree and its path.
fn visit(value: &Value, path: &str, each: &mut impl FnMut(&str, &Value)) {
    each(path, value);
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                visit(value, &format!("{path}{dot}{name}"), each);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                visit(value, &format!("{path}[{at}]"), each);
            }
        }
        _ => {}
    }
}

/// Returns whether `path` is `around` or a place in it.
fn is_within(path: &str, around: &str) -> bool {
    path.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Returns whether the mark nearest to a field says that its value is assumed.
fn is_assumed(model: &CpuModel, path: &str, range: &Range) -> bool {
    mark_of(model, path).map_or(range.unmarked, |row| row.confidence == Confidence::Assumed)
}

/// Returns the mark nearest to a field.
fn mark_of<'m>(model: &'m CpuModel, path: &str) -> Option<&'m Provenance> {
    let marks = model.provenance.iter().filter(|row| is_within(path, &row.path));
    marks.max_by_key(|row| row.path.len())
}

/// Returns the reason why a parameter cannot change the counts of the run, or `None`.
fn unused(path: &str, virt: Virt, report: &RunReport) -> Option<String> {
    if path.starts_with("virt.") && virt != Virt::Ept {
        return Some("the run has no nested walks".to_owned());
    }
    let (array, _) = path.split_once(']')?;
    let (level, number) = array.split_once('[')?;
    let level = match level {
        "l1" => 1,
        "l2" => 2,
        _ => return None,
    };
    let number: usize = number.parse().ok()?;
    let row = report.structures.iter().filter(|row| row.level == level).nth(number)?;
    let is_used = row.hits + row.misses + row.fills > 0;
    (!is_used).then(|| "the run has no page that the array holds".to_owned())
}
