//! Reads the default output of `perf stat`, which is made for people:
//!
//! ```text
//!  [time] [part [n]] value [unit] event [cgroup]  [# metric]  [( +- x% )]  [(running%)]
//! ```
//!
//! Old versions put what follows the event on its own line, and `running` in square brackets.

use super::event::EventName;
use super::number::{Style, is_group_mark, number};
use super::words::{is_event, lines, metric, state};
use super::{Counter, Found, State};

pub(super) fn read(text: &str) -> Found {
    let mut found = Found::default();
    for (line_number, line) in lines(text) {
        if is_decoration(line) || summary(line, &mut found) {
            continue;
        }
        if let Some(counter) = counter(line, line_number) {
            found.counters.push(counter);
        } else if line.starts_with(['#', '(', '[']) && !found.counters.is_empty() {
            let last = found.counters.last_mut();
            if let Some(last) = last {
                tail(line, last);
            }
        } else if !is_metric_only(line) {
            found.unread(line_number, line);
        }
    }
    found
}

/// Returns whether most lines of a beginning are counters, and at least one has a mark that only perf writes.
pub(super) fn is_sure(text: &str) -> bool {
    let (mut counters, mut others, mut marked) = (0, 0, 0);
    let mut found = Found::default();
    for (_, line) in lines(text).take(100) {
        if is_decoration(line) || summary(line, &mut found) {
            continue;
        }
        match counter(line, 1) {
            Some(counter) => {
                counters += 1;
                let Counter { metric, running, variance, state, .. } = &counter;
                let has_mark = metric.is_some() || running.is_some() || variance.is_some();
                marked += u32::from(has_mark || *state != State::Counted);
            }
            None if line.starts_with('#') => marked += u32::from(counters > 0),
            None => others += 1,
        }
    }
    counters > others && (marked > 0 || found.elapsed_s.is_some())
}

/// Returns whether a line is printed around the counters and has no data.
fn is_decoration(line: &str) -> bool {
    let starts = [
        "# started on ",
        "# time ",
        "#           time",
        "Some events weren't counted. Try disabling the NMI watchdog",
        "echo 0 > /proc/sys/kernel/nmi_watchdog",
        "echo 1 > /proc/sys/kernel/nmi_watchdog",
        "perf stat ...",
    ];
    starts.iter().any(|start| line.starts_with(start))
        || line.starts_with('#') && line.ends_with("counts unit events")
}

/// Reads a line that says what was measured and how long that took. Returns whether it is one.
fn summary(line: &str, found: &mut Found) -> bool {
    if let Some((_, of)) = line.split_once("Performance counter stats for ") {
        let of = of.trim_end_matches(':');
        let (of, runs) = match of.rsplit_once(" (") {
            Some((of, runs)) if runs.ends_with(" runs)") => {
                (of, runs.trim_end_matches(" runs)").parse().ok())
            }
            _ => (of, None),
        };
        found.of = Some(of.to_owned());
        found.runs = runs;
        return true;
    }
    let (line, _) = line.split_once("( +-").unwrap_or((line, ""));
    let line = line.trim_end();
    if let Some(before) = line.strip_suffix(" seconds time elapsed") {
        let mean = before.split(" +- ").next().unwrap_or(before);
        found.elapsed_s = number(mean.trim(), Style::Fraction);
        return found.elapsed_s.is_some();
    }
    let of_process = ["user", "sys"].iter().find_map(|of| {
        let before = line.strip_suffix(of)?.strip_suffix(" seconds ")?;
        number(before.split(" +- ").next()?.trim(), Style::Fraction)
    });
    of_process.is_some()
}

fn counter(line: &str, line_number: u64) -> Option<Counter> {
    let (interval, rest) = time(line);
    let (part, rest) = part(rest);
    let (value, rest) = value(rest)?;
    let (main, after) = match rest.find('#') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (main, trailers) = main.split_at(trailers_at(main));
    let mut words = main.split_whitespace();
    let first = words.next()?;
    let (unit, event, cgroup) = match (words.next(), words.next()) {
        (None, _) => ("", first, None),
        // `task-clock (msec)` of old versions.
        (Some(unit), cgroup) if unit.starts_with('(') => {
            (unit.trim_matches(['(', ')']), first, cgroup)
        }
        (Some(second), cgroup) if is_unit(first) => (first, second, cgroup),
        (Some(cgroup), None) => ("", first, Some(cgroup)),
        (Some(_), Some(_)) => return None,
    };
    if !is_event(event) || words.next().is_some() {
        return None;
    }
    let mut counter = Counter::new(EventName::new(event), line_number);
    (counter.interval, counter.part) = (interval, part.map(str::to_owned));
    (counter.unit, counter.cgroup) = (unit.to_owned(), cgroup.map(str::to_owned));
    match value {
        Value::Number(text) => {
            let style = if unit.is_empty() { Style::Count } else { Style::Measure };
            counter.value = Some(number(text, style)?);
        }
        Value::None(state) => counter.state = state,
    }
    tail(trailers, &mut counter);
    tail(after, &mut counter);
    Some(counter)
}

/// Reads `     1.000831480`, a time with nine decimals.
fn time(line: &str) -> (Option<f64>, &str) {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let decimals = word.rsplit(['.', ',']).next().unwrap_or("");
    let is_time = decimals.len() == 9 && decimals.len() < word.len();
    match number(word, Style::Fraction).filter(|_| is_time) {
        Some(time) => (Some(time), rest.trim_start()),
        None => (None, line),
    }
}

/// Reads the part before a value: `S0-D0-C0   1`, `CPU3`, `N0  2` or `name-1234`.
fn part(line: &str) -> (Option<&str>, &str) {
    if line.starts_with(|c: char| c.is_ascii_digit() || c == '<' || c == '#') {
        return (None, line);
    }
    // The name of a thread may contain blanks.
    let words = line.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    for end in words {
        let (name, rest) = (&line[..end], line[end..].trim_start());
        let ends_in_number = name.ends_with(|c: char| c.is_ascii_digit());
        if !ends_in_number || !(name.contains('-') || is_processor(name)) {
            continue;
        }
        let rest = if is_topology(name) { after_number(rest) } else { Some(rest) };
        if let Some(rest) = rest.filter(|rest| value(rest).is_some()) {
            return (Some(name), rest);
        }
    }
    (None, line)
}

/// Returns whether a name is `CPU3`, `S0` or `N1`: letters and a number.
fn is_processor(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_uppercase());
    digits.len() < name.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether a name is of a socket, die, core or node; perf prints the number of processors of each.
pub(super) fn is_topology(name: &str) -> bool {
    !name.starts_with("CPU") && name.split('-').all(is_processor)
}

fn after_number(rest: &str) -> Option<&str> {
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = digits.trim_start();
    (digits.len() < rest.len() && after.len() < digits.len()).then_some(after)
}

enum Value<'a> {
    Number(&'a str),
    None(State),
}

/// Reads the value at the beginning. In some locales, single blanks separate its groups.
fn value(rest: &str) -> Option<(Value<'_>, &str)> {
    if let Some((state, rest)) = state(rest) {
        return Some((Value::None(state), rest));
    }
    let mut end = digits_end(rest);
    while let Some(next) = rest[end..].strip_prefix(' ') {
        let group = digits_end(next);
        let word = next.find(char::is_whitespace).unwrap_or(next.len());
        let is_group = group == word && (group == 3 || group == 6 && is_decimal(&next[..6]));
        if !is_group || end == 0 {
            break;
        }
        end += 1 + group;
    }
    (end > 0).then(|| (Value::Number(&rest[..end]), &rest[end..]))
}

/// Returns whether a text is the last group of a number with decimals: `009,41`.
fn is_decimal(text: &str) -> bool {
    text.bytes().filter(|byte| !byte.is_ascii_digit()).count() == 1
        && matches!(text.as_bytes().get(3), Some(b'.' | b','))
}

fn digits_end(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_digit() || c != ' ' && is_group_mark(c);
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 24] = [
        "msec", "usec", "nsec", "sec", "ms", "us", "ns", "s", "Joules", "J", "Watts", "W", "mW",
        "V", "C", "%", "B", "bytes", "Bytes", "KiB", "MiB", "GiB", "MB/s", "MiB/s",
    ];
    UNITS.contains(&word)
}

/// Returns where the bracketed parts at the end begin.
fn trailers_at(main: &str) -> usize {
    let brackets = main.match_indices(['(', '[']).map(|(at, _)| at);
    let is_share = |at: &usize| share(&main[*at..]).is_some();
    brackets.into_iter().find(is_share).unwrap_or(main.len())
}

/// Reads the text after the event: a metric, the variation of repeats, and the share of the time counted.
fn tail(text: &str, counter: &mut Counter) {
    let text = text.trim();
    let (metric_text, mut rest) = text.split_at(trailers_at(text));
    if let Some(metric_text) = metric_text.strip_prefix('#')
        && counter.metric.is_none()
    {
        counter.metric = metric(metric_text);
    }
    while let Some((what, value, after)) = share(rest) {
        match what {
            Share::Variance => counter.variance = Some(value),
            Share::Running => counter.running = Some(value),
        }
        rest = after.trim_start();
    }
}

enum Share {
    Variance,
    Running,
}

/// Reads `( +-  1.64% )`, `(66.67%)` or `[33.34%]`, and returns the text after it.
fn share(text: &str) -> Option<(Share, f64, &str)> {
    let close = if text.starts_with('[') { ']' } else { ')' };
    let inside = text.strip_prefix(['(', '['])?;
    let (inside, after) = inside.split_once(close)?;
    let inside = inside.trim();
    let (what, value) = match inside.strip_prefix("+-") {
        Some(value) => (Share::Variance, value),
        None => (Share::Running, inside),
    };
    let value = number(value.trim().strip_suffix('%')?.trim_end(), Style::Fraction)?;
    Some((what, value, after))
}

/// Returns whether a line has only a metric: `TopdownL1 (cpu_core)   #  12.3 %  tma_backend_bound`.
fn is_metric_only(line: &str) -> bool {
    line.split_once(" # ").is_some_and(|(_, metric_text)| metric(metric_text).is_some())
}
