//! What a result is about: the program, the command, the machine, the mapping and the trace. Every JSON begins
//! with it, so that a number can be cited and simulated again.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;

use clap::CommandFactory as _;
use clap::parser::ValueSource;
use pagewalk::config::MachineConfig;
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk_base::addr::PageSize;
use pagewalk_base::hash::hash;
use serde::Serialize;

use crate::args::Cli;
use crate::output;

/// The version of the JSON. It changes if a key is removed, or changes its meaning.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Clone, Serialize)]
pub(crate) struct About {
    program: &'static str,
    version: &'static str,
    schema: u32,
    /// The words of the command without `--json`, with the long names of its options.
    command: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<MachineAbout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mapping: Option<OsConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceAbout>,
}

/// The name of a machine, and a hash of all its numbers.
#[derive(Clone, Serialize)]
pub(crate) struct MachineAbout {
    /// The CPU model or variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: String,
    digest: String,
    /// The command that prints the numbers of a CPU model.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown_by: Option<String>,
}

#[derive(Clone, Serialize)]
pub(crate) struct TraceAbout {
    pub(crate) name: String,
    /// The hash of the accesses that were read. Rows of sweeps have the same one.
    pub(crate) digest: String,
    /// The seed of a workload with random choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
}

impl MachineAbout {
    pub(crate) fn new(id: Option<&str>, name: String, machine: &MachineConfig) -> Self {
        let shown_by = id.map(|id| format!("pagewalk cpus {id} --json"));
        Self { id: id.map(str::to_owned), name, digest: hash(&numbers(machine)), shown_by }
    }

    /// Describes several machines together. The order of the machines does not matter.
    pub(crate) fn of_all(name: &str, machines: &[MachineConfig]) -> Self {
        let all: BTreeSet<String> = machines.iter().map(numbers).collect();
        let all: Vec<String> = all.into_iter().collect();
        Self { id: None, name: name.to_owned(), digest: hash(&all.join("\n")), shown_by: None }
    }
}

fn numbers(machine: &MachineConfig) -> String {
    serde_json::to_string(machine).expect("a machine is plain data")
}

/// A result with what it is about.
#[derive(Serialize)]
pub(crate) struct Cited<'a, T> {
    about: About,
    #[serde(flatten)]
    result: &'a T,
}

impl About {
    /// Describes the command that runs.
    pub(crate) fn new() -> Self {
        Self {
            program: "pagewalk",
            version: env!("CARGO_PKG_VERSION"),
            schema: SCHEMA,
            command: normalised(env::args_os().collect()),
            machine: None,
            mapping: None,
            trace: None,
        }
    }

    pub(crate) fn on(self, machine: MachineAbout) -> Self {
        Self { machine: Some(machine), ..self }
    }

    pub(crate) fn mapped(self, mapping: &OsConfig) -> Self {
        Self { mapping: Some(mapping.clone()), ..self }
    }

    pub(crate) fn with_pages(self, pages: PageSize) -> Self {
        self.mapped(&OsConfig { default: PagePolicy::Fixed(pages), ..OsConfig::default() })
    }

    pub(crate) fn of(self, trace: Option<TraceAbout>) -> Self {
        Self { trace, ..self }
    }

    pub(crate) fn cited<T>(self, result: &T) -> Cited<'_, T> {
        Cited { about: self, result }
    }

    /// Prints a result as JSON.
    pub(crate) fn json(self, result: &impl Serialize) -> anyhow::Result<()> {
        output::json(&self.cited(result))
    }
}

/// Returns the words of a command in the order of its help. Options that choose the output are left out.
fn normalised(words: Vec<OsString>) -> Vec<String> {
    let mut cli = Cli::command();
    let Ok(matches) = cli.try_get_matches_from_mut(words) else { return Vec::new() };
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let mut command = vec![name.to_owned()];
    let Some(sub) = cli.find_subcommand(name) else { return command };
    for arg in sub.get_arguments() {
        let id = arg.get_id().as_str();
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given || ["json", "csv"].contains(&id) {
            continue;
        }
        let option = arg.get_long().map(|long| format!("--{long}"));
        if !arg.get_action().takes_values() {
            command.extend(option);
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            command.extend(option.clone());
            command.push(value.to_string_lossy().into_owned());
        }
    }
    command
}
