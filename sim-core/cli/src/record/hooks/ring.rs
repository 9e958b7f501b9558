//! The ring of a thread, as the recorder reads it.

use std::io;

use super::shared::{Place, RING_BYTES, SEGMENT, SEGMENTS_IN_USE, Shared};

pub(super) const ENTRY: u64 = 16;
/// How often a ring is looked at until it says where its next entry goes.
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
    /// Entries that were never written.
    pub(super) lost: u64,
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
            lost: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.next == self.entries.len()
    }

    /// Reads what the program has written until now, but at most `most` bytes. `at` is the time before it was looked
    /// at the first of all rings. After the end of the program, `is_last` is true.
    pub(super) fn read(
        &mut self,
        shared: &Shared,
        at: u64,
        most: u64,
        is_last: bool,
    ) -> io::Result<()> {
        if self.is_empty() {
            self.time = self.time.max(self.empty_at);
            self.entries.clear();
            self.next = 0;
        }
        let waiting = self.unread(shared)?;
        let known = self.entries.len();
        let mut left = waiting.min(most);
        let mut from = self.tail;
        while left > 0 {
            let place = from % RING_BYTES;
            let n = left.min(RING_BYTES - place);
            let more = slots(n);
            let end = self.entries.len();
            self.entries.resize(end + more, [0; 16]);
            shared.read(self.number, place, self.entries[end..].as_flattened_mut())?;
            from += n;
            left -= n;
        }
        // The program waits for the recorder, so the recorder must not wait for an entry.
        let is_full = self.tail % SEGMENT + waiting >= SEGMENTS_IN_USE * SEGMENT;
        let passed = self.keep_written(known, is_last || is_full);
        if passed == waiting {
            self.empty_at = at;
        }
        self.tail += passed;
        let segments = (self.tail / SEGMENT) & 0xff;
        shared.give_back(self.number, u8::try_from(segments).expect("a byte"))
    }

    /// Keeps the new entries, which begin at `known`, up to the first one that is not there yet: a thread takes the place
    /// of an entry before it fills it. If a signal handler fills the ring in between, the entry is lost, and `skips` is true.
    /// Returns the bytes that are done with.
    fn keep_written(&mut self, known: usize, skips: bool) -> u64 {
        let lap = (self.tail / RING_BYTES).is_multiple_of(2);
        let to_end = slots(RING_BYTES - self.tail % RING_BYTES);
        let is_written =
            |slot: usize, bytes: &[u8; 16]| (bytes[15] >> 7 == 1) == (lap == (slot < to_end));
        let mut new = self.entries[known..].iter().enumerate();
        let first = new.position(|(slot, bytes)| !is_written(slot, bytes));
        let Some(first) = first else { return bytes(self.entries.len() - known) };
        let last = new.rfind(|(slot, bytes)| is_written(*slot, bytes)).filter(|_| skips);
        let passed = last.map_or(first, |(slot, _)| slot + 1);
        self.entries.truncate(known + passed);
        if passed > first {
            let written = self.entries.split_off(known).into_iter().enumerate();
            let written = written.filter(|(slot, bytes)| is_written(*slot, bytes));
            self.entries.extend(written.map(|(_, bytes)| bytes));
            self.lost += bytes(known + passed - self.entries.len()) / ENTRY;
        }
        bytes(passed)
    }

    /// The number of bytes that wait. A number that the program is about to change may be read half old, half new: then
    /// there are no such entries, which their laps show.
    fn unread(&self, shared: &Shared) -> io::Result<u64> {
        for _ in 0..LOOKS {
            let Place { at, base } = shared.place(self.number)?;
            let Some(head) = at.checked_sub(base).filter(|head| *head <= RING_BYTES) else {
                continue;
            };
            let n = (head + RING_BYTES - self.tail % RING_BYTES) % RING_BYTES;
            if n.is_multiple_of(ENTRY) {
                return Ok(n);
            }
        }
        Ok(0)
    }
}

/// The entries in as many bytes.
fn slots(bytes: u64) -> usize {
    usize::try_from(bytes / ENTRY).expect("a ring has fewer bytes")
}

/// The bytes of as many entries.
fn bytes(slots: usize) -> u64 {
    u64::try_from(slots).expect("a ring has fewer entries") * ENTRY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_is_not_written_yet_ends_what_is_read_until_the_ring_is_full() {
        let entry =
            |lap: u64, word: u64| (u128::from(lap << 63) << 64 | u128::from(word)).to_le_bytes();
        // Two places before the end of the first lap: then the other bit shows that an entry is there.
        let slots = [entry(1, 0), entry(0, 1), entry(0, 2), entry(1, 3), entry(0, 4), entry(1, 5)];
        for (skips, bytes, words) in [(false, 16, vec![9, 0]), (true, 80, vec![9, 0, 2, 4])] {
            let mut ring = Ring { tail: RING_BYTES - 2 * ENTRY, ..Ring::new(0) };
            ring.entries = [entry(0, 9)].into_iter().chain(slots).collect();
            assert_eq!(ring.keep_written(1, skips), bytes);
            let kept: Vec<u64> = ring.entries.iter().map(|entry| Entry::of(*entry).word).collect();
            assert_eq!((kept, ring.lost), (words, if skips { 2 } else { 0 }));
        }
    }
}
