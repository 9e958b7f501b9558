//! Reads lists of addresses: CSV, other separators between the fields (tabs, semicolons or blanks), or just
//! an address on each line.
//!
//! The roles of the columns are decided once, from the beginning of the text (`columns`, `content`). Then
//! each line is read with them (`row`).

mod columns;
mod content;
mod fields;
mod layout;
mod ops;
mod row;
mod rows;

use crate::export::{COMPLETENESS, PART};
use pagewalk_base::error::Error;
use pagewalk_base::trace::{Completeness, Op};

use super::Sink;
use super::delivery::Delivery;
use super::flow::Flow;
use super::lines::{MAX_LINE, each_line, first_line};
use super::parser::{Facts, LineParser};
use super::report::Warning;
use super::tally::{Reason, Tally};
pub(super) use columns::Base;
use columns::Columns;
pub use fields::Role;
pub use layout::{ListLayout, ListView};
use rows::{Line, OpenRow, rows};

/// The number of first lines that are tested, to decide whether a text is a list.
const TRIED_ROWS: usize = 100;

/// A list whose columns are known.
#[derive(Debug)]
pub(super) struct Csv {
    columns: Columns,
    notes: Vec<Warning>,
    completeness: Completeness,
    is_part: bool,
    /// The process of rows that name none: 0 at first, and after a `mov-cr3` the process that it switches to.
    pid: u32,
    /// The row with a quoted field that is still open.
    open: OpenRow,
}

/// The reason why a text is not a list.
#[derive(Debug)]
pub(super) enum NoList {
    /// There are no rows.
    Empty,
    /// No column holds addresses.
    NoAddress,
    /// `bad` of the first `tried` rows cannot be read, the first of them on line `line`. `named` says whether
    /// a header names the columns.
    MostlyBad { bad: usize, tried: usize, line: u64, named: bool },
    /// The user gave two columns the same role.
    Twice(Role),
}

impl Csv {
    /// Decides the roles of the columns of the text that begins with `head`.
    pub(super) fn sniff(head: &[u8], layout: &ListLayout) -> Result<Self, NoList> {
        let (columns, notes) = Columns::sniff(head, layout)?;
        let (mut tried, mut bad, mut first_bad) = (0, 0, 0);
        for (number, line) in rows(head, columns.separator) {
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
        // If the user gives the columns, bad rows are reported one by one.
        if 2 * bad > tried && layout.columns.is_none() {
            return Err(NoList::MostlyBad { bad, tried, line: first_bad, named: columns.is_named });
        }
        let (completeness, open) = (Completeness::default(), OpenRow::default());
        Ok(Self { columns, notes, completeness, is_part: false, pid: 0, open })
    }
}

impl Csv {
    /// Describes how the text that begins with `head` is read.
    pub(super) fn view(&self, head: &[u8]) -> ListView {
        self.columns.view(head)
    }

    /// Returns whether the columns are a guess.
    pub(super) fn is_guess(&self) -> bool {
        self.columns.is_guess
    }

    /// Returns whether the list says that it is a part of a longer one.
    pub(super) fn is_part(&self) -> bool {
        self.is_part
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
        // Quotes are rare, so most blocks take the fast path.
        let may_open = self.open.is_open() || memchr::memchr(b'"', block).is_some();
        each_line(block, MAX_LINE, tally, |line, tally| {
            if !may_open {
                return self.read_row(line, tally, out);
            }
            match self.open.take(line, tally.lines, self.columns.separator)? {
                Line::Row => self.read_row(line, tally, out),
                Line::Part => Ok(()),
                Line::Last(row, first) => {
                    // A warning about a row names its first line.
                    let last = std::mem::replace(&mut tally.lines, first);
                    self.read_row(&row, tally, out)?;
                    tally.lines = last;
                    Ok(())
                }
            }
        })
    }

    fn finish<S: Sink>(&mut self, _tally: &mut Tally, _out: &mut Delivery<'_, S>) -> Flow {
        Ok(self.open.finish()?)
    }

    fn facts(&self) -> Facts {
        Facts { completeness: self.completeness, remedy: "check the columns" }
    }
}

impl Csv {
    #[inline]
    fn read_row<S: Sink>(
        &mut self,
        row: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let row = row.trim_ascii_end();
        if let Some(reason) = skipped(row) {
            self.read_comment(row);
            return Ok(tally.skip(reason, row)?);
        }
        if self.columns.header_line == Some(tally.lines) {
            return Ok(tally.skip(Reason::HEADER, row)?);
        }
        match row::parse(row, &self.columns, self.pid) {
            Ok(row) => {
                out.access(row.access)?;
                tally.records += 1;
                if let Some(store) = row.store() {
                    out.access(store)?;
                }
                Ok(())
            }
            Err(bad) => self.read_other(row, &bad, tally, out),
        }
    }

    /// Reads what an export says of the list: at its end, or before its header in files of earlier versions.
    #[cold]
    fn read_comment(&mut self, line: &[u8]) {
        if let Some(name) = line.strip_prefix(COMPLETENESS.as_bytes()) {
            let mut known = Completeness::ALL.into_iter();
            let found = known.find(|completeness| completeness.name().as_bytes() == name);
            self.completeness = found.unwrap_or(self.completeness);
        }
        self.is_part |= line.strip_prefix(PART.as_bytes()) == Some(b"true");
    }

    /// Reads a row that is not an access: an operation, or nothing that is known.
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
                out.op(record).map_err(|stop| stop.at_line(tally.lines))?;
                tally.records += 1;
                Ok(())
            }
            (Some(Err(message)), _) => Err(Error::trace_line(tally.lines, message).into()),
            (None, row::Bad::Line(reason)) => Ok(tally.skip(*reason, line)?),
            (None, row::Bad::Base) => Err(row::wrong_base(tally.lines, line).into()),
        }
    }
}

/// Returns the lines of a text, without their ends and without blanks around them.
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

/// Returns why a line is not a row, or `None` if it is one.
fn skipped(line: &[u8]) -> Option<Reason> {
    let line = line.trim_ascii_start();
    if line.is_empty() {
        Some(Reason::BLANK)
    } else if line.starts_with(b"#") || line.starts_with(b"//") {
        Some(Reason::COMMENT)
    } else {
        None
    }
}
