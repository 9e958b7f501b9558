//! A column of numbers. Each is kept as its difference to the least one, in as many bytes as the largest difference
//! needs.

use crate::trace::{read_varint, write_varint};

/// A column of numbers. It does not change.
#[derive(Debug, Default)]
pub(super) struct Column {
    least: u64,
    /// The number of bytes of each difference, 0 to 8.
    width: usize,
    /// The bytes of all differences, plus 8, because a difference is read as a whole word.
    bytes: Box<[u8]>,
}

impl Column {
    /// Makes a column of numbers from `least` to `most`. If all numbers are equal, `values` may be empty.
    pub(super) fn new(least: u64, most: u64, values: &[u64]) -> Self {
        let width = 8 - (most - least).leading_zeros() as usize / 8;
        let bytes = match width {
            0 => Vec::new(),
            1 => pack::<1>(least, values),
            2 => pack::<2>(least, values),
            3 => pack::<3>(least, values),
            4 => pack::<4>(least, values),
            5 => pack::<5>(least, values),
            6 => pack::<6>(least, values),
            7 => pack::<7>(least, values),
            _ => pack::<8>(least, values),
        };
        Self { least, width, bytes: bytes.into() }
    }

    /// Returns number `at`. The number must exist unless all numbers are equal.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u64 {
        if self.width == 0 {
            return self.least;
        }
        let start = at * self.width;
        let word = self.bytes[start..start + 8].try_into().expect("eight bytes");
        let mask = u64::MAX >> (64 - 8 * self.width);
        self.least + (u64::from_le_bytes(word) & mask)
    }

    /// Returns the largest of `n` numbers.
    pub(super) fn most(&self, n: usize) -> u64 {
        // If all numbers are equal, the first is the largest.
        let n = if self.width == 0 { n.min(1) } else { n };
        (0..n).map(|at| self.get(at)).max().unwrap_or(0)
    }

    /// Adds the column of `n` numbers to a saved file.
    pub(super) fn save(&self, bytes: &mut Vec<u8>, n: usize) {
        write_varint(bytes, self.least);
        write_varint(bytes, self.width as u64);
        bytes.extend_from_slice(&self.bytes[..n * self.width]);
    }

    /// Reads a column of `n` numbers from a saved file. Returns `None` if the bytes are damaged.
    pub(super) fn restore(bytes: &mut &[u8], n: usize) -> Option<Self> {
        let least = read_varint(bytes)?;
        let width = usize::try_from(read_varint(bytes)?).ok().filter(|width| *width <= 8)?;
        let (packed, rest) = bytes.split_at_checked(n.checked_mul(width)?)?;
        *bytes = rest;
        if width == 0 {
            return Some(Self { least, width, bytes: Box::default() });
        }
        let column = Self { least: 0, width, bytes: [packed, &[0; 8]].concat().into() };
        least.checked_add(column.most(n))?;
        Some(Self { least, ..column })
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// Packs the differences to `least` in `WIDTH` bytes each, and adds 8 bytes.
fn pack<const WIDTH: usize>(least: u64, values: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * WIDTH + 8];
    for (place, value) in bytes.chunks_exact_mut(WIDTH).zip(values) {
        place.copy_from_slice(&(value - least).to_le_bytes()[..WIDTH]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    fn pack(values: &[u64]) -> Column {
        let least = values.iter().copied().min().unwrap_or(0);
        let most = values.iter().copied().max().unwrap_or(0);
        Column::new(least, most, values)
    }

    #[test]
    fn a_column_gives_back_what_it_got() {
        cases(850).check(|u| {
            let bits: u32 = u.int_in_range(0..=63)?;
            let base: u64 = u.arbitrary()?;
            let n = u.int_in_range(0..=40)?;
            let values = (0..n).map(|_| Ok((u.arbitrary::<u64>()? >> bits).saturating_add(base)));
            let values: Vec<u64> = values.collect::<Result<_, cases::Error>>()?;
            let column = pack(&values);
            let back: Vec<u64> = (0..values.len()).map(|at| column.get(at)).collect();
            assert_eq!(back, values);
            Ok(())
        });
    }

    #[test]
    fn a_column_has_the_bytes_that_it_needs() {
        for (values, bytes) in [
            (&[][..], 0),
            (&[7, 7, 7], 0),
            (&[u64::MAX, u64::MAX - 255], 2 + 8),
            (&[0, 256, 1], 3 * 2 + 8),
            (&[0, u64::MAX], 2 * 8 + 8),
        ] {
            assert_eq!(pack(values).bytes(), bytes, "{values:?}");
        }
    }
}
