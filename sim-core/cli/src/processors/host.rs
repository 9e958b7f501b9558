//! The processor of this machine, as Linux lists it in `/proc/cpuinfo`.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, anyhow};
use pagewalk::config::cpu;

use super::{Tables, distance, tables};

const LIST: &str = "/proc/cpuinfo";
/// The most models that an error lists.
const MOST: usize = 3;

/// A processor, and the name of its model for `--cpu`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Host {
    pub(crate) processor: String,
    pub(crate) cpu: String,
    pub(crate) source: String,
    /// What one model leaves out of a machine with several kinds of cores.
    pub(crate) note: Option<String>,
}

/// Returns whether a name for `--cpu` means the processor of this machine.
pub(super) fn is_host(name: &str) -> bool {
    ["native", "host"].iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// # Errors
/// The processor is not known, or has no model.
pub(crate) fn host() -> anyhow::Result<Host> {
    let bytes = fs::read(LIST).with_context(|| {
        format!("{LIST} cannot be read, so the processor is not known: name a model")
    })?;
    of(&String::from_utf8_lossy(&bytes))
}

/// Finds the processor in the text of `/proc/cpuinfo`.
fn of(text: &str) -> anyhow::Result<Host> {
    let first: BTreeMap<&str, &str> =
        text.split("\n\n").next().unwrap_or_default().lines().filter_map(field).collect();
    let number = |name: &str| first.get(name).and_then(|value| value.parse::<u32>().ok());
    if let (Some(vendor), Some(family), Some(model)) =
        (first.get("vendor_id"), number("cpu family"), number("model"))
    {
        let name = first.get("model name").copied().unwrap_or(vendor);
        return x86(name, vendor, family, model, number("stepping").unwrap_or(0));
    }
    arm(text).unwrap_or_else(|| {
        Err(anyhow!(
            "{LIST} says neither CPUID nor MIDR, so the processor is not known: name a model"
        ))
    })
}

fn field(line: &str) -> Option<(&str, &str)> {
    line.split_once(':').map(|(name, value)| (name.trim(), value.trim()))
}

fn x86(name: &str, vendor: &str, family: u32, model: u32, stepping: u32) -> anyhow::Result<Host> {
    let Tables { cpuid, mut cpuid_sources, .. } = tables();
    let processor = format!("{name} ({vendor}, family {family}, model {model})");
    let of_vendor = cpuid.iter().filter(|row| row.vendor == vendor);
    let away = |row: &super::Cpuid| {
        let is_other = |steppings: &String| u32::from(distance(steppings, stepping) > 0);
        let steppings = row.steppings.as_ref().map_or(0, is_other);
        (row.family.abs_diff(family), distance(&row.models, model), steppings)
    };
    let mut rows: Vec<_> = of_vendor.map(|row| (away(row), &row.cpu)).collect();
    rows.sort_by_key(|(away, _)| *away);
    match rows.first() {
        Some(((0, 0, 0), cpu)) => {
            let source = cpuid_sources.remove(vendor).unwrap_or_default();
            Ok(Host { processor, cpu: (*cpu).clone(), source, note: None })
        }
        _ => Err(unknown(&processor, rows.into_iter().map(|(_, cpu)| cpu.as_str()))),
    }
}

/// Finds the core of an Arm processor. If there are several kinds, the last one counts: Linux lists small cores first.
/// `None` if there is no MIDR.
fn arm(text: &str) -> Option<anyhow::Result<Host>> {
    let Tables { midr, midr_source: source, .. } = tables();
    let hexadecimal = |value: &str| u32::from_str_radix(value.trim_start_matches("0x"), 16).ok();
    let mut kinds: Vec<(u32, u32)> = Vec::new();
    let mut implementer = None;
    for (name, value) in text.lines().filter_map(field) {
        match name {
            "CPU implementer" => implementer = hexadecimal(value),
            "CPU part" => {
                let kind = implementer.zip(hexadecimal(value));
                kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
            }
            _ => {}
        }
    }
    let (by, part) = *kinds.last()?;
    let processor = format!("an Arm core (implementer 0x{by:x}, part 0x{part:x})");
    let of_implementer = midr.iter().filter(|row| distance(&row.implementer, by) == 0);
    let mut rows: Vec<_> =
        of_implementer.map(|row| (distance(&row.parts, part), &row.cpu)).collect();
    rows.sort_by_key(|(away, _)| *away);
    Some(match rows.first() {
        Some((0, cpu)) => {
            let note = (kinds.len() > 1).then(|| {
                format!("This machine has {} kinds of cores; name another with --cpu.", kinds.len())
            });
            Ok(Host { processor, cpu: (*cpu).clone(), source, note })
        }
        _ => Err(unknown(&processor, rows.into_iter().map(|(_, cpu)| cpu.as_str()))),
    })
}

/// Words that a processor has no model. `near` are the names of processors with a model, the nearest first.
fn unknown<'a>(processor: &str, near: impl Iterator<Item = &'a str>) -> anyhow::Error {
    let mut ids: Vec<String> = Vec::new();
    for id in near.filter_map(|name| cpu::model(name).ok()).map(|model| model.id) {
        if ids.len() < MOST && !ids.contains(&id) {
            ids.push(id);
        }
    }
    match ids.as_slice() {
        [] => anyhow!("there is no model of {processor}: choose one that `pagewalk cpus` lists"),
        ids => anyhow!(
            "there is no model of {processor}: the nearest are {}; `pagewalk cpus` lists all",
            ids.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match of(text) {
            Ok(host) => format!("{} -> {}", host.processor, host.cpu),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    fn cpuinfo(vendor: &str, family: u32, model: u32, stepping: u32) -> String {
        format!(
            "processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nmodel name\t: Name: X\nstepping\t: {stepping}\n\nprocessor\t: 1\nmodel\t\t: 1\n"
        )
    }

    #[test]
    fn cpuid_names_the_model() {
        for (vendor, family, model, stepping, cpu) in [
            ("AuthenticAMD", 25, 17, 1, "Zen 4"),
            ("AuthenticAMD", 25, 1, 1, "Zen 3"),
            ("GenuineIntel", 6, 0x55, 4, "Skylake-SP"),
            ("GenuineIntel", 6, 0x55, 7, "Cascade Lake"),
            ("GenuineIntel", 6, 0x3f, 2, "Haswell-EP"),
        ] {
            let processor = format!("Name: X ({vendor}, family {family}, model {model})");
            let expected = format!("{processor} -> {cpu}");
            check(&cpuinfo(vendor, family, model, stepping), &expected);
        }
    }

    #[test]
    fn a_processor_without_a_model_has_neighbours() {
        check(
            &cpuinfo("GenuineIntel", 6, 0x66, 3),
            "there is no model of Name: X (GenuineIntel, family 6, model 102): the nearest are intel-sunnycove, intel-skylake, intel-broadwell; `pagewalk cpus` lists all",
        );
        check(
            &cpuinfo("GenuineIntel", 6, 0x55, 11),
            "there is no model of Name: X (GenuineIntel, family 6, model 85): the nearest are intel-skylake-sp, intel-broadwell, intel-skylake; `pagewalk cpus` lists all",
        );
        check(
            &cpuinfo("CentaurHauls", 7, 59, 0),
            "there is no model of Name: X (CentaurHauls, family 7, model 59): choose one that `pagewalk cpus` lists",
        );
    }

    #[test]
    fn the_large_core_of_an_arm_processor_counts() {
        let core = |part| format!("CPU implementer\t: 0x41\nCPU part\t: 0x{part}\n\n");
        check(&core("d40"), "an Arm core (implementer 0x41, part 0xd40) -> Neoverse V1");
        let both = core("d05") + &core("d05") + &core("d08");
        check(&both, "an Arm core (implementer 0x41, part 0xd08) -> Cortex-A72");
        assert!(of(&both).is_ok_and(|host| host.note.is_some()));
        check(
            &core("d41"),
            "there is no model of an Arm core (implementer 0x41, part 0xd41): the nearest are arm-neoverse-v1, arm-neoverse-n2, arm-neoverse-v2; `pagewalk cpus` lists all",
        );
    }

    #[test]
    fn a_list_without_a_processor_is_an_error() {
        for text in ["", "processor : 0\nhart : 1\nisa : rv64imafdc\n", "cpu family : 6"] {
            check(
                text,
                "/proc/cpuinfo says neither CPUID nor MIDR, so the processor is not known: name a model",
            );
        }
    }
}
