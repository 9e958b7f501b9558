//! CPU models: machine configurations in which every number has a source.

mod alias;
mod variant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use alias::CpuAlias;
use variant::VariantFile;
pub use variant::{CpuVariant, VariantKind, put_value};

use crate::config::{MachineConfig, parse_json};
use crate::os::{OsConfig, PagePolicy};
use pagewalk_base::error::{Error, Result};

/// The quality of the source of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Confidence {
    /// Text, CPUID or a performance metric that the vendor published, or the book that defines a small machine.
    Documented,
    /// A paper, an artifact or a microbenchmark gives the number.
    ReverseEngineered,
    /// Others published raw measurements, and this project read the number from them.
    Inferred,
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
    /// Other names that `--cpu` takes for the model or its variants.
    #[cfg_attr(not(short_cpus), serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(short_cpus, serde(skip_serializing))]
    #[cfg_attr(any(test, feature = "ts"), ts(as = "Option<Vec<CpuAlias>>", optional))]
    pub aliases: Vec<CpuAlias>,
    /// The heading under which lists show the model. Missing = the vendor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub group: Option<String>,
    /// The family of processors on which an event of `perf stat` has one meaning, such as `intel-skylake`.
    #[serde(skip)]
    #[cfg_attr(any(test, feature = "ts"), ts(skip))]
    pub events: String,
    /// The reason why such a processor has no nested paging (`"virt": "ept"`). Missing if it has nested paging.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub no_nested: Option<String>,
    /// A sentence that says that the model has no walk caches because no source describes them. Missing if the model
    /// has walk caches, or if the processor is known to have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub no_walk_caches: Option<String>,
    pub machine: MachineConfig,
    /// The mapping that the model begins with. Missing = the smallest pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub os: Option<OsConfig>,
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
    #[serde(default)]
    #[cfg(not(short_cpus))]
    aliases: Vec<CpuAlias>,
    /// The build script has removed them. To read them would be 2 KB of the module that the site opens with.
    #[serde(default)]
    #[cfg(short_cpus)]
    aliases: Vec<NoAlias>,
    #[serde(default)]
    group: Option<String>,
    /// Empty for a model without counters.
    #[serde(default)]
    events: String,
    #[serde(default)]
    no_nested: Option<String>,
    #[serde(default)]
    no_walk_caches: Option<String>,
    machine: Value,
    #[serde(default)]
    os: Option<OsConfig>,
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

impl CpuModel {
    /// Returns the mapping that the model begins with: its own, or its smallest pages.
    pub fn mapping(&self) -> OsConfig {
        let smallest = || OsConfig {
            default: self
                .machine
                .smallest_pages()
                .map_or(OsConfig::default().default, PagePolicy::Fixed),
            ..OsConfig::default()
        };
        self.os.clone().unwrap_or_else(smallest)
    }
}

/// Reads one model, or a variant of one: `intel-skylake`, `intel-skylake:smt-on`, `Cascade Lake`.
///
/// # Errors
/// `bad-config` if there is no such model or variant; the message lists the existing ones.
pub fn model(name: &str) -> Result<CpuModel> {
    let (model, variant) = match name.split_once(':') {
        Some((model, variant)) => (model, Some(variant)),
        None => (name, None),
    };
    if let Some(text) = file(model) {
        let model = parse_json(text).and_then(resolve).map_err(|error| error.within(model))?;
        return match variant {
            Some(variant) => model.variant(variant),
            None => Ok(model),
        };
    }
    // A name can have a colon: `CS:APP 14-bit`.
    if let Some((id, _)) = alias(name)? {
        return self::model(&id);
    }
    if let (Some((id, _)), Some(variant)) = (alias(model)?, variant) {
        return self::model(&format!("{id}:{variant}"));
    }
    let known: Vec<&str> = ids().collect();
    let known = known.join(", ");
    Err(Error::config("cpu", format!("there is no CPU `{model}`: choose one of {known}")))
}

/// Stands for an alias in models without aliases.
#[cfg(short_cpus)]
#[derive(Debug, Deserialize)]
enum NoAlias {}

fn file(id: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// Returns the id that a name other than an id stands for, and the alias that says so. `None` if no model, or more
/// than one, has the name.
///
/// # Errors
/// As [`models`].
pub fn alias(name: &str) -> Result<Option<(String, Option<CpuAlias>)>> {
    let models = models()?;
    let mut named = models.iter().filter_map(|model| model.named(name));
    let (Some((id, alias)), None) = (named.next(), named.next()) else { return Ok(None) };
    Ok(Some((id, alias.cloned())))
}

fn resolve(file: ModelFile) -> Result<CpuModel> {
    let ModelFile { id, name, vendor, aliases, group, events, .. } = file;
    #[cfg(short_cpus)]
    let aliases = aliases.into_iter().map(|none| match none {}).collect();
    let ModelFile { no_nested, no_walk_caches, machine, os, provenance, variants, .. } = file;
    let variants = variants.into_iter().map(|variant| variant.resolve(&name, &machine));
    let variants = variants.collect::<Result<_>>()?;
    let machine = MachineConfig::from_tree(&machine).map_err(|error| error.within("machine"))?;
    Ok(CpuModel {
        id,
        name,
        vendor,
        aliases,
        group,
        events,
        no_nested,
        no_walk_caches,
        machine,
        os,
        provenance,
        variants,
    })
}

/// Reads all models, with their variants. Models with a group come first.
///
/// # Errors
/// `bad-config` if a file is not valid. A test reads all files, so this cannot happen.
pub fn models() -> Result<Vec<CpuModel>> {
    let all: Vec<CpuModel> = ids().map(model).collect::<Result<_>>()?;
    let (mut ordered, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|model| model.group.is_some());
    ordered.extend(others);
    Ok(ordered)
}
