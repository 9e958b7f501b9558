//! Encodes operations in a few bytes: one for the kind, one for its switches, then numbers.
//!
//! ```text
//! accesses since the last one · pid, tid and cpu if they changed · kind · switches · numbers
//! ```

use super::{
    ControlBit, HostPart, InveptScope, InvpcidScope, InvvpidScope, MemoryAdvice, Op, OpRecord,
};
use crate::addr::Hex;
use crate::trace::varint::{read_varint, write_varint};

/// The flags of the byte before the kind. They say what follows.
const SAME_THREAD: u8 = 0x80;

/// Writes the operations of one chunk.
#[derive(Debug, Default)]
pub(in crate::trace) struct OpWriter {
    bytes: Vec<u8>,
    at: u32,
    /// The process, the thread and the processor of the last operation.
    last_context: [u32; 3],
}

impl OpWriter {
    /// Adds an operation that comes before access `at` of the chunk.
    pub(in crate::trace) fn push(&mut self, at: u32, record: &OpRecord) {
        let OpRecord { pid, tid, cpu, .. } = *record;
        let same = self.last_context == [pid, tid, cpu];
        let (kind, switches, numbers) = parts_of(&record.op);
        self.bytes.push(kind | if same { SAME_THREAD } else { 0 });
        self.bytes.push(switches);
        write_varint(&mut self.bytes, u64::from(at - self.at));
        if !same {
            for number in [pid, tid, cpu] {
                write_varint(&mut self.bytes, u64::from(number));
            }
        }
        for number in numbers.into_iter().flatten() {
            write_varint(&mut self.bytes, number);
        }
        (self.at, self.last_context) = (at, [pid, tid, cpu]);
    }

    pub(in crate::trace) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Ends the chunk and resets the writer.
    pub(in crate::trace) fn finish(&mut self) -> Box<[u8]> {
        std::mem::take(self).bytes.into_boxed_slice()
    }
}

/// Reads the operations of one chunk, each with the number (in the chunk) of the access after it.
#[derive(Clone, Debug)]
pub struct OpReader<'a> {
    bytes: &'a [u8],
    at: u32,
    /// The process, the thread and the processor of the last operation.
    last_context: [u32; 3],
}

impl<'a> OpReader<'a> {
    pub(in crate::trace) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, last_context: [0; 3] }
    }

    /// Returns whether every byte has been read.
    pub(in crate::trace) fn is_whole(&self) -> bool {
        self.bytes.is_empty()
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        read_varint(&mut self.bytes)
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }
}

impl Iterator for OpReader<'_> {
    type Item = (u32, OpRecord);

    fn next(&mut self) -> Option<(u32, OpRecord)> {
        let kind = self.byte()?;
        let switches = self.byte()?;
        self.at = self.at.checked_add(self.small()?)?;
        if kind & SAME_THREAD == 0 {
            self.last_context = [self.small()?, self.small()?, self.small()?];
        }
        let op = put_together(kind & !SAME_THREAD, switches, self)?;
        let [pid, tid, cpu] = self.last_context;
        Some((self.at, OpRecord { pid, tid, cpu, op }))
    }
}

const FLUSH: u8 = 1;
const WRITE: u8 = 1 << 1;
const EXECUTE: u8 = 1 << 2;
/// The switch that says that an optional number follows.
const GIVEN: u8 = 1 << 3;
const READ: u8 = 1 << 4;

type Parts = (u8, u8, [Option<u64>; 4]);

fn switch(on: bool, bit: u8) -> u8 {
    if on { bit } else { 0 }
}

fn scope(number: u8, given: bool) -> u8 {
    number << 4 | switch(given, GIVEN)
}

/// Splits an operation into its kind, its switches and its numbers.
fn parts_of(op: &Op) -> Parts {
    let none = [None; 4];
    match *op {
        Op::MovCr3 { pcid, keep } => {
            let switches = switch(keep, FLUSH) | switch(pcid.is_some(), GIVEN);
            (0, switches, [pcid.map(u64::from), None, None, None])
        }
        Op::Invlpg { address } => (1, 0, [Some(address.0), None, None, None]),
        Op::Invpcid { scope: of, pcid, address } => {
            let switches = scope(of as u8, pcid.is_some());
            (2, switches, [Some(address.0), pcid.map(u64::from), None, None])
        }
        Op::SetControl { bit, on } => (3, (bit as u8) << 1 | switch(on, 1), none),
        Op::Wrpkru { value } => (4, 0, [Some(value.into()), None, None, None]),
        Op::Mprotect { start, length, read, write, execute, key, flush } => {
            let switches = switch(flush, FLUSH)
                | switch(read, READ)
                | switch(write, WRITE)
                | switch(execute, EXECUTE)
                | switch(key.is_some(), GIVEN);
            (5, switches, [Some(start.0), Some(length.0), key.map(u64::from), None])
        }
        Op::Munmap { start, length, flush } => {
            (6, switch(flush, FLUSH), [Some(start.0), Some(length.0), None, None])
        }
        Op::Madvise { start, length, advice, flush } => {
            let switches = switch(flush, FLUSH) | (advice as u8) << 4;
            (7, switches, [Some(start.0), Some(length.0), None, None])
        }
        Op::Fork { child, flush } => {
            (8, switch(flush, FLUSH), [Some(child.into()), None, None, None])
        }
        Op::SetEntry { address, level, set, clear } => {
            (9, level, [Some(address.0), Some(set.0), Some(clear.0), None])
        }
        Op::Invept { scope: of, eptp } => {
            (10, scope(of as u8, eptp.is_some()), [eptp.map(|eptp| eptp.0), None, None, None])
        }
        Op::Invvpid { scope: of, vpid, address } => {
            let switches = scope(of as u8, vpid.is_some());
            (11, switches, [Some(address.0), vpid.map(u64::from), None, None])
        }
        Op::HostUnmap { address, part, flush } => {
            (12, switch(flush, FLUSH), [Some(address.0), Some(part.0.into()), None, None])
        }
        Op::HostProtect { address, part, read, write, execute, flush } => {
            let switches = switch(flush, FLUSH)
                | switch(read, READ)
                | switch(write, WRITE)
                | switch(execute, EXECUTE);
            (13, switches, [Some(address.0), Some(part.0.into()), None, None])
        }
        Op::HostSetEntry { address, part, level, set, clear } => {
            let switches = level << 4 | part.0;
            (14, switches, [Some(address.0), Some(set.0), Some(clear.0), None])
        }
        Op::VmSwitch { vm, vpid } => {
            let switches = switch(vpid.is_some(), GIVEN);
            (15, switches, [Some(vm.into()), vpid.map(u64::from), None, None])
        }
    }
}

fn put_together(kind: u8, switches: u8, from: &mut OpReader<'_>) -> Option<Op> {
    let on = |bit: u8| switches & bit != 0;
    let flush = on(FLUSH);
    let scope = usize::from(switches >> 4);
    Some(match kind {
        0 => Op::MovCr3 { pcid: given(switches, from)?, keep: flush },
        1 => Op::Invlpg { address: Hex(from.number()?) },
        2 => Op::Invpcid {
            scope: *InvpcidScope::ALL.get(scope)?,
            address: Hex(from.number()?),
            pcid: given(switches, from)?,
        },
        3 => Op::SetControl { bit: *ControlBit::ALL.get(usize::from(switches >> 1))?, on: flush },
        4 => Op::Wrpkru { value: from.small()? },
        5 => Op::Mprotect {
            start: Hex(from.number()?),
            length: Hex(from.number()?),
            read: on(READ),
            write: on(WRITE),
            execute: on(EXECUTE),
            key: given(switches, from)?,
            flush,
        },
        6 => Op::Munmap { start: Hex(from.number()?), length: Hex(from.number()?), flush },
        7 => Op::Madvise {
            start: Hex(from.number()?),
            length: Hex(from.number()?),
            advice: *MemoryAdvice::ALL.get(scope)?,
            flush,
        },
        8 => Op::Fork { child: from.small()?, flush },
        9 => Op::SetEntry {
            address: Hex(from.number()?),
            level: switches,
            set: Hex(from.number()?),
            clear: Hex(from.number()?),
        },
        10 => Op::Invept {
            scope: *InveptScope::ALL.get(scope)?,
            eptp: given(switches, from)?.map(Hex),
        },
        11 => Op::Invvpid {
            scope: *InvvpidScope::ALL.get(scope)?,
            address: Hex(from.number()?),
            vpid: given(switches, from)?,
        },
        12 => Op::HostUnmap { address: Hex(from.number()?), part: part(from)?, flush },
        13 => Op::HostProtect {
            address: Hex(from.number()?),
            part: part(from)?,
            read: on(READ),
            write: on(WRITE),
            execute: on(EXECUTE),
            flush,
        },
        14 => Op::HostSetEntry {
            address: Hex(from.number()?),
            part: HostPart(switches & 0xf),
            level: switches >> 4,
            set: Hex(from.number()?),
            clear: Hex(from.number()?),
        },
        15 => {
            Op::VmSwitch { vm: u16::try_from(from.number()?).ok()?, vpid: given(switches, from)? }
        }
        _ => return None,
    })
}

fn part(from: &mut OpReader<'_>) -> Option<HostPart> {
    Some(HostPart(u8::try_from(from.number()?).ok()?))
}

/// Reads an optional number, if the switches say that it follows.
#[expect(clippy::option_option, reason = "the outer `None` means that bytes are missing")]
fn given<T: TryFrom<u64>>(switches: u8, from: &mut OpReader<'_>) -> Option<Option<T>> {
    if switches & GIVEN == 0 {
        return Some(None);
    }
    Some(Some(T::try_from(from.number()?).ok()?))
}
