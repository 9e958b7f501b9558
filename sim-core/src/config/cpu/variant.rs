//! Variants of a CPU model. The model's file lists the changed values; this module makes the variant's machine from
//! these values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Confidence, CpuModel, Provenance};
use crate::config::MachineConfig;
use pagewalk_base::error::{Error, Result};

/// The kind of difference between a variant and its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum VariantKind {
    /// Simultaneous multithreading is on or off.
    Smt,
    /// The translation granule: the smallest page, which also decides the geometry of the tables.
    Granule,
    /// Another core of the same family.
    Core,
}

/// A variant of a model, for example with Hyper-Threading on, or with a granule of 16K.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CpuVariant {
    /// The name after the colon in `--cpu intel-skylake:smt-on`.
    pub id: String,
    pub kind: VariantKind,
    /// The name for users, such as `Hyper-Threading on`.
    pub name: String,
    /// A description in one or two sentences.
    pub note: String,
    /// The machine of the variant: the model's machine with the changed values.
    pub machine: MachineConfig,
    /// The sources of the changed values. All other values have the sources of the model.
    pub provenance: Vec<Provenance>,
}

/// A variant in the file of its model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantFile {
    id: String,
    kind: VariantKind,
    name: String,
    note: String,
    changes: Vec<Change>,
}

/// A value that replaces the model's value, with its source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    /// The path of the value in the machine, such as `l1[0].entries`.
    path: String,
    value: Value,
    confidence: Confidence,
    source: String,
    note: Option<String>,
}

impl VariantFile {
    /// Makes the variant from the machine of its model.
    ///
    /// # Errors
    /// `bad-config` if a change has no place in the machine, or does not fit there.
    pub(super) fn resolve(self, model: &str, machine: &Value) -> Result<CpuVariant> {
        let mut value = machine.clone();
        value["name"] = Value::String(format!("{model}, {}", self.name));
        let mut provenance = Vec::new();
        for Change { path, value: new, confidence, source, note } in self.changes {
            put_value(&mut value, &path, new)
                .ok_or_else(|| Error::config(&path, "the machine has no such field"))?;
            provenance.push(Provenance { path, confidence, source, note });
        }
        let machine = MachineConfig::from_tree(&value).map_err(|error| error.within(&self.id))?;
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

/// Sets the value at a path such as `l1[0].entries`. Returns `None` if the object or list around it is missing.
pub fn put_value(machine: &mut Value, path: &str, new: Value) -> Option<()> {
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
    /// Returns a variant as a model: its machine, and the source of every number.
    ///
    /// # Errors
    /// `bad-config` if the model has no such variant; the message lists its variants.
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
        self.aliases.clear();
        Ok(self)
    }
}
