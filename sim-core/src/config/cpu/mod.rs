//! CPU models: machine configurations in which every number has a source.

mod variant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use variant::VariantFile;
pub use variant::{CpuVariant, VariantKind};

use crate::config::{MachineConfig, parse_json};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::json::read_tree;

/// The quality of the source of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Confidence {
    /// Vendor text, vendor CPUID, or a constant of a vendor's performance metric.
    Documented,
    /// A paper, an artifact or a microbenchmark.
    ReverseEngineered,
    /// A third party repeats the number.
    Reported,
    /// No source was found; the number is a plausible default.
    Assumed,
}

/// The source of one number of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Provenance {
    /// The path of the number in the machine, such as `l1[0].entries` or `latency.l2_hit`.
    pub path: String,
    pub confidence: Confidence,
    pub source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A CPU model: a file of `cpus/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CpuModel {
    /// The name of the file and of `--cpu`, such as `intel-skylake-sp`.
    pub id: String,
    /// The name for users, such as `Skylake-SP`.
    pub name: String,
    pub vendor: String,
    /// The family of processors on which an event of `perf stat` has one meaning, such as `intel-skylake`.
    #[serde(skip)]
    #[cfg_attr(any(test, feature = "ts"), ts(skip))]
    pub events: String,
    /// The reason why such a processor has no nested paging (`"virt": "ept"`). Missing if it has nested paging.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub no_nested: Option<String>,
    pub machine: MachineConfig,
    /// The sources of the numbers.
    pub provenance: Vec<Provenance>,
    /// Variants of the core; most models have none.
    pub variants: Vec<CpuVariant>,
}

/// The contents of a model's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    id: String,
    name: String,
    vendor: String,
    events: String,
    #[serde(default)]
    no_nested: Option<String>,
    machine: Value,
    provenance: Vec<Provenance>,
    #[serde(default)]
    variants: Vec<VariantFile>,
}

/// All models of `cpus/`: the name of the file without its ending, and the text. The build script sorts the models
/// by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cpus.rs"));

/// Returns the names of all models, as `--cpu` takes them.
pub fn ids() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(id, _)| *id)
}

/// Reads one model, or a variant of one: `intel-skylake`, `intel-skylake:smt-on`.
///
/// # Errors
/// `bad-config` if there is no such model or variant; the message lists the existing ones.
pub fn model(id: &str) -> Result<CpuModel> {
    let (id, variant) = match id.split_once(':') {
        Some((id, variant)) => (id, Some(variant)),
        None => (id, None),
    };
    let Some((_, text)) = FILES.iter().find(|(known, _)| *known == id) else {
        let known: Vec<&str> = ids().collect();
        return Err(Error::config(
            "cpu",
            format!("there is no CPU `{id}`: choose one of {}", known.join(", ")),
        ));
    };
    let model = parse_json(text).and_then(resolve).map_err(|error| error.within(id))?;
    match variant {
        Some(variant) => model.variant(variant),
        None => Ok(model),
    }
}

fn resolve(file: ModelFile) -> Result<CpuModel> {
    let ModelFile { id, name, vendor, events, no_nested, machine, provenance, variants } = file;
    let variants = variants.into_iter().map(|variant| variant.resolve(&name, &machine));
    let variants = variants.collect::<Result<_>>()?;
    let machine = read_tree(&machine).map_err(|error| error.within("machine"))?;
    Ok(CpuModel { id, name, vendor, events, no_nested, machine, provenance, variants })
}

/// Reads all models, with their variants.
///
/// # Errors
/// `bad-config` if a file is not valid. A test reads all files, so this cannot happen.
pub fn models() -> Result<Vec<CpuModel>> {
    ids().map(model).collect()
}
