//! Detects the format of a file from its beginning. The name of the file decides nothing; it only makes an error
//! clearer.

use crate::perf_stat;
use pagewalk_base::error::{Error, ErrorCode, Place, Remedy, Result};

use super::csv::{Csv, ListLayout, NoList};
use super::foreign;
use super::format::Format;
use super::formats::{self, Row, Stage};
use super::lackey;
use super::lines::{MAX_LINE, first_line};
use super::tally::excerpt;

/// The number of bytes that decide the format.
pub(super) const HEAD: usize = 64 << 10;

/// Decides the format of a text that begins with `head`, unless the user asked for one. `name` is the name of
/// the file.
///
/// # Errors
/// `unknown-format`, `unsupported` or `counters` if the file has no format that Pagewalk reads; `bad-trace` if it
/// does not have the format that was asked for.
pub(super) fn detect(
    head: &[u8],
    asked: Option<&'static Row>,
    list: &ListLayout,
    name: &str,
) -> Result<Format> {
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
        return (row.make)(head, list);
    }
    let candidates = asked.map_or_else(|| formats::rows().iter().collect(), |row| vec![row]);
    if let Some(format) = first_fit(&candidates, Stage::Binary, head, list)? {
        return Ok(format);
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
    if let Some(row) = asked {
        return (row.make)(head, list);
    }
    if let Some(format) = first_fit(&candidates, Stage::Text, head, list)? {
        return Ok(format);
    }
    if perf_stat::looks_like(head) {
        return Err(counters());
    }
    if let Some(what) = foreign::text(head) {
        return Err(unsupported(what));
    }
    Csv::sniff(head, list).map(Format::csv).map_err(|why| match why {
        // Some rows are good, or a header names the columns, so it is a list.
        NoList::MostlyBad { bad, tried, named, .. } if bad < tried || named => no_list(&why),
        NoList::Empty => no_list(&why),
        _ if *list != ListLayout::default() => no_list(&why),
        _ => unknown(head),
    })
}

/// Returns the parser of the first format of a stage that the bytes fit.
fn first_fit(
    rows: &[&Row],
    stage: Stage,
    head: &[u8],
    list: &ListLayout,
) -> Result<Option<Format>> {
    for row in rows.iter().filter(|row| row.stage == stage) {
        if (row.fits)(head)? {
            return (row.make)(head, list).map(Some);
        }
    }
    Ok(None)
}

/// Returns the first lines, without blanks around them. They identify many formats.
pub(super) fn first_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = head;
    let next = move || {
        let (line, after) = first_line(rest);
        let is_there = !rest.is_empty();
        rest = after;
        is_there.then(|| line.trim_ascii())
    };
    std::iter::from_fn(next).take(50)
}

/// Returns whether many of the lines are accesses of lackey. Messages of valgrind and output of the program can
/// be between them.
///
/// # Errors
/// `unsupported` if another tool of valgrind wrote the text.
pub(super) fn is_lackey(head: &[u8]) -> Result<bool> {
    let (mut accesses, mut others, mut messages) = (0u32, 0u32, 0u32);
    let mut says_lackey = false;
    let mut rest = head;
    while !rest.is_empty() {
        let (line, after) = first_line(rest);
        rest = after;
        if lackey::message_pid(line).is_some() {
            messages += 1;
            says_lackey |= line.ends_with(b" Lackey, an example Valgrind tool");
        } else if lackey::looks_like_access(line) {
            accesses += 1;
        } else if !line.trim_ascii().is_empty() {
            others += 1;
        }
    }
    if messages > 0 && accesses == 0 && !says_lackey && messages > others {
        let message = "valgrind wrote this, but with another tool than lackey: record with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`";
        return Err(Error::new(ErrorCode::Unsupported, message));
    }
    Ok(says_lackey || accesses > 0 && (messages > 0 || accesses >= others / 10))
}

/// The error of a text of perf stat, which has a command of its own.
fn counters() -> Error {
    let message = "this is the output of perf stat, which counts events and holds no accesses to simulate: `pagewalk stat FILE` shows the counters, next to a simulation";
    Error::new(ErrorCode::Counters, message)
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
