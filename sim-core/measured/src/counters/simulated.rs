//! The simulated side of a comparison: the accesses, walks and faults in the report of a run.

use serde::Deserialize;

use super::meaning::{Meaning, Of, Quantity};
use pagewalk::record::stats::{KindReport, RunReport};
use pagewalk_base::trace::Completeness;

/// The part of a run's report that is compared; its JSON may have more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Simulated {
    trace: Counts,
    kinds: Kinds,
    walks: Walks,
    faults: Faults,
    cycles: Cycles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Counts {
    fetch: u64,
    load: u64,
    store: u64,
    completeness: Completeness,
    /// Whether the run counts only a part of the trace's file.
    #[serde(default)]
    part: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Kinds {
    fetch: Kind,
    load: Kind,
    store: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Kind {
    translations: u64,
    l2_hits: u64,
    walks: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Walks {
    walks: u64,
    refs: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Faults {
    minor: u64,
    major: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Cycles {
    walk: u64,
}

impl From<&RunReport> for Simulated {
    fn from(report: &RunReport) -> Self {
        let kind = |of: &KindReport| Kind {
            translations: of.translations,
            l2_hits: of.l2_hits,
            walks: of.walks,
        };
        let RunReport { trace, kinds, walks, faults, cycles, .. } = report;
        Self {
            trace: Counts {
                fetch: trace.fetch,
                load: trace.load,
                store: trace.store,
                completeness: trace.completeness,
                part: trace.part,
            },
            kinds: Kinds {
                fetch: kind(&kinds.fetch),
                load: kind(&kinds.load),
                store: kind(&kinds.store),
            },
            walks: Walks { walks: walks.walks, refs: walks.refs },
            faults: Faults { minor: faults.minor, major: faults.major },
            cycles: Cycles { walk: cycles.walk },
        }
    }
}

impl Simulated {
    /// Returns whether the trace, or its file if the trace is partial, has every access of the program.
    pub(super) fn is_complete(&self) -> bool {
        self.trace.completeness == Completeness::Complete
    }

    /// Returns whether the run covers only a part of the program. Then its rates may be compared, but not its
    /// counts.
    pub(super) fn is_part(&self) -> bool {
        self.trace.part
    }

    pub(super) fn has_fetches(&self) -> bool {
        self.trace.fetch > 0
    }

    /// Returns the count of the run with this meaning; `None` if the run has no such count.
    pub(super) fn count(&self, meaning: &Meaning) -> Option<u64> {
        if meaning.pages.is_some() {
            return None;
        }
        let of = meaning.of;
        let all = of == Of::All;
        let found = match meaning.quantity {
            Quantity::Instructions => self.trace.fetch,
            Quantity::Accesses => match of {
                Of::Fetches => self.trace.fetch,
                Of::Loads => self.trace.load,
                Of::Stores => self.trace.store,
                Of::Data => self.trace.load + self.trace.store,
                Of::All => self.trace.fetch + self.trace.load + self.trace.store,
            },
            Quantity::L1Lookups => self.sum(of, |kind| kind.translations),
            Quantity::L1Misses => self.sum(of, |kind| kind.l2_hits + kind.walks),
            Quantity::L2Hits => self.sum(of, |kind| kind.l2_hits),
            Quantity::Walks | Quantity::WalksStarted => self.sum(of, |kind| kind.walks),
            // A run counts table reads only as a sum over all kinds.
            Quantity::TableReads if all => self.walks.refs,
            Quantity::Faults => self.faults.minor + self.faults.major,
            Quantity::MinorFaults => self.faults.minor,
            Quantity::MajorFaults => self.faults.major,
            Quantity::Cycles
            | Quantity::WalkCycles
            | Quantity::WalkerCycles
            | Quantity::NestedCycles
            | Quantity::TableReads
            | Quantity::Flushes => return None,
        };
        // If a trace has no accesses of a kind, the kind was not recorded, so the count is missing and not
        // zero.
        let is_there = match of {
            Of::Fetches => self.trace.fetch > 0,
            Of::Loads => self.trace.load > 0,
            Of::Stores => self.trace.store > 0,
            Of::Data => self.trace.load + self.trace.store > 0,
            Of::All => meaning.quantity != Quantity::Instructions || self.trace.fetch > 0,
        };
        is_there.then_some(found)
    }

    fn sum(&self, of: Of, number: impl Fn(&Kind) -> u64) -> u64 {
        let Kinds { fetch, load, store } = &self.kinds;
        let kinds: &[&Kind] = match of {
            Of::Fetches => &[fetch],
            Of::Loads => &[load],
            Of::Stores => &[store],
            Of::Data => &[load, store],
            Of::All => &[fetch, load, store],
        };
        kinds.iter().map(|kind| number(kind)).sum()
    }

    /// Returns the mean cycles of a walk in the cycle model.
    pub(super) fn cycles_per_walk(&self) -> Option<f64> {
        ratio(self.cycles.walk, self.walks.walks)
    }
}

/// Returns `part / whole`; `None` if `whole` is 0.
#[expect(clippy::cast_precision_loss, reason = "a share is shown with a few digits")]
pub(super) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
