//! Simulations of some huge pages once all are picked: rows, the memory of a way, and the pages of the verdict. On
//! machines that join neighbouring pages, each is simulated with both orders of frames.

use std::collections::BTreeSet;

use super::advisor::{Advisor, Task};
use super::simulation::{FirstWalks, Simulation};
use super::{HugePoint, HugeRow, HugeSetup, remedies, rows, verdict};
use pagewalk::os::Frames;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Trace;

/// The most rows that are simulated by themselves.
pub(super) const MAX_ALONE: usize = 3;

/// A set of ranges that is simulated by itself once the picks are known.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The numbers of the ranges, rising.
    pub(super) ranges: Vec<u64>,
    pub(super) frames: Frames,
    /// Whether the walks of first touches are counted apart.
    pub(super) splits: bool,
    pub(super) done: Option<(HugePoint, FirstWalks)>,
}

impl Advisor {
    /// Returns the orders of frames that are possible, first the one of the setup.
    pub(super) fn orders(&self) -> Vec<Frames> {
        let scattered = self.setup.joins_pages().then_some(Frames::Shuffled);
        std::iter::once(self.setup.os.frames).chain(scattered).collect()
    }

    /// Returns the most simulations of groups that there may be.
    pub(super) fn most_groups(&self) -> u64 {
        let n_orders = self.orders().len() as u64;
        // The ways have two groups, and the verdict one. The first order has its base already.
        (MAX_ALONE as u64 + 3) * n_orders + n_orders - 1
    }

    /// Starts the simulation of the next group. The first call finds the rows and the groups.
    pub(super) fn next_group(&mut self, trace: &Trace) -> Result<Option<(Task, Simulation)>> {
        if self.groups.is_none() {
            let tags = self.setup.machine.address_tags();
            self.rows = rows::rows(trace, tags, self.options, &self.picks, &self.chosen);
            self.groups = Some(self.find_groups());
        }
        let mut groups = self.groups.iter().flatten().enumerate();
        let Some((at, group)) = groups.find(|(_, group)| group.done.is_none()) else {
            return Ok(None);
        };
        let (setup, point) = self.setup_of_group(group);
        let machine = setup.machine_for(trace)?;
        let simulation = Simulation::of_group(machine, self.span.clone(), point, group.splits);
        Ok(Some((Task::Group(at), simulation)))
    }

    fn find_groups(&self) -> Vec<Group> {
        let rows: Vec<HugeRow> = self.rows.iter().map(|(row, _)| row.clone()).collect();
        let alone = (0..rows.len().min(MAX_ALONE)).map(|at| vec![at]);
        let ways = remedies::groups(&rows, self.has_blocks);
        let sets: Vec<Vec<u64>> = alone.chain(ways).map(|of| self.ranges_of(&of)).collect();
        let mut groups: Vec<Group> = Vec::new();
        for (at, frames) in self.orders().into_iter().enumerate() {
            let mut add = |ranges: Vec<u64>, splits: bool, done| {
                let is_new = groups.iter().all(|of| of.frames != frames || of.ranges != ranges);
                if is_new {
                    groups.push(Group { ranges, frames, splits, done });
                }
            };
            // Groups that also split their walks come first, because they also answer for those that need not.
            let none = || self.points.first().map(|point| (*point, self.first));
            add(Vec::new(), true, if at == 0 { none() } else { None });
            if self.no_verdict.is_none() {
                add(self.ranges_of_verdict(), true, None);
            }
            for ranges in &sets {
                let known = if at == 0 { self.known(ranges) } else { None };
                add(ranges.clone(), false, known.map(|point| (point, FirstWalks::default())));
            }
        }
        groups
    }

    /// Returns the ranges of the huge pages that the verdict is about, rising.
    pub(super) fn ranges_of_verdict(&self) -> Vec<u64> {
        let n = verdict::enough(&self.points).min(self.chosen.len());
        self.chosen[..n].iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(super) fn setup_of_group(&self, group: &Group) -> (HugeSetup, HugePoint) {
        let (mut setup, point) = self.setup_of(&group.ranges.iter().copied().collect());
        setup.os.frames = group.frames;
        (setup, point)
    }

    /// Returns the result of exactly these huge pages, if a point of the curve has them.
    fn known(&self, ranges: &[u64]) -> Option<HugePoint> {
        let mut first = self.chosen.get(..ranges.len())?.to_vec();
        first.sort_unstable();
        let point = || self.points.iter().find(|point| point.huge_pages as usize == ranges.len());
        if first == ranges { point().copied() } else { None }
    }

    pub(super) fn set_group(&mut self, at: usize, point: HugePoint, first: FirstWalks) {
        if let Some(group) = self.groups.as_mut().and_then(|groups| groups.get_mut(at)) {
            group.done = Some((point, first));
        }
    }

    /// Returns the counts of a group.
    pub(super) fn counted(
        &self,
        ranges: &[u64],
        frames: Frames,
    ) -> Option<(HugePoint, FirstWalks)> {
        let mut groups = self.groups.iter().flatten();
        groups.find(|group| group.frames == frames && group.ranges == ranges)?.done
    }
}
