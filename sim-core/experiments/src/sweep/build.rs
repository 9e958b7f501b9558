//! Makes the machine and the mapping of a row from its values.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::field::{Field, is_recorded, pages, put, virt};
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::os::{MapSource, MemoryMap, OsConfig, Virt};
use pagewalk_analysis::recorded_pages::PageEvidence;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::sorted::sort_by_numbers;

/// A machine and its mapping as JSON, up to the first error, and the checked configurations.
pub(super) struct Built {
    pub(super) machine: Value,
    pub(super) os: Value,
    pub(super) setup: Result<(MachineConfig, OsConfig)>,
}

/// Returns the machine and the mapping with all fields set. The order of the fields does not matter. A field
/// with the value null is not set.
///
/// # Errors
/// `bad-config` with the field.
pub(crate) fn setup(values: &Map<String, Value>) -> Result<(MachineConfig, OsConfig)> {
    let mut fields = Vec::with_capacity(values.len());
    for (name, value) in values.iter().filter(|(_, value)| !value.is_null()) {
        fields.push((Field::parse(name).map_err(|error| error.within(name))?, value));
    }
    sort_by_numbers(&mut fields, |(field, _)| (field.rank().into(), 0));
    let fields: Vec<_> = fields.iter().map(|(field, value)| (field, *value)).collect();
    build(&fields, None).setup
}

/// Sets all fields, which must be sorted by rank. `recorded` are the page sizes of the trace; without it, a row has the
/// smallest pages instead.
pub(super) fn build(fields: &[(&Field, &Value)], recorded: Option<&PageEvidence>) -> Built {
    let (mut machine, mut os) = (json!({}), Value::Object(Map::new()));
    let setup = set(fields, recorded, &mut machine, &mut os);
    Built { machine, os, setup }
}

fn set(
    fields: &[(&Field, &Value)],
    recorded: Option<&PageEvidence>,
    machine: &mut Value,
    os: &mut Value,
) -> Result<(MachineConfig, OsConfig)> {
    let of_os = |field: &Field| matches!(field, Field::Os | Field::Pages | Field::InOs(_));
    let config = set_machine(fields, machine).map_err(|error| error.within("machine"))?;
    *machine = tree(&config);
    if !fields.iter().any(|(field, _)| of_os(field))
        && let Some(smallest) = config.smallest_pages()
    {
        let own = fields.iter().find(|(field, _)| matches!(field, Field::Cpu));
        let own = own.and_then(|(_, id)| cpu::model(id.as_str()?).ok()?.os);
        // Without a field of the mapping, memory has the mapping of the model.
        *os = tree(&own.unwrap_or_else(|| by_default(&config, smallest, recorded)));
    }
    let smallest = config.smallest_pages().unwrap_or(PageSize::K4);
    let mut mapping = set_os(fields, os, (smallest, recorded))?;
    if let Some(evidence) = recorded.filter(|_| mapping.map == MapSource::Recorded) {
        resolve(&config, &mut mapping, smallest, evidence);
    }
    *os = tree(&mapping);
    Ok((config, mapping))
}

/// The page sizes of the recording, if it has any and the machine has them, too; else the smallest pages of the machine,
/// 4K on most.
fn by_default(
    config: &MachineConfig,
    smallest: PageSize,
    recorded: Option<&PageEvidence>,
) -> OsConfig {
    let mut os = OsConfig::of(smallest);
    if let Some(evidence) =
        recorded.filter(|evidence| evidence.has_frames() || evidence.has_others(smallest))
    {
        os.map = MapSource::Recorded;
        resolve(config, &mut os, smallest, evidence);
    }
    os
}

/// Maps memory with the page sizes of the recording, if the machine has them.
fn resolve(config: &MachineConfig, os: &mut OsConfig, smallest: PageSize, evidence: &PageEvidence) {
    let mut with_recorded = os.clone();
    evidence.resolve(&mut with_recorded, smallest);
    if Machine::with_map(config, &with_recorded, &MemoryMap::default()).is_ok() {
        *os = with_recorded;
    }
    os.map = MapSource::Trace;
}

fn tree(config: &impl Serialize) -> Value {
    serde_json::to_value(config).expect("a configuration is JSON")
}

fn set_machine(fields: &[(&Field, &Value)], machine: &mut Value) -> Result<MachineConfig> {
    for (field, value) in fields {
        match field {
            Field::Cpu => *machine = tree(&cpu::model(value.as_str().unwrap_or_default())?.machine),
            Field::Machine => *machine = (*value).clone(),
            _ => {}
        }
    }
    // Adds the defaults, so that every field exists.
    *machine = tree(&MachineConfig::from_tree(machine)?);
    for (field, value) in fields {
        if let Field::InMachine(path) = field {
            put(machine, path, (*value).clone())?;
        }
    }
    MachineConfig::from_tree(machine)
}

fn set_os(
    fields: &[(&Field, &Value)],
    os: &mut Value,
    (smallest, recorded): (PageSize, Option<&PageEvidence>),
) -> Result<OsConfig> {
    let within = |error: Error| error.within("os");
    if let Some((_, value)) = fields.iter().find(|(field, _)| matches!(field, Field::Os)) {
        *os = (*value).clone();
    }
    let mut mapping = OsConfig::from_tree(os).map_err(within)?;
    if let Some((_, value)) = fields.iter().find(|(field, _)| matches!(field, Field::Pages)) {
        match recorded {
            _ if !is_recorded(value) => mapping.map_with(&pages(value)?),
            None => mapping.map_with(&OsConfig::of(smallest)),
            Some(evidence) if evidence.is_empty() => {
                let message = "the trace has no recorded page sizes: give a page size";
                return Err(Error::config("pages", message));
            }
            Some(evidence) => evidence.pages(smallest).map(&mut mapping),
        }
    }
    *os = tree(&mapping);
    for (field, value) in fields {
        if let Field::InOs(path) = field {
            put(os, path, (*value).clone()).map_err(within)?;
        }
    }
    let mut mapping = OsConfig::from_tree(os).map_err(within)?;
    for (field, value) in fields {
        match field {
            Field::Virt => {
                mapping.virt = virt(value)?;
                if mapping.virt == Virt::Native {
                    mapping.host = None;
                }
            }
            Field::HostPages if mapping.virt == Virt::Native => {
                let message = "there is no host without virtualisation: set virt to ept or shadow";
                return Err(Error::config("host_pages", message));
            }
            Field::HostPages => mapping.host.get_or_insert_default().map_with(&pages(value)?),
            _ => {}
        }
    }
    // A sweep may combine a setting with policies that do not use it. Unused settings are removed.
    mapping.remove_idle();
    if let Some(host) = &mut mapping.host {
        host.remove_idle();
    }
    Ok(mapping)
}
