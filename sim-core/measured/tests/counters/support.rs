//! Helpers that read fixtures and print counters as text.

use std::fmt::Write as _;
use std::path::PathBuf;

use expect_test::Expect;
use pagewalk_sources::perf_stat::{Counter, PerfStat, State, read};

pub(crate) fn fixtures() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "tests", "fixtures", "perfstat"].iter().collect()
}

pub(crate) fn fixture(name: &str) -> String {
    let path = fixtures().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the names of all fixtures.
pub(crate) fn names() -> Vec<String> {
    let entries = std::fs::read_dir(fixtures()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "README.md");
    names.sort();
    names
}

/// Compares the counters of a fixture with `expected`.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
pub(crate) fn check_file(name: &str, expected: Expect) {
    expected.assert_eq(&show(&fixture(name), 8));
}

/// Returns a counter as one line.
pub(crate) fn line(counter: &Counter) -> String {
    let mut text = match (counter.state, counter.value) {
        (State::Counted, Some(value)) => format!("{value}"),
        (state, _) => format!("{state:?}"),
    };
    if !counter.unit.is_empty() {
        write!(text, " {}", counter.unit).unwrap();
    }
    write!(text, " {}", counter.name.event).unwrap();
    for (what, part) in [("of", &counter.name.pmu), ("mode", &counter.name.modifiers)] {
        if !part.is_empty() {
            write!(text, " {what} {part}").unwrap();
        }
    }
    for (what, part) in [("part", &counter.part), ("cgroup", &counter.cgroup)] {
        if let Some(part) = part {
            write!(text, " {what} {part}").unwrap();
        }
    }
    for (what, number) in
        [("at", counter.interval), ("±", counter.variance), ("running", counter.running)]
    {
        if let Some(number) = number {
            write!(text, " {what} {number}").unwrap();
        }
    }
    if let Some(metric) = &counter.metric {
        write!(text, " # {} {}", metric.value, metric.unit).unwrap();
    }
    text
}

/// Returns the contents of a text with its first `n` counters.
pub(crate) fn show(text: &str, n: usize) -> String {
    let PerfStat { form, of, runs, elapsed_s, counters, unread } = match read(text) {
        Ok(stat) => stat,
        Err(error) => return format!("{:?}: {error}\n", error.code),
    };
    let mut shown = format!("{form:?}, {} counters", counters.len());
    if let Some(of) = of {
        write!(shown, ", of {of}").unwrap();
    }
    if let Some(runs) = runs {
        write!(shown, ", {runs} runs").unwrap();
    }
    if let Some(seconds) = elapsed_s {
        write!(shown, ", {seconds} s").unwrap();
    }
    shown.push('\n');
    if unread.lines > 0 {
        writeln!(shown, "! {} unread, line {}: {}", unread.lines, unread.first_line, unread.first)
            .unwrap();
    }
    for counter in counters.iter().take(n) {
        writeln!(shown, "{}", line(counter)).unwrap();
    }
    shown
}
