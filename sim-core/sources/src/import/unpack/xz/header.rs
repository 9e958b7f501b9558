//! The header of a block of xz, which names its filters (The .xz File Format 1.2.1, 3.1 and 5.3).

use flate2::Crc;
use lzma_rust2::filter::StreamFilter;
use lzma_rust2::{FilterConfig, FilterType};

/// The contents of the header of a block.
pub(super) struct BlockHeader {
    /// The compressed and decompressed size in bytes, if the header has them.
    pub(super) packed: Option<u64>,
    pub(super) unpacked: Option<u64>,
    /// The number of bytes of earlier output that LZMA2 refers to.
    pub(super) window: u64,
    /// The inverse filters, in the order in which they are applied after LZMA2.
    pub(super) filters: Vec<StreamFilter>,
}

/// The reason why a header cannot be used.
pub(super) enum Wrong {
    Damaged(&'static str),
    /// The unsupported part, in words that follow "uses".
    Unsupported(String),
}

/// Returns the size in bytes of the header whose first byte is `first`.
pub(super) fn header_size(first: u8) -> usize {
    4 * (usize::from(first) + 1)
}

/// Computes a CRC-32 as xz stores it.
pub(super) fn crc32(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Returns `bytes` without the CRC-32 at their end, if it is right.
pub(super) fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (content, crc) = bytes.split_last_chunk::<4>()?;
    (crc32(content) == *crc).then_some(content)
}

/// Reads a number of one to nine bytes, seven bits each, the lowest first. Returns it with the bytes after
/// it, or `None` if it is incomplete.
pub(super) fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = bytes.iter().take(9).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at(end + 1);
    // Only the shortest form of a number is valid.
    if end > 0 && digits[end] == 0 {
        return None;
    }
    let value = digits.iter().rev().fold(0, |value, digit| value << 7 | u64::from(digit & 0x7f));
    Some((value, rest))
}

impl BlockHeader {
    /// Reads a whole header.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Wrong> {
        const NOT_VALID: Wrong = Wrong::Damaged("the header of the block there is invalid");
        let content =
            checked(bytes).ok_or(Wrong::Damaged("the checksum of the header is wrong"))?;
        let [_, flags, rest @ ..] = content else { return Err(NOT_VALID) };
        if flags & 0x3c != 0 {
            return Err(Wrong::Unsupported(format!("block flags {flags:#04x}")));
        }
        let mut rest = rest;
        let mut next = |is_there: bool| {
            if !is_there {
                return Some(None);
            }
            let (value, after) = number(rest)?;
            rest = after;
            Some(Some(value))
        };
        let packed = next(flags & 0x40 != 0).ok_or(NOT_VALID)?;
        let unpacked = next(flags & 0x80 != 0).ok_or(NOT_VALID)?;
        let n_filters = usize::from(flags & 3) + 1;
        let mut filters = Vec::new();
        for _ in 1..n_filters {
            let (id, properties, after) = filter_flags(rest).ok_or(NOT_VALID)?;
            filters.push(filter(id, properties)?);
            rest = after;
        }
        filters.reverse();
        let (id, properties, padding) = filter_flags(rest).ok_or(NOT_VALID)?;
        let window = match (FilterType::try_from(id), properties) {
            (Ok(FilterType::Lzma2), [bits]) => window(*bits).ok_or(NOT_VALID)?,
            (Ok(_), _) => return Err(NOT_VALID),
            (Err(()), _) => return Err(unknown(id)),
        };
        if padding.iter().any(|byte| *byte != 0) {
            return Err(NOT_VALID);
        }
        Ok(Self { packed, unpacked, window, filters })
    }
}

/// Reads the id of a filter, its properties, and the bytes after them.
fn filter_flags(bytes: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (id, rest) = number(bytes)?;
    let (length, rest) = number(rest)?;
    let (properties, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    Some((id, properties, rest))
}

/// Makes the inverse of a filter that precedes LZMA2.
fn filter(id: u64, properties: &[u8]) -> Result<StreamFilter, Wrong> {
    let filter_type = FilterType::try_from(id).map_err(|()| unknown(id))?;
    let property = match (filter_type, properties) {
        (FilterType::Delta, [distance]) => Some(u32::from(*distance) + 1),
        (FilterType::Delta | FilterType::Lzma2, _) => None,
        // The position of the data in the program.
        (_, []) => Some(0),
        (_, place) => place.try_into().ok().map(u32::from_le_bytes),
    };
    let config = property.map(|property| FilterConfig { filter_type, property });
    let filter = config.and_then(|config| StreamFilter::new(&config).ok());
    filter.ok_or(Wrong::Damaged("the filters of the block are invalid"))
}

fn unknown(id: u64) -> Wrong {
    Wrong::Unsupported(format!("an unknown filter, {id:#x}"))
}

/// Returns the size of the window: 2 or 3 times a power of two, up to 4 GiB less one byte.
fn window(bits: u8) -> Option<u64> {
    match bits {
        0..40 => Some(u64::from(2 | bits & 1) << (bits / 2 + 11)),
        40 => Some(u32::MAX.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_form() {
        let check = |bytes: &[u8], expected: Option<u64>| {
            assert_eq!(number(bytes).map(|(value, _)| value), expected, "{bytes:x?}");
        };
        check(&[0], Some(0));
        check(&[0x7f], Some(127));
        check(&[0x80, 1], Some(128));
        check(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], Some(u64::MAX >> 1));
        check(&[0x80, 0], None);
        check(&[0x80], None);
        check(&[], None);
        check(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], None);
    }

    /// Reads a header with the contents `content` and a right checksum, and returns it or its error as text.
    fn read(content: &[u8]) -> String {
        let mut bytes = vec![0];
        bytes.extend(content);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes[0] = u8::try_from(bytes.len() / 4).unwrap();
        bytes.extend(crc32(&bytes));
        assert_eq!(bytes.len(), header_size(bytes[0]));
        match BlockHeader::parse(&bytes) {
            Ok(header) => format!(
                "{} KiB, {} filters, {:?} {:?}",
                header.window >> 10,
                header.filters.len(),
                header.packed,
                header.unpacked
            ),
            Err(Wrong::Damaged(why)) => format!("damaged: {why}"),
            Err(Wrong::Unsupported(what)) => format!("unsupported: {what}"),
        }
    }

    #[test]
    fn a_header_is_read_or_rejected() {
        let check =
            |content: &[u8], expected: &str| assert_eq!(read(content), expected, "{content:x?}");
        let invalid = "damaged: the header of the block there is invalid";
        let filters = "damaged: the filters of the block are invalid";
        check(&[0, 0x21, 1, 22], "8192 KiB, 0 filters, None None");
        check(&[0xc0, 0x90, 3, 5, 0x21, 1, 0], "4 KiB, 0 filters, Some(400) Some(5)");
        check(&[1, 4, 0, 0x21, 1, 0], "4 KiB, 1 filters, None None");
        check(&[3, 4, 4, 0, 0, 0, 0, 3, 1, 9, 0xa, 0, 0x21, 1, 0], "4 KiB, 3 filters, None None");
        // LZMA2 must be the last filter, and the only one of its kind.
        check(&[1, 0x21, 1, 0, 0x21, 1, 0], filters);
        check(&[0, 4, 0], invalid);
        check(&[1, 3, 0, 0x21, 1, 0], filters);
        check(&[1, 4, 2, 0, 0, 0x21, 1, 0], filters);
        check(&[0, 0x21, 1, 41], invalid);
        check(&[0, 0x21, 9, 0], invalid);
        check(&[0, 0x21, 1, 0, 7], invalid);
        check(&[0x40, 0x80], invalid);
        check(&[4, 0x21, 1, 0], "unsupported: block flags 0x04");
        check(&[0, 0x40, 0], "unsupported: an unknown filter, 0x40");
        check(&[1, 0x40, 0, 0x21, 1, 0], "unsupported: an unknown filter, 0x40");
    }

    #[test]
    fn windows_are_those_of_the_presets_of_xz() {
        assert_eq!(
            [0, 1, 12, 22, 28, 30].map(window),
            [4, 6, 256, 8192, 65_536, 131_072].map(|kib: u64| Some(kib << 10))
        );
        assert_eq!([39, 40, 41].map(window), [Some(3 << 30), Some((4 << 30) - 1), None]);
    }
}
