//! Runs two machines on one trace, and finds the accesses that end differently. The work is done in slices, so that
//! the caller can stop it.
//!
//! An access *differs* if its level-1 misses on the two machines differ in number, in an outcome, or in the number
//! of page-table entries read. An exception that ends the access counts as a miss here. Latencies are not compared, because they come from the cycle model.

use std::ops::Range;

use serde::Serialize;

use crate::machine::Machine;
use crate::machine::probe::{Endings, Outcome, Translation};
use crate::run::replay::{Replay, advance};
use crate::run::search::Found;
use pagewalk_base::trace::Trace;

/// The most differing accesses that are listed. All are counted.
pub const MAX_LISTED: usize = 200;
/// The most columns that the counts over time may have.
const MAX_BINS: u32 = 1 << 12;

/// The result of an access on one machine: the most expensive outcome of its translations, and the number of
/// page-table entries that they read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Ended {
    pub outcome: Outcome,
    pub refs: u32,
}

/// An access that ends differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Difference {
    pub index: u32,
    pub left: Ended,
    pub right: Ended,
}

/// The comparison of the accesses that both machines simulate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct LockstepView {
    /// The first access that is compared. `to` is the first access after the compared ones.
    pub from: u32,
    pub to: u32,
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
    pub differing: u64,
    /// The number of accesses by outcome: row = the outcome on the left, column = on the right, both in the order of
    /// [`Outcome`].
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number[][]"))]
    pub outcomes: [[u64; Outcome::N]; Outcome::N],
    /// The first accesses that differ, at most [`MAX_LISTED`].
    pub listed: Vec<Difference>,
    /// The number of accesses in a bin. The last bin may have fewer.
    pub width: u32,
    /// The number of walks on the left in each bin, including walks after page faults.
    pub left_walks: Vec<u32>,
    pub right_walks: Vec<u32>,
    /// The number of differing accesses in each bin.
    pub differing_in: Vec<u32>,
}

/// A translation that missed level 1, or an access without a translation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Miss {
    index: u32,
    address: u64,
    outcome: Outcome,
    refs: u32,
}

/// Two machines in their state before the same access.
type Machines = [Machine; 2];

/// The comparison of a whole trace. Each call of [`Lockstep::go_on`] compares a slice of it.
#[derive(Debug)]
pub struct Lockstep {
    view: LockstepView,
    at: u32,
    machines: Machines,
}

impl Lockstep {
    /// Starts a comparison of the accesses that both replays simulate. Both replays must have the same trace.
    pub fn new(left: &Replay, right: &Replay, bins: u32) -> Self {
        let Range { start: from, end: to } = common(left, right);
        let width = (to - from).div_ceil(bins.clamp(1, MAX_BINS)).max(1);
        let zeros = vec![0; (to - from).div_ceil(width) as usize];
        let view = LockstepView {
            from,
            to,
            differing: 0,
            outcomes: [[0; Outcome::N]; Outcome::N],
            listed: Vec::new(),
            width,
            left_walks: zeros.clone(),
            right_walks: zeros.clone(),
            differing_in: zeros,
        };
        Self { view, at: from, machines: [left, right].map(|side| side.machine_before(from)) }
    }

    /// Returns the number of the next access to compare.
    pub fn position(&self) -> u32 {
        self.at
    }

    /// Compares at least `n` more accesses. Returns true if all are compared.
    pub fn go_on(&mut self, trace: &Trace, n: u32) -> bool {
        let end = self.at.saturating_add(n).min(self.view.to);
        while self.at < end {
            let chunk = trace.chunk_of(self.at);
            let to = (chunk.first + chunk.n).min(self.view.to);
            let mut quiet = u64::from(to - self.at);
            let misses = misses(&mut self.machines, trace, self.at, to);
            for_each_miss(&misses, |difference, is_different| {
                quiet -= 1;
                self.count(difference, is_different);
            });
            for (walks, misses) in
                [&mut self.view.left_walks, &mut self.view.right_walks].into_iter().zip(&misses)
            {
                for miss in misses.iter().filter(|miss| miss.outcome.is_walk()) {
                    walks[((miss.index - self.view.from) / self.view.width) as usize] += 1;
                }
            }
            self.view.outcomes[0][0] += quiet;
            self.at = to;
        }
        self.at == self.view.to
    }

    fn count(&mut self, difference: &Difference, is_different: bool) {
        let Self { view, .. } = self;
        let Difference { index, left, right } = *difference;
        view.outcomes[left.outcome as usize][right.outcome as usize] += 1;
        if is_different {
            view.differing += 1;
            view.differing_in[((index - view.from) / view.width) as usize] += 1;
            if view.listed.len() < MAX_LISTED {
                view.listed.push(*difference);
            }
        }
    }

    /// Returns the results of the accesses compared until now.
    pub fn view(&self) -> &LockstepView {
        &self.view
    }
}

/// A search for the nearest access that differs. Each call of [`DifferenceSearch::go_on`] searches a slice of the
/// trace.
#[derive(Debug)]
pub struct DifferenceSearch {
    forward: bool,
    /// Forward: the start of the next slice. Backward: the start of the last slice.
    at: u32,
    /// Forward: the machines before access `at`.
    machines: Option<Machines>,
}

impl DifferenceSearch {
    /// Starts a search next to access `index`, which is not compared.
    pub fn new(left: &Replay, right: &Replay, index: u32, forward: bool) -> Self {
        let Range { start, end } = common(left, right);
        let at = if forward { index.saturating_add(1) } else { index };
        Self { forward, at: at.clamp(start, end), machines: None }
    }

    /// Compares the next slice of the trace. The replays must be those that [`Self::new`] got.
    pub fn go_on(&mut self, left: &Replay, right: &Replay) -> Found {
        let Range { start, end } = common(left, right);
        let (trace, sides) = (left.trace(), [left, right]);
        if self.at == if self.forward { end } else { start } {
            return Found::Nothing;
        }
        let mut found = None;
        if self.forward {
            let at = self.at;
            let machines =
                self.machines.get_or_insert_with(|| sides.map(|side| side.machine_before(at)));
            let chunk = trace.chunk_of(at);
            self.at = (chunk.first + chunk.n).min(end);
            for_each_miss(&misses(machines, trace, at, self.at), |difference, is_different| {
                found = found.or(is_different.then_some(difference.index));
            });
        } else {
            // The search starts from the earlier of the two checkpoints, so that no machine is run twice.
            let positions = sides.map(|side| side.checkpoint_before(self.at - 1).0);
            let from = positions[0].min(positions[1]).max(start);
            let mut machines = sides.map(|side| side.machine_before(from));
            for_each_miss(
                &misses(&mut machines, trace, from, self.at),
                |difference, is_different| {
                    found = if is_different { Some(difference.index) } else { found };
                },
            );
            self.at = from;
        }
        found.map_or(Found::NotYet, Found::At)
    }
}

/// Returns the range of accesses that both replays simulate.
fn common(left: &Replay, right: &Replay) -> Range<u32> {
    let (left, right) = (&left.span().simulated, &right.span().simulated);
    let start = left.start.max(right.start);
    start..left.end.min(right.end).max(start)
}

/// Runs accesses `from..to` on both machines. Returns their level-1 misses in the order of accesses.
fn misses(machines: &mut Machines, trace: &Trace, from: u32, to: u32) -> [Vec<Miss>; 2] {
    machines.each_mut().map(|machine| {
        let mut misses = Vec::new();
        let mut collect = |done: &Translation| {
            let Translation { index, address, outcome, refs, .. } = *done;
            if outcome != Outcome::L1Hit {
                misses.push(Miss { index, address, outcome, refs });
            }
        };
        advance(machine, trace, from, to, &mut Endings(&mut collect));
        // A batch reports the misses of one stage after those of another, so the list must be sorted.
        misses.sort_unstable();
        misses
    })
}

/// Calls `visit` with every access that misses on either machine, in order, and with whether it differs.
fn for_each_miss([left, right]: &[Vec<Miss>; 2], mut visit: impl FnMut(&Difference, bool)) {
    let (mut left, mut right) = (left.as_slice(), right.as_slice());
    loop {
        let next = [left, right].into_iter().filter_map(|side| side.first()).map(|miss| miss.index);
        let Some(index) = next.min() else { return };
        let (a, b) = (take(&mut left, index), take(&mut right, index));
        let same = |(a, b): (&Miss, &Miss)| a.outcome == b.outcome && a.refs == b.refs;
        let is_different = a.len() != b.len() || !a.iter().zip(b).all(same);
        visit(&Difference { index, left: ended(a), right: ended(b) }, is_different);
    }
}

/// Removes the misses of access `index` from the front of a list, and returns them.
fn take<'a>(misses: &mut &'a [Miss], index: u32) -> &'a [Miss] {
    let n = misses.iter().take_while(|miss| miss.index == index).count();
    let (taken, rest) = misses.split_at(n);
    *misses = rest;
    taken
}

fn ended(misses: &[Miss]) -> Ended {
    let outcome = misses.iter().map(|miss| miss.outcome).max().unwrap_or(Outcome::L1Hit);
    Ended { outcome, refs: misses.iter().map(|miss| miss.refs).sum() }
}
