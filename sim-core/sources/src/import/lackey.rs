//! Reads the text of `valgrind --tool=lackey --trace-mem=yes` (valgrind 3.19, `lackey/lk_main.c`,
//! `trace_instr` and its neighbours):
//!
//! ```text
//! I  04001000,3      an instruction of 3 bytes
//!  L 1ffefffde8,8    a load
//!  S 04a19578,4      a store
//!  M 04a19578,4      a modify: a load, then a store
//! ==28750== Lackey   valgrind's messages
//! **28750** pagewalk malloc 4a19040 18 109176
//!                    a heap block that `pagewalk record` reports: its address, its bytes, and where the call returns to
//! **28750** pagewalk free 4a19040
//!                    that block will be freed
//! ```
//!
//! Addresses are hexadecimal without `0x` and have at least eight digits. The text may also contain what the
//! traced program writes to its standard error. valgrind's last message is `==28750== Exit code:       0`. With
//! `--basic-counts=no` it is an empty one, `==28750== `.

use pagewalk_base::trace::{Access, Completeness, Kind, Mapping};

use super::Sink;
use super::blocks::{self, Blocks};
use super::delivery::Delivery;
use super::digits::{NoNumber, decimal, hex, hex_8, hex_digit};
use super::flow::Flow;
use super::lines::{check_length, first_line};
use super::parser::{Facts, LineParser};
use super::tally::{Reason, Tally};

/// The command that records such a trace.
macro_rules! record {
    () => {
        "`valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`"
    };
}
pub(super) use record;

/// How the warning about a trace that ends before its program ends.
pub(super) const NO_END: &str = "so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself";

/// The state that is kept from line to line.
#[derive(Debug, Default)]
pub(super) struct Lackey {
    /// The process number of the first message.
    pid: Option<u64>,
    several_pids: bool,
    /// Whether that process ended within the trace.
    has_exit: bool,
    /// The number of records before the last message of that process, if that message is empty. No record follows the end
    /// of the process.
    before_empty: Option<u64>,
    /// The number of the last malformed line.
    malformed: u64,
    is_part: bool,
    blocks: Blocks,
}

/// A parsed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    /// The access; for a modify line, its load.
    access: Access,
    modifies: bool,
}

impl LineParser for Lackey {
    fn read<S: Sink>(
        &mut self,
        mut block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        while !block.is_empty() {
            if let Some((record, rest)) = usual_line(block) {
                tally.lines += 1;
                out.access(record.access)?;
                tally.records += 1;
                if record.modifies {
                    store(record, out)?;
                }
                block = rest;
                continue;
            }
            let (line, rest) = first_line(block);
            tally.lines += 1;
            check_length(line, tally.lines)?;
            match any_line(line) {
                Ok(record) => deliver(record, tally, out)?,
                Err(reason) => {
                    tally.skip(reason, line)?;
                    if reason == Reason::VALGRIND {
                        self.message(line, tally);
                        if let Some(mapping) = self.block(line) {
                            out.mapping(mapping)?;
                        }
                    } else if reason == Reason::MALFORMED {
                        self.malformed = tally.lines;
                    }
                }
            }
            block = rest;
        }
        Ok(())
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        if tally.records == 0 {
            return Ok(());
        }
        out.places(self.blocks.places())?;
        if self.malformed > 0 && self.malformed == tally.lines {
            self.is_part = true;
            tally.note(format!("Line {}, the last one, is cut off, {NO_END}", tally.lines));
        } else if self.pid.is_some() && !self.has_exit && self.before_empty != Some(tally.records) {
            self.is_part = true;
            tally.note(format!(
                "The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line {}, {NO_END}",
                tally.lines
            ));
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: Completeness::Complete,
            remedy: concat!("record it with ", record!()),
        }
    }
}

impl Lackey {
    /// Returns whether the trace ends before the program.
    pub(super) fn is_part(&self) -> bool {
        self.is_part
    }

    /// Reads the report of a heap block. Returns the memory that gets another name.
    fn block(&mut self, line: &[u8]) -> Option<Mapping> {
        const MARK: &[u8] = b"** pagewalk ";
        let at = memchr::memmem::find(line, MARK)? + MARK.len();
        let mut words = line[at..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let is_free = words.next()? == b"free";
        let mut numbers = words.map(|word| hex(word).ok());
        let mut number = || numbers.next().flatten();
        let start = number()?;
        if is_free {
            return blocks::unnamed(self.blocks.freed(start)?);
        }
        let (bytes, site) = (number()?, number()?);
        // The call is before the address that it returns to.
        let ip = site.checked_sub(1)?;
        let region = self.blocks.allocated(ip, start..start.checked_add(bytes)?)?;
        blocks::named(region, ip)
    }

    /// Looks for the end of the first process, and for a second process in the number of a message.
    fn message(&mut self, line: &[u8], tally: &mut Tally) {
        // Only valgrind itself marks its messages so. With `-q` there are few of them, and none at the end.
        let Some((pid, text)) = message(line).filter(|_| line.starts_with(b"==")) else { return };
        let first = *self.pid.get_or_insert(pid);
        if pid == first {
            self.has_exit |= text.starts_with(b" Exit code:");
            self.before_empty = text.trim_ascii().is_empty().then_some(tally.records);
        }
        if first != pid && !self.several_pids {
            self.several_pids = true;
            tally.note(format!(
                "Line {} belongs to process {pid}, earlier lines to {first}. lackey does not say which process an access belongs to, so all are read as one process. Give each process a file of its own with --log-file=trace.%p.lackey",
                tally.lines
            ));
        }
    }
}

#[inline(never)]
fn deliver<S: Sink>(record: Record, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
    out.access(record.access)?;
    tally.records += 1;
    if record.modifies { store(record, out) } else { Ok(()) }
}

/// Delivers the store of a modify line, which is rare.
#[inline(never)]
fn store<S: Sink>(record: Record, out: &mut Delivery<'_, S>) -> Flow {
    out.access(Access { kind: Kind::Store, ..record.access })
}

/// The beginnings of lines and their kinds, by the lowest three bits of the second byte. The kind of the next
/// line is unpredictable, so no branch depends on it.
static STARTS: [([u8; 3], Kind, bool); 8] = {
    const NONE: ([u8; 3], Kind, bool) = ([0; 3], Kind::Fetch, false);
    let mut starts = [NONE; 8];
    starts[b' ' as usize & 7] = (*b"I  ", Kind::Fetch, false);
    starts[b'L' as usize & 7] = (*b" L ", Kind::Load, false);
    starts[b'S' as usize & 7] = (*b" S ", Kind::Store, false);
    starts[b'M' as usize & 7] = (*b" M ", Kind::Load, true);
    starts
};

/// Reads the first line of `block` if it is exactly as lackey writes it, up to its newline. Returns the
/// record and the lines after it.
#[inline]
fn usual_line(block: &[u8]) -> Option<(Record, &[u8])> {
    let (prefix, rest) = block.split_first_chunk::<3>()?;
    let (start, kind, modifies) = STARTS[usize::from(prefix[1] & 7)];
    if *prefix != start {
        return None;
    }
    let (eight, mut rest) = rest.split_first_chunk::<8>()?;
    let mut address = hex_8(*eight)?;
    let mut digits = 8;
    let mut next;
    loop {
        (next, rest) = rest.split_first()?;
        let Some(value) = hex_digit(*next) else { break };
        address = address << 4 | u64::from(value);
        digits += 1;
    }
    if digits > 16 || *next != b',' {
        return None;
    }
    let (first, rest) = rest.split_first()?;
    let mut size = u32::from(decimal_digit(*first)?);
    let (mut next, mut rest) = rest.split_first()?;
    if let Some(value) = decimal_digit(*next) {
        size = size * 10 + u32::from(value);
        (next, rest) = rest.split_first()?;
    }
    // `any_line` reads sizes of three digits and lines with a carriage return.
    (*next == b'\n').then(|| (Record { access: Access::new(kind, address, size), modifies }, rest))
}

#[inline]
fn decimal_digit(byte: u8) -> Option<u8> {
    let value = byte.wrapping_sub(b'0');
    (value < 10).then_some(value)
}

/// Reads a line that may lack its leading blank or have other blanks, `0x` or upper-case digits. For any other line,
/// returns the reason why it is not an access.
fn any_line(line: &[u8]) -> Result<Record, Reason> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Err(Reason::BLANK);
    }
    if message(line).is_some() {
        return Err(Reason::VALGRIND);
    }
    let (kind, modifies) = match line[0] {
        b'I' => (Kind::Fetch, false),
        b'L' => (Kind::Load, false),
        b'S' => (Kind::Store, false),
        b'M' => (Kind::Load, true),
        _ => return Err(Reason::OTHER_TEXT),
    };
    let (blank, word) = line[1..].split_at(line[1..].len() - line[1..].trim_ascii_start().len());
    // An access is one word, so "I see, it works" is not one.
    if blank.is_empty() || word.iter().any(u8::is_ascii_whitespace) {
        return Err(Reason::OTHER_TEXT);
    }
    let Some(comma) = memchr::memchr(b',', word) else {
        let is_hex = hex(word) != Err(NoNumber::Malformed);
        return Err(if is_hex { Reason::MALFORMED } else { Reason::OTHER_TEXT });
    };
    let address = hex(&word[..comma]).map_err(|no_number| match no_number {
        NoNumber::TooWide => Reason::TOO_WIDE,
        NoNumber::Malformed => Reason::MALFORMED,
    })?;
    let size = decimal(&word[comma + 1..]).ok().and_then(|size| u32::try_from(size).ok());
    let size = size.ok_or(Reason::MALFORMED)?;
    Ok(Record { access: Access::new(kind, address, size), modifies })
}

/// Returns the process number and the text of a message of valgrind: `==28750== text`, `--28750-- text` (debugging)
/// or `**28750** text` (requests of the program).
fn message(line: &[u8]) -> Option<(u64, &[u8])> {
    [b"==", b"--", b"**"].into_iter().find_map(|mark| {
        let rest = line.strip_prefix(mark)?;
        let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        Some((decimal(&rest[..end]).ok()?, rest[end..].strip_prefix(mark)?))
    })
}

/// Counts of the lines of a text.
#[derive(Default)]
struct Counts {
    accesses: u32,
    messages: u32,
    others: u32,
    /// Whether valgrind names lackey as its tool.
    names_lackey: bool,
}

impl Counts {
    fn of(head: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut rest = head;
        while !rest.is_empty() {
            let (line, after) = first_line(rest);
            rest = after;
            if message(line).is_some() {
                counts.messages += 1;
                counts.names_lackey |= line.ends_with(b" Lackey, an example Valgrind tool");
            } else if matches!(any_line(line), Ok(_) | Err(Reason::MALFORMED | Reason::TOO_WIDE)) {
                counts.accesses += 1;
            } else if !line.trim_ascii().is_empty() {
                counts.others += 1;
            }
        }
        counts
    }
}

/// Returns whether many of the lines are accesses. Messages of valgrind and output of the program can be between
/// them.
pub(super) fn fits(head: &[u8]) -> bool {
    let Counts { accesses, messages, others, names_lackey } = Counts::of(head);
    names_lackey || accesses > 0 && (messages > 0 || accesses >= others / 10)
}

/// Returns whether another tool of valgrind wrote the text.
pub(super) fn is_other_tool(head: &[u8]) -> bool {
    let Counts { accesses, messages, others, names_lackey } = Counts::of(head);
    accesses == 0 && !names_lackey && messages > others
}
