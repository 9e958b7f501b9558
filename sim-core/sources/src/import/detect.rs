//! Finds out what a text is from its beginning. A file's name decides nothing;
//! it only makes an error clearer.

use crate::perf_stat;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};

use super::champsim::{ChampSim, Layout};
use super::csv::{Base, Csv, ListLayout, NoList};
use super::dynamorio::{Drmemtrace, Memtrace, View};
use super::foreign;
use super::format::Format;
use super::lackey;
use super::lines::{MAX_LINE, first_line};
use super::loops;
use super::perf::data;
use super::perf::mem::Mem;
use super::perf::script::{self, Column};
use super::presets::Preset;
use super::tally::excerpt;
use pagewalk_base::trace::saved;

/// Bytes of a text from which its format is decided.
pub(super) const HEAD: usize = 64 << 10;

/// The formats that are read, by the names that a user gives them.
const NAMES: [&str; 20] = [
    "lackey",
    "csv",
    "csv-hex",
    "csv-decimal",
    "champsim",
    "champsim-cloudsuite",
    "drmemtrace",
    "drmemtrace-view",
    "memtrace",
    "perf-data",
    "pinatrace",
    "din",
    "execlog",
    "perf-script",
    "perf-script-addr",
    "perf-script-ip",
    "perf-script-phys",
    "perf-mem",
    "pagewalk",
    "loop",
];

/// What the user said that the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Anything,
    Lackey,
    Csv(Option<Base>),
    ChampSim(Option<Layout>),
    Drmemtrace,
    View,
    Memtrace,
    PerfData,
    Preset(Preset),
    PerfScript(Option<Column>),
    PerfMem,
    Saved,
    Loops,
}

impl Asked {
    pub(super) fn parse(name: Option<&str>) -> Result<Self> {
        match name {
            None => Ok(Self::Anything),
            Some("lackey") => Ok(Self::Lackey),
            Some("csv") => Ok(Self::Csv(None)),
            Some("csv-hex") => Ok(Self::Csv(Some(Base::Hex))),
            Some("csv-decimal") => Ok(Self::Csv(Some(Base::Decimal))),
            Some("champsim") => Ok(Self::ChampSim(None)),
            Some("champsim-cloudsuite") => Ok(Self::ChampSim(Some(Layout::CloudSuite))),
            Some("drmemtrace") => Ok(Self::Drmemtrace),
            Some("drmemtrace-view") => Ok(Self::View),
            Some("memtrace") => Ok(Self::Memtrace),
            Some("perf-data" | "perf.data") => Ok(Self::PerfData),
            Some("pinatrace") => Ok(Self::Preset(Preset::Pinatrace)),
            Some("din") => Ok(Self::Preset(Preset::Din)),
            Some("execlog") => Ok(Self::Preset(Preset::Execlog)),
            Some("perf-script") => Ok(Self::PerfScript(None)),
            Some("perf-script-addr") => Ok(Self::PerfScript(Some(Column::Address))),
            Some("perf-script-ip") => Ok(Self::PerfScript(Some(Column::Ip))),
            Some("perf-script-phys") => Ok(Self::PerfScript(Some(Column::Physical))),
            Some("pagewalk") => Ok(Self::Saved),
            Some("loop") => Ok(Self::Loops),
            Some("perf-mem") => Ok(Self::PerfMem),
            Some(other) => {
                let message = format!(
                    "`{}` is no format: write one of {}",
                    excerpt(other.as_bytes()),
                    NAMES.join(", ")
                );
                Err(Error::new(ErrorCode::UnknownFormat, message))
            }
        }
    }
}

/// Decides what the text that begins with `head` is. `name` is the file's.
pub(super) fn detect(head: &[u8], asked: Asked, list: &ListLayout, name: &str) -> Result<Format> {
    if head.trim_ascii().is_empty() {
        let message = format!(
            "there is nothing in it but {} bytes of blanks: choose a file with a trace",
            head.len()
        );
        let message = if head.is_empty() {
            "the file is empty: choose a file with a trace".to_owned()
        } else {
            message
        };
        return Err(Error::new(ErrorCode::UnknownFormat, message));
    }
    if let Some(format) = binary(head, asked)? {
        return Ok(format);
    }
    if let Some(what) = foreign::binary(head, name) {
        return Err(unsupported(&what));
    }
    let (first, _) = first_line(head);
    if first.len() > MAX_LINE {
        let message = format!(
            "the first line is longer than {MAX_LINE} bytes, so it is no trace in text form. {}",
            read_now()
        );
        return Err(Error::new(ErrorCode::UnknownFormat, message).at(Place::Line(1)));
    }
    match asked {
        Asked::Lackey => Ok(Format::lackey()),
        Asked::View => Ok(Format::view()),
        Asked::Memtrace => Ok(Format::memtrace(Memtrace::of(head))),
        Asked::PerfData => {
            let message = "it does not begin with PERFILE2, as the files of perf record do: choose the file perf.data, of a recording that is a directory its file data";
            Err(Error::new(ErrorCode::BadTrace, message).at(Place::Byte(0)))
        }
        Asked::Preset(preset) => Ok(Format::preset(preset)),
        Asked::PerfScript(column) => Ok(Format::perf_script(column, head)),
        Asked::PerfMem => Ok(Format::perf_mem()),
        Asked::Csv(base) => {
            let layout = ListLayout { base: base.or(list.base), ..list.clone() };
            Csv::sniff(head, &layout).map(Format::csv).map_err(|why| no_list(&why))
        }
        // Binary formats are decided above.
        Asked::Anything | Asked::ChampSim(_) | Asked::Drmemtrace | Asked::Saved | Asked::Loops => {
            if is_lackey(head)? {
                return Ok(Format::lackey());
            }
            if let Some(format) = dynamorio_text(head) {
                return Ok(format);
            }
            if first_lines(head).any(Mem::tells) {
                return Ok(Format::perf_mem());
            }
            if script::looks_like(head) {
                return Ok(Format::perf_script(None, head));
            }
            if let Some(preset) = Preset::sniff(head) {
                return Ok(Format::preset(preset));
            }
            if perf_stat::looks_like(head) {
                return Err(counters());
            }
            if let Some(what) = foreign::text(head) {
                return Err(unsupported(what));
            }
            Csv::sniff(head, list).map(Format::csv).map_err(|why| match why {
                // Some rows are good, or a header names the columns, so it is a list.
                NoList::MostlyBad { bad, tried, named, .. } if bad < tried || named => {
                    no_list(&why)
                }
                NoList::Empty => no_list(&why),
                _ if *list != ListLayout::default() => no_list(&why),
                _ => unknown(head),
            })
        }
    }
}

/// A format that is no text, if it is one that is read.
fn binary(head: &[u8], asked: Asked) -> Result<Option<Format>> {
    Ok(match asked {
        Asked::ChampSim(layout) => {
            Some(Format::champsim(layout.unwrap_or_else(|| ChampSim::of(head, head.len() < HEAD))))
        }
        Asked::Drmemtrace => {
            let no_header = || {
                let message = "it does not begin with the header of drmemtrace (the bytes 19 00): choose a file of the folder trace/, not of raw/, which drraw2trace converts";
                Error::new(ErrorCode::BadTrace, message).at(Place::Byte(0))
            };
            Some(Format::drmemtrace(Drmemtrace::sniff(head).ok_or_else(no_header)?))
        }
        Asked::PerfData | Asked::Anything if head.starts_with(data::MAGIC) => {
            Some(Format::perf_data())
        }
        Asked::Anything if head.starts_with(saved::MAGIC) => Some(Format::saved()),
        // The reader says what is wrong with one that does not begin as such.
        Asked::Saved => Some(Format::saved()),
        Asked::Anything if head.starts_with(loops::MAGIC) => Some(Format::loops()),
        Asked::Loops => Some(Format::loops()),
        Asked::Anything => {
            let champsim = || ChampSim::sniff(head, head.len() < HEAD).map(Format::champsim);
            Drmemtrace::sniff(head).map(Format::drmemtrace).or_else(champsim)
        }
        Asked::Lackey
        | Asked::Csv(_)
        | Asked::View
        | Asked::Memtrace
        | Asked::PerfData
        | Asked::Preset(_)
        | Asked::PerfScript(_)
        | Asked::PerfMem => None,
    })
}

/// The lines of the beginning that may tell a format, without blanks around them.
fn first_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = head;
    let next = move || {
        let (line, after) = first_line(rest);
        let is_there = !rest.is_empty();
        rest = after;
        is_there.then(|| line.trim_ascii())
    };
    std::iter::from_fn(next).take(50)
}

/// A text of DynamoRIO, if one of the first lines tells.
fn dynamorio_text(head: &[u8]) -> Option<Format> {
    first_lines(head).find_map(|line| {
        let view = || View::tells(line).then(Format::view);
        Memtrace::of_header(line).map(Format::memtrace).or_else(view)
    })
}

/// Whether many of the lines are accesses as lackey writes them, between messages of valgrind's
/// and the program's own output.
fn is_lackey(head: &[u8]) -> Result<bool> {
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
        let message = "valgrind wrote this, but not its tool lackey: record with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`";
        return Err(Error::new(ErrorCode::Unsupported, message));
    }
    Ok(says_lackey || accesses > 0 && (messages > 0 || accesses >= others / 10))
}

/// Of perf stat, which has a command of its own.
fn counters() -> Error {
    let message = "this is the output of perf stat, which counts events and holds no accesses to simulate: `pagewalk stat FILE` tells what was counted and sets a simulation beside it";
    Error::new(ErrorCode::Counters, message)
}

fn unsupported(what: &foreign::Foreign) -> Error {
    let message = format!(
        "it looks like {}, which Pagewalk does not read. {} {}",
        what.name,
        what.remedy,
        read_now()
    );
    Error::new(ErrorCode::Unsupported, message)
}

fn unknown(head: &[u8]) -> Error {
    let (number, line) = first_text(head);
    let message = format!(
        "no trace that Pagewalk knows: it begins with `{}`. {} To force one, give its name with --format",
        excerpt(line),
        read_now()
    );
    Error::new(ErrorCode::UnknownFormat, message).at(Place::Line(number))
}

fn read_now() -> &'static str {
    "The formats are lackey (valgrind --tool=lackey --trace-mem=yes), perf-data, perf-script, perf-mem (perf mem report -D), csv (one access per line, such as R,0x7f3a1c2b5e48,8), champsim, drmemtrace and memtrace (DynamoRIO), pinatrace (Pin), din (Dinero) and execlog (QEMU), plain or packed as .gz, .bz2, .xz, .zst or .zip."
}

fn no_list(why: &NoList) -> Error {
    match why {
        NoList::Empty => Error::new(
            ErrorCode::BadTrace,
            "no line is a row: there are only blank lines, comments and names",
        ),
        NoList::NoAddress => Error::new(
            ErrorCode::BadTrace,
            "no column holds addresses: give them a header line with a column `address`, or check the separator",
        ),
        NoList::Twice(role) => Error::config(
            "list.columns",
            format!("two columns are the {}: choose one of them", role.name()),
        ),
        NoList::MostlyBad { bad, tried, line, named } => {
            let remedy = if *named {
                "check that the columns are in the order of the header line"
            } else {
                "give the columns a header line such as kind,address,size"
            };
            let message = format!(
                "{bad} of the first {tried} rows cannot be read as accesses, this one first: {remedy}"
            );
            Error::trace_line(*line, message)
        }
    }
}

/// The first line that is not blank, and its number.
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
