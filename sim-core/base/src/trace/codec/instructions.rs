//! Encodes accesses of known instructions. The bytes are those of [`Encoder::push`].
//!
//! The place of a prediction depends on the last instruction only, so it is computed once for each instruction. The loop
//! has few branches, because the processor cannot predict them: an access is as predicted or it is not.

use super::{CODES, CONTEXT_IP, Encoder, Model, PREDICTED, Slot, TABLE_BITS, zigzag};
use crate::narrow::small;
use crate::trace::access::Kind;
use crate::trace::instructions::{InstructionAccess, Instructions, LoadOrStore};
use crate::trace::varint::{WORD_BITS, varint_word};

/// An instruction, and where the prediction of the access after it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace) struct Place {
    pub(in crate::trace) ip: u64,
    slot: u32,
    check: u32,
}

impl Place {
    pub(in crate::trace) fn after(ip: u64) -> Self {
        let (slot, check) = Model::place(Model::key(ip));
        Self { ip, slot: small(slot), check }
    }
}

/// The most bytes of an access: a number of predicted ones, an instruction pointer, the access, and what the last word has
/// beyond its own bytes.
const MOST_BYTES: usize = 1 + 9 + 9;
/// The number of predicted accesses that one byte counts.
const MOST_PREDICTED: u32 = 127;
/// The first byte of an access of each kind and size; 0 if the size has no code.
static TAGS: [u8; 2 * (LoadOrStore::MOST as usize + 1)] = tags();

const fn tags() -> [u8; 2 * (LoadOrStore::MOST as usize + 1)] {
    let mut tags = [0; _];
    let mut at = 0;
    while at < tags.len() {
        let kind = if at % 2 == 1 { Kind::Store } else { Kind::Load };
        let code = CODES[at / 2];
        tags[at] = if code == 0 { 0 } else { (kind as u8) << 4 | code };
        at += 1;
    }
    tags
}

/// The bytes that are being written.
struct Room<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Room<'_> {
    /// Writes all predicted accesses but those that one more byte can count.
    #[cold]
    fn write_many(&mut self, mut predicted: u32) -> u32 {
        while predicted >= MOST_PREDICTED {
            if let Some(byte) = self.bytes.get_mut(self.at) {
                *byte = PREDICTED | low8(MOST_PREDICTED);
            }
            self.at += 1;
            predicted -= MOST_PREDICTED;
        }
        predicted
    }

    /// Writes the number of predicted accesses, if there are any, then an access: its tag and a number below 2^56.
    #[inline(always)]
    fn write(&mut self, mut predicted: u32, tag: u8, value: u64) {
        if predicted >= MOST_PREDICTED {
            predicted = self.write_many(predicted);
        }
        let (word, n) = varint_word(value);
        let is_some = usize::from(predicted > 0);
        if let Some(room) = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<10>) {
            room[0] = PREDICTED | low8(predicted);
            room[is_some] = tag;
            room[is_some + 1..is_some + 9].copy_from_slice(&word.to_le_bytes());
        }
        self.at += is_some + 1 + n;
    }

    /// Writes an instruction pointer if it was not predicted, then an access if that was not. Returns the predicted accesses
    /// that are not written. Both are always stored and then perhaps not counted, because no processor can predict which are.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "no processor can predict which are needed")]
    fn write_unexpected(&mut self, mut predicted: u32, ip: Written, access: Written) -> u32 {
        if predicted >= MOST_PREDICTED {
            predicted = self.write_many(predicted);
        }
        let [(ip_word, ip_n), (word, n)] = [ip, access].map(|written| varint_word(written.value));
        let is_some = usize::from((predicted > 0) & (ip.is_needed | access.is_needed));
        let at = is_some + if ip.is_needed { 1 + ip_n } else { 0 };
        if let Some(room) = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<24>) {
            room[0] = PREDICTED | low8(predicted);
            room[is_some] = ip.tag;
            room[is_some + 1..is_some + 9].copy_from_slice(&ip_word.to_le_bytes());
            room[at % 16] = access.tag;
            room[at % 16 + 1..at % 16 + 9].copy_from_slice(&word.to_le_bytes());
        }
        self.at += at + if access.is_needed { 1 + n } else { 0 };
        match (access.is_needed, ip.is_needed) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => predicted + 1,
        }
    }
}

/// A tag and a number below 2^56, which may not be needed.
#[derive(Clone, Copy)]
struct Written {
    tag: u8,
    value: u64,
    is_needed: bool,
}

/// Returns a number of predicted accesses that one byte counts.
fn low8(n: u32) -> u8 {
    n.to_le_bytes()[0]
}

/// An access whose instruction, kind or size is not the predicted one.
struct Unexpected {
    check: u32,
    /// The predicted accesses that are not written yet.
    predicted: u32,
    /// The difference of the instruction pointer to the last one.
    step: i64,
    /// The address of the last access.
    last: u64,
}

impl Unexpected {
    /// Returns the predicted accesses that are not written. Returns `None`, and writes nothing, if the access needs
    /// [`Encoder::push`].
    #[inline(never)]
    fn write(
        &self,
        slot: &mut Slot,
        access: &InstructionAccess,
        room: &mut Room<'_>,
    ) -> Option<u32> {
        let Self { check, predicted, step, last } = *self;
        let InstructionAccess { address, what, .. } = *access;
        let (kind, size) = (what.kind(), what.size());
        let tag = TAGS.get(what.index()).copied().unwrap_or(0);
        let difference = address.wrapping_sub(slot.address);
        let is_known = slot.check == check;
        let is_next = is_known && slot.kind == kind;
        let is_as_before = step == if is_known { i64::from(slot.ip_step) } else { 0 };
        let is_predicted = is_next && slot.size == size && difference == slot.stride;
        let written = zigzag(if is_known { difference } else { address.wrapping_sub(last) });
        let jump = zigzag(step.cast_unsigned());
        let is_other = tag == 0 || is_known && slot.kind == Kind::Fetch;
        if is_other || (written | jump) >> WORD_BITS != 0 {
            return None;
        }
        let ip = Written { tag: CONTEXT_IP, value: jump, is_needed: !is_as_before };
        let written = Written { tag, value: written, is_needed: !is_predicted };
        let predicted = room.write_unexpected(predicted, ip, written);
        let ip_step = i32::try_from(step).unwrap_or(0);
        let stride = if is_next { difference } else { 0 };
        *slot = Slot { check, size, kind, ip_step, address, stride };
        Some(predicted)
    }
}

impl Encoder {
    /// Returns whether the place of the next prediction depends on the last instruction only.
    fn follows_instruction(&self) -> bool {
        let Model { fetch, pid, tid, cpu, has_ips, ip, .. } = self.model;
        has_ips && ip.is_some() && (fetch, pid, tid, cpu) == (0, 0, 0, 0)
    }

    /// Adds accesses in their order.
    pub(in crate::trace) fn push_instructions(
        &mut self,
        known: &Instructions,
        mut accesses: &[InstructionAccess],
    ) {
        loop {
            let n = if self.follows_instruction() { self.push_some(known, accesses) } else { 0 };
            let Some((other, rest)) = accesses.get(n..).and_then(<[_]>::split_first) else {
                return;
            };
            self.push(&known.access(other));
            accesses = rest;
        }
    }

    /// Adds accesses up to the first that needs [`Self::push`]; returns their number.
    #[inline(never)]
    fn push_some(&mut self, known: &Instructions, accesses: &[InstructionAccess]) -> usize {
        let Some(ip) = self.model.ip else { return 0 };
        let bytes = self.bytes.room(MOST_BYTES * (accesses.len() + 1));
        let mut room = Room { bytes, at: 0 };
        let table = &mut *self.model.table;
        let mut predicted = u32::from(self.predicted);
        let mut place = Place::after(ip);
        let mut last = self.model.last_data;
        let mut n = 0;
        for access in accesses {
            let InstructionAccess { address, instruction, what } = *access;
            let Some(&next) = known.places.get(instruction as usize) else { break };
            let slot = &mut table[place.slot as usize % (1 << TABLE_BITS)];
            let step = next.ip.wrapping_sub(place.ip).cast_signed();
            let difference = address.wrapping_sub(slot.address);
            // One branch is faster than five.
            let other = (slot.check ^ place.check)
                | (slot.kind as u32 ^ what.kind() as u32)
                | (slot.size ^ what.size());
            let other = u64::from(other) | (i64::from(slot.ip_step) ^ step).cast_unsigned();
            if other | (difference ^ slot.stride) == 0 {
                predicted += 1;
                slot.address = address;
            } else if other == 0 {
                let tag = TAGS.get(what.index()).copied().unwrap_or(0);
                let written = zigzag(difference);
                if tag == 0 || written >> WORD_BITS != 0 {
                    break;
                }
                room.write(predicted, tag, written);
                predicted = 0;
                slot.address = address;
                slot.stride = difference;
            } else {
                let unexpected = Unexpected { check: place.check, predicted, step, last };
                let Some(left) = unexpected.write(slot, access, &mut room) else { break };
                predicted = left;
            }
            place = next;
            last = address;
            n += 1;
        }
        self.predicted = low8(room.write_many(predicted));
        let at = room.at;
        self.bytes.advance(at);
        self.model.ip = Some(place.ip);
        self.model.last_data = last;
        self.model.n_data += small(n);
        n
    }
}
