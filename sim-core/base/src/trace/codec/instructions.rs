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
    predicted: u8,
}

impl Room<'_> {
    /// Counts a predicted access.
    #[inline(always)]
    fn count_predicted(&mut self) {
        self.predicted += 1;
        if self.predicted == 127 {
            if let Some(byte) = self.bytes.get_mut(self.at) {
                *byte = PREDICTED | self.predicted;
            }
            self.at += 1;
            self.predicted = 0;
        }
    }

    /// Writes the number of predicted accesses, if there are any, then one byte and a number below 2^56.
    #[inline(always)]
    fn flush_and_tagged(&mut self, tag: u8, value: u64) {
        let (word, n) = varint_word(value);
        let is_some = usize::from(self.predicted > 0);
        if let Some(room) = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<10>) {
            room[0] = PREDICTED | self.predicted;
            room[is_some] = tag;
            room[is_some + 1..is_some + 9].copy_from_slice(&word.to_le_bytes());
        }
        self.at += is_some + 1 + n;
        self.predicted = 0;
    }
}

/// An access whose instruction, kind or size is not the predicted one.
struct Unexpected {
    check: u32,
    /// The difference of the instruction pointer to the last one.
    step: i64,
    tag: u8,
    /// The address of the last access.
    last: u64,
}

impl Unexpected {
    /// Returns `false`, and writes nothing, if the access needs [`Encoder::push`].
    #[inline(never)]
    fn write(&self, slot: &mut Slot, access: &InstructionAccess, room: &mut Room<'_>) -> bool {
        let Self { check, step, tag, last } = *self;
        let InstructionAccess { address, what, .. } = *access;
        let (kind, size) = (what.kind(), what.size());
        let difference = address.wrapping_sub(slot.address);
        let is_known = slot.check == check;
        let is_next = is_known && slot.kind == kind;
        let is_as_before = step == if is_known { i64::from(slot.ip_step) } else { 0 };
        let is_predicted = is_next && slot.size == size && difference == slot.stride;
        let written = zigzag(if is_known { difference } else { address.wrapping_sub(last) });
        let jump = zigzag(step.cast_unsigned());
        let is_other = tag == 0 || is_known && slot.kind == Kind::Fetch;
        if is_other || (written | jump) >> WORD_BITS != 0 {
            return false;
        }
        if !is_as_before {
            room.flush_and_tagged(CONTEXT_IP, jump);
        }
        if is_predicted {
            room.count_predicted();
        } else {
            room.flush_and_tagged(tag, written);
        }
        let ip_step = i32::try_from(step).unwrap_or(0);
        let stride = if is_next { difference } else { 0 };
        *slot = Slot { check, size, kind, ip_step, address, stride };
        true
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
    #[expect(clippy::needless_bitwise_bool, reason = "one branch is faster than four")]
    fn push_some(&mut self, known: &Instructions, accesses: &[InstructionAccess]) -> usize {
        let Self { model, bytes, predicted, .. } = self;
        let Some(ip) = model.ip else { return 0 };
        let bytes_room = bytes.room(MOST_BYTES * (accesses.len() + 1));
        let mut room = Room { bytes: bytes_room, at: 0, predicted: *predicted };
        let mut place = Place::after(ip);
        let mut last = model.last_data;
        let mut n = 0u32;
        for access in accesses {
            let InstructionAccess { address, instruction, what } = *access;
            let Some(&next) = known.places.get(instruction as usize) else { break };
            let (kind, size) = (what.kind(), what.size());
            let slot = &mut model.table[place.slot as usize % (1 << TABLE_BITS)];
            let step = next.ip.wrapping_sub(place.ip).cast_signed();
            let is_expected = (slot.check == place.check)
                & (slot.kind == kind)
                & (slot.size == size)
                & (i64::from(slot.ip_step) == step);
            let difference = address.wrapping_sub(slot.address);
            let tag = TAGS.get(what.index()).copied().unwrap_or(0);
            if !is_expected {
                let unexpected = Unexpected { check: place.check, step, tag, last };
                if !unexpected.write(slot, access, &mut room) {
                    break;
                }
            } else if difference == slot.stride {
                slot.address = address;
                room.count_predicted();
            } else {
                let written = zigzag(difference);
                if tag == 0 || written >> WORD_BITS != 0 {
                    break;
                }
                room.flush_and_tagged(tag, written);
                slot.address = address;
                slot.stride = difference;
            }
            place = next;
            last = address;
            n += 1;
        }
        let Room { at, predicted: left, .. } = room;
        *predicted = left;
        bytes.advance(at);
        model.ip = Some(place.ip);
        model.last_data = last;
        model.n_data += n;
        n as usize
    }
}
