//! Numbers in as few bytes as they need: seven bits per byte, the lowest bits first.

/// The highest bit of each byte. In a number, this bit says that another byte follows.
const MORE: u64 = 0x8080_8080_8080_8080;
/// The number of bytes of the longest number that is written as one word.
const WORD: u32 = 8;
/// The bits of such a number.
pub(super) const WORD_BITS: u32 = 7 * WORD;

/// Appends a number to `bytes`: 1 to 10 bytes.
pub fn write_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(low_byte(value) | 0x80);
        value >>= 7;
    }
    bytes.push(low_byte(value));
}

fn low_byte(value: u64) -> u8 {
    u8::try_from(value & 0x7f).expect("seven bits")
}

/// A buffer for appending many bytes quickly. It writes numbers as whole words, so it keeps some free space
/// at its end.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    len: usize,
}

impl Tail {
    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        } else {
            self.grow();
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    /// Appends `tag`, at most two bytes, then the bytes of [`write_varint`]. Each length of `tag` has its own
    /// function, because copying a variable length is a call in WebAssembly.
    #[inline]
    pub(super) fn tagged<const N: usize>(&mut self, tag: [u8; N], value: u64) {
        let n = (70 - (value | 1).leading_zeros()) / 7;
        let room = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<16>);
        let Some(room) = room.filter(|_| n <= WORD) else {
            return self.push_bytewise(&tag, value);
        };
        let number = spread(value) | MORE & !(u64::MAX << (8 * (n - 1)));
        room[..N].copy_from_slice(&tag);
        room[N..N + 8].copy_from_slice(&number.to_le_bytes());
        self.len += N + n as usize;
    }

    /// Appends the same bytes as [`Self::tagged`], but one by one: at the end of the free space, and for numbers of
    /// nine or ten bytes.
    #[cold]
    fn push_bytewise(&mut self, tag: &[u8], mut value: u64) {
        for byte in tag {
            self.push(*byte);
        }
        while value >= 0x80 {
            self.push(low_byte(value) | 0x80);
            value >>= 7;
        }
        self.push(low_byte(value));
    }

    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.bytes.len()).max(1 << 12);
        self.bytes.resize(len, 0);
    }

    /// Returns `n` free bytes at the end. [`Self::advance`] appends those that were written.
    pub(super) fn room(&mut self, n: usize) -> &mut [u8] {
        let end = self.len + n;
        if end > self.bytes.len() {
            self.bytes.resize(end.max(2 * self.bytes.len()), 0);
        }
        &mut self.bytes[self.len..end]
    }

    /// Appends the first `n` bytes of [`Self::room`].
    pub(super) fn advance(&mut self, n: usize) {
        self.len += n;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the bytes that were written, and resets the buffer.
    pub(super) fn take(&mut self) -> Box<[u8]> {
        let bytes = self.bytes[..self.len].into();
        self.len = 0;
        bytes
    }
}

/// Returns the bytes of [`write_varint`] as a word, and their number. The value is below 2^[`WORD_BITS`].
#[inline(always)]
pub(super) fn varint_word(value: u64) -> (u64, usize) {
    if value < 1 << 14 {
        let is_long = u64::from(value >= 0x80);
        let word = value & 0x7f | is_long << 7 | value >> 7 << 8;
        return (word, if is_long == 1 { 2 } else { 1 });
    }
    let (more, n) = LENGTHS[(value | 1).leading_zeros() as usize % LENGTHS.len()];
    (spread(value) | more, n as usize)
}

/// For each number of leading zeros the bits that say that another byte follows, and the number of bytes.
static LENGTHS: [(u64, u32); 64] = lengths();

const fn lengths() -> [(u64, u32); 64] {
    let mut lengths = [(0, 0); 64];
    let mut zeros = 0;
    while zeros < 64 {
        let n = (70 - zeros) / 7;
        let more = if n <= WORD { MORE & !(u64::MAX << (8 * (n - 1))) } else { 0 };
        lengths[zeros as usize] = (more, n);
        zeros += 1;
    }
    lengths
}

/// Spreads the lowest 56 bits over eight bytes, seven bits in each.
#[inline]
fn spread(value: u64) -> u64 {
    let fours = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
    let twos = fours & 0x0000_3fff_0000_3fff | (fours & 0x0fff_c000_0fff_c000) << 2;
    twos & 0x007f_007f_007f_007f | (twos & 0x3f80_3f80_3f80_3f80) << 1
}

/// Reverses [`spread`].
#[inline]
fn gather(spread: u64) -> u64 {
    let twos = spread & 0x007f_007f_007f_007f | (spread & 0x7f00_7f00_7f00_7f00) >> 1;
    let fours = twos & 0x0000_3fff_0000_3fff | (twos & 0x3fff_0000_3fff_0000) >> 2;
    fours & 0x0fff_ffff | (fours & 0x0fff_ffff_0000_0000) >> 4
}

/// Takes a number from the front of `bytes`, or returns `None` if the number does not end there.
#[inline]
pub fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let Some((value, rest)) = read_short(bytes) else { return read_bytewise(bytes) };
    *bytes = rest;
    Some(value)
}

/// Returns the number at the front of `bytes` and the bytes after it. Returns `None` for a number of more than eight bytes,
/// and if fewer than eight bytes are left.
#[inline(always)]
pub(super) fn read_short(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let word = u64::from_le_bytes(*bytes.first_chunk()?);
    let ends = !word & MORE;
    if ends == 0 {
        return None;
    }
    // The bits up to the end of the first number.
    let own = word & (ends ^ (ends - 1));
    let rest = bytes.get(ends.trailing_zeros() as usize / 8 + 1..)?;
    Some((gather(own & !MORE), rest))
}

/// Reads the same number as [`read_varint`], but byte by byte: near the end of the bytes, and for numbers of nine or
/// ten bytes.
#[inline(never)]
fn read_bytewise(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn a_tail_has_the_bytes_of_its_numbers() {
        cases(600).check(|u| {
            let (mut tail, mut naive) = (Tail::default(), Vec::new());
            for _ in 0..u.int_in_range(0..=2)? {
                for _ in 0..u.int_in_range(0..=1200)? {
                    let value = u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?;
                    if u.ratio(1, 3)? {
                        tail.push(low_byte(value));
                        naive.push(low_byte(value));
                    } else {
                        let tag = &[0xa5, 0x5a][..u.int_in_range(0..=2)?];
                        match *tag {
                            [a, b] => tail.tagged([a, b], value),
                            [a] => tail.tagged([a], value),
                            _ => tail.tagged([], value),
                        }
                        naive.extend_from_slice(tag);
                        write_varint(&mut naive, value);
                    }
                }
                assert_eq!(*tail.take(), *naive);
                naive.clear();
            }
            Ok(())
        });
    }

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for value in (0..64).flat_map(|bit| [1 << bit, (1 << bit) - 1, u64::MAX << bit]) {
            let mut tail = Tail::default();
            tail.tagged([], value);
            let bytes = tail.take();
            let bits = 64 - (value | 1).leading_zeros();
            assert_eq!(bytes.len(), bits.div_ceil(7) as usize);
            for n_more in [0, 1, 7, 9] {
                for more in [0, 0xff] {
                    let bytes = [&*bytes, &vec![more; n_more]].concat();
                    let mut rest = &*bytes;
                    assert_eq!(read_varint(&mut rest), Some(value));
                    assert_eq!(rest.len(), n_more);
                }
            }
            assert_eq!(read_varint(&mut &bytes[..bytes.len() - 1]), None);
        }
    }
}
