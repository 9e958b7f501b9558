//! The samples of a chunk in the making, by fields.
//!
//! All fields of a block of samples are in the nearest cache. A whole block goes to the list of each field,
//! and a field that has had one value so far has no list.

use super::column::Column;
use super::{Field, N_FIELDS, SampleChunk};

/// The number of samples in a block.
const BLOCK: usize = 128;

/// Samples as numbers.
#[derive(Debug)]
pub(super) struct Rows {
    block: Box<[[u64; BLOCK]; N_FIELDS]>,
    in_block: usize,
    /// Samples of the blocks before.
    n: usize,
    fields: [Values; N_FIELDS],
}

/// The numbers of one field.
#[derive(Debug, Default)]
struct Values {
    least: u64,
    most: u64,
    /// None while all are alike.
    list: Vec<u64>,
}

impl Default for Rows {
    fn default() -> Self {
        let fields = std::array::from_fn(|_| Values::default());
        Self { block: Box::new([[0; BLOCK]; N_FIELDS]), in_block: 0, n: 0, fields }
    }
}

/// A sample in a block.
#[derive(Debug)]
pub(super) struct Row<'a> {
    block: &'a mut [[u64; BLOCK]; N_FIELDS],
    at: usize,
}

impl Row<'_> {
    #[inline(always)]
    pub(super) fn set(&mut self, field: Field, value: u64) {
        self.block[field as usize][self.at % BLOCK] = value;
    }
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.n + self.in_block
    }

    /// Returns the next sample; fields that are not set are what an earlier one left.
    #[inline(always)]
    pub(super) fn row(&mut self) -> Row<'_> {
        Row { block: &mut self.block, at: self.in_block % BLOCK }
    }

    /// The next sample is set.
    #[inline]
    pub(super) fn next(&mut self) {
        self.in_block += 1;
        if self.in_block == BLOCK {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let (before, n) = (self.n, self.in_block);
        for (values, block) in self.fields.iter_mut().zip(self.block.iter()) {
            values.add(before, &block[..n]);
        }
        self.n += n;
        self.in_block = 0;
    }

    /// Returns the chunk of what there is; nothing is left.
    pub(super) fn take(&mut self) -> SampleChunk {
        self.end_block();
        let n = std::mem::take(&mut self.n);
        let columns = self.fields.each_mut().map(|values| {
            let column = Column::new(values.least, values.most, &values.list);
            values.list.clear();
            column
        });
        SampleChunk { n, columns }
    }
}

impl Values {
    /// Adds numbers to the `before` that there are.
    fn add(&mut self, before: usize, block: &[u64]) {
        let Some(first) = block.first().copied() else { return };
        if before == 0 {
            (self.least, self.most) = (first, first);
        }
        let old = self.least;
        // Told apart from the search for the ends, since most fields seldom change.
        if block.iter().fold(first ^ old, |bits, value| bits | (value ^ first)) != 0 {
            for value in block {
                self.least = self.least.min(*value);
                self.most = self.most.max(*value);
            }
            if self.list.is_empty() {
                self.list.resize(before, old);
            }
        } else if self.list.is_empty() {
            return;
        }
        self.list.extend_from_slice(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    /// Every field comes back, whether it changes in the first block, in a later one or never.
    #[test]
    fn a_chunk_has_what_was_set() {
        const BEGINS: [usize; 6] = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK];
        cases(550).check(|u| {
            let mut rows = Rows::default();
            for _ in 0..2 {
                let n = u.int_in_range(1..=3 * BLOCK)?;
                let mut expected = vec![[0; N_FIELDS]; n];
                for place in 0..N_FIELDS {
                    let (base, step): (u64, u32) = u.arbitrary()?;
                    let begin = *u.choose(&BEGINS)?;
                    for (at, row) in expected.iter_mut().enumerate() {
                        let steps = (at + 1).saturating_sub(begin) as u64;
                        row[place] = base ^ (steps * u64::from(step));
                    }
                }
                for row in &expected {
                    for (field, value) in rows.block.iter_mut().zip(row) {
                        field[rows.in_block] = *value;
                    }
                    rows.next();
                }
                assert_eq!(rows.len(), n);
                let chunk = rows.take();
                for (at, row) in expected.iter().enumerate() {
                    let got = chunk.columns.each_ref().map(|column| column.get(at));
                    assert_eq!(got, *row, "{at}");
                }
                assert_eq!((chunk.n, rows.len()), (n, 0));
            }
            Ok(())
        });
    }
}
