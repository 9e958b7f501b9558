//! The advice from the results of all simulations.

use std::collections::BTreeSet;

use super::advisor::Advisor;
use super::remedies::Reached;
use super::time::{Pair, TimeModel};
use super::verdict::Compared;
use super::{FirstTouches, HugeAdvice, HugeOptions, HugeRow, HugeSaving, remedies, verdict};

impl Advisor {
    /// Returns the advice so far. Rows, ways and the verdict come with the last simulation.
    pub fn finish(self) -> HugeAdvice {
        let HugeOptions { pages, huge, .. } = self.options;
        let model = TimeModel::new(&self.setup.machine, self.options, self.instructions);
        let mut rows = Vec::new();
        for (row, ranges) in &self.rows {
            rows.push(HugeRow { alone: self.saving(model, ranges), ..row.clone() });
        }
        let reached = remedies::groups(&rows, self.has_blocks).map(|of| {
            let huge_pages: u32 = of.iter().map(|at| rows[*at].huge_pages).sum();
            let ranges = self.ranges_of(&of);
            let first_touches = self.first_touches(&ranges);
            Reached { huge_pages, first_touches, saving: self.saving(model, &ranges) }
        });
        let no_verdict = self.no_verdict.map(str::to_owned);
        // What a part of the accesses saves is no share of the program's time, so no way is advised.
        let (remedies, useless_ways, unreached) = if no_verdict.is_some() {
            Default::default()
        } else {
            let all = remedies::remedies(pages, huge, &rows, reached);
            let (useful, useless) = remedies::split(all);
            (useful, useless, remedies::unreached(pages, huge, &rows))
        };
        let is_due = self.groups.is_some() && no_verdict.is_none();
        let ranges = self.ranges_of_verdict();
        let verdict = is_due.then(|| {
            let (compared, touches) = (self.compared(&ranges), self.first_touches(&ranges));
            verdict::of(ranges.len(), &compared, touches, self.options, model)
        });
        let Self { picks, points, .. } = self;
        HugeAdvice {
            pages,
            huge,
            picks,
            points,
            rows,
            remedies,
            useless_ways,
            unreached,
            verdict,
            no_verdict,
        }
    }

    /// Returns the runs without huge pages and with these, for each order of frames.
    fn compared(&self, ranges: &[u64]) -> Vec<Compared> {
        let of = |frames| {
            let (none, with) = (self.counted(&[], frames)?, self.counted(ranges, frames)?);
            Some(Compared { frames, none, with })
        };
        self.orders().into_iter().filter_map(of).collect()
    }

    /// Returns what huge pages save, if they were simulated with each order of frames.
    fn saving(&self, model: TimeModel, ranges: &[u64]) -> Option<HugeSaving> {
        let compared = self.compared(ranges);
        let pairs: Vec<Pair> = compared.iter().map(|each| (each.none.0, each.with.0)).collect();
        (pairs.len() == self.orders().len()).then(|| model.saving(&pairs))
    }

    /// Prices the first touches of those ranges that the kernel clears.
    fn first_touches(&self, ranges: &[u64]) -> FirstTouches {
        let cleared = self.rows.iter().filter(|(row, _)| remedies::is_cleared(row.kind));
        let cleared: BTreeSet<u64> = cleared.flat_map(|(_, of)| of.iter().copied()).collect();
        let priced = ranges.iter().filter(|range| cleared.contains(range));
        let (n, touched) =
            priced.fold((0, 0), |(n, bytes), range| (n + 1, bytes + self.touched_bytes(*range)));
        FirstTouches::new(self.options, touched, n)
    }

    /// Returns the numbers of the ranges of some rows, rising.
    pub(super) fn ranges_of(&self, rows: &[usize]) -> Vec<u64> {
        let all = rows.iter().flat_map(|at| self.rows[*at].1.iter().copied());
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }
}
