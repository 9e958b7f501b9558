//! The format of a chunk of accesses, in less than a byte per access.
//!
//! [`Encoder`] and [`Decoder`] keep the same small table of predictions. Its key is the last instruction and the number
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

mod decoder;
mod encoder;
mod instructions;

use super::access::{Access, Kind};
pub use decoder::Decoder;
pub(super) use encoder::{Encoded, Encoder};
pub(super) use instructions::Place;

/// The largest size of a *plain* access, in bytes. It spans at most two 4 KiB pages, and no more lines of a
/// page than the machine reads.
const MAX_PLAIN_SIZE: u32 = 1024;
/// log2 of the entries of the prediction table.
const TABLE_BITS: u32 = 12;
type Table = [Slot; 1 << TABLE_BITS];
/// After this many data accesses in a row, all further ones share a slot, unless instruction pointers are predicted.
const MANY_DATA: u32 = 15;
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

/// What the model learns of an access.
#[derive(Clone, Copy)]
struct Learned {
    kind: Kind,
    address: u64,
    size: u32,
    ip: Option<u64>,
}

/// The state that [`Encoder`] and [`Decoder`] both have.
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
            _ => u64::from(self.n_data.min(MANY_DATA)) << 58,
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

fn zigzag(difference: u64) -> u64 {
    let negative = 0u64.wrapping_sub(difference >> 63);
    difference << 1 ^ negative
}

fn unzigzag(value: u64) -> u64 {
    value >> 1 ^ 0u64.wrapping_sub(value & 1)
}
