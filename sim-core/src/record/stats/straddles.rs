//! Counts an access that straddles two pages once, as some simulators do.
//!
//! ```text
//! outcomes of both pages   counted by translations   counted by accesses
//! hit, hit                 two hits                  one hit
//! hit, walk                a hit and a walk          one walk
//! ```
//!
//! DynamoRIO's TLB simulator counts by translations, and so does Pagewalk. Cachegrind counts by accesses: an access to
//! two lines is one reference, and at most one miss.

use super::KindReport;
use crate::machine::probe::{Outcome, Translation};

/// The outcomes that a count by accesses leaves out: the better one of each access with two translations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Straddles {
    /// The access and the outcome of the last translation.
    last: Option<(u32, Outcome)>,
    left_out: [KindReport; 4],
}

impl Straddles {
    /// Adds a translation. The translations of one access come one after the other.
    pub(super) fn count(&mut self, done: &Translation) {
        if let Some((index, outcome)) = self.last
            && index == done.index
        {
            let better = if rank(outcome) < rank(done.outcome) { outcome } else { done.outcome };
            self.left_out[done.kind.index()].count(better);
        }
        self.last = Some((done.index, done.outcome));
    }

    /// Returns the counts of a kind without the outcomes that are left out.
    pub(super) fn without(&self, index: usize, all: KindReport) -> KindReport {
        let out = self.left_out[index];
        KindReport {
            l1_hits: all.l1_hits - out.l1_hits,
            l2_hits: all.l2_hits - out.l2_hits,
            walks: all.walks - out.walks,
            ..all
        }
    }
}

/// Returns the rank of an outcome in the order from the best to the worst.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::L1Hit => 0,
        Outcome::L2Hit => 1,
        Outcome::Walk | Outcome::Fault => 2,
        Outcome::Exception => 3,
    }
}
