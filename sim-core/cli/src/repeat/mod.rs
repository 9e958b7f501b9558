//! `pagewalk run --repeat`: runs the command of a result again, and compares all values. A result is JSON, CSV, or
//! the rows of a sweep.

mod compared;
mod lines;
mod table;

use std::env;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, anyhow, bail};
use pagewalk_experiments::about::command_line;
use serde_json::Value;

use crate::input::{io_error, open};
use crate::output;
use crate::setup::read_text;
use crate::sweep::ROW;
use crate::table::grouped;
use compared::{Compared, MAX_SHOWN};

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

/// A command that ran again.
struct Repeated {
    command: Vec<String>,
    /// The version that made the result.
    version: String,
    compared: Compared,
}

pub(crate) fn repeat(path: &Path) -> anyhow::Result<()> {
    let mut file = BufReader::new(open(path)?);
    let start = file.fill_buf().map_err(|error| io_error(path, &error))?;
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    let repeated = if start.starts_with(ROW) {
        lines::repeat(file)
    } else if matches!(first, Some(b'{' | b'[')) {
        value(&read_text(path)?)
    } else {
        table::repeat(file)
    };
    let name = path.display();
    let Repeated { command, version, compared } = repeated.with_context(|| name.to_string())?;
    let Compared { n, n_different, different } = compared;
    let all = grouped(n);
    let command = command_line(command.iter().map(String::as_str));
    let of = match env!("CARGO_PKG_VERSION") {
        same if same == version => String::new(),
        other => format!(" (version {version} then, {other} now)"),
    };
    if n_different == 0 {
        return output::text(format!(
            "{name}: all {all} values of `pagewalk {command}` are the same again{of}\n"
        ));
    }
    let more = if n_different > MAX_SHOWN as u64 { "; …" } else { "" };
    bail!(
        "{name}: {} of {all} values of `pagewalk {command}` differ{of}: {}{more}",
        grouped(n_different),
        different.join("; ")
    )
}

/// Repeats the command of a JSON.
fn value(text: &str) -> anyhow::Result<Repeated> {
    let before: Value = serde_json::from_str(text)?;
    let command = words(&before);
    if command.first().is_some_and(|command| command == "sweep") {
        let Some(rows) = before.get("out").and_then(Value::as_str) else {
            bail!("it names no rows of the sweep: give the file of its rows")
        };
        let file = open(Path::new(rows))?;
        return lines::repeat(BufReader::new(file)).with_context(|| rows.to_owned());
    }
    check(&command)?;
    let now = serde_json::from_slice(&run(&command, &["--json"])?)?;
    let mut compared = Compared::default();
    compared.values("", Some(&before), Some(&now));
    let version = before.pointer("/about/version").and_then(Value::as_str);
    Ok(Repeated { command, version: version.unwrap_or_default().to_owned(), compared })
}

/// Returns the words of the command that a result or a row describes.
fn words(result: &Value) -> Vec<String> {
    let words = result.pointer("/about/command").and_then(Value::as_array);
    words.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// # Errors
/// A command that cannot be repeated.
fn check(words: &[String]) -> anyhow::Result<()> {
    match words.first() {
        Some(first) if REPEATABLE.contains(&first.as_str()) => {}
        Some(first) if first == "gen" && words.iter().any(|word| word == "--list") => {}
        Some(first) => bail!("the command `{first}` cannot be repeated"),
        None => bail!(
            "it names no command in `about`: give what a command printed with --json or --csv, or the rows of a sweep"
        ),
    }
    // Only a result that was edited has these options: `--csv` would write a file, and `--repeat` could run itself.
    if words.iter().any(|word| word.starts_with("--csv") || word.starts_with("--repeat")) {
        bail!(
            "the command writes a file or repeats another one: give what a command printed with --json or --csv"
        );
    }
    if words.iter().any(|word| word == "-") {
        bail!("the command read standard input, which cannot be read again");
    }
    Ok(())
}

/// Runs a command with options that choose its output, and returns what it prints.
fn run(command: &[String], form: &[&str]) -> anyhow::Result<Vec<u8>> {
    let program = env::current_exe().context("cannot find this program")?;
    let output = Command::new(program).args(command).args(form).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        let error = error.trim_start_matches("pagewalk: ");
        let command = command_line(command.iter().map(String::as_str));
        return Err(anyhow!("`pagewalk {command}` failed: {error}"));
    }
    Ok(output.stdout)
}

/// Runs the sweep of some rows again, into a folder that is removed at the end. Passes the rows or the table to
/// `compare`.
fn run_sweep<T>(
    command: &[String],
    ending: &str,
    compare: impl FnOnce(BufReader<File>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let [_, file] = command else {
        bail!("it names no file of the sweep in `about`: run it again with `pagewalk sweep`")
    };
    let folder = tempfile::tempdir().context("cannot make a folder for the rows")?;
    let out = folder.path().join("rows.jsonl");
    crate::sweep::run_into(out.clone(), file).with_context(|| {
        format!("`pagewalk {}` failed", command_line([command[0].as_str(), file]))
    })?;
    compare(BufReader::new(open(&out.with_extension(ending))?))
}
