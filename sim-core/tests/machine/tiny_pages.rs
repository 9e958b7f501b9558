//! Machines of textbooks have pages below 4 KiB. Pictures and tables count these pages, not pages of 4 KiB.

use std::rc::Rc;

use crate::common::{machine, trace};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk_analysis::attribution::Attribution;
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::addr::PageSize;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Access, Kind};

/// 256 pages of 64 B, one table, four entries.
const TINY: &str = r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]},
    "l1": [{"name": "TLB", "entries": 4}]}"#;

/// Touches 64 pages of 64 B, with a gap of 8 pages between two halves. The last access straddles two pages.
fn replay() -> Replay {
    let numbers = (0..32).chain(40..71);
    let mut accesses: Vec<Access> =
        numbers.map(|number| Access::new(Kind::Load, number * 64 + 8, 8)).collect();
    accesses.push(Access::new(Kind::Store, 71 * 64 - 4, 8));
    let mut replay = Replay::new(
        Rc::new(trace(&accesses)),
        machine(TINY, r#"{"default": "64"}"#),
        CHECKPOINT_BYTES,
    );
    while !replay.run(10).unwrap() {}
    replay
}

#[test]
fn the_timeline_counts_pages_of_64_bytes() {
    let replay = replay();
    let mut timeline = Timeline::new(&replay, 0, 64, 64, 64);
    while !timeline.go_on(replay.trace(), 10) {}
    let view = &timeline.view;
    assert_eq!(view.page_size, PageSize(6));
    let [region] = view.regions.as_slice() else { panic!("{:?}", view.regions) };
    assert_eq!((region.pages, region.start.0, region.end.0), (64, 0, 72 * 64));
    assert_eq!((view.rows, region.accesses), (64, 64));
    // Each access has a row of its own, from the lowest address up, and the last one is in the row of the page before.
    for (at, cells) in timeline.density.chunks(64).enumerate() {
        let row = 63 - at;
        let expected = match row {
            63 => vec![],
            62 => vec![62, 63],
            _ => vec![row],
        };
        let found: Vec<usize> = (0..64).filter(|bin| cells[*bin] > 0).collect();
        assert_eq!(found, expected, "row {row}");
    }
    // The second half of the last access is a first touch on the highest page.
    assert_eq!(timeline.cell_faults[63], 1);
}

#[test]
fn the_attribution_counts_pages_of_64_bytes() {
    let replay = replay();
    let mut counting = Attribution::new(&replay);
    while !counting.go_on(replay.trace(), 10) {}
    let view = counting.view(replay.trace(), &Samples::default());
    assert_eq!((view.pages.rows.len(), view.total.faults), (64, 64));
    for row in &view.pages.rows {
        assert_eq!((row.end.0 - row.start.0, row.counts.faults), (64, 1), "{row:?}");
    }
}
