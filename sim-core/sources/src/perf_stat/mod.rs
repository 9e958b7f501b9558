//! Reads the output of `perf stat`: the counters of a real machine, in any form and locale.
//!
//! ```text
//! text   17,107,725  dTLB-loads  #  28.202 M/sec  ( +-  0.16% )  (35.45%)
//! -x,    17107725,,dTLB-loads,607331521,35.45,28.202,M/sec
//! -j     {"counter-value" : "17107725.000000", "event" : "dTLB-loads", "pcnt-running" : 35.45}
//! ```
//!
//! This module does not know what events mean (Linux 6.12, `tools/perf/util/stat-display.c`).

mod csv;
mod event;
mod json;
mod number;
mod text;
mod words;

use serde::Serialize;

use pagewalk_base::error::{Error, ErrorCode, Place, Result};

pub use event::EventName;

/// The largest text in bytes, enough for hours of intervals.
pub const MAX_BYTES: usize = 32 << 20;

/// The form in which perf printed the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "StatForm"))]
pub enum Form {
    Text,
    Csv,
    Json,
}

/// Whether a counter has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "CounterState"))]
pub enum State {
    Counted,
    /// The event never had a hardware counter while the program ran.
    NotCounted,
    /// The processor or the kernel does not support the event.
    NotSupported,
}

/// A number that perf derived from a counter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metric {
    pub value: f64,
    /// The unit, such as `M/sec` or `% of all dTLB cache accesses`.
    pub unit: String,
}

/// One counter, from one line of perf stat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counter {
    pub name: EventName,
    pub state: State,
    /// The value in `unit`. If `running` is below 100, perf scaled it up to the whole run.
    pub value: Option<f64>,
    /// Empty for a number of events.
    pub unit: String,
    /// The share of the time in which the event had a hardware counter, in percent. `None` if perf does not
    /// print it, which means 100 in the text form.
    pub running: Option<f64>,
    /// The variation of repeated runs (±), in percent.
    pub variance: Option<f64>,
    /// The end of the interval, in seconds after the start.
    pub interval: Option<f64>,
    /// The part of the machine or the thread, such as `S0-D0-C1` or `CPU3`.
    pub part: Option<String>,
    pub cgroup: Option<String>,
    pub metric: Option<Metric>,
    /// The number of the line, from 1.
    pub line: u64,
}

impl Counter {
    fn new(name: EventName, line: u64) -> Self {
        Self {
            name,
            state: State::Counted,
            value: None,
            unit: String::new(),
            running: None,
            variance: None,
            interval: None,
            part: None,
            cgroup: None,
            metric: None,
            line,
        }
    }
}

/// The lines that are neither counters nor other output of perf.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "StatUnread"))]
pub struct Unread {
    pub lines: u64,
    /// The first of these lines, shortened, and its number; 0 if there are none.
    pub first: String,
    pub first_line: u64,
}

/// Everything that one run of perf stat printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerfStat {
    pub form: Form,
    /// What was measured: `'ls -l'`, `system wide`.
    pub of: Option<String>,
    /// The number of runs, if the counters are their mean.
    pub runs: Option<u32>,
    pub elapsed_s: Option<f64>,
    pub counters: Vec<Counter>,
    pub unread: Unread,
}

/// The results, while lines are read.
#[derive(Debug, Default)]
struct Found {
    of: Option<String>,
    runs: Option<u32>,
    elapsed_s: Option<f64>,
    counters: Vec<Counter>,
    unread: Unread,
}

impl Found {
    fn unread(&mut self, number: u64, line: &str) {
        self.unread.lines += 1;
        if self.unread.first_line == 0 {
            self.unread.first_line = number;
            self.unread.first = words::excerpt(line);
        }
    }
}

/// Reads the output of perf stat, with any text around it, such as the prompt of a shell.
///
/// # Errors
/// `too-large` above [`MAX_BYTES`]; `unknown-format` if there is no counter.
pub fn read(text: &str) -> Result<PerfStat> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "the output has more than {} MB: use a part of it, or measure with a longer interval (-I)",
            MAX_BYTES >> 20
        );
        return Err(Error::new(ErrorCode::TooLarge, message));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (form, found) = if json::recognises(text) {
        (Form::Json, json::read(text))
    } else if let Some(separator) = csv::separator(text) {
        (Form::Csv, csv::read(text, separator))
    } else {
        (Form::Text, text::read(text))
    };
    let Found { of, runs, elapsed_s, counters, unread } = found;
    if counters.is_empty() {
        return Err(nothing(text));
    }
    Ok(PerfStat { form, of, runs, elapsed_s, counters, unread })
}

/// Returns whether a text that begins with `head` is the output of perf stat.
pub(crate) fn looks_like(head: &[u8]) -> bool {
    // The end of the head may split a character or a line.
    let whole = memchr::memrchr(b'\n', head).map_or(head, |end| &head[..end]);
    let text = String::from_utf8_lossy(whole);
    if text.contains("Performance counter stats for") || json::recognises(&text) {
        return true;
    }
    if let Some(separator) = csv::separator(&text) {
        return csv::is_sure(&text, separator);
    }
    text::is_sure(&text)
}

fn nothing(text: &str) -> Error {
    let first = (1..).zip(text.lines()).find(|(_, line)| !line.trim().is_empty());
    let remedy = "give the output of perf stat: as text, with -x, or with -j";
    let Some((number, line)) = first else {
        return Error::new(ErrorCode::UnknownFormat, format!("the input is empty: {remedy}"));
    };
    let message = format!(
        "there is no perf stat counter in this text, which begins with `{}`: {remedy}",
        words::excerpt(line)
    );
    Error::new(ErrorCode::UnknownFormat, message).at(Place::Line(number))
}
