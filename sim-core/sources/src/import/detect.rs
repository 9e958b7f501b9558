//! Detects the format of a file from its beginning. The name of the file decides nothing; it only makes an error
//! clearer.

use crate::perf_stat;
use pagewalk_base::error::{Error, ErrorCode, Place, Remedy, Result};

use super::csv::{Csv, ListLayout, NoList};
use super::foreign;

use super::format::{Detected, Row, Stage};
use super::formats;
use super::lines::{MAX_LINE, first_line, first_lines};
use super::lookalikes;
use super::tally::excerpt;

/// The number of bytes that decide the format.
pub(super) const HEAD: usize = 64 << 10;

/// Decides the format of a text that begins with `head`, unless the user asked for one. `name` is the name of
/// the file.
///
/// # Errors
/// `unknown-format`, `unsupported`, `counters` or `memory-map` if the file has no format that Pagewalk reads; `bad-trace` if it
/// does not have the format that was asked for.
pub(super) fn detect(
    head: &[u8],
    asked: Option<&'static Row>,
    list: &ListLayout,
    name: &str,
) -> Result<Detected> {
    if head.is_empty() {
        let message = "the file is empty: choose a file with a trace";
        return Err(Error::new(ErrorCode::UnknownFormat, message));
    }
    if head.trim_ascii().is_empty() {
        let message =
            format!("the file has only {} blank bytes: choose a file with a trace", head.len());
        return Err(Error::new(ErrorCode::UnknownFormat, message));
    }
    if let Some(row) = asked.filter(|row| row.is_trusted) {
        return row.open(head, list);
    }
    let rows = asked.map_or(formats::rows(), std::slice::from_ref);
    if let Some(row) = first_fit(rows, Stage::Binary, head) {
        return row.open(head, list);
    }
    if let Some(what) = foreign::binary(head, name) {
        return Err(unsupported(&what));
    }
    let (first, _) = first_line(head);
    if first.len() > MAX_LINE {
        let message = format!(
            "the first line is longer than {MAX_LINE} bytes, so this is not a text trace. {}",
            formats::sentence()
        );
        return Err(Error::new(ErrorCode::UnknownFormat, message).at(Place::Line(1)));
    }
    if let Some(row) = asked.or_else(|| first_fit(rows, Stage::Text, head)) {
        return row.open(head, list);
    }
    if perf_stat::looks_like(head) {
        return Err(counters());
    }
    if first_lines(head).any(lookalikes::is_memory_map) {
        return Err(memory_map());
    }
    if let Some(what) = foreign::text(head) {
        return Err(unsupported(what));
    }
    if let Err(why) = Csv::sniff(head, list)
        && !is_nearly_list(&why, list)
    {
        return Err(unknown(head));
    }
    formats::find("csv")?.open(head, list)
}

/// Returns whether a text that is not a list was meant as one: some rows are good, a header names the columns, or
/// the user described them.
fn is_nearly_list(why: &NoList, list: &ListLayout) -> bool {
    match why {
        NoList::MostlyBad { bad, tried, named, .. } if bad < tried || *named => true,
        NoList::Empty => true,
        _ => *list != ListLayout::default(),
    }
}

fn first_fit(rows: &'static [Row], stage: Stage, head: &[u8]) -> Option<&'static Row> {
    rows.iter().find(|row| row.stage == stage && (row.fits)(head))
}

/// The error of a text of perf stat, which has a command of its own.
fn counters() -> Error {
    let message = "this is the output of perf stat, which counts events and holds no accesses to simulate: `pagewalk stat FILE` shows the counters, next to a simulation";
    Error::new(ErrorCode::Counters, message)
}

/// The error of a copy of `/proc/PID/maps` or `smaps`, which is read beside a trace.
fn memory_map() -> Error {
    let message = "this is the memory map of a process (/proc/PID/maps or smaps), which lists regions and no accesses: open a trace of that process, and then this file; in a shell, give it with --maps or --smaps, next to --trace FILE";
    Error::new(ErrorCode::MemoryMap, message)
}

/// The error of a format that Pagewalk does not read.
fn unsupported(what: &foreign::Foreign) -> Error {
    let message = format!(
        "the file looks like {}, which Pagewalk does not read. {} {}",
        what.name,
        what.remedy,
        formats::sentence()
    );
    let error = Error::new(ErrorCode::Unsupported, message);
    if what.name != foreign::LIKE_CHAMPSIM {
        return error;
    }
    let ids = ["champsim", "champsim-cloudsuite"];
    error.remedy(Remedy::format(&ids).when("it is a ChampSim trace"))
}

/// The error of a text of no known format.
fn unknown(head: &[u8]) -> Error {
    let (number, line) = first_text(head);
    let message = format!(
        "the file has no format that Pagewalk recognises; it begins with `{}`. {}",
        excerpt(line),
        formats::sentence()
    );
    let remedy = Remedy::format(&[]).when("it has one of these formats");
    Error::new(ErrorCode::UnknownFormat, message).at(Place::Line(number)).remedy(remedy)
}

/// The error of a text that is not a list.
pub(super) fn no_list(why: &NoList) -> Error {
    match why {
        NoList::Empty => Error::new(
            ErrorCode::BadTrace,
            "the list has no rows, only blank lines, comments and names",
        ),
        NoList::NoAddress => Error::new(
            ErrorCode::BadTrace,
            "no column holds addresses: add a header line with a column `address`, or check the separator",
        ),
        NoList::Twice(role) => Error::config(
            "list.columns",
            format!("two columns are the {}: choose one", role.name()),
        ),
        NoList::MostlyBad { bad, tried, line, named } => {
            let remedy = if *named {
                "check that the columns are in the order of the header line"
            } else {
                "add a header line such as kind,address,size"
            };
            let message = format!(
                "{bad} of the first {tried} rows are not accesses, the first of them here: {remedy}"
            );
            Error::trace_line(*line, message)
        }
    }
}

/// Returns the first line that is not blank, and its number.
fn first_text(head: &[u8]) -> (u64, &[u8]) {
    let (mut number, mut rest) = (1, head);
    loop {
        let (line, after) = first_line(rest);
        if !line.trim_ascii().is_empty() || after.is_empty() {
            return (number, line);
        }
        (number, rest) = (number + 1, after);
    }
}
