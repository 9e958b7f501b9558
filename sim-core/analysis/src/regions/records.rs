//! The record of a memory map for each address. If several records cover an address, the last one counts.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk_base::trace::Mapping;

/// Ranges without overlaps: a map from the start of each to its end and the index of its record.
#[derive(Clone, Debug, Default)]
pub struct Records(BTreeMap<u64, (u64, usize)>);

impl Records {
    /// Reads the records of memory maps until there are `most` ranges.
    pub fn new<'a>(mappings: impl IntoIterator<Item = &'a Mapping>, most: usize) -> Self {
        let mut records = Self::default();
        for (at, mapping) in mappings.into_iter().enumerate() {
            if records.0.len() >= most {
                break;
            }
            records.put(mapping.start..mapping.end, at);
        }
        records
    }

    /// Puts a record in the place of all that it overlaps.
    pub fn put(&mut self, range: Range<u64>, at: usize) {
        self.take_out(range.clone());
        self.0.insert(range.start, (range.end, at));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the range that has an address, with the index of the record.
    pub fn at(&self, address: u64) -> Option<(Range<u64>, usize)> {
        let (start, (end, at)) = self.0.range(..=address).next_back()?;
        (address < *end).then_some((*start..*end, *at))
    }

    /// Returns all ranges by rising address, with the index of the record.
    pub fn all(&self) -> impl Iterator<Item = (Range<u64>, usize)> {
        self.0.iter().map(|(start, (end, at))| (*start..*end, *at))
    }

    /// Returns the ranges that overlap `range`, by rising address.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, usize)> {
        let before = self.0.range(..range.start).next_back();
        let inside = self.0.range(range.start..range.end.max(range.start));
        let found = before.into_iter().chain(inside);
        let found = found.map(|(start, (end, at))| (*start..*end, *at));
        found.filter(move |(known, _)| known.end > range.start)
    }

    /// Removes what overlaps a range from it.
    pub fn take_out(&mut self, hole: Range<u64>) {
        let touched: Vec<(Range<u64>, usize)> = self.within(hole.clone()).collect();
        for (Range { start, end }, at) in touched {
            self.0.remove(&start);
            if start < hole.start {
                self.0.insert(start, (hole.start, at));
            }
            if end > hole.end {
                self.0.insert(hole.end, (end, at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    /// Returns the last record that covers an address.
    fn naive(mappings: &[Mapping], address: u64) -> Option<usize> {
        mappings.iter().rposition(|mapping| (mapping.start..mapping.end).contains(&address))
    }

    #[test]
    fn of_several_records_the_last_counts_for_an_address() {
        cases(800).check(|u| {
            let mut mappings = Vec::new();
            for _ in 0..u.int_in_range(0..=12)? {
                let start = u.int_in_range(0..=40u64)?;
                let end = start + u.int_in_range(1..=12)?;
                mappings.push(Mapping::new(1, start << 12..end << 12, 0, false, "").unwrap());
            }
            let records = Records::new(&mappings, usize::MAX);
            for page in 0..60u64 {
                let range = page << 12..(page + 1) << 12;
                let found: Vec<usize> = records.within(range.clone()).map(|(_, at)| at).collect();
                let expected: Vec<usize> = naive(&mappings, range.start).into_iter().collect();
                assert_eq!(found, expected, "{mappings:?}");
            }
            let all: Vec<Range<u64>> = records.all().map(|(range, _)| range).collect();
            assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "{all:?}");
            Ok(())
        });
    }
}
