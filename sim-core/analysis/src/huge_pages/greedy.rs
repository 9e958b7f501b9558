//! Which candidate has to be looked at next, so that the best of all is found without looking at all (lazy
//! greedy: Minoux, Optimization Techniques, LNCIS 7, 1978). Knows candidates by number, and no simulation.
//!
//! What a candidate saved when it was simulated last is taken for the most that it saves now. So the one that
//! promises most is simulated again, until the one that does was simulated with all that is picked.

use std::cmp::Reverse;

use super::HugePoint;

/// Cycles and walks saved; below 0 where more are left than before.
pub(super) type Gain = (i128, i128);

/// A range that may be picked.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    range: u64,
    /// Cycles and walks in it where nothing is huge: those that have most come first.
    own: (u64, u64),
    /// What it saved when it was simulated last, or is taken to; `None` if it has to be simulated.
    gain: Option<Gain>,
    /// The last simulation, and the number of picks that it had in addition to the range.
    last: Option<(usize, HugePoint)>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Simulate(u64),
    Pick(u64, HugePoint),
    /// Nothing is left.
    End,
}

#[derive(Default)]
pub(super) struct Lazy {
    left: Vec<Candidate>,
    n_picked: usize,
}

impl Lazy {
    /// Ranges with the cycles and the walks in them. All but the `n` with the most are taken to save just those.
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
        let by_promise = |c: &&Candidate| {
            (c.gain.map_or((1, (0, 0)), |gain| (0, gain)), c.own, Reverse(c.range))
        };
        let Some(best) = self.left.iter().max_by_key(by_promise).copied() else { return Next::End };
        match best.last {
            Some((with, point)) if with == self.n_picked => {
                self.left.retain(|candidate| candidate.range != best.range);
                self.n_picked += 1;
                Next::Pick(best.range, point)
            }
            _ => Next::Simulate(best.range),
        }
    }

    /// A simulation of all picks and this range, where `before` is that of the picks alone.
    pub(super) fn simulated(&mut self, range: u64, before: HugePoint, point: HugePoint) {
        let saved = |before: u64, after: u64| i128::from(before) - i128::from(after);
        let gain = (saved(before.walk_cycles, point.walk_cycles), saved(before.walks, point.walks));
        if let Some(candidate) = self.left.iter_mut().find(|candidate| candidate.range == range) {
            candidate.gain = Some(gain);
            candidate.last = Some((self.n_picked, point));
        }
    }
}
