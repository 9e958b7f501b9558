//! The checks of xz over the decompressed bytes of a block: none, CRC-32, CRC-64 or SHA-256.

use std::sync::LazyLock;

use crc::{CRC_64_XZ, Digest, Table};
use flate2::Crc;
use sha2::{Digest as _, Sha256};

/// The first xz file computes the tables. As constants, they would add 32 KiB to the wasm module.
static CRC_64: LazyLock<crc::Crc<u64, Table<16>>> =
    LazyLock::new(|| crc::Crc::<u64, Table<16>>::new(&CRC_64_XZ));

/// A check that is being computed.
pub(super) enum Check {
    None,
    Crc32(Crc),
    Crc64(Digest<'static, u64, Table<16>>),
    Sha256(Box<Sha256>),
}

impl Check {
    /// Starts the check that the flags of a stream name, or returns `None` if `xz` does not write such a
    /// check.
    pub(super) fn of(id: u8) -> Option<Self> {
        match id {
            0 => Some(Self::None),
            1 => Some(Self::Crc32(Crc::new())),
            4 => Some(Self::Crc64(CRC_64.digest())),
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
            Self::Crc64(crc) => crc.update(bytes),
            Self::Sha256(sha) => sha.update(bytes),
        }
    }

    /// Returns whether the file has the same check.
    pub(super) fn is(self, stored: &[u8]) -> bool {
        match self {
            Self::None => stored.is_empty(),
            Self::Crc32(crc) => crc.sum().to_le_bytes() == stored,
            Self::Crc64(crc) => crc.finalize().to_le_bytes() == stored,
            Self::Sha256(sha) => sha.finalize().as_slice() == stored,
        }
    }
}
