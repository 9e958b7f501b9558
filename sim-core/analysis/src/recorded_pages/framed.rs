//! Which pages of a size the frames of a recording allow. A process can have millions of frames and thousands of mappings, so
//! the frames are read once for each size.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk_base::trace::FrameRun;

use super::union;

/// The pages of one size, as ranges of their numbers that rise and do not overlap.
pub(super) struct Framed {
    /// The pages whose frames lie together and are aligned.
    fit: Vec<Range<u64>>,
    /// The pages with any frame.
    known: Vec<Range<u64>>,
}

/// The pages of each size that was asked for, by log2 of its bytes.
#[derive(Default)]
pub(super) struct BySize(BTreeMap<u8, Framed>);

impl BySize {
    /// Returns the pages of a size. The frames are the same in every call.
    pub(super) fn framed(&mut self, shift: u8, frames: &BTreeMap<u64, FrameRun>) -> &Framed {
        self.0.entry(shift).or_insert_with(|| Framed::of(shift, frames))
    }
}

impl Framed {
    fn of(shift: u8, frames: &BTreeMap<u64, FrameRun>) -> Self {
        let bytes = 1_u64 << shift;
        let (mut fit, mut known) = (Vec::new(), Vec::new());
        for run in frames.values().filter(|run| run.start < run.end) {
            known.push(run.start >> shift..((run.end - 1) >> shift) + 1);
            let numbers = run.start.div_ceil(bytes)..run.end >> shift;
            let first = numbers.start.checked_mul(bytes).and_then(|start| run.at(start));
            if !numbers.is_empty() && first.is_some_and(|frame| frame.is_multiple_of(bytes)) {
                fit.push(numbers);
            }
        }
        Self { fit: union(fit), known: union(known) }
    }

    /// Returns the pages in a range of numbers whose frames lie together and are aligned.
    pub(super) fn fit(&self, numbers: &Range<u64>) -> Vec<Range<u64>> {
        overlapping(&self.fit, numbers)
    }

    /// Returns the pages in a range of numbers with any frame.
    pub(super) fn known(&self, numbers: &Range<u64>) -> Vec<Range<u64>> {
        overlapping(&self.known, numbers)
    }
}

/// Returns those of rising ranges that overlap a range.
fn overlapping(all: &[Range<u64>], with: &Range<u64>) -> Vec<Range<u64>> {
    let from = all.partition_point(|each| each.end <= with.start);
    let more = all[from..].partition_point(|each| each.start < with.end);
    all[from..from + more].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_only_touch_do_not_overlap() {
        let all = [1..3, 5..7, 7..9];
        let found = |with| overlapping(&all, &with);
        assert_eq!(found(3..5), []);
        assert_eq!(found(2..5), vec![Range { start: 1, end: 3 }]);
        assert_eq!(found(6..8), [5..7, 7..9]);
        assert_eq!(found(9..20), []);
    }
}
