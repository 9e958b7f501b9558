//! `pagewalk run --repeat`: runs the command of a result again, and compares all values.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, anyhow, bail};
use serde_json::Value;

use crate::output;
use crate::setup::read_text;
use crate::table::grouped;

/// The commands whose output depends only on their files and arguments.
const REPEATABLE: [&str; 11] = [
    "run",
    "explain",
    "curve",
    "phases",
    "huge",
    "import",
    "samples",
    "stat",
    "experiment",
    "verify",
    "cpus",
];

/// The largest number of differences that are printed.
const MAX_SHOWN: usize = 4;

pub(crate) fn repeat(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    let before: Value =
        serde_json::from_str(&read_text(path)?).with_context(|| name.to_string())?;
    let command = command(&before).with_context(|| name.to_string())?;
    let now = run(&command).with_context(|| name.to_string())?;
    let mut compared = Compared::default();
    compared.values("", Some(&before), Some(&now));
    let Compared { n, different } = compared;
    let all = grouped(n);
    let command = command.join(" ");
    let version = before.pointer("/about/version").and_then(Value::as_str).unwrap_or_default();
    let of = match env!("CARGO_PKG_VERSION") {
        same if same == version => String::new(),
        other => format!(" (version {version} then, {other} now)"),
    };
    if different.is_empty() {
        return output::text(format!(
            "{name}: all {all} values of `pagewalk {command}` are the same again{of}\n"
        ));
    }
    let more = if different.len() > MAX_SHOWN { "; …" } else { "" };
    bail!(
        "{name}: {} of {all} values of `pagewalk {command}` differ{of}: {}{more}",
        grouped(different.len() as u64),
        different[..different.len().min(MAX_SHOWN)].join("; ")
    )
}

/// Returns the words of the command that printed a result.
fn command(result: &Value) -> anyhow::Result<Vec<String>> {
    let words = result.pointer("/about/command").and_then(Value::as_array);
    let words = words.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    let words: Vec<String> = words.collect();
    match words.first() {
        Some(first) if REPEATABLE.contains(&first.as_str()) => {}
        Some(first) => bail!("the command `{first}` cannot be repeated"),
        None => bail!("it names no command in `about`: give what a command printed with --json"),
    }
    // Only a result that was edited has these options: `--csv` would write a file, and `--repeat` could run itself.
    if words.iter().any(|word| word.starts_with("--csv") || word.starts_with("--repeat")) {
        bail!(
            "the command writes a file or repeats another one: give what a command printed with --json"
        );
    }
    if words.iter().any(|word| word == "-") {
        bail!("the command read standard input, which cannot be read again");
    }
    Ok(words)
}

fn run(command: &[String]) -> anyhow::Result<Value> {
    let program = env::current_exe().context("cannot find this program")?;
    let output = Command::new(program).args(command).arg("--json").stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        let error = error.trim_start_matches("pagewalk: ");
        return Err(anyhow!("`pagewalk {}` failed: {error}", command.join(" ")));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

#[derive(Default)]
struct Compared {
    /// The number of values compared.
    n: u64,
    different: Vec<String>,
}

impl Compared {
    fn values(&mut self, at: &str, before: Option<&Value>, now: Option<&Value>) {
        match (before, now) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let added = b.keys().filter(|key| !a.contains_key(*key));
                for key in a.keys().chain(added) {
                    let place = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                    if !is_of_the_program(&place) {
                        self.values(&place, a.get(key), b.get(key));
                    }
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for index in 0..a.len().max(b.len()) {
                    self.values(&format!("{at}[{index}]"), a.get(index), b.get(index));
                }
            }
            _ => {
                self.n += 1;
                if before != now {
                    let [before, now] = [before, now]
                        .map(|it| it.map_or_else(|| "nothing".to_owned(), Value::to_string));
                    self.different.push(format!("{at} was {before}, is {now}"));
                }
            }
        }
    }
}

/// Returns whether a value describes the program and the command, not their result.
fn is_of_the_program(place: &str) -> bool {
    ["about.program", "about.version", "about.schema", "about.command"].contains(&place)
}
