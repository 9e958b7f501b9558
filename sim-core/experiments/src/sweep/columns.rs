//! Writes rows as CSV: the values of the axes, the counters, and the configuration as JSON in one column. The crate
//! `csv` does not disarm formulas, so it would replace only the quoting.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use pagewalk_base::error::{Error, ErrorCode, Result};

/// Columns of counters: the name, and the fields of a report that are added up.
const COUNTERS: &[(&str, &[&str])] = &[
    ("accesses", &["/trace/accesses"]),
    ("translations", &["/trace/translations"]),
    ("l1_hits", &["/kinds/fetch/l1_hits", "/kinds/load/l1_hits", "/kinds/store/l1_hits"]),
    ("l2_hits", &["/kinds/fetch/l2_hits", "/kinds/load/l2_hits", "/kinds/store/l2_hits"]),
    ("walks", &["/walks/walks"]),
    ("fetch_walks", &["/kinds/fetch/walks"]),
    ("load_walks", &["/kinds/load/walks"]),
    ("store_walks", &["/kinds/store/walks"]),
    ("refs", &["/walks/refs"]),
    ("guest_refs", &["/walks/guest_refs"]),
    ("host_refs", &["/walks/host_refs"]),
    ("minor_faults", &["/faults/minor"]),
    ("major_faults", &["/faults/major"]),
    ("table_pages", &["/pages/table_pages"]),
    ("mapped_bytes", &["/memory/mapped_bytes"]),
    ("l2_hit_cycles", &["/cycles/l2_hit"]),
    ("walk_cycles", &["/cycles/walk"]),
    ("cycles", &["/cycles/total"]),
];

/// Converts lines to CSV. The names of the columns are written before the first row.
#[derive(Default)]
pub struct Columns {
    has_head: bool,
}

#[derive(Deserialize)]
struct Line<'a> {
    row: u32,
    trace: Trace,
    axes: Pairs,
    #[serde(borrow)]
    machine: &'a RawValue,
    #[serde(borrow)]
    os: &'a RawValue,
    #[serde(borrow)]
    cores: &'a RawValue,
    #[serde(borrow)]
    window: &'a RawValue,
    error: Option<Failure>,
    report: Option<Value>,
}

#[derive(Deserialize)]
struct Trace {
    name: String,
}

#[derive(Deserialize)]
struct Failure {
    message: String,
    at: Option<Value>,
}

impl Columns {
    /// Converts a line of JSON to a line of CSV.
    ///
    /// # Errors
    /// `bad-trace` if the line is no row.
    pub fn row(&mut self, line: &[u8]) -> Result<String> {
        let line: Line = serde_json::from_slice(line).map_err(|error| {
            Error::new(ErrorCode::BadTrace, format!("a row is damaged: {error}"))
        })?;
        let mut text = String::new();
        if !self.has_head {
            self.has_head = true;
            let axes = line.axes.0.iter().map(|(name, _)| name.as_str());
            let counters = COUNTERS.iter().map(|(name, _)| *name);
            let columns = ["row", "trace"].into_iter().chain(axes).chain(counters);
            let rest = ["completeness", "part", "error", "configuration"];
            push(&mut text, columns.chain(rest).map(str::to_owned));
        }
        let axes = line.axes.0.iter().map(|(_, value)| plain(value));
        let counters = COUNTERS.iter().map(|(_, places)| match &line.report {
            Some(report) => sum(report, places),
            None => String::new(),
        });
        let error = line.error.as_ref().map_or(String::new(), Failure::text);
        let Line { machine, os, cores, window, .. } = &line;
        let configuration =
            format!(r#"{{"machine":{machine},"os":{os},"cores":{cores},"window":{window}}}"#);
        let cells = [line.row.to_string(), line.trace.name.clone()].into_iter().chain(axes);
        let [completeness, part] = of_program(line.report.as_ref());
        let rest = [completeness, part, error, configuration];
        push(&mut text, cells.chain(counters).chain(rest));
        Ok(text)
    }
}

impl Failure {
    fn text(&self) -> String {
        let place = self.at.as_ref().and_then(|at| at.as_object()?.values().next());
        place.map_or(String::new(), |place| plain(place) + ": ") + &self.message
    }
}

/// Returns the completeness of the trace, and whether the run counts only a part of the trace's file.
fn of_program(report: Option<&Value>) -> [String; 2] {
    let Some(report) = report else { return Default::default() };
    let completeness = report.pointer("/trace/completeness").map_or_else(String::new, plain);
    let part = report.pointer("/trace/part").is_some_and(|part| *part == Value::Bool(true));
    [completeness, part.to_string()]
}

fn sum(report: &Value, places: &[&str]) -> String {
    let numbers = places.iter().filter_map(|place| report.pointer(place)?.as_u64());
    numbers.map(u128::from).sum::<u128>().to_string()
}

/// Returns a text without quotes, and any other value as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Adds a line. Cells with a comma, a quote or a line break are quoted.
fn push(text: &mut String, cells: impl Iterator<Item = String>) {
    for (at, mut cell) in cells.enumerate() {
        if at > 0 {
            text.push(',');
        }
        // A spreadsheet computes such a text, unless an apostrophe stands before it.
        if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() {
            cell.insert(0, '\'');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}

/// The fields of an object, in the order of the text.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_disarmed() {
        for (cell, expected) in [
            ("a,b", "\"a,b\""),
            ("a\rb", "\"a\rb\""),
            ("a\"b", "\"a\"\"b\""),
            ("@SUM(1+1)", "'@SUM(1+1)"),
            ("=1+1", "'=1+1"),
            ("+1+1", "'+1+1"),
            ("-1+1", "'-1+1"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("a=b", "a=b"),
            ("-1.5", "-1.5"),
        ] {
            let mut text = String::new();
            push(&mut text, [cell.to_owned()].into_iter());
            assert_eq!(text, format!("{expected}\n"));
        }
    }
}
