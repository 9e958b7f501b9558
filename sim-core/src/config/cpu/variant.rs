//! Variants of a model: how its file says what differs, and what comes of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Confidence, CpuModel, Provenance};
use crate::config::MachineConfig;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::json::read_tree;

/// What a variant varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum VariantKind {
    /// Whether two hardware threads share the core.
    Smt,
    /// The translation granule: the smallest page, and with it the shape of the tables.
    Granule,
    /// A core of the same family.
    Core,
}

/// A model with something else about it: Hyper-Threading on, a granule of 16K.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CpuVariant {
    /// `smt-on`, behind the model and a colon in `--cpu intel-skylake:smt-on`.
    pub id: String,
    pub kind: VariantKind,
    /// `Hyper-Threading on`.
    pub name: String,
    /// What it means, in a sentence or two.
    pub note: String,
    /// The whole machine: the model's with what differs.
    pub machine: MachineConfig,
    /// Where what differs comes from; everything else is as in the model.
    pub provenance: Vec<Provenance>,
}

/// A variant as its model's file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantFile {
    id: String,
    kind: VariantKind,
    name: String,
    note: String,
    changes: Vec<Change>,
}

/// A value that replaces the model's, with its source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    /// Path in the machine, such as `l1[0].entries`.
    path: String,
    value: Value,
    confidence: Confidence,
    source: String,
    note: Option<String>,
}

impl VariantFile {
    /// # Errors
    /// `bad-config` if a change has no place in the machine, or does not fit there.
    pub(super) fn resolve(self, model: &str, machine: &Value) -> Result<CpuVariant> {
        let mut value = machine.clone();
        value["name"] = Value::String(format!("{model}, {}", self.name));
        let mut provenance = Vec::new();
        for Change { path, value: new, confidence, source, note } in self.changes {
            put(&mut value, &path, new)
                .ok_or_else(|| Error::config(&path, "the machine has no such place"))?;
            provenance.push(Provenance { path, confidence, source, note });
        }
        let machine = read_tree(&value).map_err(|error| error.within(&self.id))?;
        Ok(CpuVariant {
            id: self.id,
            kind: self.kind,
            name: self.name,
            note: self.note,
            machine,
            provenance,
        })
    }
}

/// Puts a value at a path; `None` if what is around it is missing.
fn put(machine: &mut Value, path: &str, new: Value) -> Option<()> {
    let pointer = path.replace('[', ".").replace(']', "").replace('.', "/");
    let (around, last) = pointer.rsplit_once('/').unwrap_or(("", &pointer));
    let around = if around.is_empty() { String::new() } else { format!("/{around}") };
    match machine.pointer_mut(&around)? {
        Value::Object(fields) => {
            fields.insert(last.to_owned(), new);
        }
        Value::Array(items) => *items.get_mut(last.parse::<usize>().ok()?)? = new,
        _ => return None,
    }
    Some(())
}

impl CpuModel {
    /// A variant in the place of the model: its machine, and every number's source.
    ///
    /// # Errors
    /// `bad-config` if the model has no such variant; the message lists those that it has.
    pub(super) fn variant(mut self, id: &str) -> Result<Self> {
        let Some(at) = self.variants.iter().position(|variant| variant.id == id) else {
            let known: Vec<String> =
                self.variants.iter().map(|variant| format!("{}:{}", self.id, variant.id)).collect();
            let there = match known.as_slice() {
                [] => format!("`{}` has no variants", self.id),
                known => format!("choose one of {}", known.join(", ")),
            };
            let message = format!("there is no variant `{id}` of `{}`: {there}", self.id);
            return Err(Error::config("cpu", message));
        };
        let variant = self.variants.swap_remove(at);
        let replaced = |row: &Provenance| variant.provenance.iter().any(|new| new.path == row.path);
        self.provenance.retain(|row| !replaced(row));
        self.provenance.extend(variant.provenance);
        self.name.clone_from(&variant.machine.name);
        self.id = format!("{}:{}", self.id, variant.id);
        self.machine = variant.machine;
        self.variants.clear();
        Ok(self)
    }
}
