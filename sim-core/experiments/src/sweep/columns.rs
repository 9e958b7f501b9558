//! Writes rows as CSV: the values of the axes, the counters, and the configuration as JSON in one column.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::about::{FACTS, facts};
use pagewalk_base::csv::push_row;
use pagewalk_base::error::{Error, ErrorCode, Result};

/// Columns of counters: the name, and the fields of a report that are added up, with all their own fields.
const COUNTERS: &[(&str, &[&str])] = &[
    ("accesses", &["/trace/accesses"]),
    ("translations", &["/trace/translations"]),
    ("refused", &["/exceptions/general_protection", "/exceptions/address_faults"]),
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
    ("l2_miss_cycles", &["/cycles/l2_miss"]),
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
    /// Runs that an earlier version saved have none.
    about: Option<Value>,
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
            push_row(&mut text, columns.chain(FACTS).chain(rest).map(str::to_owned));
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
        let facts = facts(line.about.as_ref().unwrap_or(&Value::Null));
        push_row(&mut text, cells.chain(counters).chain(facts).chain(rest));
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
    let found = places.iter().filter_map(|place| report.pointer(place));
    let numbers = found.flat_map(|value| match value {
        Value::Object(fields) => fields.values().filter_map(Value::as_u64).collect(),
        value => Vec::from_iter(value.as_u64()),
    });
    numbers.map(u128::from).sum::<u128>().to_string()
}

/// Returns a text without quotes, and any other value as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
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
