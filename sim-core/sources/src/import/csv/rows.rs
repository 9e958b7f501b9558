//! Splits a list into rows. A row is a line, or several lines if a quoted field continues after the end of a
//! line.

use crate::import::lines::{MAX_LINE, first_line};
use pagewalk_base::error::{Error, ErrorCode, Place};

use super::fields::{Separator, is_quoted_after};
use super::skipped;

/// Returns the rows of a text without blanks at their ends, each with the number of its first line. A quote
/// that is never closed belongs to its line only.
pub(super) fn rows(text: &[u8], separator: Separator) -> impl Iterator<Item = (u64, &[u8])> {
    let (mut rest, mut number) = (text, 1);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (lines, row, after) = first_row(rest, separator);
        let this = (number, row);
        number += lines;
        rest = after;
        Some(this)
    })
}

/// Returns the first row of `text`, its number of lines, and the text after it.
fn first_row(text: &[u8], separator: Separator) -> (u64, &[u8], &[u8]) {
    let (line, after_line) = first_line(text);
    let mut lines = 1;
    let mut after = after_line;
    let mut is_open = opens(line, separator);
    while is_open && !after.is_empty() && text.len() - after.len() <= MAX_LINE {
        let (line, later) = first_line(after);
        after = later;
        lines += 1;
        is_open = is_quoted_after(line, true, separator);
    }
    if is_open {
        return (1, line.trim_ascii_end(), after_line);
    }
    (lines, text[..text.len() - after.len()].trim_ascii_end(), after)
}

/// Returns whether a row that begins with `line` continues in the next line.
fn opens(line: &[u8], separator: Separator) -> bool {
    memchr::memchr(b'"', line).is_some()
        && skipped(line).is_none()
        && is_quoted_after(line, false, separator)
}

/// A row whose quoted field continues in the next line.
#[derive(Debug, Default)]
pub(super) struct OpenRow {
    text: Vec<u8>,
    /// The number of its first line; 0 means that no row is open.
    first: u64,
}

/// What a line completes.
#[derive(Debug)]
pub(super) enum Line {
    /// A row of one line.
    Row,
    /// A part of a row that is not complete.
    Part,
    /// The last line of a row, with the text and the first line of the row.
    Last(Vec<u8>, u64),
}

impl OpenRow {
    /// Takes line `number`, without its end.
    ///
    /// # Errors
    /// `bad-trace` if a row with a quote is longer than a line may be.
    pub(super) fn take(
        &mut self,
        line: &[u8],
        number: u64,
        separator: Separator,
    ) -> Result<Line, Error> {
        let is_open = if self.first == 0 {
            if !opens(line, separator) {
                return Ok(Line::Row);
            }
            self.first = number;
            true
        } else {
            self.text.push(b'\n');
            is_quoted_after(line, true, separator)
        };
        if self.text.len() + line.len() > MAX_LINE {
            return Err(self.not_closed(&format!("within {MAX_LINE} bytes")));
        }
        self.text.extend_from_slice(line);
        if is_open {
            return Ok(Line::Part);
        }
        let Self { text, first } = std::mem::take(self);
        Ok(Line::Last(text, first))
    }

    pub(super) fn is_open(&self) -> bool {
        self.first > 0
    }

    /// Ends the text.
    ///
    /// # Errors
    /// `bad-trace` if a row is still open.
    pub(super) fn finish(&self) -> Result<(), Error> {
        if self.first == 0 { Ok(()) } else { Err(self.not_closed("before the end of the file")) }
    }

    fn not_closed(&self, where_to: &str) -> Error {
        let message = format!(
            "a quoted field begins here and has no closing quote {where_to}: add the closing quote, or remove the opening one"
        );
        Error::new(ErrorCode::BadTrace, message).at(Place::Line(self.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Separator = Separator::Byte(b',');

    fn cut(text: &str) -> Vec<(u64, &str)> {
        let rows = rows(text.as_bytes(), COMMA);
        rows.map(|(number, row)| (number, std::str::from_utf8(row).unwrap())).collect()
    }

    #[test]
    fn a_quoted_field_may_go_over_lines() {
        assert_eq!(cut("a,b\n\"1\n2\",3\r\n4"), [(1, "a,b"), (2, "\"1\n2\",3"), (4, "4")]);
        assert_eq!(cut("1, \"\"\"\n,\",2\n3"), [(1, "1, \"\"\"\n,\",2"), (3, "3")]);
        assert_eq!(
            cut("1,\"a\nb\"\"\nc\" ,\"\n\"\n2"),
            [(1, "1,\"a\nb\"\"\nc\" ,\"\n\""), (5, "2")]
        );
    }

    #[test]
    fn a_quote_within_a_field_or_a_comment_is_none() {
        assert_eq!(cut("1,5\"\n2\n"), [(1, "1,5\""), (2, "2")]);
        assert_eq!(cut("# \"\n//\"\n2"), [(1, "# \""), (2, "//\""), (3, "2")]);
        assert_eq!(cut("\"a\"b\"\n2"), [(1, "\"a\"b\""), (2, "2")]);
    }

    #[test]
    fn a_quote_that_is_not_closed_is_of_its_line() {
        assert_eq!(cut("1,\"2\n3\n4"), [(1, "1,\"2"), (2, "3"), (3, "4")]);
        let long = format!("1,\"2\n{}\"\n", "3\n".repeat(MAX_LINE));
        assert_eq!(cut(&long).len(), MAX_LINE + 2);
    }
}
