//! Neighbouring picks as one row, with the name of the memory that they hold.

use std::collections::BTreeMap;

use serde::Serialize;

use super::remedies::is_cleared;
use super::{FirstTouches, HugeOptions, HugePick, HugeSaving};
use crate::attribution::{Named, range_of, ranges, whole_ranges};
use pagewalk_base::addr::{AddressTags, Hex};
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::{RegionKind, Trace};

/// Picks that follow one another and hold the same memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct HugeRow {
    /// The name of the memory that has most of the used pages.
    pub name: String,
    pub kind: RegionKind,
    /// Whether the name is inferred from the use of pages.
    pub inferred: bool,
    pub start: Hex,
    /// The first address after the row.
    pub end: Hex,
    pub huge_pages: u32,
    /// The sums of the picks.
    pub walks: u64,
    pub miss_cycles: u64,
    pub touched_bytes: u64,
    /// Without faults if the pages come from a file.
    pub first_touches: FirstTouches,
    /// What only the huge pages of this row save, from a simulation; `None` if it was not simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<HugeSaving>,
    /// The variable or the heap blocks of this name, if the name is not that of a mapping.
    #[serde(skip)]
    pub(super) object: Option<Object>,
    /// The huge pages that lie wholly in a mapping. Others need memory that is aligned to them.
    #[serde(skip)]
    pub(super) n_inside: u32,
}

/// A variable, or heap blocks with one name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Object {
    /// The bytes of one of them.
    pub(super) bytes: u64,
    pub(super) n: u64,
}

/// Returns whether a range lies wholly in a known mapping. Of inferred memory, the edges are not known.
fn is_inside(whole: &[Named], start: u64, end: u64) -> bool {
    range_of(whole, start).is_some_and(|at| whole[at].inferred || end <= whole[at].end)
}

/// Joins picks to rows, those with the most miss cycles first. `ranges` are the numbers of the picks' ranges.
/// Returns each row with the numbers of its ranges.
pub(super) fn rows(
    trace: &Trace,
    tags: Option<AddressTags>,
    options: HugeOptions,
    picks: &[HugePick],
    numbers: &[u64],
) -> Vec<(HugeRow, Vec<u64>)> {
    let used = trace.pages_without(tags);
    let (named, whole) = (ranges(trace, &used), whole_ranges(trace, &used));
    let mut sorted: Vec<(&HugePick, u64)> = picks.iter().zip(numbers.iter().copied()).collect();
    sort_by_numbers(&mut sorted, |(pick, _)| (pick.start.0, 0));
    let mut rows: Vec<(HugeRow, Vec<u64>)> = Vec::new();
    for (pick, number) in sorted {
        let start = pick.start.0;
        let end = start.saturating_add(options.huge.bytes());
        let first = used.partition_point(|page| page.page.start() < start);
        let inside = used[first..].iter().take_while(|page| page.page.start() < end);
        let mut n_pages: BTreeMap<usize, usize> = BTreeMap::new();
        for range in inside.filter_map(|page| range_of(&named, page.page.start())) {
            *n_pages.entry(range).or_default() += 1;
        }
        // Of equal parts, the one with the lower address counts.
        let most = n_pages.iter().max_by_key(|(range, n)| (**n, std::cmp::Reverse(**range)));
        let most = most.map(|(range, _)| &named[*range]);
        let object = most.filter(|of| of.is_part).map(|of| Object {
            bytes: of.end - of.start,
            n: trace.places().blocks(&of.name).unwrap_or(1),
        });
        let (name, kind, inferred) = match most {
            Some(range) => (range.name.as_str(), range.kind, range.inferred),
            None => ("unknown", RegionKind::Anonymous, true),
        };
        let joins = rows.last().is_some_and(|(last, _)| last.end.0 == start && last.name == name);
        if !joins {
            let row = HugeRow {
                name: name.to_owned(),
                kind,
                inferred,
                start: pick.start,
                end: pick.start,
                huge_pages: 0,
                walks: 0,
                miss_cycles: 0,
                touched_bytes: 0,
                first_touches: FirstTouches::default(),
                alone: None,
                object,
                n_inside: 0,
            };
            rows.push((row, Vec::new()));
        }
        if let Some((row, of)) = rows.last_mut() {
            row.end = Hex(end);
            row.huge_pages += 1;
            row.n_inside += u32::from(inferred || is_inside(&whole, start, end));
            row.walks += pick.walks;
            row.miss_cycles += pick.miss_cycles();
            row.touched_bytes += pick.touched_bytes;
            of.push(number);
        }
    }
    for (row, _) in rows.iter_mut().filter(|(row, _)| is_cleared(row.kind)) {
        row.first_touches =
            FirstTouches::new(options, row.touched_bytes, u64::from(row.huge_pages));
    }
    sort_by_numbers(&mut rows, |(row, _)| (u64::MAX - row.miss_cycles, row.start.0));
    rows
}
