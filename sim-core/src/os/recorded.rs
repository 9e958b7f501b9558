//! The frames that pages had when a program was recorded.
//!
//! ```text
//! physical memory   0 ┌ recorded frames
//!         their end ┌ tables     1 GiB above ┌ frames of pages that have no recorded one
//! ```

use std::collections::BTreeMap;

use crate::page_table::{Frame, MAX_TABLES};
use pagewalk_base::addr::Paging;
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::FrameRun;

/// Recorded frames above this address are not used: a guest's memory must be one that the host's tables can map.
const MOST: u64 = 1 << 47;

/// The recorded frames of each process, by address and without overlaps.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Recorded {
    runs: BTreeMap<u32, Vec<FrameRun>>,
    /// Where the page tables begin.
    tables_at: u64,
}

impl Recorded {
    /// Takes the runs whose addresses and frames the machine has. Of runs that overlap, the lowest counts.
    pub(super) fn new(all: &[FrameRun], paging: &Paging) -> Self {
        let most = MOST >> 12u32.saturating_sub(u32::from(paging.offset_bits));
        let has = |run: &&FrameRun| {
            let last = run.physical.checked_add(run.end.saturating_sub(run.start));
            run.start < run.end
                && run.end - 1 <= paging.va_mask()
                && last.is_some_and(|end| end <= most)
        };
        let mut used: Vec<FrameRun> = all.iter().filter(has).copied().collect();
        sort_by_numbers(&mut used, |run| (run.pid.into(), run.start));
        let mut recorded = Self::default();
        let mut end = 0;
        for run in used {
            end = end.max(run.physical + (run.end - run.start));
            let runs: &mut Vec<FrameRun> = recorded.runs.entry(run.pid).or_default();
            if runs.last().is_none_or(|last| last.end <= run.start) {
                runs.push(run);
            }
        }
        // A table at address 0 would be hard to tell from none.
        recorded.tables_at = end.max(1).next_multiple_of(MAX_TABLES);
        recorded
    }

    /// Where the page tables begin, above all recorded frames.
    pub(super) fn tables_at(&self) -> u64 {
        self.tables_at
    }

    /// Where frames of other pages begin, above the tables.
    pub(super) fn others_at(&self) -> u64 {
        self.tables_at + MAX_TABLES
    }

    /// Returns the frame of the page of `bytes` with an address: its frames must be consecutive, and aligned as such a page
    /// needs them.
    pub(super) fn at(&self, pid: u32, address: u64, bytes: u64) -> Option<Frame> {
        let runs = self.runs.get(&pid)?;
        let start = address & !(bytes - 1);
        let run = runs.get(runs.partition_point(|run| run.end <= start))?;
        let frame = run.at(start).filter(|frame| frame.is_multiple_of(bytes))?;
        (run.end - start >= bytes).then_some(Frame::at(frame))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use super::*;
    use crate::os::{Frames, MemoryMap, Os, OsConfig};
    use crate::page_table::{NATIVE, PageTables};
    use cases::cases;
    use pagewalk_base::addr::{Leaf, Level};

    const PAGE: u64 = 1 << 12;

    fn os(frames: &[FrameRun]) -> (Os, PageTables) {
        let config = OsConfig { frames: Frames::Recorded, ..OsConfig::default() };
        let paging = Rc::new(Paging::x86(4));
        let known = MemoryMap { is_of_trace: true, frames, ..MemoryMap::default() };
        let os = Os::new(&config, &paging, &known).unwrap();
        let mut tables = PageTables::new(paging, NATIVE);
        tables.move_to(os.recorded_tables_at().unwrap());
        (os, tables)
    }

    /// Pages get the frames of a naive map, and others get frames that no page or table has.
    #[test]
    fn pages_get_their_recorded_frames() {
        cases(200).check(|u| {
            let mut naive: BTreeMap<(u32, u64), u64> = BTreeMap::new();
            let mut runs = Vec::new();
            for _ in 0..u.int_in_range(0..=20)? {
                let (pid, page) = (u.int_in_range(1..=2)?, u.int_in_range(0..=200)?);
                let frame = match u.int_in_range(0..=9)? {
                    0 => u.int_in_range(0..=1 << 40)?,
                    _ => u.int_in_range(0..=1 << 22)?,
                };
                let n = u.int_in_range(1..=8)?;
                if (page..page + n).any(|page| naive.contains_key(&(pid, page))) {
                    continue;
                }
                naive.extend((0..n).map(|at| ((pid, page + at), frame + at)));
                let [start, end, physical] = [page, page + n, frame].map(|page| page * PAGE);
                runs.push(FrameRun { pid, start, end, physical });
            }
            let fits = |run: &&FrameRun| run.physical + (run.end - run.start) <= MOST;
            let used: Vec<FrameRun> = runs.iter().filter(fits).copied().collect();
            let top = used.iter().map(|run| run.physical + (run.end - run.start)).max();
            let (mut os, mut tables) = os(&runs);
            let mut others = Vec::new();
            for space in 0..2 {
                os.enter(space + 1);
                for page in 0..210 {
                    let address = page * PAGE;
                    if u.ratio(1, 4)? {
                        continue;
                    }
                    os.map(&mut tables, space, address, Leaf::SMALLEST).unwrap();
                    let found = tables.locate(space, address).unwrap();
                    let known = naive.get(&(space + 1, page)).map(|frame| frame * PAGE);
                    match known.filter(|at| at + PAGE <= MOST) {
                        Some(known) if used.iter().any(|run| run.at(address) == Some(known)) => {
                            assert_eq!(found, known, "page {page}");
                        }
                        _ => others.push(found),
                    }
                }
            }
            let top = top.unwrap_or(0);
            let root = tables.root(0, 0).map(|root| tables.address(root)).unwrap();
            assert!(root >= top, "a table at {root:#x}");
            assert!(others.iter().all(|at| *at >= root + (1 << 29)));
            let n = others.len();
            others.sort_unstable();
            others.dedup();
            assert_eq!(others.len(), n);
            Ok(())
        });
    }

    #[test]
    fn a_huge_page_needs_consecutive_and_aligned_frames() {
        let huge = Leaf::of(Level::new(2));
        let run = |start: u64, pages: u64, physical| FrameRun {
            pid: 7,
            start: start << 21,
            end: (start << 21) + pages * PAGE,
            physical,
        };
        let all = [run(1, 512, 6 << 21), run(2, 512, 9 << 21 | PAGE), run(3, 511, 12 << 21)];
        let (mut os, mut tables) = os(&all);
        os.enter(7);
        for (number, expected) in [(1u64, Some(6u64 << 21)), (2, None), (3, None)] {
            os.map(&mut tables, 0, number << 21 | 0x5000, huge).unwrap();
            let found = tables.locate(0, number << 21).unwrap();
            match expected {
                Some(frame) => assert_eq!(found, frame),
                None => assert!(found >= 1 << 30, "{found:#x}"),
            }
        }
    }
}
