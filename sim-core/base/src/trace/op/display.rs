//! Writes operations as text.

use std::fmt;

use super::{ControlBit, HostPart, InvpcidScope, InvvpidScope, MemoryAdvice, Op};
use crate::addr::Hex;

/// Writes the form that [`Op::parse`] reads: the word, the address, the length, the operands.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        let flushes = |flush: bool| if flush { "" } else { " no-flush" };
        match *self {
            Self::MovCr3 { pcid, keep } => {
                optional(f, "pcid", pcid)?;
                f.write_str(if keep { " keep" } else { "" })
            }
            Self::Invlpg { address } => write!(f, " {address}"),
            Self::Invpcid { scope, pcid, address } => {
                at(f, address, scope == InvpcidScope::Address)?;
                write!(f, " type={}", scope as u8)?;
                optional(f, "pcid", pcid)
            }
            Self::SetControl { bit: ControlBit::Pg, .. } => f.write_str(" pg"),
            Self::SetControl { bit: ControlBit::Ac | ControlBit::Supervisor, .. } => Ok(()),
            Self::SetControl { bit, on } => write!(f, " {}={}", bit.name(), u8::from(on)),
            Self::Wrpkru { value } => write!(f, " {value:#x}"),
            Self::Mprotect { start, length, read, write, execute, key, flush } => {
                write!(f, " {start} {} {}", length.0, rights(read, write, execute))?;
                optional(f, "key", key)?;
                f.write_str(flushes(flush))
            }
            Self::Munmap { start, length, flush } => {
                write!(f, " {start} {}{}", length.0, flushes(flush))
            }
            Self::Madvise { start, length, advice: MemoryAdvice::Dontneed, flush } => {
                write!(f, " {start} {} dontneed{}", length.0, flushes(flush))
            }
            Self::Fork { child, flush } => write!(f, " child={child}{}", flushes(flush)),
            Self::SetEntry { address, level, set, clear } => {
                write!(f, " {address} level={level}")?;
                optional(f, "set", Some(set).filter(|set| set.0 != 0))?;
                optional(f, "clear", Some(clear).filter(|clear| clear.0 != 0))
            }
            Self::Invept { scope, eptp } => {
                write!(f, " type={}", scope as u8 + 1)?;
                optional(f, "eptp", eptp)
            }
            Self::Invvpid { scope, vpid, address } => {
                at(f, address, scope == InvvpidScope::Address)?;
                write!(f, " type={}", scope as u8)?;
                optional(f, "vpid", vpid)
            }
            Self::VmSwitch { vm, vpid } => {
                write!(f, " vm={vm}")?;
                optional(f, "vpid", vpid)
            }
            Self::HostUnmap { address, part, flush } => {
                write!(f, " {address} for={part}{}", flushes(flush))
            }
            Self::HostProtect { address, part, read, write, execute, flush } => {
                let rights = rights(read, write, execute);
                write!(f, " {address} {rights} for={part}{}", flushes(flush))
            }
            Self::HostSetEntry { address, part, level, set, clear } => {
                write!(f, " {address} for={part} level={level}")?;
                optional(f, "set", Some(set).filter(|set| set.0 != 0))?;
                optional(f, "clear", Some(clear).filter(|clear| clear.0 != 0))
            }
        }
    }
}

impl fmt::Display for HostPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::DATA { f.write_str("data") } else { write!(f, "gL{}", self.0) }
    }
}

/// Writes rights such as `r-x`.
fn rights(read: bool, write: bool, execute: bool) -> String {
    let letter = |on: bool, letter| if on { letter } else { '-' };
    [letter(read, 'r'), letter(write, 'w'), letter(execute, 'x')].iter().collect()
}

fn at(f: &mut fmt::Formatter<'_>, address: Hex, given: bool) -> fmt::Result {
    if given { write!(f, " {address}") } else { Ok(()) }
}

fn optional(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name}={value}"))
}
