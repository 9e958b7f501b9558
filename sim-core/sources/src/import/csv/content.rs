//! Decides what columns without names are, by the contents of the first rows.

use super::fields::{KindWord, MAX_FIELDS, Role, Separator, fields, is_surely_hex};
use super::ops::op_word;
use super::row::small_number;
use super::rows::rows;
use super::{NoList, skipped};
use crate::import::digits::{decimal, hex, strip_0x};
use crate::import::report::Warning;

/// The number of rows that are examined.
const ROWS: usize = 1000;

/// The largest size of an access in bytes, for a column to be recognised as sizes without a name.
const MAX_SIZE: u32 = 4096;

/// Statistics about one column.
#[derive(Clone, Copy, Debug, Default)]
struct Content {
    n: usize,
    kind_words: usize,
    kind_numbers: usize,
    zeros: usize,
    numbers: usize,
    /// The number of fields that can only be hexadecimal numbers.
    surely_hex: usize,
    /// The number of those fields that cannot be words: they have `0x`, or are long and have a decimal digit.
    no_word: usize,
    sizes: usize,
    largest: u64,
    /// The number of rows in which the number is larger than in the previous row.
    rising: usize,
    last: u64,
}

impl Content {
    fn add(&mut self, field: &[u8]) {
        if field.is_empty() {
            return;
        }
        self.n += 1;
        if KindWord::of(field).is_some() {
            if field[0].is_ascii_digit() {
                self.kind_numbers += 1;
                self.zeros += usize::from(field == b"0");
            } else {
                self.kind_words += 1;
            }
        }
        let is_hex = is_surely_hex(field);
        let is_no_word =
            strip_0x(field).is_some() || field.len() > 4 && field.iter().any(u8::is_ascii_digit);
        self.surely_hex += usize::from(is_hex);
        self.no_word += usize::from(is_hex && is_no_word);
        self.sizes +=
            usize::from(small_number(field).is_some_and(|size| (1..=MAX_SIZE).contains(&size)));
        let value = if strip_0x(field).is_some() {
            hex(field)
        } else {
            decimal(field).or_else(|_| hex(field))
        };
        if let Ok(value) = value {
            self.numbers += 1;
            self.largest = self.largest.max(value);
            self.rising += usize::from(value > self.last);
            self.last = value;
        }
    }

    /// Returns whether `part` counts nearly all rows of the column.
    fn mostly(&self, part: usize) -> bool {
        self.n > 0 && 10 * part >= 9 * self.n
    }

    /// Returns whether the column numbers the rows.
    fn counts_rows(&self) -> bool {
        self.n > 3 && self.rising >= self.n - 1
    }
}

/// What the caller knows about the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstRow {
    /// This line has the names of the columns.
    Names(u64),
    /// The first row is a row like the others.
    Data,
    Unknown,
}

/// Returns the line with the names of the columns, if the first row has names.
pub(super) fn header_line(head: &[u8], separator: Separator, first_row: FirstRow) -> Option<u64> {
    match first_row {
        FirstRow::Names(line) => Some(line),
        FirstRow::Data => None,
        FirstRow::Unknown => {
            let mut rows = rows(head, separator).filter(|(_, line)| skipped(line).is_none());
            rows.next().filter(|(_, row)| is_names(&fields(row, separator))).map(|(line, _)| line)
        }
    }
}

/// Returns whether the fields are names, such as names in another language or of an unknown tool.
fn is_names(fields: &[&[u8]]) -> bool {
    fields.iter().all(|field| hex(field).is_err() && op_word(field).is_none())
}

/// Returns the roles of columns that need no names: every row is the word of a kind, an address with `0x`, and at most
/// a size. A letter or a digit is no such word, because it can be a number.
pub(super) fn stated(head: &[u8], separator: Separator) -> Option<Vec<Option<Role>>> {
    let mut n_columns = 0;
    for (_, row) in rows(head, separator).filter(|(_, line)| skipped(line).is_none()).take(ROWS) {
        let (kind, address, size) = match fields(row, separator)[..] {
            [word, ..] if op_word(word).is_some() => continue,
            [kind, address] => (kind, address, None),
            [kind, address, size] => (kind, address, Some(size)),
            _ => return None,
        };
        let is_word = kind.len() > 1 && KindWord::of(kind).is_some();
        let is_address = strip_0x(address).is_some() && hex(address).is_ok();
        if !is_word || !is_address || size.is_some_and(|size| small_number(size).is_none()) {
            return None;
        }
        n_columns = n_columns.max(2 + usize::from(size.is_some()));
    }
    let roles = [Role::Kind, Role::Address, Role::Size].map(Some);
    (n_columns > 0).then(|| roles[..n_columns].to_vec())
}

/// Returns the roles of the columns, and the line number of a header whose names are unknown.
pub(super) fn roles(
    head: &[u8],
    separator: Separator,
    first_row: FirstRow,
    notes: &mut Vec<Warning>,
) -> Result<(Option<u64>, Vec<Option<Role>>), NoList> {
    let header_line = header_line(head, separator, first_row);
    let contents = contents(head, separator, header_line);
    let mut roles = vec![None; contents.len()];
    let is_kind = |c: &Content| c.kind_words > 0 && c.mostly(c.kind_words + c.kind_numbers);
    let kind = contents.iter().position(is_kind).filter(|_| contents.len() > 1);
    let numbers = |column: &usize| {
        let content = &contents[*column];
        Some(*column) != kind && 2 * content.numbers > content.n
    };
    let numbers: Vec<usize> = (0..contents.len()).filter(numbers).collect();
    let sure: Vec<usize> =
        numbers.iter().copied().filter(|column| contents[*column].surely_hex > 0).collect();
    // A column of addresses remains one even if most addresses cannot be read.
    let partly = || {
        let is_one = |column: &usize| contents[*column].no_word > 0 && Some(*column) != kind;
        (0..contents.len()).find(is_one)
    };
    let address = match (&sure[..], kind) {
        ([], _) if partly().is_some() => partly().ok_or(NoList::NoAddress)?,
        // Of equal columns the first wins; `max_by_key` returns the last.
        ([], _) => {
            let by_size = numbers.iter().rev().max_by_key(|column| contents[**column].largest);
            *by_size.ok_or(NoList::NoAddress)?
        }
        // In a row of two addresses with a kind between them, the first is the instruction and the second its
        // data.
        ([first, .., last], Some(kind)) if *first < kind && kind < *last => {
            roles[*first] = Some(Role::Ip);
            *last
        }
        ([first, ..], _) => *first,
    };
    roles[address] = Some(Role::Address);
    let is_kind_number =
        |column: usize, c: &Content| c.mostly(c.kind_numbers) && (column < address || c.zeros > 0);
    let kind = kind.or_else(|| find(&contents, &roles, is_kind_number));
    if let Some(kind) = kind {
        roles[kind] = Some(Role::Kind);
    }
    if let Some(size) = find(&contents, &roles, |_, c| c.mostly(c.sizes) && !c.counts_rows()) {
        roles[size] = Some(Role::Size);
    }
    notes.push(describe_roles(&roles, header_line.is_some()).into());
    Ok((header_line, roles))
}

/// Collects statistics about the columns of the first rows, up to the last column with contents.
fn contents(head: &[u8], separator: Separator, header_line: Option<u64>) -> Vec<Content> {
    let mut contents = vec![Content::default(); MAX_FIELDS];
    let rows = rows(head, separator).filter(|(_, line)| skipped(line).is_none());
    for (_, row) in rows.filter(|(number, _)| header_line != Some(*number)).take(ROWS) {
        let fields = fields(row, separator);
        // The columns of an operation differ from those of accesses.
        if let Some(kind) = fields.iter().position(|field| op_word(field).is_some()) {
            contents[kind].n += 1;
            contents[kind].kind_words += 1;
            continue;
        }
        for (content, field) in contents.iter_mut().zip(&fields) {
            content.add(field);
        }
    }
    contents.truncate(contents.iter().rposition(|c| c.n > 0).map_or(0, |last| last + 1));
    contents
}

/// Returns the first column without a role for which `is` holds.
fn find(
    contents: &[Content],
    roles: &[Option<Role>],
    is: impl Fn(usize, &Content) -> bool,
) -> Option<usize> {
    (0..contents.len()).find(|column| roles[*column].is_none() && is(*column, &contents[*column]))
}

/// Says which column was read as what.
fn describe_roles(roles: &[Option<Role>], has_header: bool) -> String {
    let why =
        if has_header { "The header names no address column" } else { "The list has no header" };
    let named = (1..).zip(roles).filter_map(|(number, role)| {
        let role = (*role)?;
        Some(format!("column {number} as {}", role.name()))
    });
    let named: Vec<String> = named.collect();
    format!(
        "{why}, so the columns are a guess: {}. A first line such as kind,address,size names them",
        named.join(", ")
    )
}
