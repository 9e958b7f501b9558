//! The framing of a section.

use super::MAX_SECTION;
use crate::trace::varint::{read_varint, write_varint};

/// Appends a section to `bytes`.
pub(super) fn write_section(bytes: &mut Vec<u8>, tag: u8, payload: &[u8]) {
    bytes.push(tag);
    write_varint(bytes, payload.len() as u64);
    bytes.extend_from_slice(payload);
    bytes.extend_from_slice(&checksum(tag, payload).to_le_bytes());
}

fn checksum(tag: u8, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[tag]);
    hasher.update(payload);
    hasher.finalize()
}

/// Computes CRC-32 bit by bit, as a slow oracle for [`checksum`].
#[cfg(test)]
fn bitwise(tag: u8, payload: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |sum: u32, _| sum >> 1 ^ POLYNOMIAL & (sum & 1).wrapping_neg();
    let add = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), step);
    !std::iter::once(&tag).chain(payload).fold(!0, add)
}

/// A complete section at the beginning of a slice.
#[derive(Debug)]
pub(super) struct Framed<'a> {
    pub(super) tag: u8,
    pub(super) payload: &'a [u8],
    /// The size of the whole section in bytes.
    pub(super) size: usize,
}

/// The result of reading a section from the beginning of a slice.
pub(super) enum Frame<'a> {
    Whole(Framed<'a>),
    /// The section is incomplete: more bytes are needed.
    Part,
    Damaged,
}

pub(super) fn read_section(bytes: &[u8]) -> Frame<'_> {
    let Some((&tag, mut rest)) = bytes.split_first() else { return Frame::Part };
    let Some(length) = read_varint(&mut rest) else {
        // A number has at most ten bytes.
        return if rest.len() < 10 { Frame::Part } else { Frame::Damaged };
    };
    let Some(length) = usize::try_from(length).ok().filter(|length| *length <= MAX_SECTION) else {
        return Frame::Damaged;
    };
    let Some((payload, rest)) = rest.split_at_checked(length) else { return Frame::Part };
    let Some(&sum) = rest.first_chunk::<4>() else { return Frame::Part };
    if u32::from_le_bytes(sum) != checksum(tag, payload) {
        return Frame::Damaged;
    }
    Frame::Whole(Framed { tag, payload, size: bytes.len() - rest.len() + 4 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_the_same_checksum() {
        // The CRC-32 of "123456789" is the usual check value.
        assert_eq!(bitwise(b'1', b"23456789"), 0xcbf4_3926);
        let payload: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for n in 0..payload.len() {
            assert_eq!(bitwise(7, &payload[..n]), checksum(7, &payload[..n]));
        }
    }
}
