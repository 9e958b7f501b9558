//! Reads accesses.

use super::{
    CONTEXT, CONTEXT_CPU, CONTEXT_IPS, CONTEXT_NO_IP, CONTEXT_PID, CONTEXT_TID, Learned, MANY_DATA,
    Model, PREDICTED, SIZES, Slot, unzigzag,
};
use crate::narrow::small;
use crate::trace::access::{Access, Kind, last_byte};
use crate::trace::varint::{read_short, read_varint};

/// The instruction pointer of an access, if it has one.
#[derive(Clone, Copy)]
struct Ip(Option<u64>);

/// Reads a chunk of accesses.
pub struct Decoder<'a> {
    model: Model,
    bytes: &'a [u8],
    predicted: u8,
    /// The written instruction pointer of the next access.
    ip: Option<Ip>,
}

impl<'a> Decoder<'a> {
    pub(in crate::trace) fn new(bytes: &'a [u8]) -> Self {
        Self { model: Model::new(), bytes, predicted: 0, ip: None }
    }

    /// Returns whether every byte has been read.
    pub(in crate::trace) fn is_whole(&self) -> bool {
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
        self.read()
    }
}

impl Decoder<'_> {
    /// Reads the next access, as [`Self::next`] does. With the feature `fast`, this function is compiled into its caller.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn read(&mut self) -> Option<Access> {
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

    /// Reads accesses, and writes the addresses of the first and the last byte of each. Returns their number, which is less
    /// than that of the places only at the end of the chunk.
    pub fn read_ends(&mut self, ends: &mut [[u64; 2]]) -> usize {
        let mut n = 0;
        loop {
            n += self.read_data(&mut ends[n..]);
            let Some(place) = ends.get_mut(n) else { return n };
            let Some(access) = self.read() else { return n };
            *place = [access.address, access.last()];
            n += 1;
        }
    }

    /// Does the same for data accesses that share a slot. The compiler keeps the slot in registers. Stops before everything
    /// that is rare: [`Self::read`] reads it.
    #[inline(never)]
    fn read_data(&mut self, ends: &mut [[u64; 2]]) -> usize {
        let Model { n_data, has_ips, mut last_data, .. } = self.model;
        if n_data < MANY_DATA || has_ips || self.ip.is_some() {
            return 0;
        }
        let (at, check) = self.model.slot();
        let mut slot = self.model.table[at];
        let Self { mut bytes, mut predicted, .. } = *self;
        let mut n = 0;
        while let Some(place) = ends.get_mut(n) {
            let (kind, address, size);
            if predicted > 0 {
                (kind, address, size) = Model::predict(&slot);
                if kind == Kind::Fetch {
                    break;
                }
                predicted -= 1;
            } else {
                let Some((byte, rest)) = bytes.split_first() else { break };
                if byte & PREDICTED != 0 {
                    (predicted, bytes) = (byte & 0x7f, rest);
                    continue;
                }
                kind = Kind::ALL[usize::from(byte >> 4 & 3)];
                size = SIZES[usize::from(byte & 0xf)];
                if byte & CONTEXT != 0 || kind == Kind::Fetch || size == 0 {
                    break;
                }
                let Some((value, rest)) = read_short(rest) else { break };
                let is_known = slot.check == check && slot.kind != Kind::Fetch;
                let base = if is_known { slot.address } else { last_data };
                (address, bytes) = (base.wrapping_add(unzigzag(value)), rest);
            }
            let is_next = slot.check == check && slot.kind == kind;
            let stride = if is_next { address.wrapping_sub(slot.address) } else { 0 };
            slot = Slot { check, size, kind, ip_step: 0, address, stride };
            last_data = address;
            *place = [address, last_byte(address, size)];
            n += 1;
        }
        self.model.table[at] = slot;
        self.model.last_data = last_data;
        self.model.n_data += small(n);
        (self.bytes, self.predicted) = (bytes, predicted);
        n
    }
}
