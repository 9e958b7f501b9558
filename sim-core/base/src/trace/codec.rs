//! Encodes a chunk of accesses in less than a byte per access.
//!
//! Writer and reader keep the same small table of predictions. Its key is the last instruction and the number
//! of data accesses since then. An entry predicts the next access completely: its kind, size and address. A
//! fetch is predicted to go where it went last time, and a data access to continue with its last stride.
//! Predicted accesses cost one count for a run of them. Other accesses are written out and update the table.
//!
//! If a chunk has instruction pointers, the key is the instruction pointer of the last access, and an entry also predicts the
//! next instruction pointer. A mark at the first of them says so: traces of version 1 have no mark, and predict none.
//!
//! ```text
//! byte 1xxxxxxx          n = 1..=127 accesses as predicted
//! byte 0000kkss + varint an access: kind, size code, zigzag difference of addresses
//! byte 01xxxxxx          context: process, thread or instruction pointer changes, or the mark
//! ```

mod instructions;

use super::access::{Access, Kind};
use super::varint::{Tail, read_varint};
pub(super) use instructions::Place;

/// The largest size of a *plain* access, in bytes. It spans at most two 4 KiB pages, and no more lines of a
/// page than the machine reads.
const MAX_PLAIN_SIZE: u32 = 1024;
/// log2 of the entries of the prediction table.
const TABLE_BITS: u32 = 12;
type Table = [Slot; 1 << TABLE_BITS];
const CONTEXT: u8 = 0x40;
const CONTEXT_PID: u8 = 0x40;
const CONTEXT_TID: u8 = 0x41;
/// The next access has this instruction pointer.
const CONTEXT_IP: u8 = 0x42;
/// From the next access on, no instruction pointer is recorded.
const CONTEXT_NO_IP: u8 = 0x43;
const CONTEXT_CPU: u8 = 0x44;
/// From here to the end of the chunk, instruction pointers are predicted.
const CONTEXT_IPS: u8 = 0x45;
const PREDICTED: u8 = 0x80;
/// Sizes with a code of their own. Code 0 means that a varint follows.
const SIZES: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 32, 64];
/// The code of each size up to the largest one with a code; 0 for sizes without a code.
static CODES: [u8; 65] = codes();

const fn codes() -> [u8; 65] {
    let mut codes = [0; 65];
    let mut code = 1;
    while code < 16 {
        codes[SIZES[code as usize] as usize] = code;
        code += 1;
    }
    codes
}

#[derive(Clone, Copy)]
struct Slot {
    /// The check value of the instruction, since several instructions share a slot. 0 means that the slot is empty.
    check: u32,
    size: u32,
    kind: Kind,
    /// The difference of the instruction pointer to that of the access before.
    ip_step: i32,
    address: u64,
    stride: u64,
}

const EMPTY: Slot =
    Slot { check: 0, size: 0, kind: Kind::Fetch, ip_step: 0, address: 0, stride: 0 };

/// The instruction pointer of an access, if it has one.
#[derive(Clone, Copy)]
struct Ip(Option<u64>);

/// What the model learns of an access.
#[derive(Clone, Copy)]
struct Learned {
    kind: Kind,
    address: u64,
    size: u32,
    ip: Option<u64>,
}

/// The state that writer and reader share.
#[derive(Clone)]
struct Model {
    table: Box<Table>,
    /// The address of the last fetch, and the number of data accesses since then.
    fetch: u64,
    fetch_end: u64,
    n_data: u32,
    last_data: u64,
    pid: u32,
    tid: u32,
    cpu: u32,
    ip: Option<u64>,
    /// Whether instruction pointers are predicted.
    has_ips: bool,
}

impl Model {
    fn new() -> Self {
        let table = vec![EMPTY; 1 << TABLE_BITS].into_boxed_slice();
        Self {
            table: table.try_into().unwrap_or_else(|_| unreachable!("the length is the array's")),
            fetch: 0,
            fetch_end: 0,
            n_data: 0,
            last_data: 0,
            pid: 0,
            tid: 0,
            cpu: 0,
            ip: None,
            has_ips: false,
        }
    }

    fn reset(&mut self) {
        self.table.fill(EMPTY);
        let Self { fetch, fetch_end, n_data, last_data, pid, tid, cpu, ip, has_ips, .. } = self;
        (*fetch, *fetch_end, *last_data) = (0, 0, 0);
        (*n_data, *pid, *tid, *cpu, *ip, *has_ips) = (0, 0, 0, 0, None, false);
    }

    /// Returns the slot of the prediction for the next access, and its check value.
    #[inline]
    fn slot(&self) -> (usize, u32) {
        let last = match self.ip {
            Some(ip) if self.has_ips => Self::key(ip),
            _ => u64::from(self.n_data.min(15)) << 58,
        };
        Self::place(self.fetch ^ last)
    }

    /// Returns the key of the prediction after an instruction, in a chunk without fetches.
    #[inline]
    fn key(ip: u64) -> u64 {
        ip ^ 1 << 63
    }

    /// Returns the slot and the check value of a key.
    #[inline]
    fn place(key: u64) -> (usize, u32) {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = usize::try_from(mixed >> (64 - TABLE_BITS)).expect("masked to the table");
        (at, u32::try_from(mixed >> 20 & 0xffff_ffff).expect("masked to 32 bits") | 1)
    }

    #[inline]
    fn predict(slot: &Slot) -> (Kind, u64, u32) {
        (slot.kind, slot.address.wrapping_add(slot.stride), slot.size)
    }

    /// Returns the instruction pointer that the next access has unless another one is written.
    #[inline]
    fn predict_ip(&self, slot: &Slot, known: bool) -> Option<u64> {
        let step = if self.has_ips && known { i64::from(slot.ip_step) } else { 0 };
        self.ip.map(|ip| ip.wrapping_add_signed(step))
    }

    /// Returns the difference of an access's instruction pointer to the last one, as a slot keeps it.
    #[inline]
    fn ip_step(&self, ip: Option<u64>) -> i32 {
        match (self.ip, ip) {
            (Some(before), Some(ip)) if self.has_ips => {
                i32::try_from(ip.wrapping_sub(before).cast_signed()).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Returns whether the process, thread or processor differs from the last access, or the instruction pointer from `ip`.
    #[inline]
    fn context_changed(&self, access: &Access, ip: Option<u64>) -> bool {
        let Self { pid, tid, cpu, .. } = *self;
        (access.pid, access.tid, access.cpu, access.ip) != (pid, tid, cpu, ip)
    }

    /// Returns the address from which an unpredicted access is written as a difference.
    #[inline]
    fn base(&self, slot: &Slot, known: bool, kind: Kind) -> u64 {
        match kind {
            Kind::Fetch => self.fetch_end,
            _ if known && slot.kind != Kind::Fetch => slot.address,
            _ => self.last_data,
        }
    }

    /// Updates the table after an access.
    #[cfg_attr(feature = "fast", inline(always))]
    fn learn(&mut self, at: usize, check: u32, access: Learned) {
        let Learned { kind, address, size, ip } = access;
        let ip_step = self.ip_step(ip);
        let slot = &mut self.table[at];
        let is_next = kind != Kind::Fetch && slot.check == check && slot.kind == kind;
        let stride = if is_next { address.wrapping_sub(slot.address) } else { 0 };
        *slot = Slot { check, size, kind, ip_step, address, stride };
        self.ip = ip;
        self.update_key(kind, address, size);
    }

    /// Updates the key of the next prediction.
    #[inline]
    fn update_key(&mut self, kind: Kind, address: u64, size: u32) {
        if kind == Kind::Fetch {
            self.fetch = address;
            self.fetch_end = address.wrapping_add(u64::from(size));
            self.n_data = 0;
        } else {
            self.last_data = address;
            self.n_data += 1;
        }
    }
}

/// An encoded chunk.
pub(super) struct Encoded {
    pub(super) bytes: Box<[u8]>,
    /// Whether all accesses are plain.
    pub(super) is_plain: bool,
    /// Whether instruction pointers are predicted.
    pub(super) has_ips: bool,
}

/// Writes accesses.
pub(super) struct Encoder {
    model: Model,
    bytes: Tail,
    predicted: u8,
    /// Whether all accesses until now are of one process and none is longer than [`MAX_PLAIN_SIZE`].
    is_plain: bool,
    predicts_ips: bool,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self {
            model: Model::new(),
            bytes: Tail::default(),
            predicted: 0,
            is_plain: true,
            predicts_ips: true,
        }
    }

    /// Makes an encoder that predicts no instruction pointers, as those of version 1 do.
    pub(super) fn without_ips() -> Self {
        Self { predicts_ips: false, ..Self::new() }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn push(&mut self, access: &Access) {
        let Access { kind, address, size, .. } = *access;
        if access.ip.is_some() && self.predicts_ips && !self.model.has_ips {
            self.mark_ips();
        }
        let (at, check) = self.model.slot();
        let slot = &self.model.table[at];
        let known = slot.check == check;
        let is_predicted = known && Model::predict(slot) == (kind, address, size);
        let predicted_ip = self.model.predict_ip(slot, known);
        let is_changed = self.model.context_changed(access, predicted_ip);
        let is_slot_kept = access.ip.is_some() || !self.model.has_ips;
        if is_predicted && !is_changed && is_slot_kept {
            self.model.table[at].address = address;
            self.model.ip = access.ip;
            self.model.update_key(kind, address, size);
            self.count_predicted();
            return;
        }
        let base = self.model.base(slot, known, kind);
        if is_changed || !is_predicted {
            self.flush();
        }
        if is_changed {
            self.write_context(access, predicted_ip);
        }
        if is_predicted {
            self.count_predicted();
        } else {
            self.write(access, base);
        }
        self.model.learn(at, check, Learned { kind, address, size, ip: access.ip });
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn count_predicted(&mut self) {
        self.predicted += 1;
        if self.predicted == 127 {
            self.flush();
        }
    }

    #[cold]
    fn mark_ips(&mut self) {
        self.flush();
        self.bytes.push(CONTEXT_IPS);
        self.model.has_ips = true;
    }

    /// Writes an access with the difference of its address to `base`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn write(&mut self, access: &Access, base: u64) {
        let kind = u8::try_from(access.kind.index()).expect("four kinds") << 4;
        let difference = zigzag(access.address.wrapping_sub(base));
        match CODES.get(access.size as usize) {
            Some(code @ 1..) => self.bytes.tagged([kind | code], difference),
            _ if access.size == 0 => self.bytes.tagged([kind, 0], difference),
            _ => {
                self.is_plain &= access.size <= MAX_PLAIN_SIZE;
                self.bytes.tagged([kind], access.size.into());
                self.bytes.tagged([], difference);
            }
        }
    }

    #[inline]
    fn flush(&mut self) {
        if self.predicted > 0 {
            self.bytes.push(PREDICTED | self.predicted);
            self.predicted = 0;
        }
    }

    /// Writes the context of an access, of which this instruction pointer was predicted.
    #[cfg_attr(feature = "fast", inline(always))]
    fn write_context(&mut self, access: &Access, predicted: Option<u64>) {
        let Model { pid, tid, cpu, .. } = self.model;
        if (access.pid, access.tid, access.cpu) != (pid, tid, cpu) {
            self.write_place(access);
        }
        let Self { model, bytes, .. } = self;
        match access.ip {
            ip if ip == predicted => {}
            None => bytes.push(CONTEXT_NO_IP),
            Some(ip) => {
                let difference = ip.wrapping_sub(model.ip.unwrap_or(0));
                bytes.tagged([CONTEXT_IP], zigzag(difference));
            }
        }
    }

    #[cold]
    fn write_place(&mut self, access: &Access) {
        let Self { model, bytes, is_plain, .. } = self;
        *is_plain &= access.pid == model.pid || bytes.is_empty();
        for (byte, new, old) in [
            (CONTEXT_PID, access.pid, &mut model.pid),
            (CONTEXT_TID, access.tid, &mut model.tid),
            (CONTEXT_CPU, access.cpu, &mut model.cpu),
        ] {
            if new != *old {
                bytes.tagged([byte], new.into());
                *old = new;
            }
        }
    }

    /// Ends the chunk and resets the encoder.
    pub(super) fn finish(&mut self) -> Encoded {
        self.flush();
        let has_ips = self.model.has_ips;
        self.model.reset();
        let is_plain = std::mem::replace(&mut self.is_plain, true);
        Encoded { bytes: self.bytes.take(), is_plain, has_ips }
    }
}

/// Reads a chunk of accesses.
pub struct Decoder<'a> {
    model: Model,
    bytes: &'a [u8],
    predicted: u8,
    /// The written instruction pointer of the next access.
    ip: Option<Ip>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { model: Model::new(), bytes, predicted: 0, ip: None }
    }

    /// Returns whether every byte has been read.
    pub(super) fn is_whole(&self) -> bool {
        self.bytes.is_empty() && self.predicted == 0
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn varint(&mut self) -> Option<u64> {
        read_varint(&mut self.bytes)
    }

    #[inline]
    fn access(&mut self, at: usize, check: u32, kind: Kind, address: u64, size: u32) -> Access {
        let slot = &self.model.table[at];
        let predicted = self.model.predict_ip(slot, slot.check == check);
        let ip = self.ip.take().map_or(predicted, |Ip(ip)| ip);
        self.model.learn(at, check, Learned { kind, address, size, ip });
        let Model { pid, tid, cpu, .. } = self.model;
        Access { kind, address, size, pid, tid, cpu, ip }
    }

    fn context(&mut self, byte: u8) -> Option<()> {
        if byte == CONTEXT_IPS {
            self.model.has_ips = true;
            return Some(());
        }
        let value = if byte == CONTEXT_NO_IP { 0 } else { self.varint()? };
        match byte {
            CONTEXT_PID => self.model.pid = u32::try_from(value).ok()?,
            CONTEXT_TID => self.model.tid = u32::try_from(value).ok()?,
            CONTEXT_CPU => self.model.cpu = u32::try_from(value).ok()?,
            CONTEXT_NO_IP => self.ip = Some(Ip(None)),
            _ => self.ip = Some(Ip(Some(self.model.ip.unwrap_or(0).wrapping_add(unzigzag(value))))),
        }
        Some(())
    }
}

impl Iterator for Decoder<'_> {
    type Item = Access;

    #[inline]
    fn next(&mut self) -> Option<Access> {
        loop {
            let (at, check) = self.model.slot();
            if self.predicted > 0 {
                self.predicted -= 1;
                let (kind, address, size) = Model::predict(&self.model.table[at]);
                return Some(self.access(at, check, kind, address, size));
            }
            let byte = self.byte()?;
            if byte & PREDICTED != 0 {
                self.predicted = byte & 0x7f;
                continue;
            }
            if byte & CONTEXT != 0 {
                self.context(byte)?;
                continue;
            }
            let slot = self.model.table[at];
            let kind = Kind::ALL[usize::from(byte >> 4 & 3)];
            let size = match SIZES[usize::from(byte & 0xf)] {
                0 => u32::try_from(self.varint()?).ok()?,
                size => size,
            };
            let base = self.model.base(&slot, slot.check == check, kind);
            let address = base.wrapping_add(unzigzag(self.varint()?));
            return Some(self.access(at, check, kind, address, size));
        }
    }
}

fn zigzag(difference: u64) -> u64 {
    let negative = 0u64.wrapping_sub(difference >> 63);
    difference << 1 ^ negative
}

fn unzigzag(value: u64) -> u64 {
    value >> 1 ^ 0u64.wrapping_sub(value & 1)
}
