//! The checks of xz over the decompressed bytes of a block: none, CRC-32, CRC-64 or SHA-256.

use flate2::Crc;
use sha2::{Digest as _, Sha256};

/// A check that is being computed.
pub(super) enum Check {
    None,
    Crc32(Crc),
    Crc64(u64),
    Sha256(Box<Sha256>),
}

impl Check {
    /// Starts the check that the flags of a stream name, or returns `None` if `xz` does not write such a
    /// check.
    pub(super) fn of(id: u8) -> Option<Self> {
        match id {
            0 => Some(Self::None),
            1 => Some(Self::Crc32(Crc::new())),
            4 => Some(Self::Crc64(!0)),
            10 => Some(Self::Sha256(Box::default())),
            _ => None,
        }
    }

    /// Returns the size of the check in the file, in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Crc32(_) => 4,
            Self::Crc64(_) => 8,
            Self::Sha256(_) => 32,
        }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::None => {}
            Self::Crc32(crc) => crc.update(bytes),
            Self::Crc64(crc) => *crc = crc64(*crc, bytes),
            Self::Sha256(sha) => sha.update(bytes),
        }
    }

    /// Returns whether the file has the same check.
    pub(super) fn is(self, stored: &[u8]) -> bool {
        match self {
            Self::None => stored.is_empty(),
            Self::Crc32(crc) => crc.sum().to_le_bytes() == stored,
            Self::Crc64(crc) => (!crc).to_le_bytes() == stored,
            Self::Sha256(sha) => sha.finalize().as_slice() == stored,
        }
    }
}

/// The polynomial of ECMA-182, with its lowest power in the highest bit.
const POLYNOMIAL: u64 = 0xc96c_5795_d787_0f42;

/// The effect of each byte on the checksum: the first table for the last byte of a group, the eighth for the
/// first.
static TABLES: [[u64; 256]; 8] = tables();

const fn tables() -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// Adds eight bytes at a time.
fn crc64(mut crc: u64, bytes: &[u8]) -> u64 {
    let mut rest = bytes;
    while let Some((group, after)) = rest.split_first_chunk::<8>() {
        rest = after;
        let mixed = (crc ^ u64::from_le_bytes(*group)).to_le_bytes();
        let tables = TABLES.iter().rev();
        crc =
            mixed.iter().zip(tables).fold(0, |crc, (byte, table)| crc ^ table[usize::from(*byte)]);
    }
    for byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = crc >> 8 ^ TABLES[0][usize::from(low ^ byte)];
    }
    crc
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds one bit at a time.
    fn slow(bytes: &[u8]) -> u64 {
        !bytes.iter().fold(!0, |crc, byte| {
            (0..8).fold(crc ^ u64::from(*byte), |crc: u64, _| {
                if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 }
            })
        })
    }

    #[test]
    fn crc_64_is_that_of_one_bit_after_the_other() {
        // The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
        assert_eq!(!crc64(!0, b"123456789"), 0x995d_c9bb_df19_39fa);
        let bytes: Vec<u8> = (0..100u8).map(|n| n.wrapping_mul(37)).collect();
        for end in 0..bytes.len() {
            assert_eq!(!crc64(!0, &bytes[..end]), slow(&bytes[..end]));
            let (first, second) = bytes[..end].split_at(end / 3);
            assert_eq!(crc64(crc64(!0, first), second), crc64(!0, &bytes[..end]));
        }
    }
}
