//! Splits the lines of a list into fields, and recognises the words in them.

use serde::{Deserialize, Serialize};

use crate::import::digits::strip_0x;
use pagewalk_base::trace::Kind;

/// The largest number of fields of a line that are examined.
pub(super) const MAX_FIELDS: usize = 32;

/// The separator between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Byte(u8),
    /// Any number of blanks and tabs.
    Blanks,
}

/// Returns the fields of one line, without blanks and quotes around them.
pub(super) fn fields(line: &[u8], separator: Separator) -> Vec<&[u8]> {
    let mut rest = Some(line);
    let next = || {
        let (field, after) = first_field(rest?, separator);
        rest = after;
        Some(field)
    };
    std::iter::from_fn(next).take(MAX_FIELDS).collect()
}

/// Returns the first field of `line`, and the rest after its separator if there is one.
pub(super) fn first_field(line: &[u8], separator: Separator) -> (&[u8], Option<&[u8]>) {
    let line = trim_start(line, separator);
    if let Some(quoted) = line.strip_prefix(b"\"") {
        let end = closing_quote(quoted);
        let after = &quoted[(end + 1).min(quoted.len())..];
        return (quoted[..end].trim_ascii(), next_separator(after, separator).1);
    }
    let (field, after) = next_separator(line, separator);
    (field.trim_ascii(), after)
}

/// Returns whether a quoted field is open after `line`. `was_quoted` says whether one was open before it.
pub(super) fn is_quoted_after(line: &[u8], was_quoted: bool, separator: Separator) -> bool {
    let (mut rest, mut is_quoted) = (line, was_quoted);
    loop {
        if !is_quoted {
            rest = trim_start(rest, separator);
        }
        let quoted = if is_quoted { Some(rest) } else { rest.strip_prefix(b"\"") };
        let after_field = match quoted {
            None => rest,
            Some(quoted) => match quoted.get(closing_quote(quoted) + 1..) {
                Some(after) => after,
                None => return true,
            },
        };
        let Some(after) = next_separator(after_field, separator).1 else { return false };
        rest = after;
        is_quoted = false;
    }
}

/// Returns `line` without the blanks before its first field. A tab that is the separator is not a blank.
fn trim_start(line: &[u8], separator: Separator) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() && separator != Separator::Byte(*byte);
    let start = line.iter().position(|byte| !is_blank(byte)).unwrap_or(line.len());
    &line[start..]
}

/// Returns where a quoted field ends. Two quotes in the field stand for one.
fn closing_quote(quoted: &[u8]) -> usize {
    let mut from = 0;
    loop {
        let Some(at) = memchr::memchr(b'"', &quoted[from..]).map(|at| from + at) else {
            return quoted.len();
        };
        if quoted.get(at + 1) != Some(&b'"') {
            return at;
        }
        from = at + 2;
    }
}

fn next_separator(line: &[u8], separator: Separator) -> (&[u8], Option<&[u8]>) {
    match separator {
        Separator::Byte(byte) => match memchr::memchr(byte, line) {
            Some(at) => (&line[..at], Some(&line[at + 1..])),
            None => (line, None),
        },
        Separator::Blanks => match memchr::memchr2(b' ', b'\t', line) {
            Some(at) => {
                let after = line[at..].trim_ascii_start();
                (&line[..at], (!after.is_empty()).then_some(after))
            }
            None => (line, None),
        },
    }
}

/// What the word for a kind of access means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KindWord {
    Fetch,
    Load,
    Store,
    Prefetch,
    /// A load and then a store.
    Modify,
}

impl From<Kind> for KindWord {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Fetch => Self::Fetch,
            Kind::Load => Self::Load,
            Kind::Store => Self::Store,
            Kind::Prefetch => Self::Prefetch,
        }
    }
}

impl KindWord {
    /// Reads a word, or one of Dinero's numbers: 0 read, 1 write, 2 fetch.
    pub(super) fn of(field: &[u8]) -> Option<Self> {
        let mut lower = [0; 8];
        let lower = lower.get_mut(..field.len())?;
        lower.copy_from_slice(field);
        lower.make_ascii_lowercase();
        match &*lower {
            b"r" | b"l" | b"0" | b"rd" | b"ld" | b"read" | b"load" | b"loads" => Some(Self::Load),
            b"w" | b"s" | b"1" | b"wr" | b"st" | b"write" | b"store" | b"stores" => {
                Some(Self::Store)
            }
            b"i" | b"f" | b"x" | b"2" | b"if" | b"fetch" | b"ifetch" | b"instr" | b"exec" => {
                Some(Self::Fetch)
            }
            b"p" | b"pf" | b"prefetch" => Some(Self::Prefetch),
            b"m" | b"rw" | b"modify" | b"update" => Some(Self::Modify),
            _ => None,
        }
    }
}

/// What a column of a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "ListColumn"))]
pub enum Role {
    Address,
    Kind,
    Size,
    Ip,
    Pid,
    Tid,
    Cpu,
    /// Operands of an operation, other than an address and a length.
    Operands,
    /// A known column that is not used.
    Time,
}

impl Role {
    /// Returns the name of the role in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Kind => "kind",
            Self::Size => "size",
            Self::Ip => "instruction pointer",
            Self::Pid => "process",
            Self::Tid => "thread",
            Self::Cpu => "processor",
            Self::Operands => "operands",
            Self::Time => "time",
        }
    }

    /// Reads the name of a column. Only its letters matter, in any case.
    pub(super) fn of_name(field: &[u8]) -> Option<Self> {
        let name: Vec<u8> = field
            .iter()
            .take_while(|byte| **byte != b'(' && **byte != b'[')
            .filter(|byte| byte.is_ascii_alphanumeric())
            .take(24)
            .map(u8::to_ascii_lowercase)
            .collect();
        match &*name {
            b"addr" | b"address" | b"vaddr" | b"va" | b"ea" | b"virtualaddress" | b"virtaddr"
            | b"dataaddress" | b"dataaddr" | b"effectiveaddress" | b"memaddr"
            | b"memoryaddress" => Some(Self::Address),
            b"type" | b"op" | b"rw" | b"kind" | b"access" | b"accesstype" | b"operation"
            | b"mode" => Some(Self::Kind),
            b"size" | b"len" | b"length" | b"bytes" | b"nbytes" | b"width" => Some(Self::Size),
            b"ip" | b"pc" | b"iaddr" | b"instructionpointer" | b"programcounter" => Some(Self::Ip),
            b"pid" | b"process" | b"processid" => Some(Self::Pid),
            b"tid" | b"thread" | b"threadid" => Some(Self::Tid),
            b"cpu" | b"core" | b"processor" | b"cpuid" => Some(Self::Cpu),
            b"operand" | b"operands" | b"arg" | b"args" | b"argument" | b"arguments" => {
                Some(Self::Operands)
            }
            b"time" | b"timestamp" | b"tick" | b"ticks" | b"cycle" | b"cycles" | b"ns" => {
                Some(Self::Time)
            }
            _ => None,
        }
    }
}

/// Returns whether a field can only be hexadecimal: it has `0x` before digits, or a digit from a to f.
pub(super) fn is_surely_hex(field: &[u8]) -> bool {
    let digits = strip_0x(field);
    let all_hex = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_hexdigit);
    digits.map_or_else(|| all_hex(field) && field.iter().any(u8::is_ascii_alphabetic), all_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, separator: Separator) -> Vec<&str> {
        let fields = fields(line.as_bytes(), separator);
        fields.iter().map(|field| std::str::from_utf8(field).unwrap()).collect()
    }

    #[test]
    fn quotes_protect_separators() {
        let comma = Separator::Byte(b',');
        assert_eq!(
            cut(r#""a,b" , 0x10,"say ""hi""",,"#, comma),
            ["a,b", "0x10", r#"say ""hi"""#, "", ""]
        );
        assert_eq!(cut(r#""open"#, comma), ["open"]);
        assert_eq!(cut("", comma), [""]);
    }

    #[test]
    fn a_column_between_tabs_may_be_empty() {
        assert_eq!(cut("R\t\t8\t \t", Separator::Byte(b'\t')), ["R", "", "8", "", ""]);
        assert_eq!(cut(" \t0x10", Separator::Byte(b'\t')), ["", "0x10"]);
    }

    #[test]
    fn many_blanks_are_one_separator() {
        assert_eq!(cut("  0   1ffe \t 8  ", Separator::Blanks), ["0", "1ffe", "8"]);
    }

    #[test]
    fn a_line_may_have_more_fields_than_are_looked_at() {
        assert_eq!(cut(&"1,".repeat(100), Separator::Byte(b',')).len(), MAX_FIELDS);
    }
}
