//! The ring of a thread, as the recorder reads it.

use std::io;

use super::shared::{Place, RING_BYTES, SEGMENT, Shared};

pub(super) const ENTRY: u64 = 16;
/// How often a ring is looked at until its last entry is there.
const LOOKS: u32 = 64;

/// One entry: an address or a number, then the lap, the code and the instruction pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) word: u64,
    pub(super) other: u64,
}

impl Entry {
    #[inline]
    pub(super) fn of(bytes: [u8; 16]) -> Self {
        let both = u128::from_le_bytes(bytes);
        let low = |at: u32| u64::try_from(both >> at & u128::from(u64::MAX)).expect("64 bits");
        Self { word: low(0), other: low(64) }
    }

    #[inline]
    pub(super) fn code(self) -> u8 {
        u8::try_from(self.other >> 56 & 0x7f).expect("seven bits")
    }

    #[inline]
    pub(super) fn ip(self) -> u64 {
        self.other & ((1 << 56) - 1)
    }

    fn lap(self) -> bool {
        self.other >> 63 == 1
    }
}

/// The thread that writes into a ring.
#[derive(Debug, Default)]
pub(super) struct Thread {
    pub(super) number: u32,
    /// The nodes of the functions that it is in, in the tree of calls. The outermost function comes first.
    pub(super) calls: Vec<u32>,
}

/// What was read from a ring and not taken yet.
#[derive(Debug)]
pub(super) struct Ring {
    number: u32,
    /// Bytes that were read since the start.
    tail: u64,
    pub(super) entries: Vec<[u8; 16]>,
    pub(super) next: usize,
    /// The time of the next entry.
    pub(super) time: u64,
    /// The time when there was nothing left.
    pub(super) empty_at: u64,
    pub(super) thread: Thread,
    /// The first half of an entry with a rest.
    pub(super) begun: Option<Entry>,
}

impl Ring {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            tail: 0,
            entries: Vec::new(),
            next: 0,
            time: 0,
            empty_at: 0,
            thread: Thread::default(),
            begun: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.next == self.entries.len()
    }

    /// Reads what the program has written until now, but at most `most` bytes. `at` is the time before it was looked
    /// at the first of all rings.
    pub(super) fn read(&mut self, shared: &Shared, at: u64, most: u64) -> io::Result<()> {
        if self.is_empty() {
            self.time = self.time.max(self.empty_at);
            self.entries.clear();
            self.next = 0;
        }
        let mut left = self.unread(shared)?;
        if left <= most {
            self.empty_at = at;
        }
        left = left.min(most);
        while left > 0 {
            let place = self.tail % RING_BYTES;
            let n = left.min(RING_BYTES - place);
            let known = self.entries.len();
            let more = usize::try_from(n / ENTRY).expect("a ring has fewer bytes");
            self.entries.resize(known + more, [0; 16]);
            shared.read(self.number, place, self.entries[known..].as_flattened_mut())?;
            self.tail += n;
            left -= n;
        }
        let segments = (self.tail / SEGMENT) & 0xff;
        shared.give_back(self.number, u8::try_from(segments).expect("a byte"))
    }

    /// The number of bytes that wait. A number that the program is about to change may be read half old, half new. Then
    /// the entry before it is not there yet, which its lap shows.
    fn unread(&self, shared: &Shared) -> io::Result<u64> {
        for _ in 0..LOOKS {
            let Place { at, base } = shared.place(self.number)?;
            let Some(head) = at.checked_sub(base).filter(|head| *head <= RING_BYTES) else {
                continue;
            };
            let n = (head + RING_BYTES - self.tail % RING_BYTES) % RING_BYTES;
            if n == 0 {
                return Ok(0);
            }
            if !n.is_multiple_of(ENTRY) {
                continue;
            }
            let last = self.tail + n - ENTRY;
            let mut bytes = [0; 16];
            shared.read(self.number, last % RING_BYTES, &mut bytes)?;
            if Entry::of(bytes).lap() == (last / RING_BYTES).is_multiple_of(2) {
                return Ok(n);
            }
        }
        Ok(0)
    }
}
