//! Decides what the columns of a list are: by their names if it has a header, otherwise by their contents
//! (`content`).

use serde::{Deserialize, Serialize};

use super::content::{self, FirstRow};
use super::fields::{KindWord, MAX_FIELDS, Role, Separator, fields, is_surely_hex};
use super::layout::{ListLayout, SeparatorName};
use super::rows::rows as rows_of;
use super::{NoList, lines, skipped};
use crate::import::report::Warning;
use crate::import::tally::excerpt;
use pagewalk_base::error::Remedy;

/// The base in which addresses are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Base {
    Hex,
    Decimal,
}

/// The roles of the columns.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) separator: Separator,
    /// The number of the line with the names of the columns.
    pub(super) header_line: Option<u64>,
    /// Whether a header gives the columns known names.
    pub(super) is_named: bool,
    /// Whether the roles are guesses from the contents of the columns.
    pub(super) is_guess: bool,
    /// The role of each column, up to the last column with a role. Exactly one is the address, and no role
    /// repeats.
    pub(super) roles: Vec<Option<Role>>,
    pub(super) address_base: Base,
    /// Whether the base is a guess: the user did not give it, and no address shows it.
    pub(super) base_is_guessed: bool,
    pub(super) ip_base: Base,
    /// The kind of all accesses, if no column has it.
    pub(super) kind_if_none: Option<KindWord>,
}

impl Columns {
    /// Decides from the beginning of a text. Also returns remarks for the user.
    pub(super) fn sniff(head: &[u8], layout: &ListLayout) -> Result<(Self, Vec<Warning>), NoList> {
        if lines(head).all(|line| skipped(line).is_some()) {
            return Err(NoList::Empty);
        }
        let separator = layout.separator.map(SeparatorName::separator);
        let separator = separator.unwrap_or_else(|| sniff_separator(head));
        let rows = || rows(head, separator).map(|(_, row)| row);
        let mut notes = Vec::new();
        let header = match layout.header {
            None => find_header(head, separator),
            Some(true) => first_row(head, separator),
            Some(false) => None,
        };
        let names_address = |header: &Header<'_>| header.names.iter().any(is_address);
        let is_named = header.as_ref().is_some_and(names_address);
        let first_row = match (&header, layout.header) {
            (Some(Header { line: Some(line), .. }), _) => FirstRow::Names(*line),
            (_, Some(false)) => FirstRow::Data,
            _ => FirstRow::Unknown,
        };
        let stated = if header.is_none() { content::stated(head, separator) } else { None };
        let is_guess = layout.columns.is_none() && !is_named && stated.is_none();
        let (header_line, mut roles) = match (&layout.columns, header) {
            (Some(columns), _) => {
                (content::header_line(head, separator, first_row), checked(columns)?)
            }
            (None, Some(header)) if names_address(&header) => {
                (header.line, roles_by_name(&header.names, &mut notes))
            }
            _ => match stated {
                Some(roles) => (None, roles),
                None => content::roles(head, separator, first_row, &mut notes)?,
            },
        };
        let base = layout.base;
        let column_of = |role| roles.iter().position(|other| *other == Some(role));
        let shows_hex = |column: usize| {
            let fields = rows().map(|line| fields(line, separator).get(column).copied());
            // A name can also consist of hexadecimal digits, such as `ea`.
            let mut fields = fields.skip(usize::from(header_line.is_some()));
            fields.any(|field| field.is_some_and(is_surely_hex))
        };
        let base_of = |role| match column_of(role) {
            Some(column) if shows_hex(column) => Base::Hex,
            _ => Base::Decimal,
        };
        let address_base = base.unwrap_or_else(|| base_of(Role::Address));
        let base_is_guessed = base.is_none() && address_base == Base::Decimal;
        let ip_base = base.unwrap_or_else(|| base_of(Role::Ip));
        if base_is_guessed {
            let remedy = Remedy::format(&["csv-hex"]).when("they are hexadecimal");
            let text = "No address has 0x or a digit a to f, so all were read as decimal";
            notes.push(Warning::with(text, remedy));
        }
        let has_kind = column_of(Role::Kind).is_some();
        if !has_kind && layout.kind.is_none() {
            let text = "No column says what kind of access each row is, so all are read as loads";
            notes.push(text.into());
        }
        roles.truncate(roles.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        let kind = layout.kind.map_or(KindWord::Load, KindWord::from);
        let kind_if_none = (!has_kind).then_some(kind);
        let columns = Self {
            separator,
            header_line,
            is_named,
            is_guess,
            roles,
            address_base,
            base_is_guessed,
            ip_base,
            kind_if_none,
        };
        Ok((columns, notes))
    }
}

/// Returns the separator that splits the most lines into the same number of fields.
fn sniff_separator(head: &[u8]) -> Separator {
    let candidates =
        [b'\t', b';', b','].map(Separator::Byte).into_iter().chain([Separator::Blanks]);
    let score = |separator| {
        let mut counts = [0; MAX_FIELDS + 1];
        for (_, row) in rows(head, separator).take(200) {
            counts[fields(row, separator).len()] += 1;
        }
        counts[2..].iter().copied().max().unwrap_or(0)
    };
    // Of equal scores the first wins, so that "0x10, 8" is split at the comma.
    let mut best = (Separator::Blanks, 0);
    for separator in candidates {
        let score = score(separator);
        if score > best.1 {
            best = (separator, score);
        }
    }
    best.0
}

/// A line with the names of columns.
struct Header<'a> {
    /// The number of the line, or `None` if it is a comment.
    line: Option<u64>,
    names: Vec<&'a [u8]>,
}

/// Returns the rows of a list, without blank lines and comments.
fn rows(head: &[u8], separator: Separator) -> impl Iterator<Item = (u64, &[u8])> {
    rows_of(head, separator).filter(|(_, row)| skipped(row).is_none())
}

/// Looks for names in the first row and in the last comment before it.
fn find_header(head: &[u8], separator: Separator) -> Option<Header<'_>> {
    let mut comment = None;
    for (number, line) in rows_of(head, separator) {
        match skipped(line) {
            None => {
                let names = fields(line, separator);
                if is_header(&names) {
                    return Some(Header { line: Some(number), names });
                }
                let names = fields(comment?, separator);
                let is_header = is_header(&names) && names.len() > 1;
                return is_header.then_some(Header { line: None, names });
            }
            Some(_) if !line.is_empty() => {
                let line = line.trim_ascii_start();
                let marks = line.iter().take_while(|byte| b"#/".contains(byte)).count();
                comment = Some(&line[marks..]);
            }
            Some(_) => {}
        }
    }
    None
}

/// Takes the first row as the header, whatever it contains.
fn first_row(head: &[u8], separator: Separator) -> Option<Header<'_>> {
    let (line, text) = rows(head, separator).next()?;
    Some(Header { line: Some(line), names: fields(text, separator) })
}

/// Checks the roles that the user gives: exactly one is the address, and none repeats.
fn checked(columns: &[Option<Role>]) -> Result<Vec<Option<Role>>, NoList> {
    let columns = &columns[..columns.len().min(MAX_FIELDS)];
    let roles = || columns.iter().flatten();
    match roles().find(|role| roles().filter(|other| other == role).count() > 1) {
        Some(role) => Err(NoList::Twice(*role)),
        None if !columns.contains(&Some(Role::Address)) => Err(NoList::NoAddress),
        None => Ok(columns.to_vec()),
    }
}

fn is_address(name: &&[u8]) -> bool {
    Role::of_name(name) == Some(Role::Address)
}

/// Returns whether the fields are names, one of them the name of an address column.
fn is_header(fields: &[&[u8]]) -> bool {
    // As the only field, `ea` could also be the hexadecimal number 234.
    let alone_and_hex = fields.len() == 1 && fields[0].iter().all(u8::is_ascii_hexdigit);
    let no_number = |field: &&[u8]| !field.first().is_some_and(u8::is_ascii_digit);
    fields.iter().any(is_address) && fields.iter().all(no_number) && !alone_and_hex
}

fn roles_by_name(names: &[&[u8]], notes: &mut Vec<Warning>) -> Vec<Option<Role>> {
    let mut roles: Vec<Option<Role>> = Vec::new();
    let mut unused = Vec::new();
    for name in names {
        let role = Role::of_name(name).filter(|role| !roles.contains(&Some(*role)));
        roles.push(role);
        if role.is_none() && !name.is_empty() {
            unused.push(format!("`{}`", excerpt(name)));
        }
    }
    if !unused.is_empty() {
        notes.push(format!("Unused columns: {}", unused.join(", ")).into());
    }
    roles
}
