//! Reads the output of `perf stat -j`: an object on each line.

use serde_json::{Map, Value};

use super::event::EventName;
use super::number::{Style, number};
use super::words::{lines, state};
use super::{Counter, Found, Metric, State};

/// The fields that name a part of the machine or a thread.
const PARTS: [&str; 8] = ["core", "socket", "die", "cluster", "cache", "node", "thread", "cpu"];

pub(super) fn recognises(text: &str) -> bool {
    let is_of_stat = |line: &str| {
        line.trim_start().starts_with('{')
            && line.contains("\"event\"")
            && (line.contains("\"counter-value\"") || line.contains("\"pcnt-running\""))
    };
    text.lines().take(100).any(is_of_stat)
}

pub(super) fn read(text: &str) -> Found {
    let mut found = Found::default();
    for (line_number, line) in lines(text) {
        if line.starts_with('#') {
            continue;
        }
        match object(line) {
            Some(object) if !object.contains_key("counter-value") => {}
            Some(object) => match counter(&object, line_number) {
                Some(counter) => found.counters.push(counter),
                None => found.unread(line_number, line),
            },
            None => found.unread(line_number, line),
        }
    }
    found
}

/// Parses an object. In locales with a decimal comma, perf writes numbers that are not valid JSON.
fn object(line: &str) -> Option<Map<String, Value>> {
    // The line may be an item of a list.
    let line = line.trim_end_matches(',');
    serde_json::from_str(line).ok().or_else(|| serde_json::from_str(&with_points(line)).ok())
}

/// Replaces each comma between two digits outside quotes by a point.
fn with_points(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let mut quoted = false;
    let point = |(at, letter): (usize, &char)| {
        quoted ^= *letter == '"';
        let is_digit =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let is_mark =
            !quoted && *letter == ',' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        if is_mark { '.' } else { *letter }
    };
    letters.iter().enumerate().map(point).collect()
}

fn counter(object: &Map<String, Value>, line_number: u64) -> Option<Counter> {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let mut counter = Counter::new(EventName::new(text("event")?), line_number);
    match object.get("counter-value")? {
        Value::String(value) => match state(value) {
            Some((state, _)) => counter.state = state,
            None => counter.value = Some(number(value.trim(), Style::Fraction)?),
        },
        value => counter.value = Some(value.as_f64()?),
    }
    let of = |key: &str| object.get(key).and_then(value);
    text("unit").unwrap_or_default().clone_into(&mut counter.unit);
    counter.running = of("pcnt-running");
    counter.variance = of("variance");
    counter.interval = of("interval");
    counter.cgroup = text("cgroup").filter(|name| !name.is_empty()).map(str::to_owned);
    counter.part = PARTS.iter().find_map(|key| {
        let name = match object.get(*key)? {
            Value::String(name) => name.clone(),
            name => name.to_string(),
        };
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        Some(if *key == "cpu" && is_number { format!("CPU{name}") } else { name })
    });
    let unit = text("metric-unit").filter(|unit| !unit.is_empty() && *unit != "(null)");
    if let (Some(unit), Some(value), State::Counted) = (unit, of("metric-value"), counter.state) {
        counter.metric = Some(Metric { value, unit: unit.trim().to_owned() });
    }
    Some(counter)
}

/// Reads a number, or a text that is a number.
fn value(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => number(text.trim().trim_end_matches('%'), Style::Fraction),
        value => value.as_f64(),
    }
}
