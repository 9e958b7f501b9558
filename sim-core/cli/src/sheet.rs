//! Tables as CSV. The first line is the header.

use std::io;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;
use pagewalk_base::csv::push_row;
use pagewalk_experiments::about::{self, FACTS};
use serde::Serialize;
use serde_json::Value;

use crate::about::About;
use crate::output;
use crate::packing::{Packing, is_stdout, name};
use crate::whole::{WholeFile, why_not};

#[derive(Args, Clone, Default)]
pub(crate) struct ResultArgs {
    /// Print JSON
    #[arg(short, long)]
    pub(crate) json: bool,
    /// Write the table as CSV to this file, with all its rows; - prints it instead of the text
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

impl ResultArgs {
    /// Returns whether the result names its trace, which is then hashed.
    pub(crate) fn is_cited(&self) -> bool {
        self.json || self.csv.is_some()
    }

    /// Writes the table if `--csv` was given. Returns whether standard output has it.
    ///
    /// # Errors
    /// Errors of the file, and a table and JSON that both go to standard output.
    pub(crate) fn write_csv(
        &self,
        about: &About,
        sheet: impl FnOnce() -> Sheet,
    ) -> anyhow::Result<bool> {
        let Some(out) = &self.csv else { return Ok(false) };
        if is_stdout(out) {
            if self.json {
                bail!("--csv -: --json also prints to standard output: give --csv a file");
            }
            output::text(sheet().text(about))?;
            return Ok(true);
        }
        let packing = Packing::of(out)?;
        let text = sheet().text(about);
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

/// The rows of a table, the first of which is the header.
pub(crate) struct Sheet {
    rows: Vec<Vec<String>>,
    /// Whether each row is the place and the value of one number.
    is_list: bool,
}

impl Sheet {
    pub(crate) fn new<const N: usize>(columns: [&str; N]) -> Self {
        Self { rows: vec![columns.map(str::to_owned).into()], is_list: false }
    }

    /// Makes a sheet whose number of columns is not fixed.
    pub(crate) fn headed(columns: impl IntoIterator<Item = String>) -> Self {
        Self { rows: vec![columns.into_iter().collect()], is_list: false }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// Adds a row whose cells come one by one.
    pub(crate) fn add(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Lists every value of a result with its place, such as `kinds.load.walks`.
    pub(crate) fn of_values(result: &impl Serialize) -> Self {
        let mut sheet = Self { is_list: true, ..Self::new(["counter", "value"]) };
        let result = serde_json::to_value(result).expect("a result is plain data");
        sheet.values(String::new(), &result);
        sheet
    }

    /// Returns the lines. A list has the facts of its description as its first rows, and every other table has
    /// them as its last columns.
    fn text(self, about: &About) -> String {
        let facts = FACTS.map(str::to_owned).into_iter().zip(about.facts());
        let mut text = String::new();
        let mut rows = self.rows.into_iter();
        let head = rows.next().unwrap_or_default();
        if self.is_list {
            push_row(&mut text, head.into_iter());
            for (place, fact) in facts.filter(|(_, fact)| !fact.is_empty()) {
                push_row(&mut text, [place, fact].into_iter());
            }
            rows.for_each(|row| push_row(&mut text, row.into_iter()));
            return text;
        }
        let (places, facts): (Vec<String>, Vec<String>) = facts.unzip();
        push_row(&mut text, head.into_iter().chain(places));
        rows.for_each(|row| push_row(&mut text, row.into_iter().chain(facts.iter().cloned())));
        text
    }

    fn values(&mut self, at: String, value: &Value) {
        let place = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.values(place(key), value);
                }
            }
            Value::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let label =
                        label(items, item).map_or_else(|| number.to_string(), str::to_owned);
                    self.values(place(&label), item);
                }
            }
            Value::Null => {}
            other => self.row([at, about::cell(other)]),
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

/// The cell of a value that may be missing.
pub(crate) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
