//! Lists of addresses: CSV, tabs, semicolons or blanks between the fields, or
//! nothing but an address on each line.
//!
//! What the columns mean is decided once, from the beginning of the text
//! (`columns`, `content`); then each line is read by that (`row`).

mod columns;
mod content;
mod fields;
mod layout;
mod ops;
mod row;

use crate::error::Error;
use crate::export::COMPLETENESS;
use crate::trace::{Completeness, Op};

use super::Sink;
use super::delivery::{Delivery, Flow};
use super::lines::{MAX_LINE, each_line, first_line};
use super::parser::{Facts, LineParser};
use super::tally::{Reason, Tally};
pub(super) use columns::Base;
use columns::Columns;
pub use fields::Role;
pub use layout::{ListLayout, ListView};

/// Lines of the beginning that must make sense for the text to be taken as a list.
const TRIED_ROWS: usize = 100;

/// A list whose columns are known.
#[derive(Debug)]
pub(super) struct Csv {
    columns: Columns,
    notes: Vec<String>,
    completeness: Completeness,
    /// The process of rows that name none: 0, and from a `mov-cr3` on the one that it switches to.
    pid: u32,
}

/// Why a text is no list.
#[derive(Debug)]
pub(super) enum NoList {
    /// There is no row in it at all.
    Empty,
    /// No column is an address.
    NoAddress,
    /// `bad` of the first `tried` rows cannot be read, the first in line `line`; whether a header names
    /// the columns.
    MostlyBad { bad: usize, tried: usize, line: u64, named: bool },
    /// The user says of two columns that they are the same.
    Twice(Role),
}

impl Csv {
    /// Decides what the columns of the text that begins with `head` are.
    pub(super) fn sniff(head: &[u8], layout: &ListLayout) -> Result<Self, NoList> {
        let (columns, notes) = Columns::sniff(head, layout)?;
        let (mut tried, mut bad, mut first_bad) = (0, 0, 0);
        for (number, line) in (1..).zip(lines(head)) {
            if skipped(line).is_some() || columns.header_line == Some(number) {
                continue;
            }
            tried += 1;
            let is_bad = row::parse(line, &columns, 0).is_err();
            if is_bad && ops::parse(line, &columns, 0).is_none() {
                bad += 1;
                if bad == 1 {
                    first_bad = number;
                }
            }
            if tried == TRIED_ROWS {
                break;
            }
        }
        if tried == 0 {
            return Err(NoList::Empty);
        }
        // Where the user says what it is, bad rows are told one by one.
        if 2 * bad > tried && layout.columns.is_none() {
            return Err(NoList::MostlyBad { bad, tried, line: first_bad, named: columns.is_named });
        }
        Ok(Self { columns, notes, completeness: completeness(head), pid: 0 })
    }
}

impl Csv {
    /// How the text that begins with `head` is read.
    pub(super) fn view(&self, head: &[u8]) -> ListView {
        self.columns.view(head)
    }
}

impl LineParser for Csv {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        for note in self.notes.drain(..) {
            tally.note(note);
        }
        each_line(block, MAX_LINE, tally, |line, tally| {
            let line = line.trim_ascii();
            if let Some(reason) = skipped(line) {
                tally.skip(reason, line)?;
                return Ok(());
            }
            if self.columns.header_line == Some(tally.lines) {
                tally.skip(Reason::HEADER, line)?;
                return Ok(());
            }
            match row::parse(line, &self.columns, self.pid) {
                Ok(row) => {
                    out.access(row.access)?;
                    tally.records += 1;
                    if let Some(store) = row.store() {
                        out.access(store)?;
                    }
                }
                Err(bad) => self.read_other(line, &bad, tally, out)?,
            }
            Ok(())
        })
    }

    fn facts(&self) -> Facts {
        Facts { format: "csv", completeness: self.completeness, remedy: "check the columns" }
    }
}

impl Csv {
    /// Reads a row that is no access: an operation, or nothing that is known.
    #[cold]
    fn read_other<S: Sink>(
        &mut self,
        line: &[u8],
        bad: &row::Bad,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        match (ops::parse(line, &self.columns, self.pid), bad) {
            (Some(Ok(record)), _) => {
                if matches!(record.op, Op::MovCr3 { .. }) {
                    self.pid = record.pid;
                }
                out.op(record)?;
                tally.records += 1;
                Ok(())
            }
            (Some(Err(message)), _) => Err(Error::trace_line(tally.lines, message).into()),
            (None, row::Bad::Line(reason)) => Ok(tally.skip(*reason, line)?),
            (None, row::Bad::Base) => Err(row::wrong_base(tally.lines, line).into()),
        }
    }
}

/// What a comment at the beginning says of it, as an export writes it.
fn completeness(head: &[u8]) -> Completeness {
    let comments = lines(head).take_while(|line| skipped(line).is_some());
    let mut names = comments.filter_map(|line| line.strip_prefix(COMPLETENESS.as_bytes()));
    let said = names.next().and_then(|name| {
        Completeness::ALL.into_iter().find(|completeness| completeness.name().as_bytes() == name)
    });
    said.unwrap_or_default()
}

/// The lines of a text, without their ends and blanks around them.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = first_line(rest);
        rest = after;
        Some(line.trim_ascii())
    })
}

/// Why a line is no row at all, if it is none.
fn skipped(line: &[u8]) -> Option<Reason> {
    if line.is_empty() {
        Some(Reason::BLANK)
    } else if line.starts_with(b"#") || line.starts_with(b"//") {
        Some(Reason::COMMENT)
    } else {
        None
    }
}
