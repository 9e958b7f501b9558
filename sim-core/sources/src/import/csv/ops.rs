//! Reads rows that are operations instead of accesses: `invlpg`, `mov-cr3`, `munmap`, ….
//!
//! ```text
//! kind,address,size,pid,operands
//! mov-cr3,,,7,pcid=1 keep
//! load,0x1000,8,,
//! munmap,0x1000,8192,,no-flush
//! invlpg,0x1000,,,
//! ```
//!
//! The word stands in the column of kinds, and address and length in their columns. Every other field is an
//! operand: a field in a column without a role, or one that is not a number where a number is expected.
//! Operands may include `pid=`, `tid=` and `cpu=`. [`crate::trace::Op::parse`] defines the operands of each
//! word.

use crate::import::digits::{decimal, hex, strip_0x};
use pagewalk_base::trace::{Op, OpRecord, Operands, is_op_word};

use super::columns::Columns;
use super::fields::{Role, fields};
use super::row::{number, small_number};

/// Returns the word of an operation in lower case, if `field` is one.
pub(super) fn op_word(field: &[u8]) -> Option<String> {
    const LONGEST: usize = 16;
    let text = std::str::from_utf8(field).ok().filter(|text| text.len() <= LONGEST)?;
    let word = text.to_ascii_lowercase();
    is_op_word(&word).then_some(word)
}

/// Reads a row whose kind is an operation, or returns `None` for other rows. `pid` is the process of rows
/// that name none.
pub(super) fn parse(line: &[u8], columns: &Columns, pid: u32) -> Option<Result<OpRecord, String>> {
    let fields = fields(line, columns.separator);
    let kind_at = columns.roles.iter().position(|role| *role == Some(Role::Kind))?;
    let word = op_word(fields.get(kind_at)?)?;
    Some(read(&word, &fields, columns, pid))
}

fn read(word: &str, fields: &[&[u8]], columns: &Columns, pid: u32) -> Result<OpRecord, String> {
    let mut operands = Operands::default();
    let [mut pid, mut tid, mut cpu] = [pid, 0, 0];
    for (at, field) in fields.iter().enumerate() {
        let role = columns.roles.get(at).copied().flatten();
        if field.is_empty() || matches!(role, Some(Role::Kind | Role::Time | Role::Ip)) {
            continue;
        }
        let text =
            std::str::from_utf8(field).map_err(|_| format!("{word}: the row is not text"))?;
        let small = || small_number(field).ok_or(format!("{word}: `{text}` is not a number"));
        match role {
            Some(Role::Pid) => pid = small()?,
            Some(Role::Tid) => tid = small()?,
            Some(Role::Cpu) => cpu = small()?,
            Some(Role::Address) if operands.address.is_none() && is_number(field) => {
                let address = number(field, columns.address_base);
                let wrong = || format!("{word}: `{text}` is not an address");
                operands.address = Some(address.map_err(|_| wrong())?);
            }
            Some(Role::Size) if is_number(field) => operands.length = length(field),
            _ => operands.words.extend(text.split_ascii_whitespace()),
        }
    }
    for (name, value) in [("pid=", &mut pid), ("tid=", &mut tid), ("cpu=", &mut cpu)] {
        let found = operands.words.iter().position(|operand| operand.starts_with(name));
        if let Some(text) = found.map(|at| operands.words.remove(at)) {
            let given = small_number(&text.as_bytes()[name.len()..]);
            *value = given.ok_or(format!("{word}: `{text}` needs a number"))?;
        }
    }
    let op = Op::parse(word, &operands)?;
    Ok(OpRecord { pid, tid, cpu, op })
}

fn is_number(field: &[u8]) -> bool {
    let digits = strip_0x(field).unwrap_or(field);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

fn length(field: &[u8]) -> Option<u64> {
    if strip_0x(field).is_some() { hex(field).ok() } else { decimal(field).ok() }
}
