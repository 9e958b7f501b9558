//! One row of a list, read by the columns that were decided.

use crate::error::{Error, ErrorCode, Place};
use crate::import::digits::{NoNumber, decimal, hex, strip_0x};
use crate::import::tally::{Reason, excerpt};
use crate::trace::{Access, Kind};

use super::columns::{Base, Columns};
use super::fields::{Fields, KindWord, is_surely_hex};

/// A row that could be read.
#[derive(Debug)]
pub(super) struct Row {
    /// The access; of a modify, its load.
    pub(super) access: Access,
    modifies: bool,
}

/// Why a row gives no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    /// The row is at fault.
    Line(Reason),
    /// Addresses were taken as decimal, and this one shows that they are not.
    Base,
}

impl Row {
    pub(super) fn store(&self) -> Option<Access> {
        self.modifies.then_some(Access { kind: Kind::Store, ..self.access })
    }
}

pub(super) fn parse(line: &[u8], columns: &Columns) -> Result<Row, Bad> {
    let fields = Fields::of(line, columns.separator);
    let field = fields.get(columns.address).ok_or(Bad::Line(Reason::Malformed))?;
    if columns.base_is_guessed && is_surely_hex(field) {
        return Err(Bad::Base);
    }
    let address = number(field, columns.address_base).map_err(|no_number| match no_number {
        NoNumber::TooWide => Bad::Line(Reason::TooWide),
        NoNumber::Malformed => Bad::Line(Reason::Malformed),
    })?;
    let kind = match columns.kind {
        None => KindWord::Load,
        Some(column) => {
            fields.get(column).and_then(KindWord::of).ok_or(Bad::Line(Reason::Malformed))?
        }
    };
    let (kind, modifies) = match kind {
        KindWord::Fetch => (Kind::Fetch, false),
        KindWord::Load => (Kind::Load, false),
        KindWord::Store => (Kind::Store, false),
        KindWord::Prefetch => (Kind::Prefetch, false),
        KindWord::Modify => (Kind::Load, true),
    };
    let small = |column: Option<usize>| match column.and_then(|column| fields.get(column)) {
        None | Some([]) => Ok(0),
        Some(field) => small_number(field).ok_or(Bad::Line(Reason::Malformed)),
    };
    let mut access = Access::new(kind, address, small(columns.size)?);
    access.pid = small(columns.pid)?;
    access.tid = small(columns.tid)?;
    if let Some(field) = columns.ip.and_then(|column| fields.get(column)).filter(|f| !f.is_empty())
    {
        let ip = number(field, columns.ip_base).map_err(|_| Bad::Line(Reason::Malformed))?;
        access.ip = Some(ip);
    }
    Ok(Row { access, modifies })
}

/// Reads an address; with `0x` before it, it is hexadecimal whatever the others are.
fn number(field: &[u8], base: Base) -> Result<u64, NoNumber> {
    match base {
        Base::Decimal if strip_0x(field).is_none() => decimal(field),
        Base::Decimal | Base::Hex => hex(field),
    }
}

/// Reads a size or a process number: decimal unless `0x` stands before.
pub(super) fn small_number(field: &[u8]) -> Option<u32> {
    let value = if strip_0x(field).is_some() { hex(field) } else { decimal(field) };
    u32::try_from(value.ok()?).ok()
}

/// The error of a hexadecimal address among those that were taken as decimal.
pub(super) fn wrong_base(number: u64, line: &[u8]) -> Error {
    let message = format!(
        "`{}` has a hexadecimal address, but those before were read as decimal, as none had 0x or a digit a to f: say which with --format csv-hex or --format csv-decimal",
        excerpt(line)
    );
    Error::new(ErrorCode::BadTrace, message).at(Place::Line(number))
}
