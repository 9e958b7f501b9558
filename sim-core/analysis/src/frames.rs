//! How much of a trace's memory has recorded frames, and how contiguous they are.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::{FrameRun, Trace};
use serde::Serialize;

/// The frames of a trace. Pages have 4 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FrameReport {
    /// The pages that the trace uses.
    pub pages: u64,
    /// The used pages whose frame is known.
    pub with_frame: u64,
    /// The used pages whose frame a page before has, too: memory that is mapped twice, or the page of zeros.
    pub shared: u64,
    /// The runs of consecutive pages in consecutive frames around the used pages, the shortest first. A run may have pages
    /// that the trace does not use.
    pub runs: Vec<RunLengths>,
}

/// Runs of at least `from` pages, and of fewer than twice as many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunLengths {
    pub from: u64,
    pub runs: u64,
    /// The pages of all these runs.
    pub pages: u64,
}

impl FrameReport {
    /// Counts the frames of a trace; `None` if no frame was recorded.
    pub fn of(trace: &Trace) -> Option<Self> {
        if trace.frames().is_empty() {
            return None;
        }
        let mut sorted: Vec<FrameRun> = trace.frames().to_vec();
        sort_by_numbers(&mut sorted, |run| (run.start, run.pid.into()));
        let mut joined: Vec<FrameRun> = Vec::new();
        for run in sorted {
            run.append(&mut joined);
        }
        let mut report = Self { pages: trace.pages().len() as u64, ..Self::default() };
        let (mut lengths, mut frames) = (BTreeMap::new(), BTreeSet::new());
        let mut used = trace.pages().iter().map(|used| used.page.start()).peekable();
        for run in &joined {
            while used.next_if(|start| *start < run.start).is_some() {}
            let mut is_used = false;
            while let Some(frame) = used.next_if(|start| *start < run.end).map(|at| run.at(at)) {
                is_used = true;
                report.with_frame += 1;
                report.shared += u64::from(!frames.insert(frame));
            }
            if is_used {
                let from = 1 << run.pages().max(1).ilog2();
                let row =
                    lengths.entry(from).or_insert(RunLengths { from, ..RunLengths::default() });
                row.runs += 1;
                row.pages += run.pages();
            }
        }
        report.runs = lengths.into_values().collect();
        Some(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};

    #[test]
    fn used_pages_are_counted_and_runs_by_their_length() {
        let mut trace = TraceBuilder::default();
        // Page, pages, frame.
        let runs =
            [(0x10, 4, 0x100), (0x14, 1, 0x104), (0x20, 1, 0x100), (0x30, 8, 7), (0x50, 2, 9)];
        let run = |(page, n, frame): (u64, u64, u64)| FrameRun {
            pid: 0,
            start: page << 12,
            end: (page + n) << 12,
            physical: frame << 12,
        };
        trace.frames(&runs.map(run)).unwrap();
        for page in [0x10u64, 0x11, 0x14, 0x20, 0x30, 0x40] {
            trace.push(&Access::new(Kind::Load, page << 12, 8)).unwrap();
        }
        let trace = trace.finish(Completeness::Complete).unwrap();
        let found = FrameReport::of(&trace).unwrap();
        let counts = (found.pages, found.with_frame, found.shared);
        assert_eq!(counts, (6, 5, 1));
        let rows: Vec<_> = found.runs.iter().map(|row| (row.from, row.runs, row.pages)).collect();
        assert_eq!(rows, [(1, 1, 1), (4, 1, 5), (8, 1, 8)]);
    }
}
