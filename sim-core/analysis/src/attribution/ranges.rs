//! Named ranges of memory.

use std::ops::Range;

use crate::regions::{Records, infer};
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::{Mapping, PageUse, RegionKind, Trace};

/// The most ranges that are read from a memory map. Regions in the rest of a longer map are inferred.
pub(super) const MAX_RANGES: usize = 1 << 16;

/// A range of memory with a name.
pub(crate) struct Named {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) name: String,
    pub(crate) kind: RegionKind,
    pub(crate) inferred: bool,
    /// Whether it is a part of a mapping, such as a variable or a block of the heap.
    pub(crate) is_part: bool,
}

pub(crate) fn range_of(ranges: &[Named], address: u64) -> Option<usize> {
    let at = ranges.partition_point(|range| range.start <= address).checked_sub(1)?;
    (address < ranges[at].end).then_some(at)
}

/// Returns the ranges of the memory map, as [`ranges`] does, without the names of their parts.
pub(crate) fn whole_ranges(trace: &Trace, used: &[PageUse]) -> Vec<Named> {
    let is_whole = |mapping: &&Mapping| !mapping.is_name;
    of(&trace.mappings().iter().filter(is_whole).collect::<Vec<_>>(), used)
}

/// Returns named ranges of memory without overlaps, by rising address. They come from the memory map; if several
/// records cover an address, the last one counts. In the gaps of the map, ranges are inferred from the `used` pages.
/// Neighbours with one name are joined.
pub(crate) fn ranges(trace: &Trace, used: &[PageUse]) -> Vec<Named> {
    of(&trace.mappings().iter().collect::<Vec<_>>(), used)
}

fn of(mappings: &[&Mapping], used: &[PageUse]) -> Vec<Named> {
    let records = Records::new(mappings.iter().copied(), MAX_RANGES);
    let mut all: Vec<Named> = records
        .all()
        .map(|(Range { start, end }, at)| {
            let mapping = mappings[at];
            let name = if mapping.name.is_empty() { mapping.kind.name() } else { &mapping.name };
            let (name, kind, is_part) = (name.to_owned(), mapping.kind, mapping.is_name);
            Named { start, end, name, kind, inferred: false, is_part }
        })
        .collect();
    let is_mapped = |page: &&PageUse| range_of(&all, page.page.start()).is_none();
    let unknown: Vec<PageUse> = used.iter().filter(is_mapped).copied().collect();
    let guessed: Vec<Named> = infer(&unknown)
        .into_iter()
        .map(|region| Named {
            start: region.start.0,
            end: region.end.0,
            name: region.name,
            kind: region.kind,
            inferred: true,
            is_part: false,
        })
        .collect();
    for guess in guessed {
        // Ranges of the memory map cut an inferred region into parts.
        let mut start = guess.start;
        let inside = records.within(guess.start..guess.end).map(|(range, _)| range);
        for known in inside.chain(std::iter::once(guess.end..guess.end)) {
            if start < known.start {
                let (name, kind) = (guess.name.clone(), guess.kind);
                let end = known.start;
                all.push(Named { start, end, name, kind, inferred: true, is_part: false });
            }
            start = start.max(known.end);
        }
    }
    sort_by_numbers(&mut all, |range| (range.start, 0));
    all.dedup_by(|next, last| {
        let joins = last.end == next.start && last.name == next.name;
        if joins {
            last.end = next.end;
        }
        joins
    });
    all
}
