//! Simulations of some huge pages once all are picked: rows, the memory of a way, and the pages of the verdict. On
//! machines that join neighbouring pages, each is simulated with both orders of frames.

use super::advisor::{Advisor, Task};
use super::choice::MOST_CHOICES;
use super::simulation::{FirstWalks, Simulation};
use super::{HugePoint, HugeRow, HugeSetup, remedies, rows};
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
        // The ways have two groups, if there is a verdict. The first order has its base already.
        let n_ways = if self.no_verdict.is_none() { 2 } else { 0 };
        (MAX_ALONE as u64 + n_ways) * n_orders + n_orders - 1 + self.most_of_verdict()
    }

    /// Returns the most groups of the verdict.
    fn most_of_verdict(&self) -> u64 {
        let n_orders = self.orders().len() as u64;
        if self.no_verdict.is_none() { MOST_CHOICES + n_orders - 1 } else { 0 }
    }

    /// Returns the most groups of the verdict that may still be added.
    pub(super) fn most_added(&self) -> u64 {
        let is_done = self.groups.is_some() && self.now.is_none();
        if is_done { 0 } else { self.most_of_verdict().saturating_sub(self.n_added) }
    }

    /// Starts the simulation of the next group. The first call finds the rows and the groups.
    pub(super) fn next_group(&mut self, trace: &Trace) -> Result<Option<(Task, Simulation)>> {
        if self.groups.is_none() {
            let tags = self.setup.machine.address_tags();
            self.rows = rows::rows(trace, tags, self.options, &self.picks, &self.chosen);
            self.groups = Some(self.find_groups());
        }
        let is_left = |(_, group): &(usize, &Group)| group.done.is_none();
        if !self.groups.iter().flatten().enumerate().any(|group| is_left(&group)) {
            self.add_verdict();
        }
        let mut groups = self.groups.iter().flatten().enumerate();
        let Some((at, group)) = groups.find(is_left) else { return Ok(None) };
        let (setup, point) = self.setup_of_group(group);
        let machine = setup.machine_for(trace)?;
        let simulation = Simulation::of_group(machine, self.span.clone(), point, group.splits);
        Ok(Some((Task::Group(at), simulation)))
    }

    fn find_groups(&self) -> Vec<Group> {
        let rows: Vec<HugeRow> = self.rows.iter().map(|(row, _)| row.clone()).collect();
        let alone = (0..rows.len().min(MAX_ALONE)).map(|at| vec![at]);
        let ways = remedies::groups(&rows, self.has_blocks).into_iter();
        let ways = ways.filter(|_| self.no_verdict.is_none());
        let sets: Vec<Vec<u64>> = alone.chain(ways).map(|of| self.ranges_of(&of)).collect();
        let mut groups: Vec<Group> = Vec::new();
        for (at, frames) in self.orders().into_iter().enumerate() {
            let mut add = |ranges: Vec<u64>, splits: bool, done| {
                let is_new = groups.iter().all(|of| of.frames != frames || of.ranges != ranges);
                if is_new {
                    groups.push(Group { ranges, frames, splits, done });
                }
            };
            let none = || self.points.first().map(|point| (*point, self.first));
            add(Vec::new(), true, if at == 0 { none() } else { None });
            for (n, ranges) in sets.iter().enumerate() {
                // The verdict is often about the first row, so its first touches are counted apart.
                let splits = n == 0 && self.no_verdict.is_none();
                let known = if at == 0 && !splits { self.known(ranges) } else { None };
                add(ranges.clone(), splits, known.map(|point| (point, FirstWalks::default())));
            }
        }
        groups
    }

    /// Adds the next group that the verdict needs, once the others are done.
    fn add_verdict(&mut self) {
        if self.no_verdict.is_some() {
            return;
        }
        let ranges = self.ranges_of_verdict();
        let is_there = |frames| {
            let mut all = self.groups.iter().flatten();
            all.any(|of| of.splits && of.frames == frames && of.ranges == ranges)
        };
        let missing = self.orders().into_iter().find(|frames| !is_there(*frames));
        if let (Some(frames), Some(groups)) = (missing, &mut self.groups) {
            groups.push(Group { ranges, frames, splits: true, done: None });
            self.n_added += 1;
        }
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
        let all = self.groups.iter().flatten();
        let same = all.filter(|group| group.frames == frames && group.ranges == ranges);
        same.filter(|group| group.done.is_some()).max_by_key(|group| group.splits)?.done
    }
}
