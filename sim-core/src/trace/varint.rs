//! Numbers in as few bytes as they need: seven bits a byte, the lowest first.

pub(crate) fn write_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(low_byte(value) | 0x80);
        value >>= 7;
    }
    bytes.push(low_byte(value));
}

fn low_byte(value: u64) -> u8 {
    u8::try_from(value & 0x7f).expect("seven bits")
}

/// Takes a number from the front of `bytes`; `None` if it does not end there.
#[inline]
pub(crate) fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
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
