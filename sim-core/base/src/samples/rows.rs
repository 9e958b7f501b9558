//! The samples of an unfinished chunk, by field.
//!
//! All fields of a block of samples fit in the nearest cache. When a block is full, its values move to the list of
//! each field. A field whose values are all equal has no list.

use super::column::Column;
use super::{Field, N_FIELDS, SampleChunk};

/// The number of samples in a block.
const BLOCK: usize = 128;

/// The samples of an unfinished chunk.
#[derive(Debug)]
pub(super) struct Rows {
    block: Box<[[u64; BLOCK]; N_FIELDS]>,
    in_block: usize,
    /// The number of samples in the previous blocks.
    n: usize,
    fields: [Values; N_FIELDS],
}

/// The numbers of one field.
#[derive(Debug, Default)]
struct Values {
    least: u64,
    most: u64,
    /// The values, or no values while all are equal.
    list: Vec<u64>,
}

impl Default for Rows {
    fn default() -> Self {
        let fields = std::array::from_fn(|_| Values::default());
        Self { block: Box::new([[0; BLOCK]; N_FIELDS]), in_block: 0, n: 0, fields }
    }
}

/// One sample of a block.
#[derive(Debug)]
pub(super) struct Row<'a> {
    block: &'a mut [[u64; BLOCK]; N_FIELDS],
    at: usize,
}

impl Row<'_> {
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn set(&mut self, field: Field, value: u64) {
        self.block[field as usize][self.at % BLOCK] = value;
    }
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.n + self.in_block
    }

    /// Returns the next sample. A field that is not set keeps the value of an earlier sample.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn row(&mut self) -> Row<'_> {
        Row { block: &mut self.block, at: self.in_block % BLOCK }
    }

    /// Ends the sample that was set.
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

    /// Makes a chunk of all samples, and leaves none behind.
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
    /// Adds a block of values after the first `before` values.
    fn add(&mut self, before: usize, block: &[u64]) {
        let Some(first) = block.first().copied() else { return };
        if before == 0 {
            (self.least, self.most) = (first, first);
        }
        let old = self.least;
        // Most fields seldom change. So this test runs before the search for the least and the largest value.
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

    /// Every field is read as it was set, whether it changes in the first block, in a later one or never.
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
