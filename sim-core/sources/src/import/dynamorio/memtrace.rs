//! Reads the logs of DynamoRIO's sample tools (`api/samples/memtrace_x86.c` and `memtrace_simple.c`):
//!
//! ```text
//! Format: <instr address>,<(r)ead/(w)rite>,<data size>,<data address>
//! 0x000000000400e48f,r,2,0x000000000484e5de
//!
//! Format: <data address>: <data size>, <(r)ead/(w)rite/opcode>
//! 0x000000000400e48f:  4, mov        an instruction, with its length
//! 0x000000000484e5de:  2, r          a load
//! ```

use crate::import::Sink;
use crate::import::delivery::Delivery;
use crate::import::digits::{NoNumber, decimal, hex, strip_0x};
use crate::import::flow::Flow;
use crate::import::lines::{MAX_LINE, each_line, first_line};
use crate::import::parser::{Facts, LineParser};
use crate::import::tally::{Reason, Tally};
use pagewalk_base::trace::{Access, Completeness, Kind};

/// The sample tool that wrote the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Memtrace {
    X86,
    Simple,
}

impl Memtrace {
    /// Returns the tool whose first line is `line`.
    pub(in crate::import) fn of_header(line: &[u8]) -> Option<Self> {
        let columns = line.strip_prefix(b"Format: <")?;
        if columns.starts_with(b"instr address>,<(r)ead") {
            Some(Self::X86)
        } else if columns.starts_with(b"data address>: <data size>") {
            Some(Self::Simple)
        } else {
            None
        }
    }

    /// Returns the tool that wrote a log that begins with `head`. Without a header, the first line that can
    /// be an access decides.
    pub(in crate::import) fn of(head: &[u8]) -> Self {
        let mut rest = head;
        while !rest.is_empty() {
            let (line, after) = first_line(rest);
            if let Some(found) = Self::of_header(line) {
                return found;
            }
            if Self::Simple.access(line.trim_ascii()).is_ok() {
                return Self::Simple;
            }
            rest = after;
        }
        Self::X86
    }

    fn access(self, line: &[u8]) -> Result<Access, Reason> {
        let mut fields = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        let mut field = || fields.next().ok_or(Reason::MALFORMED);
        let access = match self {
            Self::X86 => {
                let (pc, kind, size, address) = (field()?, field()?, field()?, field()?);
                let kind = match kind {
                    b"r" => Kind::Load,
                    b"w" => Kind::Store,
                    _ => return Err(Reason::MALFORMED),
                };
                let ip = Some(number(pc)?);
                Access { ip, ..Access::new(kind, number(address)?, small(size)?) }
            }
            Self::Simple => {
                let (place, word) = (field()?, field()?);
                let colon = memchr::memchr(b':', place).ok_or(Reason::MALFORMED)?;
                let (address, size) = (&place[..colon], place[colon + 1..].trim_ascii());
                let kind = match word {
                    b"r" => Kind::Load,
                    b"w" => Kind::Store,
                    b"" => return Err(Reason::MALFORMED),
                    _ => Kind::Fetch,
                };
                Access::new(kind, number(address)?, small(size)?)
            }
        };
        if fields.next().is_some() { Err(Reason::MALFORMED) } else { Ok(access) }
    }
}

/// Reads an address, which begins with `0x`.
fn number(text: &[u8]) -> Result<u64, Reason> {
    let digits = strip_0x(text).ok_or(Reason::MALFORMED)?;
    hex(digits).map_err(|no_number| match no_number {
        NoNumber::TooWide => Reason::TOO_WIDE,
        NoNumber::Malformed => Reason::MALFORMED,
    })
}

fn small(text: &[u8]) -> Result<u32, Reason> {
    let size = decimal(text).ok().and_then(|size| u32::try_from(size).ok());
    size.ok_or(Reason::MALFORMED)
}

impl LineParser for Memtrace {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| {
            let line = line.trim_ascii();
            if line.is_empty() {
                tally.skip(Reason::BLANK, line)?;
            } else if line.starts_with(b"Format: <") {
                tally.skip(Reason::HEADER, line)?;
                if *self == Self::X86 && tally.lines == 1 {
                    tally.note("The trace has no fetches, only loads and stores".to_owned());
                }
            } else {
                match self.access(line) {
                    Ok(access) => {
                        out.access(access)?;
                        tally.records += 1;
                    }
                    Err(reason) => tally.skip(reason, line)?,
                }
            }
            Ok(())
        })
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: Completeness::Complete,
            remedy: "record it with `drrun -c libmemtrace_x86_text.so -- PROGRAM`",
        }
    }
}
