//! Lazy greedy (Minoux, Optimization Techniques, LNCIS 7, 1978): chooses the candidate to simulate next, so that the
//! best one is found without simulating all. This module only stores results: the caller runs the simulations.
//!
//! It assumes that a candidate saves at most what it saved in its last simulation. So it simulates the
//! candidate with the greatest last result again, until that result was computed with all current picks.

use std::cmp::Reverse;

use super::HugePoint;

/// Cycles and walks saved; negative if there are more than before.
pub(super) type Gain = (i128, i128);

/// A range that may be picked.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    range: u64,
    /// Cycles and walks in the range without huge pages. Of candidates with equal gains, the one with the most
    /// comes first.
    own: (u64, u64),
    /// The saving in the last simulation, or the assumed one; `None` if it must be simulated first.
    gain: Option<Gain>,
    /// The last simulation, and the number of picks that it had in addition to the range.
    last: Option<(usize, HugePoint)>,
}

impl Candidate {
    /// The order in which candidates are simulated: first those that must be, then by their last saving.
    fn promise(&self) -> ((u8, Gain), (u64, u64), Reverse<u64>) {
        (self.gain.map_or((1, (0, 0)), |gain| (0, gain)), self.own, Reverse(self.range))
    }
}

/// The next step of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Simulate(u64),
    Pick(u64, HugePoint),
    /// No candidate is left.
    End,
}

#[derive(Default)]
pub(super) struct Lazy {
    left: Vec<Candidate>,
    n_picked: usize,
}

impl Lazy {
    /// Creates candidates from ranges with their cycles and walks. The `n` with the most must be simulated; the
    /// others are assumed to save their cycles and walks.
    pub(super) fn new(ranges: impl Iterator<Item = (u64, (u64, u64))>, n: usize) -> Self {
        let candidate = |(range, own)| Candidate { range, own, gain: None, last: None };
        let mut left: Vec<Candidate> = ranges.map(candidate).collect();
        left.sort_by_key(|candidate| (Reverse(candidate.own), candidate.range));
        for Candidate { own, gain, .. } in left.iter_mut().skip(n) {
            *gain = Some((own.0.into(), own.1.into()));
        }
        Self { left, n_picked: 0 }
    }

    pub(super) fn next(&mut self) -> Next {
        let Some(best) = self.left.iter().max_by_key(|candidate| candidate.promise()).copied()
        else {
            return Next::End;
        };
        match best.last {
            Some((with, point)) if with == self.n_picked => {
                self.left.retain(|candidate| candidate.range != best.range);
                self.n_picked += 1;
                Next::Pick(best.range, point)
            }
            _ => Next::Simulate(best.range),
        }
    }

    /// Returns the ranges that were not simulated with the current picks, the next one to simulate first.
    pub(super) fn stale(&self) -> Vec<u64> {
        let is_stale =
            |c: &&Candidate| c.last.is_none_or(|(n_picked, _)| n_picked != self.n_picked);
        let mut stale: Vec<&Candidate> = self.left.iter().filter(is_stale).collect();
        stale.sort_by_key(|candidate| Reverse(candidate.promise()));
        stale.into_iter().map(|candidate| candidate.range).collect()
    }

    /// Stores the result of a simulation of all picks and this range. `before` is the result of the picks
    /// alone.
    pub(super) fn simulated(&mut self, range: u64, before: HugePoint, point: HugePoint) {
        let saved = |before: u64, after: u64| i128::from(before) - i128::from(after);
        let gain =
            (saved(before.miss_cycles(), point.miss_cycles()), saved(before.walks, point.walks));
        if let Some(candidate) = self.left.iter_mut().find(|candidate| candidate.range == range) {
            candidate.gain = Some(gain);
            candidate.last = Some((self.n_picked, point));
        }
    }
}
