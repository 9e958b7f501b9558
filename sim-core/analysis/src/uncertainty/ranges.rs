//! The plausible values of assumed parameters, by kind of parameter. They are data: `ranges.json`.

use serde::Deserialize;
use serde_json::Value;

use pagewalk_base::addr::parse_size;
use pagewalk_base::error::Result;
use pagewalk_base::json::parse_json;

/// The plausible values of some fields of a machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Range {
    /// The paths of the fields, with `[]` for each item of a list.
    paths: Vec<String>,
    values: Vec<Value>,
    /// Values as percentages of the model's value.
    percent: Vec<u64>,
    /// The reason for the values.
    pub(super) reason: String,
    /// Whether a field without a mark is assumed, too.
    pub(super) unmarked: bool,
    /// The reason why the fields have no other values.
    pub(super) why_not: Option<String>,
}

/// Reads the ranges.
///
/// # Errors
/// `bad-config` if the file is not valid. A test reads it, so this cannot happen.
pub(super) fn read() -> Result<Vec<Range>> {
    parse_json(include_str!("ranges.json")).map_err(|error| error.within("ranges.json"))
}

/// Returns the range of the field at a path such as `l1[2].entries`.
pub(super) fn of_path<'r>(ranges: &'r [Range], path: &str) -> Option<&'r Range> {
    let mut is_number = false;
    let general: String = path
        .chars()
        .filter(|c| {
            is_number = *c == '[' || is_number && *c != ']';
            !is_number || *c == '['
        })
        .collect();
    ranges.iter().find(|range| range.paths.iter().any(|known| *known == path || *known == general))
}

impl Range {
    /// Returns the plausible values that are not the model's value, in order.
    pub(super) fn others(&self, model: &Value) -> Vec<Value> {
        let percent = self.percent.iter().filter_map(|percent| scaled(model, *percent));
        let mut others: Vec<Value> = Vec::new();
        for value in self.values.iter().cloned().chain(percent) {
            if value != *model && !others.contains(&value) {
                others.push(value);
            }
        }
        others
    }
}

/// Returns a percentage of a number, at least 1, or of a size such as `32K`.
fn scaled(model: &Value, percent: u64) -> Option<Value> {
    let of = |n: u64| Some(n.checked_mul(percent)?.checked_add(50)? / 100);
    match model {
        Value::Number(n) => Some(of(n.as_u64()?)?.max(1).into()),
        Value::String(text) => {
            let kilobytes = parse_size(text)? >> 10;
            let scaled = of(kilobytes)
                .filter(|n| *n > 0 && kilobytes << 10 == parse_size(text).unwrap_or(0))?;
            Some(Value::String(match scaled % 1024 {
                0 => format!("{}M", scaled >> 10),
                _ => format!("{scaled}K"),
            }))
        }
        _ => None,
    }
}
