//! CPU models: machines as data, every number with its source.

mod variant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use variant::VariantFile;
pub use variant::{CpuVariant, VariantKind};

use crate::config::{MachineConfig, parse_json};
use crate::error::{Error, Result};
use crate::json::read_tree;

/// How well a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Confidence {
    /// Vendor text, vendor CPUID, or a constant of a vendor's performance metric.
    Documented,
    /// A paper, an artifact or a microbenchmark.
    ReverseEngineered,
    /// A third party repeats the number.
    Reported,
    /// Nothing was found; a proposed default.
    Assumed,
}

/// Where one number of a model comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Provenance {
    /// Path in the machine, such as `l1[0].entries` or `latency.l2_hit`.
    pub path: String,
    pub confidence: Confidence,
    pub source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A CPU model: a file of `cpus/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CpuModel {
    /// `intel-skylake-sp`: the name of the file and of `--cpu`.
    pub id: String,
    /// `Skylake-SP`.
    pub name: String,
    pub vendor: String,
    pub machine: MachineConfig,
    pub provenance: Vec<Provenance>,
    /// The same core with something else about it; empty for most.
    pub variants: Vec<CpuVariant>,
}

/// A model as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    id: String,
    name: String,
    vendor: String,
    machine: Value,
    provenance: Vec<Provenance>,
    #[serde(default)]
    variants: Vec<VariantFile>,
}

/// Every model of `cpus/`, by name of file.
const FILES: &[(&str, &str)] = &[
    ("amd-jaguar", include_str!("../cpus/amd-jaguar.json")),
    ("amd-k10", include_str!("../cpus/amd-k10.json")),
    ("amd-zen1", include_str!("../cpus/amd-zen1.json")),
    ("amd-zen2", include_str!("../cpus/amd-zen2.json")),
    ("amd-zen3", include_str!("../cpus/amd-zen3.json")),
    ("amd-zen4", include_str!("../cpus/amd-zen4.json")),
    ("amd-zen5", include_str!("../cpus/amd-zen5.json")),
    ("apple-firestorm", include_str!("../cpus/apple-firestorm.json")),
    ("arm-cortex-a55", include_str!("../cpus/arm-cortex-a55.json")),
    ("arm-cortex-a72", include_str!("../cpus/arm-cortex-a72.json")),
    ("arm-neoverse-n1", include_str!("../cpus/arm-neoverse-n1.json")),
    ("arm-neoverse-n2", include_str!("../cpus/arm-neoverse-n2.json")),
    ("arm-neoverse-v1", include_str!("../cpus/arm-neoverse-v1.json")),
    ("arm-neoverse-v2", include_str!("../cpus/arm-neoverse-v2.json")),
    ("huawei-kunpeng920", include_str!("../cpus/huawei-kunpeng920.json")),
    ("hygon-dhyana", include_str!("../cpus/hygon-dhyana.json")),
    ("intel-atom-bonnell", include_str!("../cpus/intel-atom-bonnell.json")),
    ("intel-broadwell", include_str!("../cpus/intel-broadwell.json")),
    ("intel-core2", include_str!("../cpus/intel-core2.json")),
    ("intel-goldencove", include_str!("../cpus/intel-goldencove.json")),
    ("intel-gracemont", include_str!("../cpus/intel-gracemont.json")),
    ("intel-haswell", include_str!("../cpus/intel-haswell.json")),
    ("intel-ivybridge", include_str!("../cpus/intel-ivybridge.json")),
    ("intel-lioncove", include_str!("../cpus/intel-lioncove.json")),
    ("intel-nehalem", include_str!("../cpus/intel-nehalem.json")),
    ("intel-sandybridge", include_str!("../cpus/intel-sandybridge.json")),
    ("intel-skylake", include_str!("../cpus/intel-skylake.json")),
    ("intel-skylake-sp", include_str!("../cpus/intel-skylake-sp.json")),
    ("intel-sunnycove", include_str!("../cpus/intel-sunnycove.json")),
    ("intel-westmere", include_str!("../cpus/intel-westmere.json")),
    ("qualcomm-falkor", include_str!("../cpus/qualcomm-falkor.json")),
];

/// The names of all models, as `--cpu` takes them.
pub fn ids() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(id, _)| *id)
}

/// Reads one model, or a variant of one: `intel-skylake`, `intel-skylake:smt-on`.
///
/// # Errors
/// `bad-config` if there is no such model or variant; the message lists those that are there.
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
    let ModelFile { id, name, vendor, machine, provenance, variants } = file;
    let variants = variants.into_iter().map(|variant| variant.resolve(&name, &machine));
    let variants = variants.collect::<Result<_>>()?;
    let machine = read_tree(&machine).map_err(|error| error.within("machine"))?;
    Ok(CpuModel { id, name, vendor, machine, provenance, variants })
}

/// Reads all models, with their variants.
///
/// # Errors
/// `bad-config` if a file does not fit, which a test excludes.
pub fn models() -> Result<Vec<CpuModel>> {
    ids().map(model).collect()
}
