//! The index at the end of a stream of xz, which repeats the sizes of its blocks.

use std::hash::{DefaultHasher, Hasher as _};

use flate2::Crc;

use super::header::number;

/// Compares the index with the blocks that were read. It keeps only hashes of both.
#[derive(Default)]
pub(super) struct Index {
    blocks: Sizes,
    listed: Sizes,
    part: Part,
    /// The bytes of the number that is being read.
    digits: Vec<u8>,
    crc: Crc,
    /// The number of bytes until now.
    size: u64,
}

#[derive(Default)]
struct Sizes {
    n: u64,
    hasher: DefaultHasher,
}

#[derive(Clone, Copy, Default)]
enum Part {
    #[default]
    Count,
    /// The number of sizes that are still to come, two for each block.
    Sizes(u64),
    Padding,
    Crc,
}

/// What a byte of the index completes.
pub(super) enum Step {
    More,
    End,
    Wrong,
}

impl Index {
    /// Records a block: its compressed size without padding, and its decompressed size.
    pub(super) fn expect(&mut self, packed: u64, unpacked: u64) {
        self.blocks.n += 1;
        self.blocks.hasher.write_u64(packed);
        self.blocks.hasher.write_u64(unpacked);
    }

    /// Begins the index, after its first byte, 0.
    pub(super) fn begin(&mut self) {
        self.crc.update(&[0]);
        self.size = 1;
    }

    /// Returns the size of the index in bytes, including its CRC-32.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Takes the next byte.
    pub(super) fn push(&mut self, byte: u8) -> Step {
        // There is no padding if the sizes fill four bytes.
        if matches!(self.part, Part::Padding) && self.size.is_multiple_of(4) {
            self.part = Part::Crc;
        }
        self.size += 1;
        match self.part {
            Part::Crc => return self.push_crc(byte),
            Part::Padding if byte == 0 => {}
            Part::Padding => return Step::Wrong,
            Part::Count | Part::Sizes(_) => {
                self.digits.push(byte);
                if byte & 0x80 == 0 || self.digits.len() == 9 {
                    let Some((value, _)) = number(&self.digits) else { return Step::Wrong };
                    self.digits.clear();
                    if !self.take(value) {
                        return Step::Wrong;
                    }
                }
            }
        }
        self.crc.update(&[byte]);
        Step::More
    }

    /// Takes a complete number. Returns whether it can be right.
    fn take(&mut self, value: u64) -> bool {
        let missing = if let Part::Sizes(missing) = self.part {
            self.listed.hasher.write_u64(value);
            missing - 1
        } else {
            self.listed.n = value;
            value.saturating_mul(2)
        };
        self.part = if missing == 0 { Part::Padding } else { Part::Sizes(missing) };
        self.listed.n == self.blocks.n
            && (missing > 0 || self.listed.hasher.finish() == self.blocks.hasher.finish())
    }

    fn push_crc(&mut self, byte: u8) -> Step {
        let crc = self.crc.sum().to_le_bytes();
        let nth = self.digits.len();
        self.digits.push(byte);
        match crc.get(nth) {
            Some(expected) if *expected != byte => Step::Wrong,
            Some(_) if nth == 3 => {
                self.digits.clear();
                Step::End
            }
            _ => Step::More,
        }
    }
}
