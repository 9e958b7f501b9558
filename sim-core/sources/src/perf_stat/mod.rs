//! What `perf stat` printed: counters of a real machine, in whichever form and locale.
//!
//! ```text
//! text   17,107,725  dTLB-loads  #  28.202 M/sec  ( +-  0.16% )  (35.45%)
//! -x,    17107725,,dTLB-loads,607331521,35.45,28.202,M/sec
//! -j     {"counter-value" : "17107725.000000", "event" : "dTLB-loads", "pcnt-running" : 35.45}
//! ```
//!
//! Nothing here knows what an event means (Linux 6.12, `tools/perf/util/stat-display.c`).

mod csv;
mod event;
mod json;
mod number;
mod text;
mod words;

use serde::Serialize;

use pagewalk_base::error::{Error, ErrorCode, Place, Result};

pub use event::EventName;

/// The most text that is read, in bytes: hours of intervals.
pub const MAX_BYTES: usize = 32 << 20;

/// How it was printed.
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
    /// The event was never on the processor's counters while the program ran.
    NotCounted,
    /// The processor or the kernel does not have the event.
    NotSupported,
}

/// A number that perf worked out beside a counter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metric {
    pub value: f64,
    /// `M/sec`, `% of all dTLB cache accesses`.
    pub unit: String,
}

/// One line of perf stat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counter {
    pub name: EventName,
    pub state: State,
    /// In `unit`; scaled up by perf to the whole run where `running` is below 100.
    pub value: Option<f64>,
    /// Empty of a number of events.
    pub unit: String,
    /// How much of the time the event was on a counter, in percent; `None` where that is not printed,
    /// which perf's text leaves out at 100.
    pub running: Option<f64>,
    /// ± of repeats, in percent.
    pub variance: Option<f64>,
    /// The end of the interval, in seconds since the start.
    pub interval: Option<f64>,
    /// The part of the machine or the thread that it is of, such as `S0-D0-C1` or `CPU3`.
    pub part: Option<String>,
    pub cgroup: Option<String>,
    pub metric: Option<Metric>,
    /// The line that it stands on, from 1.
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

/// Lines that are neither counters nor anything else that perf prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "StatUnread"))]
pub struct Unread {
    pub lines: u64,
    /// The first of them, shortened, and its number; 0 where there is none.
    pub first: String,
    pub first_line: u64,
}

/// All that one perf stat printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerfStat {
    pub form: Form,
    /// What was measured: `'ls -l'`, `system wide`.
    pub of: Option<String>,
    /// Runs whose mean the counters are.
    pub runs: Option<u32>,
    pub elapsed_s: Option<f64>,
    pub counters: Vec<Counter>,
    pub unread: Unread,
}

/// What is found line by line.
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

/// Reads what perf stat printed, with anything around it, such as the prompt of a shell.
///
/// # Errors
/// `too-large` above [`MAX_BYTES`]; `unknown-format` if there is no counter in it.
pub fn read(text: &str) -> Result<PerfStat> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "it has more than {} MB: cut it, or measure with a longer interval (-I)",
            MAX_BYTES >> 20
        );
        return Err(Error::new(ErrorCode::TooLarge, message));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (form, found) = if json::tells(text) {
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

/// Whether a text that begins with `head` is of perf stat, and nothing else.
pub(crate) fn looks_like(head: &[u8]) -> bool {
    // The end of the head may cut a character or a line.
    let whole = memchr::memrchr(b'\n', head).map_or(head, |end| &head[..end]);
    let text = String::from_utf8_lossy(whole);
    if text.contains("Performance counter stats for") || json::tells(&text) {
        return true;
    }
    if let Some(separator) = csv::separator(&text) {
        return csv::is_sure(&text, separator);
    }
    text::is_sure(&text)
}

fn nothing(text: &str) -> Error {
    let first = (1..).zip(text.lines()).find(|(_, line)| !line.trim().is_empty());
    let remedy = "give what perf stat printed: as text, with -x, or with -j";
    let Some((number, line)) = first else {
        return Error::new(ErrorCode::UnknownFormat, format!("there is nothing in it: {remedy}"));
    };
    let message = format!(
        "no counter of perf stat in it, which begins with `{}`: {remedy}",
        words::excerpt(line)
    );
    Error::new(ErrorCode::UnknownFormat, message).at(Place::Line(number))
}
