//! Writes accesses.

use super::{
    CODES, CONTEXT_CPU, CONTEXT_IP, CONTEXT_IPS, CONTEXT_NO_IP, CONTEXT_PID, CONTEXT_TID, Learned,
    MAX_PLAIN_SIZE, Model, PREDICTED, zigzag,
};
use crate::trace::access::Access;
use crate::trace::varint::Tail;

/// An encoded chunk.
pub(in crate::trace) struct Encoded {
    pub(in crate::trace) bytes: Box<[u8]>,
    /// Whether all accesses are plain.
    pub(in crate::trace) is_plain: bool,
    /// Whether instruction pointers are predicted.
    pub(in crate::trace) has_ips: bool,
}

/// Writes accesses, chunk after chunk. [`Self::finish`] ends a chunk.
pub(in crate::trace) struct Encoder {
    pub(super) model: Model,
    pub(super) bytes: Tail,
    /// The predicted accesses that are not written yet.
    pub(super) predicted: u8,
    /// Whether all accesses until now are of one process and none is longer than [`MAX_PLAIN_SIZE`].
    is_plain: bool,
    predicts_ips: bool,
}

impl Encoder {
    pub(in crate::trace) fn new() -> Self {
        Self {
            model: Model::new(),
            bytes: Tail::default(),
            predicted: 0,
            is_plain: true,
            predicts_ips: true,
        }
    }

    /// Makes an encoder that predicts no instruction pointers, as those of version 1 do.
    pub(in crate::trace) fn without_ips() -> Self {
        Self { predicts_ips: false, ..Self::new() }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(in crate::trace) fn push(&mut self, access: &Access) {
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
    pub(in crate::trace) fn finish(&mut self) -> Encoded {
        self.flush();
        let has_ips = self.model.has_ips;
        self.model.reset();
        let is_plain = std::mem::replace(&mut self.is_plain, true);
        Encoded { bytes: self.bytes.take(), is_plain, has_ips }
    }
}
