//! Reads the output of `perf stat -x SEPARATOR`:
//!
//! ```text
//! [summary,][time,][part[,n],]value,unit,event,[cgroup,][variance%,]run_ns,running[,metric,unit]
//! ```
//!
//! If the separator is also the decimal mark, the two parts of a number are separate fields.

use super::event::EventName;
use super::number::{Style, number};
use super::text::is_topology;
use super::words::{is_event, lines, state};
use super::{Counter, Found, Metric, State};

/// The usual separators between fields.
const SEPARATORS: [char; 10] = [',', ';', '|', '\t', '^', '~', '@', '!', '%', ':'];

/// Returns the separator with which most lines are rows.
pub(super) fn separator(text: &str) -> Option<char> {
    let score = |separator: &char| -> usize {
        let rows = lines(text).filter(|(_, line)| !is_comment(line)).take(50);
        rows.filter(|(_, line)| row(line, *separator, 1).is_some()).count()
    };
    // Of equal scores the first separator wins.
    let best = SEPARATORS.iter().rev().max_by_key(|separator| score(separator))?;
    (score(best) > 0).then_some(*best)
}

pub(super) fn read(text: &str, separator: char) -> Found {
    let mut found = Found::default();
    for (line_number, line) in lines(text) {
        if is_comment(line) {
            continue;
        }
        match row(line, separator, line_number) {
            Some(Row::Counter(counter)) => found.counters.push(*counter),
            Some(Row::MetricOnly) => {}
            None => found.unread(line_number, line),
        }
    }
    found
}

/// Returns whether most rows have all fields that perf writes.
pub(super) fn is_sure(text: &str, separator: char) -> bool {
    let rows = || lines(text).filter(|(_, line)| !is_comment(line)).take(50);
    let is_whole = |(_, line): &(u64, &str)| {
        let row = row(line, separator, 1);
        matches!(row, Some(Row::Counter(counter)) if counter.running.is_some())
    };
    2 * rows().filter(is_whole).count() > rows().count()
}

fn is_comment(line: &str) -> bool {
    line.starts_with('#')
}

enum Row {
    Counter(Box<Counter>),
    /// Another metric of the previous event: all its other fields are empty.
    MetricOnly,
}

fn row(line: &str, separator: char, line_number: u64) -> Option<Row> {
    let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
    let at = value_at(&fields)?;
    let (before, [value, unit, event, after @ ..]) = fields.split_at(at) else { return None };
    if value.is_empty() {
        return Some(Row::MetricOnly);
    }
    let before = before.strip_prefix(&["summary"]).unwrap_or(before);
    let mut counter = Counter::new(EventName::new(event), line_number);
    (*unit).clone_into(&mut counter.unit);
    let whole = match prefix(before, &mut counter) {
        [] => None,
        [whole] if is_digits(whole) => Some(*whole),
        _ => return None,
    };
    match (state(value), whole) {
        (Some((state, "")), None) => counter.state = state,
        (None, None) => counter.value = Some(number(value, Style::Fraction)?),
        // The separator is also the decimal mark.
        (None, Some(whole)) => {
            counter.value = Some(number(&format!("{whole}.{value}"), Style::Fraction)?);
        }
        _ => return None,
    }
    suffix(after, &mut counter);
    Some(Row::Counter(Box::new(counter)))
}

/// Returns the index of the field with the value: a unit and an event follow it.
fn value_at(fields: &[&str]) -> Option<usize> {
    fields.windows(3).take(8).position(|three| {
        let [value, unit, event] = three else { return false };
        let is_value = is_number(value) || state(value).is_some_and(|(_, rest)| rest.is_empty());
        let is_second_metric = value.is_empty() && unit.is_empty() && event.is_empty();
        let is_unit = !is_number(unit) && unit.len() < 20 && !unit.contains(['"', '<']);
        is_value && is_unit && is_event(event) && !event.ends_with('%') || is_second_metric
    })
}

fn is_number(field: &str) -> bool {
    number(field, Style::Fraction).is_some()
}

/// Reads time and part. Returns the remaining fields.
fn prefix<'a>(fields: &'a [&'a str], counter: &mut Counter) -> &'a [&'a str] {
    let mut rest = fields;
    if let [first, tail @ ..] = rest
        && is_time(first)
    {
        counter.interval = number(first, Style::Fraction);
        rest = tail;
    } else if let [seconds, fraction, tail @ ..] = rest
        && is_digits(seconds)
        && is_digits(fraction)
        && fraction.len() == 9
    {
        counter.interval = number(&format!("{seconds}.{fraction}"), Style::Fraction);
        rest = tail;
    }
    if let [part, tail @ ..] = rest
        && !is_number(part)
        && !part.is_empty()
    {
        counter.part = Some((*part).to_owned());
        rest = match tail {
            [n, tail @ ..] if is_topology(part) && is_digits(n) => tail,
            _ => tail,
        };
    }
    rest
}

fn is_time(field: &str) -> bool {
    field.rsplit_once(['.', ',']).is_some_and(|(_, decimals)| decimals.len() == 9)
        && is_number(field)
}

fn is_digits(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads the fields after the event.
fn suffix(fields: &[&str], counter: &mut Counter) {
    let mut rest = fields;
    if let [cgroup, tail @ ..] = rest
        && !cgroup.is_empty()
        && !is_number(cgroup)
        && !cgroup.ends_with('%')
    {
        counter.cgroup = Some((*cgroup).to_owned());
        rest = tail;
    }
    if let [variance, tail @ ..] = rest
        && let Some(variance) = variance.strip_suffix('%')
    {
        counter.variance = number(variance, Style::Fraction);
        rest = tail;
    } else if let [whole, decimals, tail @ ..] = rest
        && let Some(decimals) = decimals.strip_suffix('%')
    {
        counter.variance = number(&format!("{whole}.{decimals}"), Style::Fraction);
        rest = tail;
    }
    let [run, running, tail @ ..] = rest else { return };
    if !is_digits(run) {
        return;
    }
    let mut tail = tail;
    counter.running = match tail {
        // perf writes two decimals.
        [decimals, after @ ..]
            if is_digits(running) && decimals.len() == 2 && is_digits(decimals) =>
        {
            tail = after;
            number(&format!("{running}.{decimals}"), Style::Fraction)
        }
        _ => number(running, Style::Fraction),
    };
    let value = match tail {
        [value, unit] => Some((number(value, Style::Fraction), unit)),
        [whole, decimals, unit] => {
            Some((number(&format!("{whole}.{decimals}"), Style::Fraction), unit))
        }
        _ => None,
    };
    if let Some((Some(value), unit)) = value
        && !unit.is_empty()
        && counter.state == State::Counted
    {
        counter.metric = Some(Metric { value, unit: (*unit).to_owned() });
    }
}
