//! Reads one row of a list with known columns.

use crate::import::digits::{NoNumber, decimal, hex, strip_0x};
use crate::import::tally::{Reason, excerpt};
use pagewalk_base::error::{Error, ErrorCode, Place, Remedy};
use pagewalk_base::trace::{Access, Kind};

use super::columns::{Base, Columns};
use super::fields::{KindWord, Role, first_field, is_surely_hex};

/// A row that was read.
#[derive(Debug)]
pub(super) struct Row {
    /// The access; for a modify, its load.
    pub(super) access: Access,
    modifies: bool,
}

/// The reason why a row gives no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    /// The row is wrong.
    Line(Reason),
    /// Addresses are read as decimal, and this row shows that they are hexadecimal.
    Base,
}

impl Row {
    pub(super) fn store(&self) -> Option<Access> {
        self.modifies.then_some(Access { kind: Kind::Store, ..self.access })
    }
}

/// Reads an access. `pid` is the process of rows that name none.
pub(super) fn parse(line: &[u8], columns: &Columns, pid: u32) -> Result<Row, Bad> {
    const MALFORMED: Bad = Bad::Line(Reason::MALFORMED);
    let mut access = Access { pid, ..Access::new(Kind::Load, 0, 0) };
    let (mut address, mut kind) = (None, columns.kind_if_none);
    let mut rest = Some(line);
    for role in &columns.roles {
        let Some(line) = rest else { break };
        let (field, after) = first_field(line, columns.separator);
        rest = after;
        match role {
            None | Some(Role::Time | Role::Operands) => {}
            Some(Role::Address) => address = Some(parse_address(field, columns)?),
            Some(Role::Kind) => kind = KindWord::of(field),
            // These fields may be empty in some rows.
            _ if field.is_empty() => {}
            Some(Role::Size) => access.size = small_number(field).ok_or(MALFORMED)?,
            Some(Role::Pid) => access.pid = small_number(field).ok_or(MALFORMED)?,
            Some(Role::Tid) => access.tid = small_number(field).ok_or(MALFORMED)?,
            Some(Role::Cpu) => access.cpu = small_number(field).ok_or(MALFORMED)?,
            Some(Role::Ip) => {
                access.ip = Some(number(field, columns.ip_base).map_err(|_| MALFORMED)?);
            }
        }
    }
    access.address = address.ok_or(MALFORMED)?;
    let kind = kind.ok_or(MALFORMED)?;
    access.kind = match kind {
        KindWord::Fetch => Kind::Fetch,
        KindWord::Load | KindWord::Modify => Kind::Load,
        KindWord::Store => Kind::Store,
        KindWord::Prefetch => Kind::Prefetch,
    };
    Ok(Row { access, modifies: kind == KindWord::Modify })
}

fn parse_address(field: &[u8], columns: &Columns) -> Result<u64, Bad> {
    if columns.base_is_guessed && is_surely_hex(field) {
        return Err(Bad::Base);
    }
    number(field, columns.address_base).map_err(|no_number| match no_number {
        NoNumber::TooWide => Bad::Line(Reason::TOO_WIDE),
        NoNumber::Malformed => Bad::Line(Reason::MALFORMED),
    })
}

/// Reads an address. An address with `0x` is hexadecimal in every list.
pub(super) fn number(field: &[u8], base: Base) -> Result<u64, NoNumber> {
    match base {
        Base::Decimal if strip_0x(field).is_none() => decimal(field),
        Base::Decimal | Base::Hex => hex(field),
    }
}

/// Reads a size or a process number: decimal unless it begins with `0x`.
pub(super) fn small_number(field: &[u8]) -> Option<u32> {
    let value = if strip_0x(field).is_some() { hex(field) } else { decimal(field) };
    u32::try_from(value.ok()?).ok()
}

/// Makes the error of a hexadecimal address in a list that is read as decimal.
pub(super) fn wrong_base(number: u64, line: &[u8]) -> Error {
    let message = format!(
        "`{}` has a hexadecimal address, but earlier addresses were read as decimal, because none had 0x or a digit a to f",
        excerpt(line)
    );
    let remedy = Remedy::format(&["csv-hex", "csv-decimal"]);
    Error::new(ErrorCode::BadTrace, message).at(Place::Line(number)).remedy(remedy)
}
