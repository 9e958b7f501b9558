//! What a result is about: the program, the command, the machine, the mapping and the trace. Every JSON and
//! every CSV has it, so that a number can be cited and simulated again.

use std::collections::BTreeSet;

use pagewalk::config::MachineConfig;
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk_base::addr::PageSize;
use pagewalk_base::hash::hash;
use serde::Serialize;
use serde_json::Value;

/// The version of the JSON. It changes if a key is removed, or changes its meaning.
pub const SCHEMA: u32 = 1;

/// The columns that every table has after its own: places in a result.
pub const FACTS: [&str; 11] = [
    "about.version",
    "about.commit",
    "about.schema",
    "about.command",
    "about.machine.id",
    "about.machine.name",
    "about.machine.digest",
    "about.mapping",
    "about.trace.name",
    "about.trace.digest",
    "about.trace.seed",
];

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct About {
    pub program: &'static str,
    pub version: &'static str,
    /// The commit that the program was built from, if the build knew it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<&'static str>,
    pub schema: u32,
    /// The words of the command without `--json`, with the long names of its options. The site has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(as = "Option<Vec<String>>"))]
    pub command: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineAbout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<OsConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceAbout>,
}

/// The name of a machine, and a hash of all its numbers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct MachineAbout {
    /// The CPU model or variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: String,
    digest: String,
    /// The command that prints the numbers of a CPU model.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown_by: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct TraceAbout {
    pub name: String,
    /// The hash of the accesses that were read. Rows of sweeps have the same one.
    pub digest: String,
    /// The seed of a workload with random choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl MachineAbout {
    pub fn new(id: Option<&str>, name: String, machine: &MachineConfig) -> Self {
        let shown_by = id.map(|id| format!("pagewalk cpus {id} --json"));
        Self { id: id.map(str::to_owned), name, digest: hash(&numbers(machine)), shown_by }
    }

    /// Describes several machines together. The order of the machines does not matter.
    pub fn of_all(name: &str, machines: &[MachineConfig]) -> Self {
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
pub struct Cited<'a, T> {
    about: About,
    #[serde(flatten)]
    result: &'a T,
}

impl About {
    /// Describes the program and the words of a command.
    pub fn new(command: Vec<String>) -> Self {
        Self {
            program: "pagewalk",
            version: env!("CARGO_PKG_VERSION"),
            commit: None,
            schema: SCHEMA,
            command,
            machine: None,
            mapping: None,
            trace: None,
        }
    }

    #[must_use]
    pub fn on(self, machine: MachineAbout) -> Self {
        Self { machine: Some(machine), ..self }
    }

    #[must_use]
    pub fn mapped(self, mapping: &OsConfig) -> Self {
        Self { mapping: Some(mapping.clone()), ..self }
    }

    #[must_use]
    pub fn with_pages(self, pages: PageSize) -> Self {
        self.mapped(&OsConfig { default: PagePolicy::Fixed(pages), ..OsConfig::default() })
    }

    #[must_use]
    pub fn of(self, trace: Option<TraceAbout>) -> Self {
        Self { trace, ..self }
    }

    pub fn cited<T>(self, result: &T) -> Cited<'_, T> {
        Cited { about: self, result }
    }

    /// Returns the cells of [`FACTS`].
    ///
    /// # Panics
    /// Never: a description is plain data.
    pub fn facts(&self) -> [String; FACTS.len()] {
        facts(&serde_json::to_value(self).expect("a description is plain data"))
    }
}

/// Returns the cells of [`FACTS`] from the object `about` of a result. A fact that it does not have is empty.
pub fn facts(about: &Value) -> [String; FACTS.len()] {
    FACTS.map(|place| {
        let mut keys = place.split('.').skip(1);
        let found = keys.try_fold(about, |value, key| value.get(key));
        found.map_or_else(String::new, cell)
    })
}

/// Returns a text without quotes, the words of a command as a shell reads them, and any other value as JSON.
pub fn cell(value: &Value) -> String {
    let words = value.as_array().filter(|words| !words.is_empty());
    let words: Option<Vec<&str>> = words.and_then(|all| all.iter().map(Value::as_str).collect());
    match (value, words) {
        (_, Some(words)) => command_line(words),
        (Value::String(text), None) => text.clone(),
        (other, None) => other.to_string(),
    }
}

/// Joins the words of a command with blanks, and quotes words as a shell does.
pub fn command_line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%".contains(c);
    let quoted = words.into_iter().map(|word| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Returns the words of a text of [`command_line`].
pub fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut is_quoted, mut chars) = (None::<String>, false, line.chars());
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            '\\' if !is_quoted => word.get_or_insert_default().extend(chars.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_it_was_written() {
        for (given, expected) in [
            (&["run", "--trace", "a.lackey"][..], "run --trace a.lackey"),
            (&["run", "my trace", "don't", ""], r"run 'my trace' 'don'\''t' ''"),
            (&["a\nb", r"c:\d", "$HOME"], "'a\nb' 'c:\\d' '$HOME'"),
        ] {
            let line = command_line(given.iter().copied());
            assert_eq!(line, expected);
            assert_eq!(words(&line), given);
        }
    }

    #[test]
    fn every_fact_is_a_place_of_the_description() {
        let trace = TraceAbout { name: "t".to_owned(), digest: "d".to_owned(), seed: Some(7) };
        let machine = MachineConfig::default();
        let about = About::new(vec!["run".to_owned()])
            .on(MachineAbout::new(Some("id"), "M".to_owned(), &machine))
            .with_pages(PageSize::K4)
            .of(Some(trace));
        let about = About { commit: Some("c"), ..about };
        let empty = FACTS.iter().zip(about.facts()).filter(|(_, cell)| cell.is_empty());
        assert_eq!(empty.count(), 0);
    }
}
