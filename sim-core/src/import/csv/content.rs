//! Decides what columns without names are, by what stands in the first rows.

use super::fields::{KindWord, MAX_FIELDS, Role, Separator, fields, is_surely_hex};
use super::ops::op_word;
use super::row::small_number;
use super::{NoList, lines, skipped};
use crate::import::digits::{decimal, hex, strip_0x};

/// Rows that are looked at.
const ROWS: usize = 1000;

/// Largest size that a column without a name may have to be taken for one, in bytes.
const MAX_SIZE: u32 = 4096;

/// What stands in one column.
#[derive(Clone, Copy, Debug, Default)]
struct Content {
    n: usize,
    kind_words: usize,
    kind_numbers: usize,
    zeros: usize,
    numbers: usize,
    /// Fields that only hexadecimal numbers have.
    surely_hex: usize,
    sizes: usize,
    largest: u64,
    /// Rows in which the number is larger than in the row before.
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
        self.surely_hex += usize::from(is_surely_hex(field));
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

    /// Whether nearly all of the column are counted in `part`.
    fn mostly(&self, part: usize) -> bool {
        self.n > 0 && 10 * part >= 9 * self.n
    }

    /// Whether the column numbers the rows.
    fn counts_rows(&self) -> bool {
        self.n > 3 && self.rising >= self.n - 1
    }
}

/// The columns' roles, and the number of a line that is a header, though its names are not known.
pub(super) fn roles(
    head: &[u8],
    separator: Separator,
    notes: &mut Vec<String>,
) -> Result<(Option<u64>, Vec<Option<Role>>), NoList> {
    let (header_line, contents) = contents(head, separator);
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
    let address = match (&sure[..], kind) {
        // Of equals the first: `max_by_key` takes the last.
        ([], _) => {
            let by_size = numbers.iter().rev().max_by_key(|column| contents[**column].largest);
            *by_size.ok_or(NoList::NoAddress)?
        }
        // A kind between two addresses is what the instruction at the first did to the second.
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
    if roles.contains(&None) || sure.len() > 1 {
        notes.push(took(&roles));
    }
    Ok((header_line, roles))
}

/// What stands in the columns of the first rows, until the last column that has anything.
fn contents(head: &[u8], separator: Separator) -> (Option<u64>, Vec<Content>) {
    let mut contents = vec![Content::default(); MAX_FIELDS];
    let mut header_line = None;
    let rows = (1..).zip(lines(head)).filter(|(_, line)| skipped(line).is_none());
    for (n, (number, row)) in rows.take(ROWS).enumerate() {
        let fields = fields(row, separator);
        // Names in another language, or of a tool that is not known here.
        if n == 0 && fields.iter().all(|field| hex(field).is_err() && op_word(field).is_none()) {
            header_line = Some(number);
            continue;
        }
        // The columns of an operation are not those of accesses.
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
    (header_line, contents)
}

/// The first column without a role that `is` holds of.
fn find(
    contents: &[Content],
    roles: &[Option<Role>],
    is: impl Fn(usize, &Content) -> bool,
) -> Option<usize> {
    (0..contents.len()).find(|column| roles[*column].is_none() && is(*column, &contents[*column]))
}

/// Says which column was taken as what.
fn took(roles: &[Option<Role>]) -> String {
    let named = (1..).zip(roles).filter_map(|(number, role)| {
        let role = match (*role)? {
            Role::Address => "address",
            Role::Kind => "kind",
            Role::Size => "size",
            Role::Ip => "instruction pointer",
            Role::Pid | Role::Tid | Role::Cpu | Role::Time | Role::Operands => return None,
        };
        Some(format!("column {number} as {role}"))
    });
    let named: Vec<String> = named.collect();
    format!(
        "No header tells the columns apart: took {}. A first line such as kind,address,size decides it",
        named.join(", ")
    )
}
