//! Reads the texts of tools with one access or instruction per line:
//!
//! ```text
//! pinatrace   0x7f12: R 0x7ffc                                  Intel Pin's sample
//! din         2 400e48 comment                                  Dinero: 0 read, 1 write, 2 fetch
//! execlog     0, 0x4014f5, 0x5e, "popq %rsi", load, 0x40008     QEMU, contrib/plugins/execlog.c
//! ```

use super::Sink;
use super::delivery::Delivery;
use super::digits::{NoNumber, decimal, hex, strip_0x};
use super::flow::Flow;
use super::lines::{MAX_LINE, each_line, first_line};
use super::parser::{Facts, LineParser};
use super::tally::{Reason, Tally};
use pagewalk_base::error::{Error, ErrorCode, Place};
use pagewalk_base::trace::{Access, Completeness, Kind};

/// The tool that wrote the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preset {
    Pinatrace,
    Din,
    Execlog,
}

const ESCAPE: Reason = Reason::normal("escape records");

impl Preset {
    /// Returns whether nearly all of the first lines have the form of this tool.
    pub(super) fn fits(self, head: &[u8]) -> bool {
        let (mut good, mut bad) = (0, 0);
        let mut rest = head;
        // The last line of the head may be cut off.
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let line = first_line(&rest[..=end]).0.trim_ascii();
            rest = &rest[end + 1..];
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            // A line with a third column is a row of a list, such as kind, address and size.
            let fits = self.line(line, 1, |_| Ok(())).is_ok()
                && (self != Self::Din || words(line).count() == 2);
            *(if fits { &mut good } else { &mut bad }) += 1;
            if good + bad == 200 {
                break;
            }
        }
        good > 10 * bad
    }

    /// Reads one line and delivers its accesses.
    fn line(
        self,
        line: &[u8],
        number: u64,
        mut out: impl FnMut(Access) -> Flow,
    ) -> Result<Flow, Reason> {
        match self {
            Self::Pinatrace => pinatrace(line).map(out),
            Self::Din => din(line).map(out),
            Self::Execlog => execlog(line, number, &mut out),
        }
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn with_0x(text: &[u8]) -> Result<u64, Reason> {
    number(strip_0x(text).ok_or(Reason::MALFORMED)?)
}

fn number(digits: &[u8]) -> Result<u64, Reason> {
    hex(digits).map_err(|no_number| match no_number {
        NoNumber::TooWide => Reason::TOO_WIDE,
        NoNumber::Malformed => Reason::MALFORMED,
    })
}

/// Reads a line of pinatrace. Some versions write size and value after the address.
fn pinatrace(line: &[u8]) -> Result<Access, Reason> {
    let mut words = words(line);
    let mut word = || words.next().ok_or(Reason::MALFORMED);
    let ip = with_0x(word()?.strip_suffix(b":").ok_or(Reason::MALFORMED)?)?;
    let kind = match word()? {
        b"R" => Kind::Load,
        b"W" => Kind::Store,
        _ => return Err(Reason::MALFORMED),
    };
    let address = with_0x(word()?)?;
    let size = words.next().and_then(|size| decimal(size).ok());
    let size = size.and_then(|size| u32::try_from(size).ok()).unwrap_or(0);
    Ok(Access { ip: Some(ip), ..Access::new(kind, address, size) })
}

fn din(line: &[u8]) -> Result<Access, Reason> {
    let mut words = words(line);
    let (label, address) = (words.next(), words.next());
    let kind = match label {
        Some(b"0") => Kind::Load,
        Some(b"1") => Kind::Store,
        Some(b"2") => Kind::Fetch,
        Some(b"3" | b"4") => return Err(ESCAPE),
        _ => return Err(Reason::MALFORMED),
    };
    Ok(Access::new(kind, number(address.ok_or(Reason::MALFORMED)?)?, 0))
}

/// Reads an instruction and its accesses; a line may have several.
fn execlog(line: &[u8], number: u64, out: &mut impl FnMut(Access) -> Flow) -> Result<Flow, Reason> {
    let (first, last) = (memchr::memchr(b'"', line), memchr::memrchr(b'"', line));
    let (Some(first), Some(last)) = (first, last) else { return Err(Reason::MALFORMED) };
    let mut fields = line[..first].split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let (cpu, pc) = (fields.next(), fields.next().ok_or(Reason::MALFORMED)?);
    let cpu = cpu.and_then(|cpu| u32::try_from(decimal(cpu).ok()?).ok());
    let cpu = cpu.ok_or(Reason::MALFORMED)?;
    let access = |kind, address| Access { cpu, tid: cpu, ..Access::new(kind, address, 0) };
    let mut accesses = vec![access(Kind::Fetch, with_0x(pc)?)];
    let mut rest = line[last + 1..].split(|byte| *byte == b',').map(<[u8]>::trim_ascii).skip(1);
    while let Some(word) = rest.next() {
        let kind = match word {
            b"load" => Kind::Load,
            b"store" => Kind::Store,
            // Newer versions also list changed registers.
            _ if memchr::memmem::find(word, b"->").is_some() => continue,
            _ if accesses.len() > 1 => return Ok(Err(physical(number).into())),
            _ => return Err(Reason::MALFORMED),
        };
        accesses.push(access(kind, with_0x(rest.next().ok_or(Reason::MALFORMED)?)?));
    }
    Ok(accesses.into_iter().try_for_each(out))
}

/// Makes the error of an execlog with a third field, the device of a physical address.
fn physical(number: u64) -> Error {
    let message = "this execlog is of a whole system, so its addresses are physical and need no translation. Run the program in QEMU's user mode (qemu-x86_64 -plugin libexeclog.so)";
    Error::new(ErrorCode::Unsupported, message).at(Place::Line(number))
}

impl LineParser for Preset {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| {
            let line = line.trim_ascii();
            let read = if line.is_empty() {
                Err(Reason::BLANK)
            } else if line.starts_with(b"#") {
                Err(Reason::COMMENT)
            } else {
                self.line(line, tally.lines, |access| out.access(access))
            };
            match read {
                Ok(flow) => {
                    flow?;
                    tally.records += 1;
                }
                Err(reason) => tally.skip(reason, line)?,
            }
            Ok(())
        })
    }

    fn facts(&self) -> Facts {
        let remedy = match self {
            Self::Pinatrace => "record it with `pin -t pinatrace.so -- PROGRAM`",
            Self::Din => "check that each line is a label (0, 1 or 2) and a hexadecimal address",
            Self::Execlog => {
                "record it with `qemu-x86_64 -plugin libexeclog.so -d plugin -D trace.log PROGRAM`"
            }
        };
        Facts { completeness: Completeness::Complete, remedy }
    }
}
