//! Repeats a sweep from its rows, and compares row by row.

use std::io::BufRead;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::compared::Compared;
use super::{Repeated, run_sweep, words};

/// # Errors
/// Errors of the sweep, and rows that are missing or damaged.
pub(super) fn repeat(before: impl BufRead) -> anyhow::Result<Repeated> {
    let mut before = before.lines().peekable();
    let first = match before.peek() {
        Some(Ok(line)) => row(line)?,
        _ => bail!("it has no rows"),
    };
    let command = words(&first);
    let version = first.get("version").and_then(Value::as_str).unwrap_or_default().to_owned();
    let compared = run_sweep(&command, "jsonl", |now| {
        let mut compared = Compared::default();
        let mut now = now.lines();
        for number in 0_u64.. {
            let (before, now) = match (before.next().transpose()?, now.next().transpose()?) {
                (None, None) => break,
                (Some(before), Some(now)) => (row(&before)?, row(&now)?),
                (Some(_), None) => bail!("it has more than the {number} rows of the sweep"),
                (None, Some(now)) => {
                    let n = row(&now)?["rows"].to_string();
                    bail!(
                        "it has {number} of {n} rows: run the sweep to its end, or merge its parts"
                    )
                }
            };
            if before["row"] != now["row"] {
                bail!(
                    "row {} is missing, or not in its place: run the sweep to its end, or merge its parts",
                    now["row"]
                );
            }
            compared.rows(number, &before, &now);
        }
        Ok(compared)
    })?;
    Ok(Repeated { command, version, compared })
}

fn row(line: &str) -> anyhow::Result<Value> {
    serde_json::from_str(line).context("a row is damaged: run the sweep to its end")
}
