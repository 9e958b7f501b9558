//! Tables as CSV. The first line is the header.

use std::io;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;
use pagewalk_base::csv::push_row;
use serde::Serialize;
use serde_json::Value;

use crate::output;
use crate::packing::{Packing, is_stdout, name};
use crate::whole::{WholeFile, why_not};

#[derive(Args, Clone, Default)]
pub(crate) struct CsvArgs {
    /// Write the table as CSV to this file, with all its rows; - prints it instead of the text
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

impl CsvArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.csv.is_some()
    }

    /// Writes the table if `--csv` was given. Returns whether standard output has it.
    ///
    /// # Errors
    /// Errors of the file, and a table and JSON that both go to standard output.
    pub(crate) fn write(
        &self,
        is_json: bool,
        sheet: impl FnOnce() -> Sheet,
    ) -> anyhow::Result<bool> {
        let Some(out) = &self.csv else { return Ok(false) };
        if is_stdout(out) {
            if is_json {
                bail!("--csv -: --json also prints to standard output: give --csv a file");
            }
            output::text(sheet().0)?;
            return Ok(true);
        }
        let packing = Packing::of(out)?;
        let text = sheet().0;
        let write = || {
            let mut file = WholeFile::create(out)?;
            packing.pack(&mut file, |out| out.write_all(text.as_bytes()))?;
            file.keep()
        };
        let written: io::Result<()> = write();
        written.map_err(|error| anyhow!("{}: cannot write it: {}", name(out), why_not(&error)))?;
        Ok(false)
    }
}

/// The lines of a table.
pub(crate) struct Sheet(String);

impl Sheet {
    pub(crate) fn new<const N: usize>(columns: [&str; N]) -> Self {
        let mut sheet = Self(String::new());
        sheet.row(columns.map(str::to_owned));
        sheet
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        push_row(&mut self.0, cells.into_iter());
    }

    /// Lists every value of a result with its place, such as `kinds.load.walks`.
    pub(crate) fn of_values(result: &impl Serialize) -> Self {
        let mut sheet = Self::new(["counter", "value"]);
        let result = serde_json::to_value(result).expect("a result is plain data");
        sheet.values(String::new(), &result);
        sheet
    }

    fn values(&mut self, at: String, value: &Value) {
        let place = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.values(place(key), value);
                }
            }
            // The words of a command.
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
                let words: Vec<String> = items.iter().map(plain).collect();
                self.row([at, words.join(" ")]);
            }
            Value::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let label =
                        label(items, item).map_or_else(|| number.to_string(), str::to_owned);
                    self.values(place(&label), item);
                }
            }
            Value::Null => {}
            other => self.row([at, plain(other)]),
        }
    }
}

/// Returns the name of an item of a list, if no other item has it.
fn label<'v>(items: &'v [Value], item: &'v Value) -> Option<&'v str> {
    let name = |item: &'v Value| item.get("name").and_then(Value::as_str);
    let own = name(item).filter(|own| !own.is_empty())?;
    let n = items.iter().filter(|other| name(other) == Some(own)).count();
    (n == 1).then_some(own)
}

/// Returns a text without quotes, and any other value as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The cell of a value that may be missing.
pub(crate) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
